"""The runner: plays one episode of any world, in the graph or in a plain loop."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Iterator, Mapping
from copy import deepcopy
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from cookmas.episodes.failure import boundary
from cookmas.episodes.instruction import apply_event
from cookmas.episodes.replay import replay_to_end
from cookmas.episodes.trace import AnyRecord, EventRecord, Trace
from cookmas.episodes.trace_file import count_to_fork, iterate_records
from cookmas.episodes.world import Json
from cookmas.files.errors import InputError, MissingError
from cookmas.mailboxes.memory import MemoryMailbox
from cookmas.mailboxes.protocol import Letter
from cookmas.orchestrator.graph.context import Context
from cookmas.orchestrator.graph.messages import answer_to
from cookmas.orchestrator.graph.recorder import Batch, Recorder
from cookmas.orchestrator.graph.restoring import rewind
from cookmas.orchestrator.graph.state import State
from cookmas.orchestrator.library import Library
from cookmas.orchestrator.loop import can_play, play_in_loop
from cookmas.orchestrator.models.message import CallMeasurements
from cookmas.orchestrator.observers.figures import Figures
from cookmas.orchestrator.observers.log import RecordLog
from cookmas.orchestrator.observing import Observers
from cookmas.orchestrator.parts import (
    NOT_KEPT,
    NOTHING_OUTSIDE,
    EpisodeContent,
    Outside,
    Participants,
    Storage,
)
from cookmas.orchestrator.thinking import ThinkingPrice
from cookmas.orchestrator.written import WrittenTrace, check_begun
from cookmas.workers.hiring import check_worker
from cookmas.workers.person import Person
from cookmas.workers.protocol import ScriptedWorker, Worker

if TYPE_CHECKING:
    from langgraph.checkpoint.base import CheckpointTuple


class Episode:
    """One episode, made from its content, participants, storage and outside sources.

        episode = Episode(content, Participants(planner=...))
        trace = await episode.run()

    If people play workers, the graph interrupts itself for their actions, which needs a
    checkpointer. A plain loop with the same trace plays an episode that needs no graph, unless
    `in_graph` is True. The constructor raises InputError if a known event is invalid in this world.
    """

    def __init__(
        self,
        content: EpisodeContent,
        participants: Participants,
        storage: Storage = NOT_KEPT,
        outside: Outside = NOTHING_OUTSIDE,
        *,
        in_graph: bool = False,
    ) -> None:
        self._world = content.world
        self._header = content.header
        self._last = content.last
        self._participants = participants
        self._workers: Mapping[str, Worker | Person] = {
            **{name: ScriptedWorker() for name in content.world.workers},
            **participants.workers,
        }
        self._trace = storage.path
        self._durable = storage.durable
        self._saver = storage.checkpointer
        self._episode = storage.episode or uuid.uuid4().hex
        self._outside = outside
        self._fetch = outside.fetch or content.fetch
        self._in_graph = in_graph
        self.measured: list[CallMeasurements] = []
        """The measurements of the model calls in this process, in order."""
        for name in participants.asynchronous:
            check_worker(name, content.world.workers)
        people = any(isinstance(each, Person) for each in self._workers.values())
        if people and not self._saver:
            raise ValueError("an episode that people play needs a checkpointer")
        events = list(content.events)
        for _, event in events:
            self._check(event)
        self._mailbox = outside.mailbox or MemoryMailbox(events)

    def inject(self, event: Json) -> None:
        """Post an event for the next timestep.

        Raise InputError if the event is invalid in this world. An event that is impossible in the
        state at that timestep is rejected then, and the trace records the rejection.
        """
        if not isinstance(self._mailbox, MemoryMailbox):
            raise InputError("inject", "events reach this episode through its own mailbox alone")
        if not isinstance(event, Mapping):
            raise InputError("event", f"expected a mapping, not {event!r:.60}")
        event = deepcopy(dict(event))
        self._check(event)
        self._mailbox.inject(event)

    def _check(self, event: Json) -> None:
        with boundary(world=self._world):
            apply_event(self._world, self._world.start(), event)

    async def run(self) -> Trace:
        """Play the episode to its end."""
        batches = [batch async for batch in await self._begin_or_resume()]
        return Trace(tuple(chain.from_iterable(batches)))

    async def stream(self) -> AsyncIterator[AnyRecord]:
        """Play the episode to its end, and yield its records.

        If the checkpointer has a checkpoint of this episode, first yield the records that have been
        written already, and then continue from the checkpoint. Of an open episode, these are the
        header and the records of the last part, or the last two parts. For a fork whose trace has
        been prepared, first yield the records of this trace, and then continue from their end.
        Raise TraceError if the trace ends before the checkpoint, and InputError if it is of another
        episode.
        """
        async for batch in await self._begin_or_resume():
            for record in batch:
                yield record

    async def _begin_or_resume(self) -> AsyncIterator[Batch]:
        latest, records = None, 0
        if self._saver:
            from cookmas.orchestrator.graph.checkpoint import count_records, latest_of

            latest = await latest_of(self._saver)
            records = count_records(latest) if latest else 0
        kept = 0
        if self._trace and not records:
            kept = await asyncio.to_thread(count_to_fork, self._trace)
            if latest is None:
                await asyncio.to_thread(check_begun, self._trace, kept)
        if self._trace and records and not await asyncio.to_thread(self._trace.exists):
            raise MissingError(
                f"{self._trace}: there is no such trace, but the checkpoints count {records} "
                "records of it; copy it here from where the episode began: it is all that an "
                "episode needs beside its checkpoints"
            )
        if self._trace and (records or kept):
            return self._go_on(self._trace, records or kept, None if kept else latest)
        return await self._begin()

    async def _begin(self) -> AsyncIterator[Batch]:
        recorder = await asyncio.to_thread(Recorder, self._trace) if self._trace else Recorder()
        recorder.append(self._header)
        return self._play(recorder, Library(self._fetch), State(records=1))

    async def _go_on(
        self, path: Path, records: int, latest: CheckpointTuple | None
    ) -> AsyncIterator[Batch]:
        written = await asyncio.to_thread(WrittenTrace, path, records)
        letters: list[Letter] = []
        while batch := await asyncio.to_thread(written.read):
            if isinstance(self._mailbox, MemoryMailbox):
                letters += _letters(batch)
            yield batch
        self._check_own(path, written)
        self._header = written.header
        start: State | None = None
        if written.end is None:
            if isinstance(self._mailbox, MemoryMailbox):
                if written.fork:
                    self._mailbox.expect(written.fork.coming)
                self._mailbox.restore([*letters, *_letters(written.later)])
            if written.fork:
                start = await asyncio.to_thread(self._branch, path, records, begin=latest is None)
            if self._saver and latest:
                from cookmas.orchestrator.graph.checkpoint import check_against

                check_against(written.timesteps, latest, self._world, self._saver)
            await asyncio.to_thread(written.recorder.reopen)
        answers = [answer_to(record, self._outside.desk) for record in written.messages]
        await self._mailbox.settle(answers)
        if written.end is not None:
            await self._mailbox.end()
        else:
            library = Library(self._fetch, written.recorder.texts)
            async for batch in self._play(written.recorder, library, start):
                yield batch

    def _check_own(self, path: Path, written: WrittenTrace) -> None:
        """Raise InputError if a trace is of another episode than this one.

        A fork has the header of its parent, and may have another planner.
        """
        names = ["world", "scenario_digest"]
        if written.fork is None and self._header.horizon is not None:
            names += ["planner", "horizon"]
        for name in names:
            there, here = getattr(written.header, name), getattr(self._header, name)
            if there != here:
                what = name.removesuffix("_digest")
                told = f" ({there}, not {here})" if what == name else ""
                raise InputError(
                    str(path), f"is of another {what}{told}; use another trace and another thread"
                )

    def _branch(self, path: Path, records: int, *, begin: bool) -> State | None:
        """Let the episode continue in the world of the last fork.

        If the graph is to `begin` without a checkpoint, return the graph's state at the fork, else
        None.
        """
        trace = Trace(tuple(islice(iterate_records(path), records)))
        if begin:
            there = rewind(trace, self._world)
            self._world = there.world
            return there.state
        self._world, _ = replay_to_end(trace, self._world)
        return None

    def _play(
        self, recorder: Recorder, library: Library, start: State | None
    ) -> AsyncIterator[Batch]:
        """Yield the records from `start` on, which is a state of the graph.

        If `start` is None, continue from the last checkpoint; without one, play from the beginning.
        """
        recorder.durable, price = self._durable, self._participants.thinking
        figures = Figures()
        recorder.observers = Observers([RecordLog(), figures, *self._outside.observers])
        recorder.observers.begin(self._header, self._world.idle)
        context = Context(
            world=self._world,
            planner=self._participants.planner,
            fallback=self._participants.fallback,
            workers=self._workers,
            library=library,
            mailbox=self._mailbox,
            recorder=recorder,
            horizon=self._header.horizon,
            last=self._last,
            desk=self._outside.desk,
            pace=self._outside.pace,
            resumable=self._saver is not None,
            episode=self._episode,
            max_stalled=self._participants.max_stalled,
            patience=self._participants.patience,
            asynchronous=frozenset(self._participants.asynchronous),
            thinking=ThinkingPrice.parse(price) if price else None,
            measured=self.measured,
            publish=getattr(self._mailbox, "publish", None),
            figures=figures.data,
        )
        langsmith = self._outside.langsmith
        if not (self._saver or self._in_graph or langsmith) and can_play(context):
            return play_in_loop(context, start or State())
        from cookmas.orchestrator.graph.graph import play_in_graph

        return play_in_graph(context, start, self._saver, langsmith=langsmith)


def _letters(records: Batch) -> Iterator[Letter]:
    """Yield the letters whose events are among some records."""
    for record in records:
        if isinstance(record, EventRecord) and record.number:
            yield Letter(
                number=record.number,
                timestep=record.timestep,
                event=record.event,
                injected=record.injected,
            )
