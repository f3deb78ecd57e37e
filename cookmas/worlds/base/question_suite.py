"""Suites of questions: files of JSON lines, with a line for the suite and one for each question.

A question's line has its key: which options are right, and why. Only judging reads the key.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, model_validator

from cookmas.files.errors import InputError
from cookmas.files.naming import SUITE
from cookmas.files.reading import FileModel, read_text, until_changed, validate
from cookmas.files.writing import write_whole
from cookmas.worlds.base.questions import Kind

SUFFIX = SUITE
"""The end of the name of a suite's file."""

QUESTIONS = 2
"""Version of the questions of all worlds; it rises if a state gets other questions or keys."""

MOST_BYTES = 20_000_000
"""Maximum size of a suite's file, in bytes."""

MOST_OPTIONS = 26
"""Greatest number of options: one for each letter."""

LONGEST_QUESTION = 1000
"""Maximum length of the text of a question in characters, without its options."""

Form = Literal["all", "legal", "own"]
"""Where the options come from: all actions of the world, the legal ones, or the question itself."""

FORMS: tuple[Form, ...] = ("all", "legal", "own")


class SuiteLine(FileModel):
    """The first line of a suite."""

    suite: str
    """Title of the suite."""
    seed: int
    """Seed from which its questions were drawn."""
    version: int = 1
    """Version of the questions; keys of an older one stand in the suite, and are not computed."""


class ToldState(FileModel):
    """A state of a game in words, of which no world has the data."""

    rules: str = ""
    """The rules of the game; empty if the state has them."""
    scene: str


class AskedQuestion(FileModel):
    """What planners see of a question, and what is needed to compute its key again."""

    of: str
    """Name of the world of the state, or of the game of a state in words."""
    setup_of: dict[str, Any]
    """The world of the state as plain data."""
    state: dict[str, Any]
    """The state as the seat observes it, as plain data."""
    seat: str
    """The worker from whose seat the state is seen."""
    kind: Kind
    draw: int
    """Seed of what the question draws, such as its distractors."""
    question: Annotated[str, Field(max_length=LONGEST_QUESTION)]
    options: Annotated[list[str], Field(min_length=2, max_length=MOST_OPTIONS)]
    """The options, in the order of their letters."""
    told: ToldState | None = None
    """The state in words, if no world has it; then `setup_of` and `state` are empty."""
    bare: bool = False
    """True if the words of the state leave out what follows from it."""


class QuestionLine(AskedQuestion):
    """The line of a question: what is asked about which state, and the key."""

    name: Annotated[str, Field(pattern=r"^[\w-]+$", max_length=80)]
    """Name of the question within its suite."""
    place: str
    """Name of the scenario of the state."""
    about: str
    """A word for what is asked."""
    form: Form
    depth: int
    """Number of timesteps that one has to look ahead."""
    margin: float | None
    """Difference between the values of right and wrong options; None without values."""
    right: Annotated[list[str], Field(min_length=1)]
    """The right options."""
    proof: dict[str, str]
    """Why each option is right or wrong."""

    @model_validator(mode="after")
    def _check(self) -> QuestionLine:
        if len(set(self.options)) < len(self.options):
            raise ValueError("options: one occurs twice")
        if not set(self.right) < set(self.options):
            raise ValueError("right: expected some of the options, but not all")
        return self


class QuestionSuite(NamedTuple):
    """A suite that was read."""

    head: SuiteLine
    questions: Mapping[str, QuestionLine]


@until_changed
def read_suite(path: Path) -> QuestionSuite:
    """Return the suite in a file. Raise InputError or MissingError if it cannot be read."""
    rows = read_text(path, MOST_BYTES).splitlines()
    if not rows:
        raise InputError(str(path), "is empty; expected a suite of questions")
    head = validate(SuiteLine, _parse(rows[0], path, 1), f"{path}, line 1")
    questions = dict[str, QuestionLine]()
    for line_number, row in enumerate(rows[1:], start=2):
        where = f"{path}, line {line_number}"
        line = validate(QuestionLine, _parse(row, path, line_number), where)
        if line.name in questions:
            raise InputError(where, f"there are two questions {line.name!r}")
        questions[line.name] = line
    return QuestionSuite(head, questions)


def _parse(row: str, path: Path, number: int) -> Any:
    try:
        return json.loads(row)
    except ValueError:
        raise InputError(f"{path}, line {number}", "is not JSON") from None


def write_suite(path: Path, head: SuiteLine, questions: Iterable[QuestionLine]) -> None:
    """Write a suite to a file. Raise OSError."""
    rows = [head.model_dump(mode="json"), *(x.model_dump(mode="json") for x in questions)]
    write_whole(path, "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows))
