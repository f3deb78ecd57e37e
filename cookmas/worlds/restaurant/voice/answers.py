"""The layout of a model's reading."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from cookmas.orchestrator.dialogue.answers import Form
from cookmas.orchestrator.dialogue.layouts import (
    REASONING,
    TEXT,
    AnswerField,
    Layout,
    object_schema,
)


class ReadAnswer(Form):
    """A model's reading: the components of each order line, such as `rhubarb > slice 1`."""

    lines: dict[str, list[str]]


@dataclass(frozen=True, kw_only=True)
class ReadLayout(Layout[ReadAnswer]):
    """The layout of a reading of order lines, perhaps with the model's reasoning before it."""

    name = "reading"
    form = ReadAnswer
    core = "lines"

    lines: Collection[str]
    """The names of the lines."""
    reasoning: bool
    """True if the answer has a field for reasoning."""

    def fields(self) -> Mapping[str, AnswerField]:
        """Return the fields: reasoning, and the components of each line."""
        components = {"type": "array", "items": TEXT}
        example = {"o1.1": ["rhubarb > slice 1", "..."], "o1.2": ["..."]}
        read = AnswerField(object_schema(dict.fromkeys(self.lines, components)), example)
        return {**(REASONING if self.reasoning else {}), "lines": read}
