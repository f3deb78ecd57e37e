"""Suites with as many questions of each game and kind as the published sets have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cookmas.files.errors import InputError
from cookmas.world_names import locate_all

if TYPE_CHECKING:
    from cookmas.worlds.base.question_suite import QuestionLine
    from cookmas.worlds.base.questions import Kind


class PublishedForm(StrEnum):
    """A published set of questions."""

    COORDINATION_QA = "coordination-qa"
    """66 scenarios with a question of each kind (Agashe et al. 2024)."""
    TOM_REASONING = "tom-reasoning"
    """18 scenarios with questions of what the partner does and what to do (Agashe et al. 2023)."""


class _Form(NamedTuple):
    """The numbers of a published set."""

    scenarios: Mapping[str, int]
    """Number of scenarios by the world's name."""
    kinds: Sequence[Kind]
    """The kinds of the questions about each scenario."""


_FORMS: Mapping[PublishedForm, _Form] = {
    PublishedForm.COORDINATION_QA: _Form(
        {"overcooked": 25, "hanabi": 28, "collab-capture": 6, "collab-escape": 7},
        ("comprehension", "mind", "planning"),
    ),
    PublishedForm.TOM_REASONING: _Form(
        {"overcooked": 6, "collab-capture": 6, "collab-escape": 6}, ("mind", "planning")
    ),
}


def make_like(form: PublishedForm, places: Sequence[str], seed: int) -> Iterator[QuestionLine]:
    """Yield new questions, as many of each game and kind as a published set has.

    `places` are the places of all games. The kinds ask about different states. How the 18 scenarios
    spread over the games is not published; here each game has six. Raise InputError if `places`
    lack a game.
    """
    from cookmas.studies.questions.making import make_questions

    numbers = _FORMS[form]
    whole = [each for place in places for each in locate_all(place)]
    of = {x: [each.spelled for each in whole if each.world == x] for x in numbers.scenarios}
    if lacking := [world for world in of if not of[world]]:
        raise InputError("places", f"expected one of {lacking[0]}, as {form} has")
    for world, scenarios in numbers.scenarios.items():
        yield from make_questions(of[world], scenarios * len(numbers.kinds), seed, numbers.kinds)
