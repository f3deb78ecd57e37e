"""Questionnaires in files: questions that people answer after an episode."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from cookmas.files.errors import InputError
from cookmas.files.reading import FileModel, read_model

Words = Annotated[str, Field(min_length=1, max_length=2000)]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]


class _Question(FileModel):
    name: Name
    ask: Words


class Scale(_Question):
    """A question whose answer is a whole number from `least` to `most`; `low` and `high` label the
    ends.
    """

    kind: Literal["scale"]
    low: Words | None = None
    high: Words | None = None
    least: Annotated[int, Field(ge=0, le=100)] = 1
    most: Annotated[int, Field(ge=1, le=100)] = 5

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        if self.least >= self.most:
            raise ValueError("most should be more than least")
        return self

    @property
    def expected(self) -> str:
        """Description of a valid answer."""
        return f"a number from {self.least} to {self.most}"

    def takes(self, said: object) -> bool:
        """Return whether `said` is a valid answer."""
        return type(said) is int and self.least <= said <= self.most


class Choice(_Question):
    """A question whose answer is one of a few texts."""

    kind: Literal["choice"]
    of: Annotated[list[Words], Field(min_length=2, max_length=20)]

    @property
    def expected(self) -> str:
        return f"one of: {', '.join(self.of)}"

    def takes(self, said: object) -> bool:
        """Return whether `said` is a valid answer."""
        return said in self.of


class Text(_Question):
    """A question whose answer is free text, which may be empty."""

    kind: Literal["text"]
    most: Annotated[int, Field(ge=1, le=10_000)] = 1000
    """Maximum length of an answer in characters."""

    @property
    def expected(self) -> str:
        return f"at most {self.most} characters"

    def takes(self, said: object) -> bool:
        """Return whether `said` is a valid answer."""
        return isinstance(said, str) and len(said) <= self.most


AnyQuestion = Annotated[Scale | Choice | Text, Field(discriminator="kind")]


class Questionnaire(FileModel):
    """The content of a questionnaire's file."""

    title: Words = "A few questions"
    questions: Annotated[list[AnyQuestion], Field(min_length=1, max_length=50)]
    """The questions, each with a name of its own."""

    @model_validator(mode="after")
    def _are_told_apart(self) -> Self:
        names = [question.name for question in self.questions]
        if len(set(names)) < len(names):
            raise ValueError("two questions have the same name")
        return self

    def check(self, said: object) -> dict[str, Any]:
        """Return the answers by the questions' names. Raises InputError if one is missing or
        invalid.
        """
        if not isinstance(said, dict) or set(said) != {each.name for each in self.questions}:
            raise InputError("answers", "expected one answer to each question, by its name")
        for question in self.questions:
            if not question.takes(said[question.name]):
                raise InputError(question.ask, f"expected {question.expected}")
        return said


def read_questionnaire(path: Path) -> Questionnaire:
    """Return the questionnaire in a file. Raises InputError or MissingError."""
    return read_model(Questionnaire, path)
