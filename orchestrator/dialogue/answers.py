"""The forms of model answers: pydantic models to read them, and JSON schemas to request them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, field_validator, model_validator

from cookmas.episodes.speech import speech
from cookmas.orchestrator.dialogue.plans import ANALYSIS, PLAN, actions_of, is_request
from cookmas.orchestrator.dialogue.schedules import THINK, TIMESTEP, rows_of_columns
from cookmas.orchestrator.models.message import Schema

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


def _text_or_nothing(value: Any) -> Any:
    return "" if value is None else value


Text = Annotated[str, BeforeValidator(_text_or_nothing)]
"""A text in an answer; null counts as empty."""


class Form(BaseModel):
    """The base of the answers that a model may give; an instance is an answer that was read.

    An answer that was cut off is used if its `core` field is complete.
    """

    model_config = ConfigDict(extra="ignore")

    core: ClassVar[str]
    """Name of the field without which an answer is useless."""
    in_lines: ClassVar[bool] = False
    """True if an answer is lines of text (`lines.py`), not a JSON object."""

    reasoning: Text = ""
    """The reasoning for the answer."""


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


class ScheduleAnswer(Form):
    """An answer with a schedule from the present timestep on, in rows or in columns."""

    core = "schedule"

    say: Text = ""
    """In a team, what the agent tells the others."""
    keep_until: int | None = None
    """The first timestep for which the answer replaces the active schedule.

    Before it the active schedule stays, except where `schedule` names another action.
    """
    schedule: list[Row]
    """The rows; an answer in columns is converted to rows.

    In a team they have the actions of one agent only.
    """
    lesson: Text = ""
    """A lesson for later calls, in the model's words."""

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


@lru_cache(maxsize=64)
def plan_form(workers: tuple[str, ...], *, lines: bool = False) -> type[ScheduleAnswer]:
    """Return the form of answers that are plans of these workers, without timesteps.

    One worker's plan is a list, the plans of several are an object. A schedule in one of the other
    layouts is read too. With `lines` an answer is lines of text.
    """

    class PlanAnswer(ScheduleAnswer):
        core: ClassVar[str] = PLAN
        in_lines: ClassVar[bool] = lines

        @model_validator(mode="before")
        @classmethod
        def _read_plan(cls, data: Any) -> Any:
            if not isinstance(data, Mapping) or PLAN not in data:
                return data
            plans = data[PLAN]
            if not isinstance(plans, Mapping):
                plans = {workers[0]: plans}
            steps: dict[str, list[str]] = {}
            requests: list[str] = []
            for worker, plan in plans.items():
                items = actions_of(plan)
                requests += filter(is_request, items)
                steps[worker] = [item for item in items if not is_request(item)]
            say = data.get("say") or ""
            return {
                "reasoning": data.get(ANALYSIS, data.get("reasoning")),
                "say": speech(say, requests) if isinstance(say, str) else say,
                "schedule": [
                    {"t": None, **{w: plan[at] for w, plan in steps.items() if at < len(plan)}}
                    for at in range(max(map(len, steps.values()), default=0))
                ],
                "lesson": data.get("lesson"),
            }

    return PlanAnswer


TEXT: Mapping[str, Any] = {"type": "string"}

TEXT_OR_NULL: Mapping[str, Any] = {"type": ["string", "null"]}


def text(longest: int) -> Mapping[str, Any]:
    """Return the schema of a text of at most `longest` characters."""
    return {**TEXT, "maxLength": longest}


REASONING: Mapping[str, Any] = {"reasoning": text(LONGEST_REASONING)}
"""The field `reasoning` of an answer, and its schema."""


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
    """Return the schema of a schedule for these workers.

    The flags `reasoning`, `lesson` and `say` (a message to the team) each add the field of that
    name. `keep` adds `keep_until`. With `columns` the schedule has columns instead of rows. With
    `think` thoughts may stand between the rows.
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


@lru_cache(maxsize=64)
def plan_schema(
    workers: tuple[str, ...], *, alone: bool, reasoning: bool, lesson: bool, say: bool
) -> Schema:
    """Return the schema of a plan: of one worker `alone`, or of all workers.

    The flags decide which fields it has besides the plan, as in `schedule_schema`.
    """
    actions = {"type": "array", "items": TEXT}
    return Schema(
        name="plan",
        schema=object_schema(
            {
                **({ANALYSIS: text(LONGEST_REASONING)} if reasoning else {}),
                PLAN: actions if alone else object_schema(dict.fromkeys(workers, actions)),
                **({"say": text(LONGEST_SAID)} if say else {}),
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
    """Return the schema of an object that must have exactly these properties.

    Endpoints demand this form for strict structured output.
    """
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
