"""Following a trace: the state after each record, and the actions in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cookmas.display.watch.recorded import RECORDED, RecordedWorld
from cookmas.episodes.base import complete
from cookmas.episodes.messages import MessageForm
from cookmas.episodes.replay import after_event, behind_fork, check_header, frame_of
from cookmas.episodes.trace import (
    AnyRecord,
    EventRecord,
    ForkRecord,
    Header,
    PartRecord,
    StepRecord,
    Trace,
)
from cookmas.episodes.world import AnyWorld
from cookmas.person_roles import ORCHESTRATOR
from cookmas.world_names import is_at_hand, world_of
from cookmas.worlds.base.viewing import Viewing


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayedAct:
    """A worker's action at a timestep."""

    worker: str
    """Name of the worker."""
    action: str
    """The action, in the world's notation."""
    words: str
    """The action, in words for people."""
    why: str | None = None
    """Why the action is a FAIL; None if it was done."""


class Following:
    """Simulates a trace again, record by record.

    `state` is the true state. `seen` is the state as a spectator sees it or, if `worker` is given,
    as that worker or the orchestrator sees it. `world` names the world of the trace, and is needed
    only for a user-supplied world: a spectator who does not name it follows the records alone, and
    nothing is simulated. Raises TraceError if the trace belongs to another world or other rules.
    """

    def __init__(self, header: Header, world: str | None = None, worker: str | None = None) -> None:
        self.header = header
        self.worker = worker
        self.viewing: Viewing = RECORDED
        self.world: AnyWorld[Any] = RecordedWorld(header)
        self.messages: Sequence[MessageForm] = ()
        if worker is not None or is_at_hand(header, world):
            domain = world_of(Trace((header,)), world)
            self.viewing = domain.viewing
            self.world = domain.world(header.setup)
            self.messages = domain.messages(self.world)
            check_header(header, self.world)
        self.state: Any = self.world.start()

    @property
    def seen(self) -> Any:
        """The state as the followed worker or spectator may see it."""
        if self.worker is None:
            return complete(self.world).spectate(self.state)
        return self.world.observe(self.state, None if self.central else self.worker)

    @property
    def central(self) -> bool:
        """True if the trace is followed as the orchestrator sees it."""
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
        """Advance past the next record. Return False if a step has another result than recorded."""
        if isinstance(self.world, RecordedWorld):
            self.state = self.world.state_after(record, self.state)
            return True
        match record:
            case EventRecord():
                self.state = after_event(record, self.world, self.state)
            case ForkRecord():
                self.world = behind_fork(record, self.world, self.state)
            case PartRecord():
                self.state = self.world.load(record.state)
            case StepRecord():
                frame = frame_of(record, self.world, self.state)
                self.state = frame.after
                return frame.equal
        return True
