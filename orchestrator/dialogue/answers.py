"""The forms of answers that planners ask for, as models and as the JSON schema that is sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict

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


class TurnAnswer(BaseModel):
    """What an agent of a team does in its turn: what it says, its own actions from now on.

    None, or no actions: it has not decided yet.
    """

    model_config = ConfigDict(extra="ignore")

    reasoning: Text = ""
    say: Text = ""
    actions: list[str] | None = None


@lru_cache(maxsize=64)
def schedule_schema(
    workers: tuple[str, ...], *, reasoning: bool, think: bool, lesson: bool
) -> Schema:
    """The schema of a schedule for these workers, with the texts that are asked for beside it."""
    entry = object_schema({**({THINK: TEXT} if think else {}), **dict.fromkeys(workers, TEXT)})
    return Schema(
        name="schedule",
        schema=object_schema(
            {
                **({"reasoning": TEXT} if reasoning else {}),
                "schedule": {"type": "array", "items": entry},
                **({"lesson": TEXT} if lesson else {}),
            }
        ),
    )


TEXT: Mapping[str, Any] = {"type": "string"}


def object_schema(properties: Mapping[str, Any]) -> dict[str, Any]:
    """An object with exactly these properties, as strict structured output wants it."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def example_schedule(
    workers: Sequence[str],
    actions: Sequence[str],
    idle: str,
    *,
    reasoning: bool,
    think: bool,
    lesson: bool,
) -> dict[str, Any]:
    """An answer of the form, for the prompt: `actions` of the first worker, but no plan."""
    entries = [
        {
            **({THINK: "..."} if think else {}),
            **{worker: action if n == 0 else idle for n, worker in enumerate(workers)},
        }
        for action in actions
    ]
    return {
        **({"reasoning": "..."} if reasoning else {}),
        "schedule": entries,
        **({"lesson": "..."} if lesson else {}),
    }
