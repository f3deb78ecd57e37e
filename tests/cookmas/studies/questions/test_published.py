"""Published questions: a user's copy is read with its faults, and new suites have their numbers."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import cookmas
from cookmas.files.errors import InputError, MissingError
from cookmas.studies.questions.forms import PublishedForm, make_like
from cookmas.studies.questions.published import (
    PublishedColumns,
    PublishedQuestions,
    read_columns,
    read_published,
)
from cookmas.worlds.base.question_suite import read_suite
from cookmas.worlds.base.questions import KINDS, Kind
from cookmas.worlds.questions.domain import DOMAIN
from tests.warm import say

GOOD = """The pot is full.
The plate is near.

Who can reach it?
Answers:
A. Only I.
B. Only Bob.
"""
COLUMNS = "game: Spiel\nasked:\n- {kind: mind, question: Frage, letter: Antwort}\n"


def _write(folder: Path, *cells: tuple[str, str, str]) -> Path:
    """Write a file with a question of environment comprehension in each row."""
    path = folder / "theirs.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["Game", "EC Question", "EC Answer Ordinal", "EC Answer"])
        writer.writerows(["Overcooked", *cell] for cell in cells)
    return path


def _read(folder: Path, *cells: tuple[str, str, str]) -> PublishedQuestions:
    found = read_published(_write(folder, *cells), PublishedColumns())
    rows = [fault for fault in found.faults if fault.startswith("row")]
    return PublishedQuestions(found.questions, rows)


def test_a_question_is_read_with_its_state_options_and_key(tmp_path: Path) -> None:
    (line,), faults = _read(tmp_path, (GOOD, "B", "only bob"))
    assert not faults
    assert (line.of, line.kind, line.form) == ("Overcooked", "comprehension", "own")
    assert line.question == "Who can reach it?"
    assert line.options == ["Only I.", "Only Bob."]
    assert line.right == ["Only Bob."]
    assert line.told
    assert line.told.scene == "The pot is full.\nThe plate is near."


@pytest.mark.parametrize(
    ("cell", "fault", "asked"),
    [
        (("", "A", ""), "is empty", 0),
        (("Who?", "A", ""), "has 0 options", 0),
        (("Who?\nA. I\nB.", "A", ""), "has 1 options", 0),
        ((GOOD, "", "Only I."), "has no key", 0),
        ((GOOD, "E", ""), "the key E names no option; expected one of A, B", 0),
        ((f"{GOOD}B. Neither.", "B", ""), "the key B names several options", 0),
        ((f"{GOOD}B. Neither.", "A", ""), "two options have the letter B", 1),
        ((f"{GOOD}C. only bob\n", "C", ""), "option C is equal to option B", 1),
        ((f"{GOOD}C. ", "B", ""), "option C has no text", 1),
        ((GOOD, "B", "Only I."), "the key is B, 'Only Bob.', but the text", 1),
    ],
)
def test_each_fault_of_a_file_is_listed_in_a_line(
    cell: tuple[str, str, str], fault: str, asked: int, tmp_path: Path
) -> None:
    questions, faults = _read(tmp_path, cell)
    assert len(questions) == asked
    assert any(fault in line for line in faults)
    assert all(line.startswith("row 1, up to line ") for line in faults)
    assert all(len(line.options) == 2 for line in questions)


def test_an_option_that_is_doubled_is_right_under_both_letters(tmp_path: Path) -> None:
    (line,), _ = _read(tmp_path, (f"{GOOD}C. only bob\n", "C", ""))
    assert line.right == ["Only Bob."]


def test_a_question_that_is_repeated_is_asked_once(tmp_path: Path) -> None:
    questions, faults = _read(tmp_path, (GOOD, "B", ""), (GOOD, "B", ""))
    assert len(questions) == 1
    assert len(faults) == 1
    assert "repeats row 1" in faults[0]


def test_missing_columns_are_named(tmp_path: Path) -> None:
    found = read_published(_write(tmp_path, (GOOD, "B", "")), PublishedColumns())
    assert any("column 'TOM Question': is missing" in fault for fault in found.faults)
    path = tmp_path / "other.csv"
    path.write_text("one,two\n1,2\n")
    with pytest.raises(InputError, match=r"has none of the columns .* but one, two"):
        read_published(path, PublishedColumns())


def test_a_file_that_is_no_csv_gets_one_line(tmp_path: Path) -> None:
    path = tmp_path / "theirs.csv"
    path.write_text('EC Question,EC Answer Ordinal\n"one"two,A\n')
    with pytest.raises(InputError, match="is not CSV after line 1"):
        read_published(path, PublishedColumns())
    with pytest.raises(MissingError):
        read_published(tmp_path / "nothing.csv", PublishedColumns())


def test_the_columns_can_have_other_names(tmp_path: Path) -> None:
    names, path = tmp_path / "names.yaml", tmp_path / "theirs.csv"
    names.write_text(COLUMNS)
    path.write_text('\ufeffSpiel,Frage,Antwort\nHanabi,"Which?\n(A) red\n(B) blue",(b)\n')
    (line,), faults = read_published(path, read_columns(names))
    assert not faults
    assert (line.of, line.kind, line.right) == ("Hanabi", "mind", ["blue"])


def test_a_copy_is_read_and_asked_by_commands(tmp_path: Path) -> None:
    theirs, suite = _write(tmp_path, (GOOD, "A", ""), ("", "", "")), tmp_path / "theirs.jsonl"
    code, said = say(tmp_path, "", "questions", str(suite), "--published", str(theirs))
    assert code == 0, said
    assert "row 2, up to line" in said
    assert "is empty; the question is left out" in said
    (name,) = read_suite(suite).questions
    assert DOMAIN.check(suite) == ["1 questions about states in words; nobody computes their keys"]
    run = cookmas.play(f"questions/{suite}/{name}", "random")
    assert run.success is not None
    scene = run.trace.header.setup["told"]["scene"]
    assert "The plate is near." in scene
    code, said = say(tmp_path, "", "ask", str(suite), "--planner", "greedy", "--trials", "2")
    assert code == 0, said
    assert "2 of 2 episodes" in said
    code, said = say(tmp_path, "", "questions", "other.jsonl", "--columns", "names.yaml")
    assert code == 2
    assert "--columns: expected --published with it" in said


def test_a_new_suite_has_the_numbers_of_the_18_scenarios(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cookmas.worlds.overcooked.questions.WIDTHS", (1, 2))
    monkeypatch.setattr("cookmas.worlds.overcooked.questions.AHEAD", 10)
    places = ["overcooked/cramped_room", "collab-capture", "collab-escape"]
    with pytest.raises(InputError):
        list(make_like(PublishedForm.TOM_REASONING, places[:1], 3))
    made = list(make_like(PublishedForm.TOM_REASONING, places, 3))
    numbers = Counter((line.of, line.kind) for line in made)
    assert len(made) == 36
    assert len(numbers) == 6
    assert set(numbers.values()) == {6}


def test_a_new_suite_has_the_numbers_of_the_66_scenarios(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = dict[str, int]()

    def make(places: Sequence[str], count: int, seed: int, kinds: Sequence[Kind]) -> Iterator[Any]:
        asked[",".join(places)] = count
        assert (seed, kinds) == (3, KINDS)
        yield from ()

    monkeypatch.setattr("cookmas.studies.questions.making.make_questions", make)
    places = ["overcooked/a", "overcooked/b", "hanabi/two", "collab-capture/c", "collab-escape/d"]
    list(make_like(PublishedForm.COORDINATION_QA, places, 3))
    assert asked == {
        "overcooked/a,overcooked/b": 75,
        "hanabi/two": 84,
        "collab-capture/c": 18,
        "collab-escape/d": 21,
    }
