"""The parts of an episode: content, participants, storage, and outside sources."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver

from episodes.trace import Header
from episodes.trace_file import TraceFile
from episodes.world import Json, World
from mailboxes.desk import Desk
from mailboxes.protocol import Mailbox
from orchestrator.graph.context import MAX_STALLED
from orchestrator.library import Fetch
from orchestrator.member import Team
from orchestrator.pace import AS_FAST_AS_POSSIBLE, Pace
from orchestrator.planner import Planner
from workers.person import Person
from workers.protocol import Worker


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeContent:
    """What is played."""

    world: World[Any]
    """The world."""
    header: Header
    """The first record of the trace."""
    events: Iterable[tuple[int, Json]]
    """The known events with their timesteps."""
    fetch: Fetch
    """Looks up a text by its key."""
    last: int | None = None
    """The last timestep, if planners may know it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Participants:
    """The planner and the workers."""

    planner: Planner | Team
    """The central planner or the team."""
    workers: Mapping[str, Worker | Person] = field(default_factory=dict)
    """The workers by name; a worker that is missing here does what it is assigned."""
    people: tuple[str, ...] = ()
    """The workers whom people play; the trace names them."""
    max_stalled: int = MAX_STALLED
    """Calls of the planner in a row that may pass without progress."""
    patience: float = 60.0
    """Seconds that a worker has for an action."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Storage:
    """The place where an episode is kept."""

    path: Path | None = None
    """The trace's file; None keeps no trace file."""
    checkpointer: BaseCheckpointSaver[Any] | None = None
    """The store of checkpoints, from which a killed episode can be resumed."""
    written: TraceFile | None = None
    """The trace's file, if it has been read before."""

    def __post_init__(self) -> None:
        if self.checkpointer and self.path is None:
            raise ValueError("an episode with checkpoints needs a path for its trace")

    @property
    def trace(self) -> TraceFile | None:
        """The trace's file."""
        return self.written or (TraceFile(self.path) if self.path else None)


NOT_KEPT = Storage()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """The sources of events and texts outside an episode."""

    mailbox: Mailbox | None = None
    """A mailbox in place of the known events."""
    desk: Desk | None = None
    """The part that checks messages; with it the episode is open until its mailbox is closed."""
    pace: Pace = AS_FAST_AS_POSSIBLE
    """The time between timesteps of an open episode."""
    fetch: Fetch | None = None
    """Looks up a text by its key, in place of the content's `fetch`."""


NOTHING_OUTSIDE = Outside()
