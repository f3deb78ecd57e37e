"""The parts of an episode: its content, participants, storage, and what is outside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cookmas.episodes.base import World
from cookmas.episodes.trace import Header
from cookmas.episodes.world import Json
from cookmas.mailboxes.desk import Desk
from cookmas.mailboxes.protocol import Mailbox
from cookmas.orchestrator.library import Fetch
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.observing import Observer
from cookmas.orchestrator.options import MAX_STALLED
from cookmas.orchestrator.pace import AS_FAST_AS_POSSIBLE, Pace
from cookmas.orchestrator.planner import Planner
from cookmas.workers.person import Person
from cookmas.workers.protocol import Worker

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeContent:
    """The world, the known events and the texts of an episode, and the header of its trace."""

    world: World
    """The world."""
    header: Header
    """The first record of the trace."""
    events: Iterable[tuple[int, Json]]
    """The known events with their timesteps."""
    fetch: Fetch
    """The function that looks up a text by its key."""
    last: int | None = None
    """The last timestep, if planners may know it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Participants:
    """The planner and the workers."""

    planner: Planner | Team
    """The central planner or the team."""
    workers: Mapping[str, Worker | Person] = field(default_factory=dict)
    """The workers by name; a worker that is missing here is scripted: it acts as assigned."""
    asynchronous: tuple[str, ...] = ()
    """The workers for which nobody waits, besides those that declare it themselves."""
    people: tuple[str, ...] = ()
    """The workers whom people play; the trace names them."""
    max_stalled: int = MAX_STALLED
    """Greatest number of successive calls of the planner without progress."""
    patience: float = 60.0
    """Seconds that a worker has to report an action."""
    fallback: Planner | None = None
    """The planner of an open episode that answers while the endpoint of `planner` is away."""
    thinking: str | None = None
    """The price of an answer of the planner, such as `500 tokens`; None: it takes effect at once.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Storage:
    """The files and databases that store an episode."""

    path: Path | None = None
    """Path of the trace file; None writes no file."""
    checkpointer: BaseCheckpointSaver[Any] | None = None
    """The store of checkpoints, from which a killed episode can be resumed."""
    durable: bool = False
    """True if the trace is on the disk before a checkpoint counts its records.

    So an open episode, whose checkpoints have taken messages, continues after a loss of power.
    """
    episode: str = ""
    """Name of the episode in the ids of assignments; by default a new one for each process."""

    def __post_init__(self) -> None:
        if self.checkpointer and self.path is None:
            raise ValueError("an episode with checkpoints needs a path for its trace")


NOT_KEPT = Storage()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """What is outside an episode: the sources of its events and texts, and LangSmith."""

    mailbox: Mailbox | None = None
    """A mailbox in place of the known events."""
    desk: Desk | None = None
    """The ingress adapter, which checks incoming messages.

    An episode with a desk is open: it lasts until its mailbox is closed.
    """
    pace: Pace = AS_FAST_AS_POSSIBLE
    """The pace of an open episode, which sets the time between its timesteps."""
    fetch: Fetch | None = None
    """The function that looks up a text by its key, in place of the content's `fetch`."""
    observers: tuple[Observer, ...] = ()
    """Objects that observe the records of the episode as they are appended."""
    langsmith: bool = False
    """True if LangSmith gets what the graph runs, which then plays the episode."""


NOTHING_OUTSIDE = Outside()
