"""The forms of answers that planners ask for, as models and as the JSON schema that is sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, field_validator, model_validator

from orchestrator.dialogue.schedules import THINK, TIMESTEP, rows_of_columns
from orchestrator.models.message import Schema

LONGEST_REASONING = 1500
"""Characters of reasoning that are asked for: a small model that repeats itself finds an end."""

LONGEST_THOUGHT = 300
"""Characters of a thought between the rows of a schedule that are asked for."""

LONGEST_SAID = 1500
"""Characters that an agent of a team is asked to say at most."""

LONGEST_LESSON = 300
"""Characters of a lesson that are asked for, and kept."""


def _text_or_nothing(value: Any) -> Any:
    return "" if value is None else value


Text = Annotated[str, BeforeValidator(_text_or_nothing)]


class Form(BaseModel):
    """A form of answers; one that was cut off counts if its `core` is whole."""

    model_config = ConfigDict(extra="ignore")

    core: ClassVar[str]

    reasoning: Text = ""


class Row(BaseModel):
    """A row of a schedule: the actions by worker at timestep `t`, where it says so; or a thought.

    A worker without an action is left out.
    """

    model_config = ConfigDict(extra="forbid")

    t: int | None = None
    think: Text = ""
    actions: dict[str, str]

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
        """Whether it stands for a timestep, and is more than a thought."""
        return bool(self.actions) or self.t is not None or not self.think


class ScheduleAnswer(Form):
    """A schedule: what each worker does from now on, in rows or in columns.

    Before timestep `keep_until` the schedule under way stays, except for the actions that are
    written for such timesteps. In a team it is one agent's, and `say` is what it tells the others.
    """

    core = "schedule"

    say: Text = ""
    keep_until: int | None = None
    schedule: list[Row]
    lesson: Text = ""

    @field_validator("schedule", mode="before")
    @classmethod
    def _read_columns(cls, data: Any) -> Any:
        return rows_of_columns(data) if isinstance(data, Mapping) else data

    @property
    def rows(self) -> list[Row]:
        """The rows that stand for timesteps."""
        return [row for row in self.schedule if row.timed]

    def thoughts(self) -> str:
        """Return all the reasoning in the answer, in order."""
        return "\n".join(filter(None, (self.reasoning, *(row.think for row in self.schedule))))


TEXT: Mapping[str, Any] = {"type": "string"}

TEXT_OR_NULL: Mapping[str, Any] = {"type": ["string", "null"]}


def text(longest: int) -> Mapping[str, Any]:
    """A text of at most so many characters."""
    return {**TEXT, "maxLength": longest}


REASONING: Mapping[str, Any] = {"reasoning": text(LONGEST_REASONING)}


@lru_cache(maxsize=64)
def schedule_schema(
    workers: tuple[str, ...],
    *,
    reasoning: bool,
    think: bool,
    lesson: bool,
    keep: bool,
    columns: bool,
    say: bool = False,
) -> Schema:
    """Return the schema of a schedule for these workers, with the texts beside it.

    With `think` there may be thoughts between the rows; with `keep` the answer says how much of
    the schedule under way stays; with `say` it is a turn in a team, in which an agent may talk.
    """
    return Schema(
        name="schedule",
        schema=object_schema(
            {
                **(REASONING if reasoning else {}),
                **({"say": text(LONGEST_SAID)} if say else {}),
                **({"keep_until": {"type": "integer"}} if keep else {}),
                "schedule": _columns(workers) if columns else _rows(workers, think=think),
                **({"lesson": text(LONGEST_LESSON)} if lesson else {}),
            }
        ),
    )


def _rows(workers: Sequence[str], *, think: bool) -> Mapping[str, Any]:
    row = object_schema({TIMESTEP: {"type": "integer"}, **dict.fromkeys(workers, TEXT_OR_NULL)})
    thought = object_schema({THINK: text(LONGEST_THOUGHT)})
    return {"type": "array", "items": {"anyOf": [row, thought]} if think else row}


def _columns(workers: Sequence[str]) -> Mapping[str, Any]:
    part = {"type": "array", "items": {"anyOf": [{"type": "integer"}, TEXT]}}
    column = {"type": "array", "items": part}
    return object_schema(dict.fromkeys(workers, column))


def object_schema(properties: Mapping[str, Any]) -> dict[str, Any]:
    """An object with exactly these properties, as strict structured output wants it."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
