"""What an episode is made of: what is played, who takes part, where it is kept, what comes in."""

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
    """What is played: a world, the trace's header, the events that will happen, and the texts.

    `fetch` looks a text up by its key. `last` is the last timestep, where planners may know it.
    """

    world: World[Any]
    header: Header
    events: Iterable[tuple[int, Json]]
    fetch: Fetch
    last: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Participants:
    """Who takes part: who plans, and who carries out the assignments.

    A worker that is not among the `workers` does what it is assigned. `people` are the workers whom
    people play, as the trace says. `max_stalled` is how many calls of the planner in a row may pass
    without progress; `patience` is how many seconds a worker has for an action.
    """

    planner: Planner | Team
    workers: Mapping[str, Worker | Person] = field(default_factory=dict)
    people: tuple[str, ...] = ()
    max_stalled: int = MAX_STALLED
    patience: float = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Storage:
    """Where an episode is kept: its trace in a file, and its checkpoints.

    With a `checkpointer` the episode can be resumed where it was killed. `written` is the trace's
    file, where that has been read before.
    """

    path: Path | None = None
    checkpointer: BaseCheckpointSaver[Any] | None = None
    written: TraceFile | None = None

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
    """What comes from outside: a mailbox in the place of the events, and texts.

    With a `desk` the episode is open: it goes on until the mailbox is closed, at its `pace`.
    `fetch` takes the place of the texts of the content.
    """

    mailbox: Mailbox | None = None
    desk: Desk | None = None
    pace: Pace = AS_FAST_AS_POSSIBLE
    fetch: Fetch | None = None


NOTHING_OUTSIDE = Outside()
