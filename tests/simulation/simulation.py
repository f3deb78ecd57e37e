"""A simulation of an open kitchen: everything in it follows from its seed."""

from __future__ import annotations

import asyncio
import gc
import os
import random
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import Any, Literal
from unittest.mock import patch

import langgraph.checkpoint.base.id

from cookmas.api import create
from cookmas.files import opening
from cookmas.files.errors import InfrastructureError
from cookmas.loading import Loaded, load
from cookmas.orchestrator.graph import recorder
from cookmas.orchestrator.runs import lease
from cookmas.orchestrator.runs.folder import RUN, TRACE, RunFolder, write_data
from cookmas.orchestrator.runs.lease import Renew
from cookmas.orchestrator.runs.request import RunRequest
from tests.simulation.conditions import ROOMY, VANS, Conditions, draw_conditions
from tests.simulation.event_loop import Process, SimulatedLoop, current_process
from tests.simulation.judge import WORLDS, find_broken
from tests.simulation.kitchen import WORKER, Kitchen
from tests.simulation.sqlite_storage import SqliteStorage
from tests.simulation.storage import KitchenStorage, MemoryStorage
from tests.simulation.wires import SimulatedWire, SimulatedWires
from tests.simulation.witness import PromiseBrokenError, Witness

StorageName = Literal["memory", "sqlite"]


Mutant = Sequence[tuple[str, Any]]
"""The names of functions, each with the function that replaces it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The outcome of a simulation."""

    seed: int
    """Its seed."""
    broken: str | None
    """The first promise that is broken; None if all hold."""
    log: Sequence[str]
    """What has happened, line by line."""
    steps: int
    """Number of callbacks that have run."""


def simulate(seed: int, storage: StorageName = "memory", mutant: Mutant = ()) -> Outcome:
    """Play a kitchen under the conditions of a seed, and return the outcome.

    `mutant` are the bugs that are put back meanwhile.
    """
    _warm_up(storage)
    return _simulate(seed, storage, mutant)


@cache
def _warm_up(storage: StorageName) -> None:
    """Play each world first: what is loaded and compiled only once takes other steps."""
    for long in (False, True):
        seed = next(seed for seed in count() if draw_conditions(seed).long is long)
        _simulate(seed, storage, ())


def _simulate(seed: int, storage: StorageName, mutant: Mutant) -> Outcome:
    conditions = draw_conditions(seed)
    loop = SimulatedLoop(seed)
    with ExitStack() as stack:
        gc.disable()  # A generator that is collected takes steps in the event loop.
        stack.callback(gc.enable)
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=_memory_folder())))
        _copy_kitchen(folder, conditions)
        witness = Witness(loop, folder / TRACE)
        loop.delays = partial(_draw_delay, loop.chance, conditions)
        kept = _open_storage(storage, stack, loop, folder, witness, conditions)
        _patch_processes(stack, loop, witness, conditions)
        wires = _open_wires(stack, loop, kept, conditions)
        for name, new in mutant:
            stack.enter_context(patch(name, new))
        kitchen = Kitchen(loop, folder, conditions, kept, witness, _load(conditions.long), wires)
        with suppress(PromiseBrokenError):
            loop.play(kitchen.play())
        room = conditions.most_open == ROOMY
        judged = find_broken(
            folder / TRACE, kitchen.histories, kept.numbers(), kitchen.deliveries, room=room
        )
        broken = witness.broken or next(judged, None)
        log = [line.replace(str(folder), "the folder") for line in witness.log]
        witness.closed = True
        loop.bury()
        kept.close()
    return Outcome(seed=seed, broken=broken, log=log, steps=loop.steps)


def _open_storage(
    name: StorageName,
    stack: ExitStack,
    loop: SimulatedLoop,
    folder: Path,
    witness: Witness,
    conditions: Conditions,
) -> KitchenStorage:
    """Return the storage of this name, which orchestrators open until the stack is closed."""
    kept: KitchenStorage
    if name == "sqlite":
        files = SqliteStorage(loop, folder, witness, conditions.most_waiting)
        stack.enter_context(files.patch_threads())
        kept = files
    else:
        failing = partial(_draw_failure, loop.chance, conditions)
        kept = MemoryStorage(loop, witness, conditions.most_waiting, failing)

    def see_work(process: Process) -> None:
        kept.see_work(process)
        witness.see_work(process)

    loop.on_work = see_work
    opening = "cookmas.orchestrator.runs.opening"
    stack.enter_context(patch(f"{opening}._checkpoints", kept.open_checkpoints))
    stack.enter_context(patch(f"{opening}.SqliteMailbox", kept.open_mailbox))
    return kept


def _open_wires(
    stack: ExitStack, loop: SimulatedLoop, kept: KitchenStorage, conditions: Conditions
) -> SimulatedWires:
    """Return the wires, at whose ends orchestrators and workers are until the stack is closed."""

    async def access(work: Callable[[], Any]) -> Any:
        if conditions.cut and loop.chance.random() < conditions.cut:
            raise InfrastructureError("the wire does not answer")
        answer = await kept.run(work)
        if conditions.cut and loop.chance.random() < conditions.cut:
            raise InfrastructureError("the wire has answered nothing")
        return answer

    wires = SimulatedWires(loop, access)
    for van in VANS if conditions.wired else ():
        wires.wire(van)

    def wire_at(where: object, worker: str, **_: object) -> SimulatedWire:
        return wires.wire(worker)

    opening = "cookmas.orchestrator.runs.opening"
    stack.enter_context(patch(f"{opening}._remote_workers", wires.open_remote))
    stack.enter_context(patch("cookmas.workers.carrying_out.wire_at", wire_at))
    return wires


