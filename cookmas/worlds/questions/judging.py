"""The judging of answers, by the key that a world has computed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Any

from cookmas.episodes.trace import ModelCall, Trace
from cookmas.evals.columns import (
    CALLS,
    FURTHER,
    SUCCESS,
    Measure,
    column_of_passes,
    column_of_values,
)
from cookmas.evals.evidence import Evaluator, Evidence
from cookmas.evals.judging import COMMON, Judging
from cookmas.evals.verdict import EPISODE, Check, make_check
from cookmas.worlds.base.question_suite import FORMS
from cookmas.worlds.base.questions import KINDS
from cookmas.worlds.questions.world import QuestionWorld

_LETTER = re.compile(
    r"\b(?i:answer|option)\b\W*(?i:is\W*)?\(?([A-Z])\b|\(([A-Z])\)|\"([A-Z])\"|^\W*([A-Z])\b"
)
"""A letter that an answer names, as the published evaluation looks for it."""

LOOK_AHEAD = ((1, "1 timestep"), (3, "2 to 3"), (None, "4 or more"))
"""The classes of difficulty: the most timesteps that one has to look ahead, and the name."""


def judge_answer(evidence: Evidence) -> Iterator[Check]:
    """Yield whether the answer is right, by several names, and whether chance would be.

    The checks `comprehension`, `mind` or `planning`, `form` and `depth` have the same result as
    `right`, so that a table can have a column of each. `chance` is the share of right options.
    `proof` tells for each option whether it is right, and why.
    `by_pattern` has the result of the answer that the published rule finds in the model's words.
    """
    key, world = evidence.truth, evidence.world
    place = f"{key.of}/{key.place}"
    assert isinstance(world, QuestionWorld)
    options = world.options
    said = evidence.final["answer"] or "nothing"
    right = said in key.right
    wanted = " or ".join(key.right)
    why = f"answered {said}: {key.proof.get(said, 'no answer')}; right: {wanted}"
    for name in ("right", key.kind, f"form_{key.form}", f"depth_{class_of(key.depth)}"):
        yield make_check(name, place, right, reason=why)
    yield Check(name="chance", subject=EPISODE, value=round(len(key.right) / len(options), 4))
    for option in options.values():
        yield Check(
            name="proof",
            subject=option,
            value=option in key.right,
            reason=key.proof.get(option, ""),
        )
    calls = list(evidence.trace.of(ModelCall))
    if calls:
        letter = find_letter(calls[-1].text, options)
        yield make_check(
            "by_pattern", place, options[letter] in key.right, reason=f"found {letter}"
        )


def class_of(depth: int) -> int:
    """Return the number of the class of difficulty, from 0."""
    return next(
        number for number, (most, _) in enumerate(LOOK_AHEAD) if most is None or depth <= most
    )


def find_letter(answer: str, options: Mapping[str, str]) -> str:
    """Return the letter of an answer by the published rule: a pattern, else the nearest option.

    The nearest option is the one whose text is most alike; without any it is the first one
    (Agashe et al. 2024, CoordinationQA).
    """
    for found in _LETTER.finditer(answer):
        letter: str = next(filter(None, found.groups()))
        if letter in options:
            return letter
    alike = {x: SequenceMatcher(None, text, answer).ratio() for x, text in options.items()}
    return max(alike, key=lambda letter: alike[letter])


class QuestionJudging(Judging):
    """The judging of questions: an episode succeeds if the answer is right."""

    evaluators: Mapping[str, Evaluator] = {"answer": judge_answer, **COMMON}
    columns = (
        SUCCESS,
        *(column_of_passes(kind, kind, kind) for kind in KINDS),
        column_of_passes("by_pattern", "by pattern", "by_pattern"),
        replace(column_of_values("chance", "chance", digits=2), measured_in="share"),
        *(
            column_of_passes(f"depth_{n}", f"looks ahead {name}", f"depth_{n}")
            for n, (_, name) in enumerate(LOOK_AHEAD)
        ),
        *(column_of_passes(f"form_{x}", f"form {x}", f"form_{x}") for x in FORMS),
        *CALLS,
    )

    correlated = KINDS
    further = (Measure(name="right", of=True, better="more"), *FURTHER)
    measures = (*Judging.measures, Measure(name="proof", of=True, measured_in="text"))

    def group(self, trace: Trace) -> str | None:
        """Return the world of the question's state."""
        return str(trace.header.setup.get("of")) or None

    def success(self, evidence: Any, checks: Any) -> tuple[bool | None, str]:
        """Return whether the answer is right, and why."""
        check = next((each for each in checks if each.name == "right"), None)
        if check is None:
            return None, "there is no answer to judge"
        return check.passed, check.reason


JUDGING = QuestionJudging()
