"""An error about an action says what the form with its verb takes, or names all forms."""

from __future__ import annotations

import pytest

from cookmas.episodes.forms import explain_mistake

FORMS = ("move(STATION_A, STATION_B)", "put(ITEM, STATION_A, STATION_B)", "wait", "ring(BELL)")
CHOICES = {"STATION_A": ["sink1", "table1"], "STATION_B": ["sink1", "table1"]}


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ("move(sink1)", "'move(sink1)' is no action; move(STATION_A, STATION_B) takes 2 stations"),
        ("move()", "'move()' is no action; move(STATION_A, STATION_B) takes 2 stations"),
        (
            "put(bread1, sink1)",
            "'put(bread1, sink1)' is no action; put(ITEM, STATION_A, STATION_B) takes 1 item and 2 "
            "stations",
        ),
        ("move(sink1, sink9)", "'move(sink1, sink9)' is no action: 'sink9' is no station"),
        ("wait(3)", "'wait(3)' is no action; wait takes nothing in brackets"),
        ("ring (red)", "'ring (red)' is no action; write it as ring(BELL)"),
        ("go(sink1)", f"'go(sink1)' is no action; the actions are {', '.join(FORMS)}"),
    ],
)
def test_a_mistake_is_explained_by_the_form_of_its_verb(action: str, said: str) -> None:
    assert explain_mistake(action, FORMS, CHOICES) == said


def test_forms_with_the_same_verb_are_named_together() -> None:
    forms = ("take(FOOD, PLACE)", "take(FOOD, PLACE, NUMBER)", "wait")
    assert explain_mistake("take(egg)", forms, {}) == (
        "'take(egg)' is no action; take(FOOD, PLACE) takes 1 food and 1 place or "
        "take(FOOD, PLACE, NUMBER) takes 1 food, 1 place and 1 number"
    )


def test_a_long_text_is_quoted_in_part() -> None:
    assert len(explain_mistake("x" * 10_000, FORMS, {})) < 200
