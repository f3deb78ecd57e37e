"""Measure an open kitchen under load: python -m benchmarks.load [ORDERS] [TIMESTEPS] [PROBES]

The kitchen is the large one with six workers. Its mailbox is in SQLite or in a Redis server. There
are two loads: a rush of ORDERS orders that three senders posted before the start, and a stream of
one order at each of TIMESTEPS timesteps. Each run is divided into twenty spans of equal length. For
each span the command measures the CPU per timestep of the kitchen's process, without planning and
posting, and the memory of the process. The planner uses the least effort, because planning is not
measured here.

Then one sender floods a kitchen that takes one second for each timestep, while another sender
orders PROBES times. The table has the time from each of these orders to its first answer, which is
the place of the order in the mailbox, or its outcome. If a message is lost or reordered, or the
trace does not replay, the command raises AssertionError. It writes the plots and the tables of the
docs.
"""

from __future__ import annotations

import asyncio
import json
import math
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from statistics import mean, median

import cookmas
from benchmarks.page import DOCS, fill, table
from benchmarks.plot import line_plot
from cookmas.api import create
from cookmas.client import AsyncClient
from cookmas.episodes.trace import EventRecord, StepRecord, Trace
from cookmas.files.errors import MissingError
from cookmas.kitchen.state import KitchenState
from cookmas.mailboxes.protocol import MOST_WAITING
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.orchestrator.runs.folder import TRACE, RunFolder
from cookmas.orchestrator.runs.opening import open_run
from cookmas.orchestrator.runs.redis_runs import open_redis_episode
from cookmas.orchestrator.runs.request import RedisPlace, RunRequest
from cookmas.solving.restaurant.planners import EmbeddedPlanner
from cookmas.worlds.restaurant.domain import DOMAIN
from tests.redis_process import RedisProcess

PAGE = DOCS / "reference" / "benchmarks.md"
SENDERS = ("anna", "bert", "cleo")
ITEMS = ("Buttered Toast", "French Fries")
SETTINGS = {"kitchen": "large", "workers": "6"}
SPANS = 20
PACE = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadSpan:
    """A span of a run.

    `timesteps` is the number of timesteps from the start of the run to the end of the span.
    `milliseconds` is the mean CPU time of a timestep, `megabytes` the memory at the end of the
    span, `open_lines` the mean number of open order lines.
    """

    timesteps: int
    milliseconds: float
    megabytes: float
    open_lines: float


class TimedPlanner(EmbeddedPlanner):
    """A planner with the least effort.

    `seconds` is the CPU time of all its calls, `open_lines` the number of open order lines at the
    last call.
    """

    effort = 1

    def __init__(self) -> None:
        super().__init__()
        self.seconds = 0.0
        self.open_lines = 0

    async def plan(self, observation: Observation[KitchenState]) -> Plan:
        """Return a schedule for all open lines."""
        began = time.process_time()
        try:
            return await super().plan(observation)
        finally:
            self.seconds += time.process_time() - began
            self.open_lines = len(observation.state.open_lines())


