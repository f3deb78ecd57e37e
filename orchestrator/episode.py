"""An episode of any world: it runs in the graph or in a plain loop, and continues after a kill."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cookmas.episodes.base import World, check_base
from cookmas.episodes.failure import boundary
from cookmas.episodes.instruction import apply_event
from cookmas.episodes.replay import replay_to_end
from cookmas.episodes.scenario import DEFAULT_HORIZON, Scenario
from cookmas.episodes.trace import (
    AnyRecord,
    EventRecord,
    Header,
    PlannerClass,
    SeatRecord,
    Trace,
)
from cookmas.episodes.trace_file import count_to_fork, iterate_records
from cookmas.episodes.world import Json
from cookmas.files.errors import InputError, MissingError
from cookmas.mailboxes.desk import Desk
from cookmas.mailboxes.memory import MemoryMailbox
from cookmas.mailboxes.protocol import Letter, Mailbox
from cookmas.orchestrator.graph.context import Context
from cookmas.orchestrator.graph.messages import settle_record
from cookmas.orchestrator.graph.recorder import Batch, Recorder, WrittenTrace, check_begun
from cookmas.orchestrator.graph.restoring import rewind
from cookmas.orchestrator.graph.state import State
from cookmas.orchestrator.library import Fetch
from cookmas.orchestrator.loop import can_play, play_in_loop
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.observers.figures import Figures
from cookmas.orchestrator.observers.log import RecordLog
from cookmas.orchestrator.observing import Observer, Observers
from cookmas.orchestrator.planner import Planner
from cookmas.orchestrator.planners.seats import refuse_central
from cookmas.workers.hiring import check_worker

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple


@dataclass(kw_only=True, eq=False)
class Episode(Context):
    """One episode: the facts that its nodes know, and what runs it.

        trace = await episode_of(scenario, planner).run()

    If people play workers, the graph interrupts itself for their actions, which needs a
    checkpointer. A plain loop with the same trace plays an episode that needs no graph, unless
    `in_graph` is True. Each play has a copy of the episode as the context of its nodes. The
    constructor raises InputError if the price of thinking or an asynchronous worker is unknown.
    """

    header: Header
    """The first record of the trace."""
    horizon: int | None = field(init=False)
    """The horizon in the header."""
    path: Path | None = None
    """Path of the trace file; None writes no file."""
    checkpointer: BaseCheckpointSaver[Any] | None = None
    """The store of checkpoints, from which a killed episode can be resumed."""
    durable: bool = False
    """True if the trace is on the disk before a checkpoint counts its records.

    So an open episode, whose checkpoints have taken messages, continues after a loss of power.
    """
    observers: tuple[Observer, ...] = ()
    """Objects that observe the records of the episode as they are appended."""
    langsmith: bool = False
    """True if LangSmith gets what the graph runs, which then plays the episode."""
    in_graph: bool = False
    """True if the graph plays the episode even if a plain loop can."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.horizon = self.header.horizon
        self.episode = self.episode or uuid.uuid4().hex
        if self.checkpointer and self.path is None:
            raise ValueError("an episode with checkpoints needs a path for its trace")
        for name in self.asynchronous:
            check_worker(name, self.world.workers)
        if self.people and not self.checkpointer:
            raise ValueError("an episode that people play needs a checkpointer")

    @property
    def resumable(self) -> bool:
        """True if the episode has checkpoints."""
        return self.checkpointer is not None

    def inject(self, event: Json) -> None:
        """Post an event for the next timestep.

        Raise InputError if the event is invalid in this world. An event that is impossible in the
        state at that timestep is rejected then, and the trace records the rejection.
        """
        if not isinstance(self.mailbox, MemoryMailbox):
            raise InputError("inject", "events reach this episode through its own mailbox alone")
        if not isinstance(event, Mapping):
            raise InputError("event", f"expected a mapping, not {event!r:.60}")
        event = deepcopy(dict(event))
        _check_event(self.world, event)
        self.mailbox.inject(event)

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
        if self.checkpointer:
            from cookmas.orchestrator.graph.checkpoint import count_records, latest_of

            latest = await latest_of(self.checkpointer)
            records = count_records(latest) if latest else 0
        kept = 0
        if self.path and not records:
            kept = await asyncio.to_thread(count_to_fork, self.path)
            if latest is None:
                await asyncio.to_thread(check_begun, self.path, kept)
        if self.path and records and not await asyncio.to_thread(self.path.exists):
            raise MissingError(
                f"{self.path}: there is no such trace, but the checkpoints count {records} "
                "records of it; copy it here from where the episode began: it is all that an "
                "episode needs beside its checkpoints"
            )
        if self.path and (records or kept):
            return self._go_on(self.path, records or kept, None if kept else latest)
        recorder = await asyncio.to_thread(Recorder, self.path) if self.path else Recorder()
        recorder.append(self.header)
        return self._play(recorder, State(records=1))

    async def _go_on(
        self, path: Path, records: int, latest: CheckpointTuple | None
    ) -> AsyncIterator[Batch]:
        written = await asyncio.to_thread(WrittenTrace, path, records)
        letters: list[Letter] = []
        while batch := await asyncio.to_thread(written.read):
            if isinstance(self.mailbox, MemoryMailbox):
                letters += _letters(batch)
            yield batch
        self._check_own(path, written)
        self.header = written.header
        start: State | None = None
        if written.end is None:
            if isinstance(self.mailbox, MemoryMailbox):
                if written.fork:
                    self.mailbox.expect(written.fork.coming)
                self.mailbox.restore([*letters, *_letters(written.later)])
            if written.fork:
                start = await asyncio.to_thread(self._branch, path, records, begin=latest is None)
            if self.checkpointer and latest:
                from cookmas.orchestrator.graph.checkpoint import check_against

                check_against(written.timesteps, latest, self.world, self.checkpointer)
            await asyncio.to_thread(written.recorder.reopen)
        answers = [settle_record(record, self.desk) for record in written.messages]
        await self.mailbox.settle(answers)
        if written.end is not None:
            await self.mailbox.end()
        else:
            async for batch in self._play(written.recorder, start):
                yield batch

    def _check_own(self, path: Path, written: WrittenTrace) -> None:
        """Raise InputError if a trace is of another episode than this one.

        A fork has the header of its parent, and may have another planner.
        """
        names = ["world", "scenario_digest"]
        if written.fork is None and self.header.horizon is not None:
            names += ["planner", "horizon"]
        for name in names:
            there, here = getattr(written.header, name), getattr(self.header, name)
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
            there = rewind(trace, self.world)
            self.world = there.world
            return there.state
        self.world, _ = replay_to_end(trace, self.world)
        return None

    def _play(self, recorder: Recorder, start: State | None) -> AsyncIterator[Batch]:
        """Yield the records from `start` on, which is a state of the graph.

        If `start` is None, continue from the last checkpoint; without one, play from the beginning.
        """
        figures = Figures()
        recorder.durable = self.durable
        recorder.observers = Observers([RecordLog(), figures, *self.observers])
        recorder.observers.begin(self.header, self.world.idle)
        context = replace(
            self,
            recorder=recorder,
            figures=figures.data,
            note_wait=figures.message_waits.add,
        )
        if not (self.checkpointer or self.in_graph or self.langsmith) and can_play(context):
            return play_in_loop(context, start or State())
        from cookmas.orchestrator.graph.graph import play_in_graph

        return play_in_graph(context, start, self.checkpointer, langsmith=self.langsmith)


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


