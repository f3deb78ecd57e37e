"""The runner: plays one episode of any world, in the graph or in a plain loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from copy import deepcopy
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
from langgraph.types import Command

from episodes.failure import naming
from episodes.instruction import apply_event
from episodes.replay import ending
from episodes.trace import AnyRecord, EventRecord, ForkRecord, Header, Lookup, Trace
from episodes.trace_file import read_trace, whole_lines
from episodes.world import Json, World
from files.errors import InputError, TraceError
from mailboxes.desk import Desk
from mailboxes.memory import MemoryMailbox
from mailboxes.protocol import Letter, Mailbox
from orchestrator.checkpoints.sqlite import Checkpoints
from orchestrator.graph.arrangements import arrangement_of
from orchestrator.graph.checking import channels, check_against, check_state
from orchestrator.graph.graph import Graph, build_graph
from orchestrator.graph.keeping import kept
from orchestrator.graph.kitchen import settled
from orchestrator.graph.people import People
from orchestrator.graph.recorder import Recorder
from orchestrator.graph.rewinding import lines_to_fork, rewound
from orchestrator.graph.state import MAX_STALLED, Context, State
from orchestrator.library import Fetch, Library
from orchestrator.loop import can_play, supersteps
from orchestrator.member import Team
from orchestrator.models.message import Measured
from orchestrator.pace import AS_FAST_AS_POSSIBLE, Pace
from orchestrator.planner import Planner
from workers.person import Person
from workers.protocol import Worker
from workers.scripted import ScriptedWorker

NO_LIMIT = 10**12
"""Supersteps that an open episode may take."""

INTERRUPT = "__interrupt__"
"""Under this name LangGraph streams what it stops for."""

SUPERSTEP = '{"kind":"superstep",'
"""With this begins the line of a superstep in a trace."""

THREAD = "episode"
"""The name of the checkpoint thread in a database of the episode's own."""


