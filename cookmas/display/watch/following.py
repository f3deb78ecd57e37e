"""Following a trace: the state between its records, and what happens in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cookmas.places import ORCHESTRATOR
from cookmas.worlds import world_of
from episodes.capabilities import spectate
from episodes.replay import after_event, behind_fork, check_header, frame_of
from episodes.trace import AnyRecord, EventRecord, ForkRecord, Header, StepRecord, Trace
from episodes.world import World
from worlds import capabilities
from worlds.viewing import Viewing


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayedAct:
    """A worker's action at a timestep."""

    worker: str
    """Name of the worker."""
    action: str
    """The action, in the world's notation."""
    words: str
    """The action, in words."""
    why: str | None = None
    """Why it FAILed; None if it was done."""


class Following:
    """Simulates a trace again, record by record.

    `state` is the true one, `seen` what a spectator sees, or one `worker`, or the orchestrator in
    the place of one; `world` is the world from outside in which the trace was made. Raises
    TraceError where the trace is of another world or other rules.
    """

    def __init__(self, header: Header, world: str | None = None, worker: str | None = None) -> None:
        domain = world_of(Trace((header,)), world)
        self.header = header
        self.worker = worker
        self.viewing: Viewing = capabilities.viewing(domain)
        self.world: World[Any] = domain.world(header.setup)
        self.messages = capabilities.messages(domain, self.world)
        check_header(header, self.world)
        self.state: Any = self.world.start()

    @property
    def seen(self) -> Any:
        """The state as the followed worker or spectator may see it."""
        if self.worker is None:
            return spectate(self.world, self.state)
        return self.world.observe(self.state, None if self.central else self.worker)

    @property
    def central(self) -> bool:
        """True if the follower is the orchestrator."""
        return self.worker == ORCHESTRATOR

    def acts(self, record: StepRecord) -> Sequence[DisplayedAct]:
        """Return the actions of the next timestep, in words that fit the visible state."""
        seen = self.seen
        return [
            DisplayedAct(
                worker=worker,
                action=action,
                words=self.viewing.action(self.world, seen, worker, action),
                why=record.fails[worker].why if worker in record.fails else None,
            )
            for worker, action in record.commands
        ]

    def take(self, record: AnyRecord) -> bool:
        """Go on behind the next record; whether it came out as it did when it was recorded."""
        match record:
            case EventRecord():
                self.state = after_event(record, self.world, self.state)
            case ForkRecord():
                self.world = behind_fork(record, self.world, self.state)
            case StepRecord():
                frame = frame_of(record, self.world, self.state)
                self.state = frame.after
                return frame.equal
        return True
