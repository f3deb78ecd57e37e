"""The values that a world takes and returns; `World` itself is in `base`.

The graph, the trace, the runner and the evaluators know a world only through these. Actions and
events are plain text and plain data in the world's own notation, so that they can be
checkpointed, traced and sent to other processes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

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
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """A reason to call the planner."""

    kind: str
    cause: str
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
