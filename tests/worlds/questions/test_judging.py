"""The figures of a verdict about an answer, and the tables of them, from numbers put in by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

import cookmas
from cookmas.evals.verdict import Check
from cookmas.worlds.base.question_suite import QuestionLine, SuiteLine, ToldState, write_suite
from cookmas.worlds.questions.judging import LOOK_AHEAD, class_of


def line_of(options: int, right: int, depth: int = 1) -> QuestionLine:
    """Return a question with so many options, of which the first are right."""
    names = [f"option {number}" for number in range(options)]
    return QuestionLine(
        name="only",
        of="Chess",
        place="board",
        setup_of={},
        state={},
        told=ToldState(scene="It is dark."),
        seat="White",
        kind="mind",
        about="moves",
        draw=0,
        form="legal",
        question="Which?",
        options=names,
        depth=depth,
        margin=None,
        right=names[:right],
        proof=dict.fromkeys(names, "said"),
    )


@pytest.mark.parametrize(
    ("options", "right", "chance"),
    [(7, 2, 0.2857), (3, 1, 0.3333), (26, 1, 0.0385), (16, 5, 0.3125)],
)
def test_chance_is_the_share_of_right_options_to_four_digits(
    options: int, right: int, chance: float, tmp_path: Path
) -> None:
    checks = judge(line_of(options, right), tmp_path)
    (value,) = [check.value for check in checks if check.name == "chance"]
    assert value == chance
    proofs = [check for check in checks if check.name == "proof"]
    assert [check.value for check in proofs] == [True] * right + [False] * (options - right)


@pytest.mark.parametrize(
    ("depth", "words"),
    [
        (0, "1 timestep"),
        (1, "1 timestep"),
        (2, "2 to 3"),
        (3, "2 to 3"),
        (4, "4 or more"),
        (9, "4 or more"),
    ],
)
def test_a_question_is_in_the_class_of_how_far_one_looks_ahead(
    depth: int, words: str, tmp_path: Path
) -> None:
    assert LOOK_AHEAD[class_of(depth)][1] == words
    names = {check.name for check in judge(line_of(3, 1, depth), tmp_path)}
    assert {name for name in names if name.startswith("depth_")} == {f"depth_{class_of(depth)}"}
    assert {"mind", "form_legal", "right"} <= names


def judge(line: QuestionLine, folder: Path) -> list[Check]:
    write_suite(folder / "own.jsonl", SuiteLine(suite="own", seed=0), [line])
    verdict = cookmas.play(f"questions/{folder / 'own.jsonl'}/only", "random").verdict
    assert verdict is not None
    return list(verdict.checks)
