"""Reading of a user's copy of published questions: a CSV file with a row for each scenario.

A cell has the state in words, the question and its lettered options, other cells the letter and the
text of the right option. None of the published questions is shipped.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import Field

from cookmas.files.errors import InputError
from cookmas.files.reading import FileModel, Name, read_text, read_yaml, validate
from cookmas.worlds.base.question_suite import (
    LONGEST_QUESTION,
    MOST_BYTES,
    Form,
    QuestionLine,
    ToldState,
)
from cookmas.worlds.base.questions import Kind

_OPTION = re.compile(r"^[ \t]*\(?([A-Z])[.):][ \t]*(.*)$", re.MULTILINE)
"""An option with its letter, on a line of its own."""

_HEADING = re.compile(r"[^\n]*:\s*\Z")
"""A last line such as `Available Actions:`, above the options."""


class AskedColumns(FileModel):
    """The columns of one kind of question."""

    kind: Kind
    """The kind of the questions."""
    form: Form = "own"
    """The form of their options."""
    question: Name
    """The column with the state, the question and the options."""
    letter: Name
    """The column with the letter of the right option."""
    answer: Name | None = None
    """The column with the text of the right option, to compare; None if there is none."""


class PublishedColumns(FileModel):
    """The names of the columns; by default those of CoordinationQA (Agashe et al. 2024)."""

    game: Name = "Game"
    """The column with the name of the game."""
    place: Name = "Map"
    """The column with the map or the scenario."""
    rules: Name = "Game Description"
    """The column with the rules of the game."""
    seat: Name = "Alice"
    """The player from whose seat all states are seen."""
    asked: Annotated[list[AskedColumns], Field(min_length=1)] = Field(
        default_factory=lambda: [
            _columns_of("comprehension", "EC", "own"),
            _columns_of("mind", "TOM", "all"),
            _columns_of("planning", "JP", "all"),
            _columns_of("planning", "JP", "legal", " Reduced Action Set"),
        ]
    )
    """The columns of each kind of question."""


def _columns_of(kind: Kind, name: str, form: Form, suffix: str = "") -> AskedColumns:
    """Return the columns of CoordinationQA whose names begin with `name`."""
    return AskedColumns(
        kind=kind,
        form=form,
        question=f"{name} Question{suffix}",
        letter=f"{name} Answer Ordinal{suffix}",
        answer=f"{name} Answer",
    )


class PublishedQuestions(NamedTuple):
    """The questions of a file, and its faults."""

    questions: Sequence[QuestionLine]
    """The questions that can be asked."""
    faults: Sequence[str]
    """What is wrong in the file: where and what it is, and whether the question is asked."""


class _Cell(NamedTuple):
    """A cell with a question, taken apart."""

    text: str
    """The state and the question, without the options."""
    options: Mapping[str, str]
    """The options by letter; each text once."""
    equal: Mapping[str, str]
    """For the letter of an option that is left out, the letter of its equal."""
    doubled: Sequence[str]
    """Letters that several options have."""
    remarks: Sequence[str]
    """What is wrong with the options."""


def read_columns(path: Path | None) -> PublishedColumns:
    """Return the names of the columns in a YAML file, or the default. Raise CookMASError."""
    if path is None:
        return PublishedColumns()
    return validate(PublishedColumns, read_yaml(path), str(path))


def read_published(path: Path, columns: PublishedColumns) -> PublishedQuestions:
    """Return the questions of a CSV file with its faults.

    Raise InputError if the file is no CSV, or has none of the columns; MissingError if there is no
    such file.
    """
    text = read_text(path, MOST_BYTES)
    reader = csv.DictReader(StringIO(text, newline=""), strict=True)
    try:
        rows = [(reader.line_num, row) for row in reader]
    except csv.Error as error:
        raise InputError(str(path), f"is not CSV after line {reader.line_num}: {error}") from None
    names = list(reader.fieldnames or ())
    there = [x for x in columns.asked if x.question in names and x.letter in names]
    if not there:
        wanted = ", ".join(repr(each.question) for each in columns.asked)
        raise InputError(str(path), f"has none of the columns {wanted}, but {', '.join(names)}")
    made = _Rows(columns, path.stem)
    made.faults += [
        f"column {name!r}: is missing; its questions are left out"
        for each in columns.asked
        for name in (each.question, each.letter)
        if name not in names
    ]
    questions = [
        question
        for number, (line, row) in enumerate(rows, start=1)
        for asked in there
        if (question := made.read(number, line, row, asked))
    ]
    return PublishedQuestions(questions, made.faults)


class _Rows:
    """Reads the questions of rows, and collects what is wrong in `faults`."""

    def __init__(self, columns: PublishedColumns, game: str) -> None:
        self.faults: list[str] = []
        self._columns = columns
        self._game = game
        self._seen: dict[str, str] = {}

    def read(
        self, number: int, line: int, row: Mapping[str, str | None], asked: AskedColumns
    ) -> QuestionLine | None:
        """Return the question in the row of a number, which ends at a line.

        Return None if it cannot be asked.
        """
        where = f"row {number}, up to line {line}, {asked.question}"
        text = (row.get(asked.question) or "").strip()
        cell = _take_apart(text)
        key = (row.get(asked.letter) or "").strip().strip(".()").upper()
        self.faults += [f"{where}: {remark}" for remark in cell.remarks]
        if why := self._refuse(text, cell, key) or self._find_repeated(text, where):
            self.faults.append(f"{where}: {why}; the question is left out")
            return None
        right = cell.options[cell.equal.get(key, key)]
        said = _simplify(row.get(asked.answer or "") or "")
        if said != _simplify(right) and said in map(_simplify, cell.options.values()):
            self.faults.append(
                f"{where}: the key is {key}, {right!r}, but the text of the answer is that of "
                f"another option; asked with the key {key}"
            )
        scene, question = _split_scene(cell.text)
        columns = self._columns
        return QuestionLine(
            name=f"{number:03}-{asked.kind}-{asked.form}",
            of=(row.get(columns.game) or "").strip() or self._game,
            place=(row.get(columns.place) or "").strip() or f"row {number}",
            setup_of={},
            state={},
            told=ToldState(rules=(row.get(columns.rules) or "").strip(), scene=scene),
            seat=columns.seat,
            kind=asked.kind,
            about="published",
            draw=0,
            form=asked.form,
            question=question,
            options=list(cell.options.values()),
            depth=1,
            margin=None,
            right=[right],
            proof=dict.fromkeys(cell.options.values(), f"the published key is {key}"),
        )

    def _refuse(self, text: str, cell: _Cell, key: str) -> str | None:
        """Return why a question cannot be asked; None if it can."""
        if not text:
            return "is empty"
        if len(cell.options) < 2:
            return f"has {len(cell.options)} options, expected at least 2"
        if not key:
            return "has no key"
        if key in cell.doubled:
            return f"the key {key} names several options"
        if key not in cell.options and key not in cell.equal:
            return f"the key {key} names no option; expected one of {', '.join(cell.options)}"
        return None

    def _find_repeated(self, text: str, where: str) -> str | None:
        """Return which question has the same text; None if none has."""
        first = self._seen.setdefault(text, where)
        return None if first == where else f"repeats {first}"


def _take_apart(text: str) -> _Cell:
    """Return a cell's state and question, and its options."""
    marked = list(_OPTION.finditer(text))
    before = text[: marked[0].start()] if marked else text
    options, equal, firsts = dict[str, str](), dict[str, str](), dict[str, str]()
    doubled, remarks = list[str](), list[str]()
    for each in marked:
        letter, words = each.group(1), each.group(2).strip()
        if not words:
            remarks.append(f"option {letter} has no text; it is left out")
        elif letter in options or letter in equal:
            doubled.append(letter)
            remarks.append(f"two options have the letter {letter}; the second is left out")
        elif (first := firsts.setdefault(_simplify(words), letter)) != letter:
            equal[letter] = first
            remarks.append(f"option {letter} is equal to option {first}; it is left out")
        else:
            options[letter] = words
    return _Cell(_HEADING.sub("", before.strip()).strip(), options, equal, doubled, remarks)


def _split_scene(text: str) -> tuple[str, str]:
    """Return the state in words, and the question, which is the last line."""
    scene, _, question = text.rpartition("\n")
    if 0 < len(question) <= LONGEST_QUESTION:
        return scene.strip(), question.strip()
    return text, "Which option is right?"


def _simplify(text: str) -> str:
    """Return a text to compare: without case, outer spaces, and a full stop at the end."""
    return " ".join(text.casefold().split()).rstrip(" .,")
