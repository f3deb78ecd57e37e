"""What a world is: the thing an episode runs in. The restaurant is the first.

The graph, the trace, the runner and the evaluators know nothing more of a world than this protocol.
Actions and events cross it as plain text and plain data in the world's own notation, so that they
can be checkpointed, traced and sent anywhere.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

State = TypeVar("State")

Json = Mapping[str, Any]
"""A mapping of plain data, as `json` writes it."""


class Outcome(NamedTuple):
    """What came of one action: done, or a FAIL with a reason from the world's closed list."""

    fail: str | None = None
    why: str = ""

    @property
    def done(self) -> bool:
        """Whether the action was carried out."""
        return self.fail is None


DONE = Outcome()


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """Why the orchestrator is called: what `kind` of thing happened, and its `cause` in words."""

    kind: str
    cause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """How the world took an event: `refused` says why not; `trigger` wakes the orchestrator."""

    refused: str | None = None
    trigger: Trigger | None = None


class World(Protocol[State]):
    """Something that can be observed and acted in, one joint timestep after the other.

    Every method is a pure function of its arguments.
    """

    @property
    def name(self) -> str:
        """Name of the kind of world."""
        ...

    @property
    def rules(self) -> str:
        """Version of the rules; traces of other versions do not replay."""
        ...

    @property
    def workers(self) -> Sequence[str]:
        """Names of the workers, in the order in which ties between them are settled."""
        ...

    @property
    def idle(self) -> str:
        """The action of a worker without an assignment."""
        ...

    def setup(self) -> dict[str, Any]:
        """The world as plain data, from which it can be built again."""
        ...

    def start(self) -> State:
        """The state before the first event."""
        ...

    def apply(self, state: State, event: Json) -> tuple[State, Ruling]:
        """Apply an event of the present timestep. Raises InputError if it is none of this world."""
        ...

    def step(self, state: State, actions: Mapping[str, str]) -> tuple[State, Mapping[str, Outcome]]:
        """Carry out one timestep: an action for each worker in, an outcome for each out."""
        ...

    def legal(self, state: State, worker: str) -> Sequence[str]:
        """The actions that would not FAIL if nobody else moved."""
        ...

    def unreadable(self, action: str) -> str | None:
        """What is wrong with the text of an action; None if it can be read."""
        ...

    def finished(self, state: State) -> bool:
        """Whether nothing that has been asked for is left to do."""
        ...

    def lookups(self, state: State) -> Sequence[str]:
        """What the orchestrator must have looked up to plan from here, such as recipe names."""
        ...

    def observe(self, state: State) -> State:
        """The state without what a planner may not know."""
        ...

    def dump(self, state: State) -> dict[str, Any]:
        """The state as plain data."""
        ...

    def load(self, data: Json) -> State:
        """The state from the plain data of `dump`."""
        ...


def digest(data: object) -> str:
    """Sixteen hexadecimal digits that change when `data` (plain data) does."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
