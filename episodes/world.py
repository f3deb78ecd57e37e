"""What a world is: the thing an episode runs in.

The graph, the trace, the runner and the evaluators know nothing more of a world than this protocol.
Actions and events cross it as plain text and plain data in the world's own notation, so that they
can be checkpointed, traced and sent anywhere.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

State = TypeVar("State")

Json = Mapping[str, Any]
"""A mapping of plain data, as `json` writes it."""


class Outcome(NamedTuple):
    """What came of one action: done, or a FAIL with a reason from the world's closed list.

    A worker is told its own FAILs; `witnesses` are the workers that are told of this one too.
    """

    fail: str | None = None
    why: str = ""
    witnesses: tuple[str, ...] = ()

    @property
    def done(self) -> bool:
        """Whether the action was carried out."""
        return self.fail is None


DONE = Outcome()


def is_told(worker: str, owner: str, witnesses: Collection[str] | None) -> bool:
    """Return whether a worker is told of a FAIL: of its own, and of those it witnesses."""
    return worker == owner or worker in (witnesses or ())


class Command(NamedTuple):
    """One worker's action at a timestep, in text."""

    worker: str
    action: str


Commands = Sequence[Command]
"""What is done at a timestep, in order: worlds may carry commands out one after the other, and
refuse a list whole in which a worker stands twice or something cannot be read."""


class Tally(NamedTuple):
    """How an episode stands, beside whether it is finished.

    `done` counts what was asked for and delivered, `lost` what was asked for and cannot be any
    more; `score` is the world's reward so far, where it has one.
    """

    done: int
    lost: int
    score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """Why the orchestrator is called: what `kind` of thing happened, and its `cause` in words.

    `to` are the workers whom it concerns, in a team; None: all of them. A central planner is told
    every trigger.
    """

    kind: str
    cause: str
    to: tuple[str, ...] | None = None

    def concerns(self, worker: str) -> bool:
        """Return whether a worker is told of it, in a team."""
        return self.to is None or worker in self.to


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """How the world took an event: `refused` says why not; `trigger` wakes the orchestrator.

    `made` is the name of what has come of it, where the event does not say.
    """

    refused: str | None = None
    trigger: Trigger | None = None
    made: str | None = None


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

    def step(
        self, state: State, commands: Commands
    ) -> tuple[State, Mapping[str, Outcome], Sequence[Trigger]]:
        """Carry out one timestep: commands in, an outcome for each worker out.

        The triggers are what happens by itself, such as an order that runs out of time; what an
        event or a FAIL triggers is not among them.
        """
        ...

    def legal(self, state: State, worker: str) -> Sequence[str]:
        """The actions that would not FAIL if nobody else moved."""
        ...

    def refusal(self, commands: Commands) -> str | None:
        """Why a schedule with these commands at a timestep is refused whole, before it is tried.

        None if it is not. A world that has rules of its own for lists of commands that are no good
        refuses none here, and lets them FAIL in `step`.
        """
        ...

    def finished(self, state: State) -> bool:
        """Whether nothing that has been asked for is left to do."""
        ...

    def lookups(self, state: State) -> Sequence[str]:
        """What the orchestrator must have looked up to plan from here, by its keys."""
        ...

    def tally(self, state: State) -> Tally:
        """How the episode stands."""
        ...

    def made(self, state: State) -> Json:
        """What has come of the episode so far: the state without time and what leads nowhere.

        There is no progress while this is what it was before. Where workers stand belongs to it
        only where walking is work.
        """
        ...

    def observe(self, state: State, worker: str | None = None) -> State:
        """The state without what `worker` may not know; None: without what no planner may know."""
        ...

    def dump(self, state: State) -> dict[str, Any]:
        """The state as plain data."""
        ...

    def load(self, data: Json) -> State:
        """The state from the plain data of `dump`."""
        ...


_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


def digest(data: object) -> str:
    """Sixteen hexadecimal digits that change when `data` (plain data) does."""
    return hashlib.sha256(_encode(data).encode()).hexdigest()[:16]
