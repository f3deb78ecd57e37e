"""What people of every world are told has no words of the kitchen."""

from __future__ import annotations

import re

import pytest

from cookmas.display.page.document import ASSETS
from cookmas.seats.orchestrating import terminal as orchestrating
from cookmas.seats.people import terminal as people

KITCHEN = re.compile(r"\b(cook|cooked|kitchen|dish|dishes|recipes?)\b", re.IGNORECASE)
SAID = re.compile(r'"([^"\n]*)"')


@pytest.mark.parametrize("told", [orchestrating.HELP, people.HELP])
def test_the_terminal_speaks_of_no_kitchen(told: str) -> None:
    assert not KITCHEN.findall(told)


@pytest.mark.parametrize("script", ["orchestrating.js", "seat.js"])
def test_the_page_of_a_person_speaks_of_no_kitchen(script: str) -> None:
    said = SAID.findall((ASSETS / script).read_text(encoding="utf-8"))
    assert said
    assert not KITCHEN.findall(" ".join(said))
