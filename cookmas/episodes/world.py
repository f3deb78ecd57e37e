"""The world protocol: the environment that an episode runs in.

The graph, the trace, the runner and the evaluators know a world only through this protocol. Actions
and events are plain text and plain data in the world's own notation, so that they can be
checkpointed, traced and sent to other processes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

State = TypeVar("State")

Json = Mapping[str, Any]
"""A mapping of plain data, as `json` writes it."""


class Outcome(NamedTuple):
    """The outcome of one action: done, or a FAIL."""

    fail: str | None = None
    """Kind of FAIL, from the world's closed list; None if the action was carried out."""
    why: str = ""
    """The reason for a FAIL, in words."""
    witnesses: tuple[str, ...] = ()
    """Other workers that are told of this FAIL, if the world names any.

    A worker is always told of its own FAILs.
    """

    @property
    def done(self) -> bool:
        """True if the action was carried out."""
        return self.fail is None


DONE = Outcome()


def is_told(worker: str, owner: str, witnesses: Collection[str] | None) -> bool:
    """Return whether a worker is told of a FAIL of `owner`.

    This is so if the worker is the owner itself or one of the witnesses.
    """
    return worker == owner or worker in (witnesses or ())


class Command(NamedTuple):
    """One worker's action at a timestep, as text."""

    worker: str
    """Name of the worker."""
    action: str
    """The action, in the world's notation."""


Commands = Sequence[Command]
"""The commands of a timestep, in order.

A world may carry out the commands one after the other. It may reject a whole list that names a
worker twice or has an unreadable action.
"""


class Tally(NamedTuple):
    """The score counters of an episode."""

    done: int
    """Number of requests that were fulfilled."""
    lost: int
    """Number of requests that can no longer be fulfilled."""
    score: float | None = None
    """The world's score so far; None if it has none."""


class Ending(NamedTuple):
    """How a game has ended, and why."""

    how: Literal["won", "lost", "over"]
    """The result of the game."""
    why: str
    """The reason, in the world's words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """A reason to call the planner."""

    kind: str
    """Kind of trigger, such as `failure`."""
    cause: str
    """Description in words."""
    to: tuple[str, ...] | None = None
    """In a team, the workers that are told of the trigger; None stands for all.

    A central planner is told of every trigger.
    """

    def concerns(self, worker: str) -> bool:
        """Return whether a worker of a team is told of this trigger."""
        return self.to is None or worker in self.to


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """The world's decision on an event."""

    refused: str | None = None
    """Why the event was rejected; None if it was accepted."""
    trigger: Trigger | None = None
    """The trigger that the event causes, if any."""
    made: str | None = None
    """Name of the thing that the event created, if the event itself does not name it."""


class AnyWorld(Protocol[State]):
    """A world that planners observe and workers act in, one joint timestep after another.

    Every method is a pure function of its arguments. This is the type of all worlds, also of those
    that inherit nothing.
    """

    @property
    def name(self) -> str:
        """Name of the kind of world."""
        ...

    @property
    def rules(self) -> str:
        """Version of the rules; traces of other versions cannot be replayed."""
        ...

    @property
    def workers(self) -> Sequence[str]:
        """Names of the workers; their order breaks ties."""
        ...

    @property
    def idle(self) -> str:
        """The action of a worker without an assignment."""
        ...

    def setup(self) -> dict[str, Any]:
        """Return the world as plain data, from which it can be rebuilt."""
        ...

    def start(self) -> State:
        """Return the state before the first event."""
        ...

    def apply(self, state: State, event: Json) -> tuple[State, Ruling]:
        """Apply an event of the present timestep.

        Return the new state and the decision on the event. Raise InputError if this world has no
        such event.
        """
        ...

    def step(
        self, state: State, commands: Commands
    ) -> tuple[State, Mapping[str, Outcome], Sequence[Trigger]]:
        """Carry out one timestep: return the new state, each worker's outcome, and triggers.

        The triggers report changes that the world makes on its own, such as an order that times
        out. They do not include the triggers of events and FAILs.
        """
        ...

    def legal(self, state: State, worker: str) -> Sequence[str]:
        """Return the actions of a worker that would not FAIL if no other worker acted."""
        ...

    def refusal(self, commands: Commands) -> str | None:
        """Return why the commands of one timestep make their whole schedule invalid; None if valid.

        Every schedule of a planner is checked with this method before its first command is carried
        out. A world may also return None here and let invalid commands FAIL in `step`.
        """
        ...

    def is_finished(self, state: State) -> bool:
        """Return whether no request is left that can still be done."""
        ...

    def lookups(self, state: State) -> Sequence[str]:
        """Return the keys of the texts that the planner must look up to plan from this state."""
        ...

    def tally(self, state: State) -> Tally:
        """Return the score counters of a state."""
        ...

    def progress_key(self, state: State) -> Json:
        """Return data that change only if there is progress.

        They are the state without the time and without useless changes. They include the workers'
        positions only in worlds in which walking is work.
        """
        ...

    def observe(self, state: State, worker: str | None = None) -> State:
        """Return the part of a state that a worker may know.

        If `worker` is None, return the part that a central planner may know.
        """
        ...

    def dump(self, state: State) -> dict[str, Any]:
        """Return the state as plain data."""
        ...

    def load(self, data: Json) -> State:
        """Return the state from the plain data of `dump`."""
        ...


_encode = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, check_circular=False
).encode


def digest(data: object) -> str:
    """Return 16 hexadecimal digits of the SHA-256 of plain data in canonical JSON."""
    return hashlib.sha256(_encode(data).encode()).hexdigest()[:16]


def refuse_workers(commands: Commands, workers: Sequence[str]) -> str | None:
    """Return which command names no worker, or is a worker's second; None if there is none."""
    names = [worker for worker, _ in commands]
    for name in names:
        if name not in workers or names.count(name) > 1:
            return f"{name!r}: expected each of {', '.join(workers)} once"
    return None