def mailbox_for(world: World, events: Iterable[tuple[int, Json]]) -> MemoryMailbox:
    """Return a mailbox of known events, each with its timestep.

    Raise InputError if an event is invalid in this world.
    """
    known = list(events)
    for _, event in known:
        _check_event(world, event)
    return MemoryMailbox(known)


def _check_event(world: World, event: Json) -> None:
    with boundary(world=world):
        apply_event(world, world.start(), event)


def episode_of(
    scenario: Scenario,
    planner: Planner | Team,
    *,
    horizon: int | None = None,
    judges: str | None = None,
    people: Sequence[str] = (),
    desk: Desk | None = None,
    mailbox: Mailbox | None = None,
    fetch: Fetch | None = None,
    **fields: Any,
) -> Episode:
    """Return an episode of a scenario, whose other `fields` are as in `Episode`.

    `horizon` applies if the scenario has none; an open episode has no horizon. `judges` is the
    version of the evaluators. `people` are the workers whom people play; the trace names them. A
    `mailbox` is in place of the scenario's known events, and `fetch` in place of its texts. Raise
    InputError if the planner cannot plan in this world, a known event is invalid in it, or the
    world does not inherit from `World`.
    """
    world, is_open = scenario.world(), desk is not None
    check_base(type(world), World, f"scenario {scenario.name!r}")
    refuse_central(planner, world)
    known = mailbox_for(world, scenario.events())
    return Episode(
        world=world,
        planner=planner,
        header=header_of(
            scenario,
            world,
            planner.name,
            "human" if people else planner.planner_class,
            None if is_open else scenario.horizon or horizon or DEFAULT_HORIZON,
            judges,
            people,
            getattr(planner, "seats", None),
        ),
        last=scenario.horizon - 1 if scenario.horizon and not is_open else None,
        fetch=fetch or scenario.look_up,
        mailbox=mailbox or known,
        desk=desk,
        **fields,
    )


def header_of(
    scenario: Scenario,
    world: World,
    planner: str,
    planner_class: PlannerClass,
    horizon: int | None,
    judges: str | None = None,
    people: Sequence[str] = (),
    seats: Mapping[str, SeatRecord] | None = None,
) -> Header:
    """Return the header, which is the first record of a trace.

    `planner` is the planner's name. `judges` is the version of the evaluators. `people` are the
    workers whom people play; `seats` name the planner of each worker of a team.
    """
    with boundary(world=world):
        setup = world.setup()
    return Header(
        world=world.name,
        rules=world.rules,
        judges=judges,
        workers=list(world.workers),
        seed=scenario.seed,
        horizon=horizon,
        planner=planner,
        planner_class=planner_class,
        people=list(people) or None,
        seats=dict(seats) if seats else None,
        scenario_name=scenario.name,
        scenario_digest=scenario.digest,
        scenario=scenario.data(),
        setup=setup,
    )
