"""Measure the cost of an episode in a sweep, by layers, and the gain of a second core.

    python -m benchmarks.throughput

The embedded planner plays every fifth scenario. Its actions are then repeated several times, each
time with one layer less, such as judging or the trace. The difference is the cost of the layer.
Then one process, two processes, and a Dask cluster of two workers play a sweep of short episodes,
whose planner costs almost nothing.

Costs are CPU seconds, as the minimum of the rounds, so they are valid on a busy machine too. The
gain in wall time needs two free cores. The command writes the tables into a page of the docs, with
an estimate for a million episodes of the first kind.
"""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from benchmarks.page import DOCS, fill, table
from cookmas.api import aplay, load_planner
from cookmas.episodes.replay import after_event
from cookmas.episodes.trace import End, EventRecord, StepRecord, Trace
from cookmas.episodes.world import digest
from cookmas.orchestrator.checkpoints.sqlite import sqlite_checkpoints
from cookmas.orchestrator.episode import episode_of
from cookmas.orchestrator.planners.naming import FixedPlanner
from cookmas.scenarios.scenario import KitchenScenario, load_scenario, scenario_names
from cookmas.studies.bench.arms import Arm
from cookmas.studies.bench.dask_cluster import LOCAL, DaskCluster
from cookmas.studies.bench.executor import Executor, LocalExecutor, Processes
from cookmas.studies.bench.folder import RESULTS, TRACES
from cookmas.studies.bench.limits import SweepLimits
from cookmas.studies.bench.spec import EpisodeJob, EpisodeSpec, JobResult
from cookmas.studies.bench.suite import Suite, episodes_of
from cookmas.studies.bench.sweep import sweep
from cookmas.studies.report.results import read_results

ROUNDS = 2
IDLE = 5.0
"""Seconds for which the idle process is measured, to subtract its CPU time from that of storing."""

MILLION = 1_000_000
SCENARIOS = scenario_names()[::5]
WHOLE = Suite(title="Every fifth", scenarios=list(SCENARIOS), arms=[Arm()])
SHORT = Suite(title="Short", scenarios=["level1"], repeats=5, arms=[Arm(planner="naive")])


def cpu(work: Callable[[], Awaitable[object]], rounds: int = ROUNDS) -> float:
    """Return the CPU seconds of an episode; `work` plays all scenarios once."""

    async def time_rounds() -> float:
        begun = time.process_time()
        await work()
        return time.process_time() - begun

    return min(asyncio.run(time_rounds()) for _ in range(rounds)) / len(SCENARIOS)


def simulate(scenario: KitchenScenario, trace: Trace) -> list[Any]:
    """Simulate an episode again from its trace; return the states after its timesteps."""
    world = scenario.world()
    state = world.start()
    states: list[Any] = []
    for record in trace.records:
        if isinstance(record, EventRecord):
            state = after_event(record, world, state)
        elif isinstance(record, StepRecord):
            state, _, _ = world.step(state, record.commands)
            states.append(state)
    return states


def layers() -> dict[str, float]:
    """Return the CPU seconds that each layer adds to an episode, the simulator first."""
    scenarios = [load_scenario(name) for name in SCENARIOS]

    async def plan() -> list[Trace]:
        return [(await aplay(each, load_planner("embedded", each))).trace for each in scenarios]

    traces = asyncio.run(plan())
    fixed = [FixedPlanner([step.commands for step in one.of(StepRecord)]) for one in traces]
    played = list(zip(scenarios, traces, fixed, strict=True))
    ends: list[End | None] = []

    async def run_simulation() -> None:
        for scenario, trace, _ in played:
            simulate(scenario, trace)

    async def write_trace() -> None:
        for scenario, trace, _ in played:
            world = scenario.world()
            for state in simulate(scenario, trace):
                digest(world.dump(state))
            sum(len(line) for line in trace.lines())

    async def in_the_loop() -> None:
        ends[:] = [(await episode_of(each, planner).run()).end for each, _, planner in played]

    async def in_the_graph() -> None:
        for scenario, _, planner in played:
            await episode_of(scenario, planner, in_graph=True).run()

    async def with_checkpoints() -> None:
        for scenario, _, planner in played:
            with tempfile.TemporaryDirectory() as name:
                path = Path(name) / "trace.jsonl"
                async with sqlite_checkpoints(Path(name) / "checkpoints.sqlite") as saver:
                    await episode_of(scenario, planner, path=path, checkpointer=saver).run()

    async def judge() -> None:
        for scenario, _, planner in played:
            await aplay(scenario, planner)

    bare, written = cpu(run_simulation), cpu(write_trace)
    loop, graph, kept, scored = map(cpu, (in_the_loop, in_the_graph, with_checkpoints, judge))
    assert [end.tally for end in ends if end] == [one.end.tally for one in traces if one.end]
    return {
        "simulator": bare,
        "trace and its digests": written - bare,
        "loop": loop - written,
        "judging": scored - loop,
        "planner": cpu(plan) - scored,
        "graph (not in this sweep)": graph - loop,
        "checkpoints (not in a sweep)": kept - graph,
    }


def beginning() -> float:
    """Return the CPU seconds until a new process can play, which are mostly imports."""
    times = os.times()
    subprocess.run([sys.executable, "-c", "import cookmas.studies.bench.play"], check=True)
    after = os.times()
    user, system = after.children_user - times.children_user, after.children_system
    return user + system - times.children_system


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """The cost of an episode in a sweep.

    `wall` is the wall time of the sweep divided by the number of its episodes. `playing` is the CPU
    time to play an episode, `keeping` the CPU time to store its result. All are in seconds.
    """

    wall: float
    playing: float
    keeping: float


