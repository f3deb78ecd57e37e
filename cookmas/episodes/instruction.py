"""Instructions: plain words from a supervisor to the planner, an event that every world accepts.

An instruction reaches an episode through the mailbox like any other event. It does not change the
world. It triggers the planner, which may follow it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cookmas.episodes.base import State, World
from cookmas.episodes.reports import is_report, take_end
from cookmas.episodes.world import Json, Ruling, Trigger
from cookmas.files.errors import InputError
from cookmas.files.reading import FileModel
from cookmas.files.wording import describe_field

INSTRUCT = "instruct"
"""Kind of the event that carries an instruction."""

INSTRUCTION = "instruction"
"""Kind of the trigger that an instruction causes."""

LONGEST_INSTRUCTION = 500
"""Maximum length of an instruction, in characters."""

MOST_INSTRUCTIONS = 8
"""Maximum number of active instructions; a further instruction replaces the oldest."""

Words = Annotated[str, Field(min_length=1, max_length=LONGEST_INSTRUCTION, pattern=r"\S")]


class Instruct(BaseModel):
    """The event of an instruction."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    kind: Literal["instruct"]
    words: Words


class TimedInstruction(FileModel):
    """An instruction in a scenario file."""

    at: Annotated[int, Field(ge=0)]
    """Timestep at which the instruction is given."""
    words: Words

    def event(self) -> tuple[int, dict[str, Any]]:
        """Return the timestep and the event for the mailbox."""
        return self.at, {"kind": INSTRUCT, "words": self.words}


def is_instruction(event: Json) -> bool:
    """Return whether an event is an instruction rather than an event of the world."""
    return event.get("kind") == INSTRUCT


def apply_event(world: World, state: State, event: Json) -> tuple[State, Ruling]:
    """Apply an event, and return the new state and the decision on the event.

    Raise InputError if the event is no valid instruction, no report and no event of this world.
    """
    if is_report(event):
        return take_end(world, state, event)
    if not is_instruction(event):
        return world.apply(state, event)
    return state, Ruling(trigger=Trigger(kind=INSTRUCTION, cause=_cause_of(event)))


def _cause_of(event: Mapping[str, Any]) -> str:
    try:
        return f"the supervisor says: {Instruct.model_validate(dict(event)).words}"
    except ValidationError as error:
        field, problem = describe_field(error, Instruct)
        raise InputError(f"event, {field}", problem) from None
