"""No question is easily guessed, and none says its right option in the words of its state."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest

from cookmas.studies.questions.making import draw_question
from cookmas.worlds.base.question_suite import QuestionLine, read_suite
from cookmas.worlds.questions.domain import SUITES, _level_of
from cookmas.worlds.questions.world import ANSWERER, QuestionWorld
from tests.sampling import CONFORMANCE
from tests.worlds.questions.test_every_questioner import WORLDS, drawn_states, kinds_of

DRAWN = 25 if CONFORMANCE else 8


@pytest.mark.parametrize("name", ["ours", "small"])
def test_no_shipped_question_is_guessed_or_read_off(name: str) -> None:
    for line in read_suite(SUITES / f"{name}.jsonl").questions.values():
        assert find_fault(line) is None, line.name


def test_no_more_than_half_of_the_keys_of_hanabi_are_of_one_sort() -> None:
    keys = [
        line.right[0].partition("(")[0]
        for line in read_suite(SUITES / "ours.jsonl").questions.values()
        if (line.of, line.kind) == ("hanabi", "planning")
    ]
    assert max(map(keys.count, keys)) <= len(keys) / 2


@pytest.mark.parametrize("name", WORLDS)
def test_no_new_question_of_any_kind_is_guessed_or_read_off(name: str) -> None:
    lines = list(draw(name))
    assert {line.kind for line in lines} == set(kinds_of(name))
    for line in lines:
        assert find_fault(line) is None, (line.question, line.options, line.right)


def draw(name: str) -> Iterator[QuestionLine]:
    for kind in kinds_of(name):
        for form in ("all", "legal"):
            source = Random(f"{name}/{kind}/{form}")
            drawn = [
                draw_question("x", drawn_states(name), kind, form, source) for _ in range(DRAWN)
            ]
            yield from filter(None, drawn)


def find_fault(line: QuestionLine) -> str | None:
    """Return what is wrong with a question; None if nothing is."""
    if 3 * len(line.right) > len(line.options):
        return f"{len(line.right)} of {len(line.options)} options are right"
    told = narrate(line)
    if line.bare and (follows := FOLLOWS.findall("\n".join(told))):
        return f"tells what follows: {follows}"
    said = [options for clause in told for options in [list_said(line, clause)] if options]
    return "says what is right" if any(each <= set(line.right) for each in said) else None


FOLLOWS = re.compile(r"moves? away|in front|blocked by|cannot be reached|can be|Next to play")
"""What is told of a state if its question is not `bare`."""


def narrate(line: QuestionLine) -> list[str]:
    """Return the clauses of the state in words, with the seat by its name.

    What somebody holds, does or did with a card is left out.
    """
    *scene, _ = QuestionWorld(_level_of(line)).narrate({"answer": None}, ANSWERER)
    told = [re.sub(r"\b[Yy]ou(?= )", line.seat, sentence) for sentence in scene]
    clauses = [clause for sentence in told for clause in re.split(r"\. |: ", sentence)]
    return [
        re.sub(r"\w+\([^()]*\)|\b(holds?|played|discarded) .*", "", clause) for clause in clauses
    ]


def list_said(line: QuestionLine, clause: str) -> set[str]:
    """Return the options that a clause names beside something that the question names.

    These are names such as `pot0`, and else the seat that the question is about. A number beside a
    seat is that of a room or a slot.
    """
    other, _, _ = line.question.rpartition(" is asked: ")
    names = set(re.findall(r"\b[a-z_]+\d+\b", line.question)).difference(line.options)
    if not names and any(each.isdigit() for each in line.options):
        return set()
    if not any(re.search(rf"\b{name}\b", clause) for name in names or {other or line.seat}):
        return set()
    return {x for x in line.options if re.search(rf"(?<!\w){re.escape(x)}(?!\w)", clause)}