class Warm:
    """An executor that is started already, so that its start is not measured."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self.capacity = executor.capacity

    async def __aenter__(self) -> Self:
        """Return the executor, which is ready."""
        return self

    async def __aexit__(self, *error: object) -> None:
        """Do nothing, because the owner of the executor ends it."""

    async def play(self, job: EpisodeJob) -> JobResult:
        """Play an episode."""
        return await self._executor.play(job)


def of_children() -> float:
    """Return the CPU seconds of all running child processes, at any depth."""

    def of(task: Path) -> float:
        found = 0.0
        for pid in (task / "children").read_text().split():
            used = (Path("/proc") / pid / "stat").read_text().rpartition(")")[2].split()[11:13]
            found += sum(map(int, used)) / os.sysconf("SC_CLK_TCK")
            found += sum(map(of, (Path("/proc") / pid / "task").iterdir()))
        return found

    return sum(map(of, Path("/proc/self/task").iterdir()))


async def swept(executor: Executor, count: int, specs: Sequence[EpisodeSpec], at: Path) -> Sweep:
    """Play a sweep on an executor with `count` processes; return the costs of the sweep.

    `at` is the folder of the sweep. Before the measurement each process plays an episode.
    """
    async with executor as entered:
        warm = specs[0]
        await asyncio.gather(*(entered.play(EpisodeJob(spec=warm)) for _ in range(2 * count)))
        wall, own, theirs = time.perf_counter(), time.process_time(), of_children()
        done = await sweep(SHORT, specs, at, Warm(entered), SweepLimits(), lambda _: None)
        assert len(done.finished) == len(specs)
        wall, own = time.perf_counter() - wall, time.process_time() - own
        theirs = of_children() - theirs
        idle = time.process_time()
        await asyncio.sleep(IDLE)
        idle = (time.process_time() - idle) / IDLE
        return Sweep(
            wall=wall / len(specs),
            playing=theirs / len(specs),
            keeping=(own - idle * wall) / len(specs),
        )


def size(path: Path) -> int:
    """Return the number of bytes that a file, or the files in a folder, take on the disk."""
    files = [path] if path.is_file() else list(path.iterdir())
    return sum(512 * file.stat().st_blocks for file in files)


def measure_memory(work: Callable[[], object]) -> int:
    """Return the number of bytes of memory that the result of `work` takes."""
    tracemalloc.start()
    kept = work()
    gc.collect()
    taken = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    del kept
    return taken


def main() -> int:
    found = layers()
    whole = sum(each for name, each in found.items() if "not in" not in name)
    rows = [f"| {name} | {1000 * each:.1f} | {each / whole:.0%} |" for name, each in found.items()]
    rows.append(f"| an episode | {1000 * whole:.1f} | 100% |")
    once = min(beginning() for _ in range(ROUNDS))
    rows.append(f"| beginning a process, once | {1000 * once:.1f} | {once / whole:.0%} |")
    costs = table("| layer | CPU ms | share |", rows)
    print(costs, flush=True)

    short = episodes_of(SHORT, Path("throughput.yaml"))
    ways: dict[str, tuple[Executor, int]] = {
        "one process": (Processes(1), 1),
        "two processes": (Processes(2), 2),
        "Dask, two workers": (DaskCluster(LOCAL, 2, 1), 2),
    }
    with tempfile.TemporaryDirectory() as folder:
        sweeps = {
            name: asyncio.run(swept(executor, count, short, Path(folder) / name))
            for name, (executor, count) in ways.items()
        }
        kept, specs = Path(folder) / "whole", episodes_of(WHOLE, Path("throughput.yaml"))
        asyncio.run(sweep(WHOLE, specs, kept, LocalExecutor(), SweepLimits(), lambda _: None))
        disk = (size(kept / RESULTS) + size(kept / TRACES)) / len(specs)
        memory = measure_memory(lambda: episodes_of(SHORT, Path("throughput.yaml"))) / len(short)
        reported = measure_memory(lambda: read_results([kept])) / len(specs)
    one = sweeps["one process"]
    gains = table(
        "| | episodes a second | gain | CPU ms an episode, played | kept |",
        [
            f"| {name} | {1 / each.wall:.2f} | {one.wall / each.wall:.2f} "
            f"| {1000 * each.playing:.0f} | {1000 * each.keeping:.1f} |"
            for name, each in sweeps.items()
        ],
    )
    print(gains, flush=True)

    keeping = sweeps["Dask, two workers"].keeping
    hours = MILLION * whole / 3600
    million = table(
        "| what | takes |",
        [
            f"| CPU of the workers | {hours:,.0f} hours |",
            f"| on 2 cores | {hours / 2 / 24:.1f} days |",
            f"| on 100 cores | {hours / 100:.1f} hours |",
            f"| CPU of the process that keeps them | {MILLION * keeping / 3600:.1f} hours |",
            f"| workers that it can keep up with | {whole / keeping:.0f} |",
            f"| its memory | {MILLION * memory / 2**30:.1f} GiB |",
            f"| memory of `cookmas report` | {MILLION * reported / 2**30:.0f} GiB |",
            f"| results and traces on the disk | {MILLION * disk / 2**30:.0f} GiB |",
        ],
    )
    print(million)
    page = DOCS / "reference/benchmarks.md"
    for mark, text in (("layers", costs), ("two cores", gains), ("million", million)):
        fill(page, mark, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
