"""The forms in which a model's answers are read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Annotated, Any, ClassVar, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from cookmas.orchestrator.dialogue.schedules import THINK, TIMESTEP, read_number, rows_of_columns

LONGEST_SCHEDULE = 10_000
"""Greatest length of a schedule in an answer, in timesteps from the present one on."""

LONGEST_REASONING = 1500
"""Greatest length of the reasoning in an answer, in characters.

The schema states this limit, so that a model cannot repeat itself forever.
"""

LONGEST_THOUGHT = 300
"""Greatest length of a thought between the rows of a schedule, in characters."""

LONGEST_SAID = 1500
"""Greatest length of an agent's message to its team, in characters."""

LONGEST_LESSON = 300
"""Greatest length of a lesson, in an answer and in the memory, in characters."""


def note(info: ValidationInfo, *kinds: str) -> None:
    """Note kinds of leniency in the set that is the context of a validation."""
    if isinstance(info.context, set):
        info.context.update(kinds)


def _text_of(value: Any, info: ValidationInfo) -> Any:
    """Return a text; null counts as empty, and a list or an object as its text."""
    if isinstance(value, list | Mapping):
        note(info, "text_as_data")
        texts = isinstance(value, list) and all(isinstance(each, str) for each in value)
        return "\n".join(value) if texts else json.dumps(value, ensure_ascii=False)
    return "" if value is None else value


def _number_of(value: Any, info: ValidationInfo) -> Any:
    """Return a number; one in a text or with a fraction of zero counts, anything else does not."""
    if value is None or type(value) is int:
        return value
    number = read_number(value)
    note(info, "ignored_field" if number is None else "number_as_text")
    return number


def _read_kept(value: Any, info: ValidationInfo) -> Any:
    """Return a number for all workers, or an object with a number for each."""
    if isinstance(value, Mapping):
        return {worker: _number_of(each, info) for worker, each in value.items()}
    return _number_of(value, info)


def _read_list(value: Any) -> Any:
    """Return a list; null counts as empty, and a single object as a list of it."""
    if isinstance(value, Mapping):
        return [value]
    return [] if value is None else value


def _read_pad(value: Any, info: ValidationInfo) -> Any:
    """Return an object; anything else counts as an empty one."""
    if isinstance(value, Mapping):
        return dict(value)
    if value is not None:
        note(info, "ignored_field")
    return {}


WholeNumber = Annotated[int, BeforeValidator(_number_of)]
"""A whole number in an answer, also as a text."""

Text = Annotated[str, BeforeValidator(_text_of)]
"""A text in an answer; null counts as empty."""


class Form(BaseModel):
    """The base of the answers that a model may give; an instance is an answer that was read.

    An answer that was cut off is used if its `core` field is complete.
    """

    model_config = ConfigDict(extra="ignore")

    core: ClassVar[str]
    """Name of the field without which an answer is useless."""
    in_lines: ClassVar[bool] = False
    """True if an answer is lines of text (`plans.py`), not a JSON object."""

    reasoning: Text = ""
    """The reasoning for the answer."""

    @classmethod
    def part_of(cls, data: Mapping[str, Any]) -> Self | None:
        """Return the part that can be read of an object that has not this form.

        It is only for the search of further problems. Return None if there is no such part.
        """
        return None


class Row(BaseModel):
    """A row of a schedule: the actions of a timestep, or a thought."""

    model_config = ConfigDict(extra="forbid")

    t: int | None = None
    """The timestep; if it is None, the row follows the previous row directly."""
    think: Text = ""
    """The thought; empty in a row of actions."""
    actions: dict[str, str]
    """The actions by worker; a worker without an action has no entry."""

    @model_validator(mode="before")
    @classmethod
    def _part(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        beside = {name: data[name] for name in (TIMESTEP, THINK) if name in data}
        actions = {w: a for w, a in data.items() if w not in beside and a not in (None, "")}
        return {**beside, "actions": actions}

    @property
    def timed(self) -> bool:
        """True if the row stands for a timestep and is not only a thought."""
        return bool(self.actions) or self.t is not None or not self.think


def _is_row(data: Any) -> bool:
    try:
        Row.model_validate(data)
    except ValidationError:
        return False
    return True


KeepUntil = int | dict[str, int | None] | None
"""A timestep for all workers, or one for each worker; None if nothing is kept."""


class Shift(BaseModel):
    """A stretch of what the active schedule has for a worker, which comes later or earlier."""

    model_config = ConfigDict(extra="ignore")

    worker: str
    """The worker."""
    first: WholeNumber = Field(alias="from")
    """The first timestep of the stretch."""
    until: WholeNumber | None = None
    """The timestep after the last one of the stretch; None if it goes to the end."""
    by: WholeNumber
    """Number of timesteps by which it is moved; below 0 it comes earlier."""


class ScheduleAnswer(Form):
    """An answer with a schedule from the present timestep on, in rows or in columns."""

    core = "schedule"

    say: Text = ""
    """In a team, what the agent tells the others."""
    keep_until: Annotated[KeepUntil, BeforeValidator(_read_kept)] = None
    """For each worker the first timestep for which the answer replaces the active schedule.

    Before it the active schedule stays, except where `schedule` names another action. A number
    counts for all workers. A worker that is left out or null keeps everything.
    """
    shift: Annotated[list[Shift], BeforeValidator(_read_list)] = Field(default_factory=list)
    """The stretches of the active schedule that are moved."""
    schedule: list[Row]
    """The rows; an answer in columns is converted to rows.

    In a team they have the actions of one agent only.
    """
    lesson: Text = ""
    """A lesson for later calls, in the model's words."""
    scratch_pad: Annotated[dict[str, Any], BeforeValidator(_read_pad)] = Field(default_factory=dict)
    """The scratch pad, in whatever form the model wrote it."""

    @field_validator("schedule", mode="before")
    @classmethod
    def _read_columns(cls, data: Any, info: ValidationInfo) -> Any:
        if isinstance(data, str):
            with suppress(ValueError, RecursionError):
                data = json.loads(data)
                note(info, "encoded_twice")
        if not isinstance(data, Mapping):
            return data
        read = rows_of_columns(data)
        if read.problems:
            wrong = [row[TIMESTEP] for row in read.rows if not _is_row(row)]
            told = [f"an action at timestep {now} should be text" for now in wrong]
            raise ValueError("\n".join([*read.problems, *told]))
        for kind in read.kinds:
            note(info, kind)
        return read.rows

    @classmethod
    def part_of(cls, data: Mapping[str, Any]) -> Self | None:
        """Return an answer with the actions that can be read; None if there are none."""
        schedule = data.get("schedule")
        rows = rows_of_columns(schedule).rows if isinstance(schedule, Mapping) else schedule
        readable = [row for row in rows if _is_row(row)] if isinstance(rows, list) else []
        if not readable:
            return None
        return cls.model_validate({"keep_until": data.get("keep_until"), "schedule": readable})

    @property
    def rows(self) -> list[Row]:
        """The rows that stand for timesteps."""
        return [row for row in self.schedule if row.timed]

    def keeps_after(self, timestep: int, workers: Iterable[str]) -> bool:
        """Return whether a worker keeps a part of a schedule that begins at a timestep."""
        if not isinstance(self.keep_until, Mapping):
            return (self.keep_until or 0) > timestep
        ends = [self.keep_until.get(worker) for worker in workers]
        return any(end is None or end > timestep for end in ends)

    def thoughts(self) -> str:
        """Return all the reasoning in the answer, in order."""
        return "\n".join(filter(None, (self.reasoning, *(row.think for row in self.schedule))))