def _draw_failure(chance: random.Random, conditions: Conditions) -> bool:
    return conditions.failing > 0 and chance.random() < conditions.failing


def _draw_delay(chance: random.Random, conditions: Conditions) -> float:
    if conditions.stall and chance.random() < conditions.stall:
        return chance.uniform(0, 3)
    return chance.uniform(0, conditions.slowness) if conditions.slowness else 0.0


def _memory_folder() -> str | None:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


@cache
def _load(long: bool) -> Loaded:
    """Return the loaded request of the kitchen, or of the dispatch with its `long` work."""
    return load(RunFolder(_create_template(long)).file)


@cache
def _hold_folder() -> tempfile.TemporaryDirectory[str]:
    """Return a folder that is removed when Python ends."""
    return tempfile.TemporaryDirectory(dir=_memory_folder())


@cache
def _create_template(long: bool) -> Path:
    """Create a small open kitchen or a dispatch, which each simulation copies."""
    played: dict[str, Any] = {"settings": {"kitchen": "small"}}
    if long:
        played = {"world": WORLDS["dispatch"]}
    folder = Path(_hold_folder().name) / ("dispatch" if long else "kitchen")
    request = RunRequest(
        scenario="open", planner="embedded", pace=0.0, keep_checkpoints=1, **played
    )
    return create(folder, request)


def _copy_kitchen(folder: Path, conditions: Conditions) -> None:
    shutil.copytree(_create_template(conditions.long), folder, dirs_exist_ok=True)
    told: dict[str, Any] = {"pace": conditions.pace, "thinking": conditions.thinking}
    if conditions.asynchronous and conditions.remote and not conditions.long:
        told["asynchronous"] = (WORKER,)
    file = RunFolder(folder).file.model_copy(update=told)
    write_data(folder / RUN, file.model_dump(mode="json", exclude_none=True))


def _patch_processes(
    stack: ExitStack, loop: SimulatedLoop, witness: Witness, conditions: Conditions
) -> None:
    """Give simulated processes their clocks, locks, heartbeats and limits."""

    def replace(target: str, new: Any) -> None:
        stack.enter_context(patch(target, new))

    lock, append, utime = opening.lock_file, recorder._append_to, os.utime

    def read_clock() -> int:
        """Return the time of the machine's clock; LangGraph's last time is the process's own."""
        process = current_process()
        langgraph.checkpoint.base.id._last_v6_timestamp = None
        now = 1_800_000_000 + loop.time() + process.clock_error
        process.last_time = max(process.last_time + 100, int(now * 1e9))
        return process.last_time

    def lock_file(path: Path) -> Any:
        file = lock(path)
        if file:
            current_process().files.append(file)
        return file

    def append_to(*given: Any) -> Any:
        file = append(*given)
        current_process().files.append(file)
        return file

    def touch(path: Any, *args: Any, **kwargs: Any) -> None:
        if isinstance(path, int):
            now = int(loop.time() * 1e9)
            witness.see_beat()
            utime(path, ns=(now, now))
        else:
            utime(path, *args, **kwargs)

    @asynccontextmanager
    async def renew_all(
        leases: Sequence[AbstractAsyncContextManager[Renew]], lost: Callable[[], object]
    ) -> AsyncIterator[None]:
        over = asyncio.Event()
        process = current_process()
        beats = [loop.spawn(process, lease._beat(each, over, lost), "heartbeat") for each in leases]
        try:
            yield
        finally:
            witness.see_end(process)
            over.set()
            await asyncio.gather(*beats, return_exceptions=True)

    replace("time.time_ns", read_clock)
    replace("time.time", lambda: read_clock() / 1e9)
    replace("time.monotonic", loop.time)
    replace("time.perf_counter", loop.time)
    replace("os.utime", touch)
    replace("cookmas.orchestrator.runs.lease.lock_file", lock_file)
    replace("cookmas.orchestrator.graph.recorder._append_to", append_to)
    replace("cookmas.orchestrator.runs.lease._renew_all", renew_all)
    replace("cookmas.solving.restaurant.planners.EmbeddedPlanner.effort", 1)
    replace("cookmas.episodes.base.World.most_open", conditions.most_open)
    replace("cookmas.mailboxes.desk.MOST_LETTERS", conditions.most_letters)
    replace("cookmas.orchestrator.graph.messages.MOST_TAKEN", conditions.most_taken)
    replace("cookmas.orchestrator.graph.timestep.PART", conditions.part)
    replace("cookmas.orchestrator.graph.recorder.ANSWERED_AGAIN", conditions.told_again)
    replace("tests.mailboxes.open_memory.MOST_LETTERS", conditions.most_letters)
    replace("cookmas.mailboxes.sqlite.mailbox.MOST_LETTERS", conditions.most_letters)