class Episode:
    """One episode: a world, the events that will happen, a planner, and the workers.

        episode = Episode(world=..., header=..., events=..., planner=..., fetch=...)
        trace = await episode.run()

    With a `path` the trace is written there line by line; with a `checkpointer` the episode can be
    resumed where it was killed. `last` is the last timestep where planners may know it. A
    `mailbox` from elsewhere takes the place of `events`; with a `desk` the episode is open: it goes
    on until the mailbox is closed, at its `pace`. Where people are among the `workers` the graph
    stops for their actions, which takes a checkpointer. What needs no graph is played by a plain
    loop with the same trace, unless it is to be `in_graph`. Raises InputError if an event is none
    of this world.
    """

    def __init__(
        self,
        *,
        world: World[Any],
        header: Header,
        events: Iterable[tuple[int, Json]],
        planner: Planner | Team,
        fetch: Fetch,
        mailbox: Mailbox | None = None,
        last: int | None = None,
        desk: Desk | None = None,
        pace: Pace = AS_FAST_AS_POSSIBLE,
        workers: Mapping[str, Worker | Person] | None = None,
        path: Path | None = None,
        checkpointer: BaseCheckpointSaver[Any] | None = None,
        max_stalled: int = MAX_STALLED,
        patience: float = 60.0,
        in_graph: bool = False,
    ) -> None:
        self._world = world
        self._header = header
        self._planner = planner
        self._arrangement = arrangement_of(planner)
        self._turns: int = getattr(planner, "most_turns", 1)
        self._fetch = fetch
        self._workers: Mapping[str, Worker | Person] = {
            **{name: ScriptedWorker() for name in world.workers},
            **(workers or {}),
        }
        self._people = {n: each for n, each in self._workers.items() if isinstance(each, Person)}
        self._path = path
        self._saver = checkpointer
        self._last = last
        self._desk = desk
        self._pace = pace
        self._max_stalled = max_stalled
        self._patience = patience
        self._in_graph = in_graph
        self.measured: list[Measured] = []
        """What the calls of a model took, in order; of this process only."""
        if checkpointer and path is None:
            raise ValueError("an episode with checkpoints needs a path for its trace")
        if self._people and not checkpointer:
            raise ValueError("an episode that people play needs a checkpointer")
        events = list(events)
        for _, event in events:
            self._check(event)
        self._mailbox = mailbox or MemoryMailbox(events)

    def inject(self, event: Json) -> None:
        """Post an event for the next timestep that begins.

        Raises InputError if it is no event of this world, such as no mapping at all. One that
        makes no sense in the state it meets is refused then, and recorded.
        """
        if not isinstance(self._mailbox, MemoryMailbox):
            raise InputError("inject", "events reach this episode through its own mailbox alone")
        if not isinstance(event, Mapping):
            raise InputError("event", f"expected a mapping, not {event!r:.60}")
        event = deepcopy(dict(event))
        self._check(event)
        self._mailbox.inject(event)

    def _check(self, event: Json) -> None:
        with naming(self._world):
            apply_event(self._world, self._world.start(), event)

    async def run(self) -> Trace:
        """Play the episode to its end."""
        records = [record async for record in self.stream()]
        return Trace(tuple(records))

    async def stream(self) -> AsyncIterator[AnyRecord]:
        """Play the episode to its end, record by record.

        Where the checkpointer has been with this episode before, it goes on from there, and the
        records written before come first; so does a fork, whose trace has been prepared. Raises
        TraceError if the trace does not reach the checkpoint.
        """
        latest = await _latest(self._saver) if self._saver else None
        records = _records(latest) if latest else 0
        kept = 0
        if self._path and not records:
            kept = await asyncio.to_thread(lines_to_fork, self._path)
            if latest is None:
                await asyncio.to_thread(_check_begun, self._path, kept)
        if self._path and (records or kept):
            going_on = self._go_on(self._path, records or kept, None if kept else latest)
        else:
            going_on = await self._begin()
        async for record in going_on:
            yield record

    async def _begin(self) -> AsyncIterator[AnyRecord]:
        recorder = await asyncio.to_thread(Recorder, self._path) if self._path else Recorder()
        recorder.append(self._header)
        return self._play(recorder, Library(self._fetch), State(records=1))

    async def _go_on(
        self, path: Path, records: int, latest: CheckpointTuple | None
    ) -> AsyncIterator[AnyRecord]:
        written = await asyncio.to_thread(read_trace, path)
        start: State | None = None
        self._header = written.header
        if not written.end:
            self._expect(written)
            self._mailbox.restore(_letters(written))
            kept = Trace(written.records[:records])
            if len(kept.records) < records:
                expected = f"the checkpoint expects {records}"
                raise TraceError(f"{path}: has {len(kept.records)} lines, {expected}")
            start = await asyncio.to_thread(self._branch, kept, begin=latest is None)
            if latest:
                check_against(kept, latest, self._world, _where(self._saver))
            recorder, written = await asyncio.to_thread(Recorder.reopened, path, records)
        events = [record for record in written.of(EventRecord) if record.injected]
        await self._mailbox.settle([settled(record, self._desk) for record in events])
        known = {record.key: record.text for record in written.of(Lookup)}
        ended = written.end is not None
        for record in written.records:
            yield record
        del written, events
        if not ended:
            async for record in self._play(recorder, Library(self._fetch, known), start):
                yield record

    def _expect(self, trace: Trace) -> None:
        """Wait for the events that the last fork knows to be still to come."""
        for fork in list(trace.of(ForkRecord))[-1:]:
            if isinstance(self._mailbox, MemoryMailbox):
                self._mailbox.expect(fork.coming)

    def _branch(self, trace: Trace, *, begin: bool) -> State | None:
        """Go on in the world of the last fork; the state of the graph if that is to `begin`."""
        if not any(trace.of(ForkRecord)):
            return None
        if begin:
            there = rewound(trace, self._world)
            self._world = there.world
            return there.state
        self._world, _ = ending(trace, self._world)
        return None

    async def _play(
        self, recorder: Recorder, library: Library, start: State | None
    ) -> AsyncIterator[AnyRecord]:
        context = Context(
            world=self._world,
            planner=self._planner,
            workers=self._workers,
            library=library,
            mailbox=self._mailbox,
            recorder=recorder,
            horizon=self._header.horizon,
            last=self._last,
            desk=self._desk,
            pace=self._pace,
            max_stalled=self._max_stalled,
            patience=self._patience,
            measured=self.measured,
            publish=getattr(self._mailbox, "publish", None),
        )
        if not (self._saver or self._in_graph) and can_play(context):
            steps = supersteps(context, self._arrangement, start or State())
            async for record in self._in_loop(recorder, steps):
                yield record
            return
        horizon = self._header.horizon
        config = RunnableConfig(
            configurable={"thread_id": _thread(self._saver)},
            recursion_limit=NO_LIMIT if horizon is None else (2 + self._turns) * horizon + 10,
        )
        if isinstance(self._saver, Checkpoints):
            self._saver.watch(partial(kept, context))
        graph = build_graph(self._saver, arrangement=self._arrangement)
        people = People(self._people)
        given: State | Command[None] | None = start
        try:
            await recorder.write()
            if start is None and self._people:
                people.ask((await graph.aget_state(config)).interrupts)
            while True:
                if people.open:
                    given = await people.answers()
                async for update in self._supersteps(graph, given, config, context):
                    for record in recorder.fresh():
                        yield record
                    people.ask(update.get(INTERRUPT, ()))
                if not people.open:
                    break
            for record in recorder.fresh():
                yield record
        finally:
            await people.withdraw()
            recorder.close()

    async def _in_loop(
        self, recorder: Recorder, steps: AsyncIterator[None]
    ) -> AsyncIterator[AnyRecord]:
        try:
            await recorder.write()
            async for _ in steps:
                for record in recorder.fresh():
                    yield record
        finally:
            recorder.close()

    def _supersteps(
        self, graph: Graph, given: Any, config: RunnableConfig, context: Context
    ) -> AsyncIterator[dict[str, Any]]:
        """What the nodes of the graph say, until its end or until people are asked."""
        return graph.astream(
            given,
            config,
            context=context,
            stream_mode="updates",
            output_keys="records",
            durability="sync" if self._saver else None,
        )