async def play_kitchen(
    folder: Path, clients: Sequence[AsyncClient], orders: int, stream: int
) -> Trace:
    """Play a kitchen; print its spans as JSON lines, and return its trace.

    `orders` is the number of orders that are posted before the start. `stream` is the number of
    timesteps at each of which one order is posted.
    """
    scenario, planner = DOMAIN.scenario("open", SETTINGS), TimedPlanner()
    numbers = count()

    async def post() -> None:
        number = next(numbers)
        words = f"1 {ITEMS[number % len(ITEMS)]}: number {number}"
        await clients[number % len(clients)].order(words, id=str(number))

    for _ in range(orders or 1):
        await post()
    samples: list[tuple[float, float, int]] = []
    async with open_run(RunFolder(folder), scenario, planner, DOMAIN.desk(scenario)) as episode:
        if not stream:
            await clients[0].close()
        used, planned, steps = time.process_time(), planner.seconds, 0
        async for record in episode.stream():
            if not isinstance(record, StepRecord):
                continue
            now = time.process_time()
            spent = now - used - (planner.seconds - planned)
            samples.append((spent, _measure_memory(), planner.open_lines))
            steps += 1
            if steps < stream:
                await post()
            if steps == stream:
                await clients[0].close()
            used, planned = time.process_time(), planner.seconds
    size = max(1, len(samples) // SPANS)
    for begin in range(0, size * SPANS, size):
        some = samples[begin : begin + size]
        span = LoadSpan(
            timesteps=begin + len(some),
            milliseconds=1000 * mean(spent for spent, _, _ in some),
            megabytes=some[-1][1],
            open_lines=mean(lines for _, _, lines in some),
        )
        print(json.dumps(asdict(span)), flush=True)
    return cookmas.read_trace(folder / TRACE)


def _measure_memory() -> float:
    """Return the megabytes of memory that this process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def check(trace: Trace, orders: int) -> None:
    """Raise AssertionError if an order is lost, repeated, out of its sender's order or unserved.

    The trace must also replay.
    """
    assert trace.end
    assert trace.end.termination == "closed"
    events = list(trace.of(EventRecord))
    assert [event.number for event in events] == list(range(1, orders + 1))
    sent = [int(event.event["lines"][0]["note"].removeprefix("number ")) for event in events]
    assert sorted(sent) == list(range(orders))
    for sender in range(len(SENDERS)):
        own = [number for number in sent if number % len(SENDERS) == sender]
        assert own == sorted(own)
    served = Counter(
        command.action
        for step in trace.of(StepRecord)
        for command in step.commands
        if command.action.startswith("serve(") and command.worker not in step.fails
    )
    assert served == Counter(f"serve(live{number}.1)" for number in range(1, orders + 1))
    assert all(frame.equal for frame in cookmas.replay(trace))


async def run(kind: str, orders: int, stream: int) -> None:
    """Play one run in this process, with a mailbox of `kind` (`sqlite` or `redis`)."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = RedisProcess(folder, "--appendonly", "yes") if kind == "redis" else None
        try:
            place = RedisPlace.at(f"{server.url}#load") if server else None
            create(
                folder / "run",
                RunRequest(
                    scenario="open", planner="embedded", settings=SETTINGS, pace=0.0, redis=place
                ),
            )
            if place:
                scenario = DOMAIN.scenario("open", SETTINGS)
                setup = {"world": "restaurant", "setup": scenario.world().setup()}
                async with open_redis_episode(place, setup, []):
                    pass
            where = place.address() if place else folder / "run"
            clients = [AsyncClient(where, sender, patience=0) for sender in SENDERS]
            check(await play_kitchen(folder / "run", clients, orders, stream), orders + stream)
            for client in clients:
                await client.__aexit__()
        finally:
            if server:
                server.kill()


@dataclass(frozen=True, slots=True, kw_only=True)
class Waits:
    """The waiting times of orders during a flood.

    `first` are the sorted seconds until the first answers. `waited` is the number of orders whose
    first answer was a place in the mailbox.
    """

    first: list[float]
    waited: int


async def measure_flood(kind: str, probes: int) -> Waits:
    """Return the waiting times of `probes` orders during a flood by another sender.

    The other sender posts `MOST_WAITING` messages, the greatest number that may wait.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = RedisProcess(folder, "--appendonly", "yes") if kind == "redis" else None
        place = RedisPlace.at(f"{server.url}#load") if server else None
        create(
            folder / "run",
            RunRequest(
                scenario="open", planner="embedded", settings=SETTINGS, pace=PACE, redis=place
            ),
        )
        where = place.address() if place else folder / "run"
        kitchen = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.load", "play", folder / "run"]
        )
        try:
            return await _probe(where, probes)
        finally:
            kitchen.kill()
            kitchen.wait()
            if server:
                server.kill()


async def _probe(where: str | Path, probes: int) -> Waits:
    flood = AsyncClient(where, "flood", patience=0)
    while True:
        try:
            await flood.order(f"1 {ITEMS[0]}")
            break
        except MissingError:
            await asyncio.sleep(0.1)
    for number in range(MOST_WAITING - 1):
        await flood.order(f"1 {ITEMS[number % len(ITEMS)]}")
    chance = random.Random(1)
    waits: list[asyncio.Task[tuple[float, bool]]] = []
    for _ in range(probes):
        waits.append(asyncio.create_task(_await_first_answer(where)))
        await asyncio.sleep(PACE * (1 + chance.random()))
    found = await asyncio.gather(*waits)
    await flood.__aexit__()
    return Waits(first=sorted(seconds for seconds, _ in found), waited=sum(w for _, w in found))


async def _await_first_answer(where: str | Path) -> tuple[float, bool]:
    """Post an order; return the seconds until its first answer.

    The second result is True if this answer was a place in the mailbox, not the outcome.
    """
    began = time.perf_counter()
    told: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    async with AsyncClient(where, "anna", patience=600) as client:
        order = asyncio.create_task(
            client.order(f"1 {ITEMS[0]}", on_waiting=lambda _: told.set_result(None))
        )
        await asyncio.wait((order, told), return_when=asyncio.FIRST_COMPLETED)
        seconds = time.perf_counter() - began
        order.cancel()
        await asyncio.gather(order, return_exceptions=True)
    return seconds, told.done()


async def play(folder: Path) -> None:
    """Play the kitchen in a folder until the process is killed."""
    scenario = DOMAIN.scenario("open", SETTINGS)
    async with open_run(
        RunFolder(folder), scenario, TimedPlanner(), DOMAIN.desk(scenario)
    ) as episode:
        await episode.run()


def spans_of(kind: str, orders: int, stream: int) -> list[LoadSpan]:
    """Play a run in a process of its own; return its spans."""
    arguments = (kind, str(orders), str(stream))
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.load", *arguments], stdout=subprocess.PIPE, check=True
    )
    return [LoadSpan(**json.loads(line)) for line in done.stdout.splitlines()]


def _flood_table(probes: int) -> str:
    rows = []
    for kind, name in (("sqlite", "SQLite"), ("redis", "Redis")):
        waits = asyncio.run(measure_flood(kind, probes))
        tail = waits.first[math.ceil(0.95 * probes) - 1]
        assert tail < 2 * PACE, (name, waits)
        rows.append(
            f"| {name} | {probes} | {waits.waited} | {median(waits.first):.2f} | {tail:.2f} |"
        )
        print(rows[-1], flush=True)
    columns = "| mailbox | orders | told their place | first answer, s | 95th percentile |"
    return table(columns, rows)


def main(orders: int, timesteps: int, probes: int) -> None:
    """Play all runs, and write the plots and the tables."""
    fill(PAGE, "flood", _flood_table(probes))
    runs: dict[str, list[LoadSpan]] = {}
    for kind, name in (("sqlite", "SQLite"), ("redis", "Redis")):
        runs[f"{orders} at once, {name}"] = spans_of(kind, orders, 0)
        runs[f"{timesteps} in a stream, {name}"] = spans_of(kind, 0, timesteps)
    rows = []
    for name, spans in runs.items():
        tenth = SPANS // 10
        early, late = spans[tenth : 3 * tenth], spans[-3 * tenth : -tenth]
        spent = (mean(span.milliseconds for span in some) for some in (early, late))
        held = (some[-1].megabytes for some in (early, late))
        numbers = [*(f"{each:.1f}" for each in spent), *(f"{each:.0f}" for each in held)]
        rows.append(f"| {name} | {spans[-1].timesteps:,} | {' | '.join(numbers)} |")
        print(rows[-1], flush=True)
    columns = "| load | timesteps | CPU ms, early | late | MB held, early | late |"
    fill(PAGE, "load", table(columns, rows))
    percent = [round(100 * (number + 1) / SPANS) for number in range(SPANS)]
    for file, y, values in (
        ("load-time.svg", "CPU milliseconds a timestep", "milliseconds"),
        ("load-memory.svg", "memory of the kitchen's process, MB", "megabytes"),
    ):
        lines = {name: [getattr(s, values) for s in spans] for name, spans in runs.items()}
        plot = line_plot(percent, lines, "percent of the run", y)
        (DOCS / "reference" / file).write_text(plot, encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] in (["sqlite"], ["redis"]):
        asyncio.run(run(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
    elif sys.argv[1:2] == ["play"]:
        asyncio.run(play(Path(sys.argv[2])))
    else:
        given = sys.argv[1:4]
        main(*(int(each) for each in (*given, *("1000", "2000", "60")[len(given) :])))
