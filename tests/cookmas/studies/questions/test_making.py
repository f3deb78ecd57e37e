"""The making of suites: turns of kinds and places, and the sorts of keys."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from cookmas.files.errors import InputError
from cookmas.studies.questions import making
from cookmas.studies.questions.making import make_questions
from cookmas.worlds.base.question_suite import QuestionLine
from cookmas.worlds.base.questions import Kind, Question
from tests.worlds.questions.test_judging import line_of


def draw_sorts(weights: dict[str, int], count: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the sorts of the keys of a suite, if drawn keys have sorts as often as `weights`."""

    def draw_question(name: str, states: Any, kind: Kind, form: Any, draw: Random) -> QuestionLine:
        move = f"{draw.choices(list(weights), list(weights.values()))[0]}({draw.random()})"
        line = line_of(3, 1).model_copy(update={"name": name, "of": "hanabi", "kind": kind})
        return line.model_copy(update={"question": move, "right": [move], "options": [move, "x"]})

    monkeypatch.setattr(making, "draw_question", draw_question)
    monkeypatch.setattr(making, "play_states", lambda *_: iter(()))
    lines = list(make_questions(["hanabi/two"], count, 1, ("planning",)))
    assert len(lines) == count
    return [line.right[0].partition("(")[0] for line in lines]


@pytest.mark.parametrize("count", [1, 2, 7, 16])
def test_no_more_than_half_of_the_keys_are_of_one_sort(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sorts = Counter(draw_sorts({"clue": 18, "play": 1, "discard": 1}, count, monkeypatch))
    assert max(sorts.values()) == (count + 1) // 2


def test_a_sort_that_alone_occurs_is_not_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="too few different questions of the kind planning"):
        draw_sorts({"clue": 1}, 4, monkeypatch)


@pytest.mark.parametrize(
    ("right", "legal", "shown", "guessed"),
    [(1, 3, 3, False), (1, 2, 2, True), (1, 2, 3, False), (2, 4, 6, False), (2, 4, 5, True),
     (3, 5, 26, True), (8, 9, 26, True), (1, 26, 26, False)],
)  # fmt: skip
def test_a_question_is_guessed_if_a_third_of_the_options_or_half_of_its_own_are_right(
    right: int, legal: int, shown: int, guessed: bool
) -> None:
    options = [str(number) for number in range(shown)]
    question = Question(
        kind="planning", about="", text="", options=options[:legal], right=options[:right], proof={}
    )
    assert question.is_guessed(options) is guessed