def _thread(saver: BaseCheckpointSaver[Any] | None) -> str:
    return saver.thread if isinstance(saver, Checkpoints) else THREAD


def _where(saver: BaseCheckpointSaver[Any] | None) -> str:
    return saver.where if isinstance(saver, Checkpoints) else "the checkpoints"


async def _latest(saver: BaseCheckpointSaver[Any]) -> CheckpointTuple | None:
    """Return the last checkpoint; None if there is none. Raises ForgedCheckpointError."""
    config = RunnableConfig(configurable={"thread_id": _thread(saver)})
    latest = await saver.aget_tuple(config)
    if latest is not None:
        check_state(latest, _where(saver))
    return latest


def _records(latest: CheckpointTuple) -> int:
    """Return how many records the trace had there, those of nodes that finished since included."""
    return max((value for channel, value in channels(latest) if channel == "records"), default=0)


def _check_begun(path: Path, kept: int) -> None:
    """Raise TraceError if a trace without a checkpoint goes further than its first superstep.

    The first checkpoint was written before, so it is lost; to begin anew would lose the trace too.
    `kept` lines are there already where a fork begins.
    """
    if not path.exists():
        return
    supersteps = sum(line.startswith(SUPERSTEP) for line in islice(whole_lines(path), kept, None))
    if supersteps > 1:
        raise TraceError(
            f"{path}: was played, but its checkpoints are not there; restore them, or go on from"
            " the trace with 'cookmas fork'"
        )


def _letters(trace: Trace) -> Sequence[Letter]:
    return [
        Letter(
            number=record.number,
            timestep=record.timestep,
            event=record.event,
            injected=record.injected,
        )
        for record in trace.of(EventRecord)
        if record.number
    ]
