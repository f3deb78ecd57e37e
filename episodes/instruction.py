"""What a supervisor tells the orchestrator in plain words: an event in every world, a rule of none.

An instruction reaches an episode through the mailbox like any other event. It changes nothing in
the world; it calls the planner, which may take it to heart.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from episodes.world import Json, Ruling, Trigger, World
from files.errors import InputError
from files.reading import FileModel

INSTRUCT = "instruct"
"""The kind of event that is an instruction."""

INSTRUCTION = "instruction"
"""The kind of trigger of an instruction."""

LONGEST_INSTRUCTION = 500
"""Characters of an instruction."""

MOST_INSTRUCTIONS = 8
"""Instructions that stand at the same time; one more takes the place of the oldest."""

State = TypeVar("State")

Words = Annotated[str, Field(min_length=1, max_length=LONGEST_INSTRUCTION, pattern=r"\S")]


class Instruct(BaseModel):
    """The supervisor says something."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    kind: Literal["instruct"]
    words: Words


class TimedInstruction(FileModel):
    """An instruction in a scenario's file, and the timestep `at` which it is given."""

    at: Annotated[int, Field(ge=0)]
    words: Words

    def event(self) -> tuple[int, dict[str, Any]]:
        """As the mailbox takes it."""
        return self.at, {"kind": INSTRUCT, "words": self.words}


def is_instruction(event: Json) -> bool:
    """Whether an event is an instruction, and so none of the world's."""
    return event.get("kind") == INSTRUCT


def happened(world: World[State], state: State, event: Json) -> tuple[State, Ruling]:
    """The state after an event, and how it was taken.

    Raises InputError if it is neither an instruction nor an event of this world.
    """
    if not is_instruction(event):
        return world.apply(state, event)
    return state, Ruling(trigger=Trigger(kind=INSTRUCTION, cause=_said(event)))


def _said(event: Mapping[str, Any]) -> str:
    try:
        return f"the supervisor says: {Instruct.model_validate(dict(event)).words}"
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise InputError(f"event, {field}", first["msg"]) from None
