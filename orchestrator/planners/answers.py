"""The forms of answers that planners ask for, as models and as the JSON schema that is sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model

from orchestrator.models.message import Schema

THINK = "think"
"""Beside the workers in an entry of a schedule: what the model thought before it."""

LONGEST_LESSON = 300
"""Characters of a lesson that are kept."""


def _text_or_nothing(value: Any) -> Any:
    return "" if value is None else value


Text = Annotated[str, BeforeValidator(_text_or_nothing)]


class ScheduleAnswer(BaseModel):
    """A schedule: for each timestep from now on the action of each worker."""

    model_config = ConfigDict(extra="ignore")

    reasoning: Text = ""
    schedule: list[dict[str, str | None]]
    lesson: Text = ""

    def entries(self) -> list[dict[str, str]]:
        """The schedule alone; who is left out is idle."""
        return [
            {worker: action for worker, action in entry.items() if action and worker != THINK}
            for entry in self.schedule
        ]

    def thoughts(self) -> str:
        """All the reasoning in the answer, in order."""
        parts = (entry.get(THINK) for entry in self.schedule)
        return "\n".join(filter(None, (self.reasoning, *parts)))


class ReadAnswer(BaseModel):
    """What each order line wants, in the notation of components."""

    model_config = ConfigDict(extra="ignore")

    reasoning: Text = ""
    lines: dict[str, list[str]]


@lru_cache(maxsize=64)
def schedule_schema(workers: tuple[str, ...], *, reasoning: bool, think: bool, lesson: bool) -> Schema:
    """The schema of a schedule for these workers, with the texts that are asked for beside it."""
    fields: dict[str, Any] = {THINK: (str, ...)} if think else {}
    fields |= {worker: (str, Field(description="an action")) for worker in workers}
    entry = create_model("Timestep", __config__=ConfigDict(extra="forbid"), **fields)
    return _schema(
        "schedule",
        {
            **({"reasoning": (str, ...)} if reasoning else {}),
            "schedule": (list[entry], ...),  # type: ignore[valid-type]
            **({"lesson": (str, ...)} if lesson else {}),
        },
    )


@lru_cache(maxsize=64)
def read_schema(lines: tuple[str, ...], *, reasoning: bool) -> Schema:
    """The schema of a reading of these order lines."""
    components = {line: (list[str], Field(description="components")) for line in lines}
    read = create_model("Lines", __config__=ConfigDict(extra="forbid"), **components)  # type: ignore[call-overload]
    return _schema(
        "reading", {**({"reasoning": (str, ...)} if reasoning else {}), "lines": (read, ...)}
    )


def _schema(name: str, fields: Mapping[str, Any]) -> Schema:
    model: type[BaseModel] = create_model(
        name, __config__=ConfigDict(extra="forbid"), **dict(fields)
    )
    return Schema(name=name, schema=model.model_json_schema())


def example_schedule(
    workers: Sequence[str], *, reasoning: bool, think: bool, lesson: bool, steps: int
) -> dict[str, Any]:
    """An answer of the form, for the prompt: names of actions, but no plan."""
    actions = ("navigate(fridge)", "pick(tomato)", "navigate(board_1)")
    entries = [
        {
            **({THINK: "..."} if think else {}),
            **{worker: actions[step] if n == 0 else "wait" for n, worker in enumerate(workers)},
        }
        for step in range(steps)
    ]
    return {
        **({"reasoning": "..."} if reasoning else {}),
        "schedule": entries,
        **({"lesson": "..."} if lesson else {}),
    }
