"""Measure the quality and the cost of the embedded planner's schedules.

    python -m benchmarks.scheduling                        all shipped scenarios
    python -m benchmarks.scheduling --seed N --count 200   scenarios drawn from a seed
    python -m benchmarks.scheduling --seed N --jobs 2      drawn scenarios, in two processes

A drawn scenario comes from the project's generator. It has level 1 to 3, 1 to 16 order lines, any
shipped kitchen, and 2 to 6 workers. If it needs more lines than the generator makes, two generated
scenarios are joined.

The command measures each call of the planner, at the start and at each replan:

- The gap: the timesteps until every open line is served, compared with the lower bound from that
  state (`state_bound`), which no legal schedule beats. A schedule that equals the bound counts as
  proven optimal. The gap of another schedule may be smaller than it seems, because the bound may be
  loose.
- The CPU seconds of the whole answer, including reading.
- The CPU seconds until a search with the least effort has a schedule (median of three).

The slowest answer is also given in busy timesteps: timesteps of the simulator in which most workers
do more than walk or wait. Their cost is measured before each scenario of the same run.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import Any

from benchmarks.overcooked import TIMESTEPS
from benchmarks.simulator import make_busy_play
from cookmas.kitchen.simulator import step
from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.episode import episode_of
from cookmas.orchestrator.planner import Observation, Plan, commands_of
from cookmas.scenarios.kitchens import build_kitchen, kitchen_path
from cookmas.scenarios.menu import load_menu
from cookmas.scenarios.scenario import (
    KitchenScenario,
    build_scenario,
    load_scenario,
    scenario_names,
)
from cookmas.solving.restaurant.generating import SIZES, generate
from cookmas.solving.restaurant.planners import EmbeddedPlanner
from cookmas.solving.restaurant.scheduling.bound import state_bound
from cookmas.solving.restaurant.scheduling.schedule import make_schedule

KITCHENS = ("small", "standard", "large")
FEWEST_WORKERS, MOST_WORKERS = 2, 6

MOST_LINES = 16

SPANS_FROM = (1, 2, 4, 7, 10, 13, MOST_LINES + 1)
"""The least number of open lines in each row of the table."""

WIDE = 0.25
"""Gap above which the gap of a call counts as wide."""

NAMED = 12
"""Number of calls with the widest gaps that are listed."""

MOST_BUSY_TIMESTEPS = 150_000
"""The limit for the slowest answer, in busy timesteps of the simulator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchCall:
    """One call of the planner.

    `planned` is the number of timesteps until the schedule has served all open lines, `bound` the
    lower bound of this number. `seconds` are the CPU seconds of the answer, `first` those of a
    search with the least effort.
    """

    scenario: str
    kitchen: str
    workers: int
    timestep: int
    open_lines: int
    planned: int
    bound: int
    seconds: float
    first: float

    @property
    def gap(self) -> float:
        """The timesteps of the schedule above the bound, relative to the bound."""
        return self.planned / self.bound - 1


class MeasuredPlanner(EmbeddedPlanner):
    """The embedded planner, which measures its calls."""

    def __init__(self, scenario: str) -> None:
        super().__init__()
        self.scenario = scenario
        self.calls: list[SearchCall] = []

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return the embedded planner's plan, and record the call."""
        begin = time.process_time()
        plan = await super().plan(observation)
        seconds = time.process_time() - begin
        world, state = observation.world, observation.state
        assert isinstance(world, Restaurant)
        assert self._reader is not None
        wanted = self._reader.understand(state.open_lines(), observation.texts).wanted
        serves = [
            n
            for n, entry in enumerate(plan.schedule, start=1)
            if any(act.action.startswith("serve") for act in commands_of(entry))
        ]
        if len(serves) and wanted:
            firsts = []
            for _ in range(3):
                begin = time.process_time()
                make_schedule(world.kitchen, state, wanted, effort=1)
                firsts.append(time.process_time() - begin)
            self.calls.append(
                SearchCall(
                    scenario=self.scenario,
                    kitchen=world.kitchen.name,
                    workers=len(world.kitchen.workers),
                    timestep=observation.timestep,
                    open_lines=len(wanted),
                    planned=serves[-1],
                    bound=state_bound(world.kitchen, state, wanted).value,
                    seconds=seconds,
                    first=median(firsts),
                )
            )
        return plan


def draw(seed: int, numbers: Iterable[int]) -> Iterator[KitchenScenario]:
    """Yield a drawn scenario for each number, with a random kitchen and number of workers.

    Faults are left out if the kitchen does not have their station or worker.
    """
    for number in numbers:
        rng = Random(f"{seed}/{number}")
        level = rng.choice(list(SIZES))
        name, workers = rng.choice(KITCHENS), rng.randint(FEWEST_WORKERS, MOST_WORKERS)
        kitchen = build_kitchen(kitchen_path(name), load_menu(), workers)
        data = _join(level, 1 if level == 1 else rng.randint(2, MOST_LINES), rng)
        events = [
            event
            for event in data["events"]
            if event["kind"] != "fault"
            or event.get("station") in kitchen.stations
            or event.get("worker") in kitchen.workers
        ]
        data |= {"kitchen": name, "workers": workers, "events": events}
        yield build_scenario(f"level{level}/{number}", Path(f"drawn-{number}.yaml"), data)


def _join(level: int, size: int, rng: Random) -> dict[str, Any]:
    """Return a scenario of `size` order lines; join two if the generator makes fewer lines."""
    _, most = SIZES[level]
    sizes = [size] if size <= most else [size - size // 2, size // 2]
    parts = [generate(level, lines, rng.randrange(10**9))[0] for lines in sizes]
    if level < 3:
        (order,) = parts[0]["events"]
        lines = [line for data in parts for line in data["events"][0]["lines"]]
        return {**parts[0], "events": [{**order, "lines": lines}]}
    events = [
        {**event, **{key: f"{part}{event[key]}" for key in ("order", "line") if key in event}}
        for part, data in zip(("a", "b"), parts, strict=False)
        for event in data["events"]
    ]
    return {**parts[0], "events": sorted(events, key=lambda event: event["at"])}


def measure(scenarios: Iterator[KitchenScenario]) -> tuple[list[SearchCall], float]:
    """Play scenarios; return the planner's calls, and the CPU seconds of a busy timestep.

    A busy timestep is one of the simulator in which most workers do more than walk or wait.
    """
    world, opening, busy = make_busy_play()
    calls: list[SearchCall] = []
    units: list[float] = []
    for scenario in scenarios:
        begin, state = time.process_time(), opening
        for joint in busy:
            state, _ = step(world.kitchen, state, joint)
        units.append((time.process_time() - begin) / TIMESTEPS)
        planner = MeasuredPlanner(scenario.name)
        asyncio.run(episode_of(scenario, planner).run())
        calls += planner.calls
    return calls, median(units)


def _measure_drawn(seed: int, numbers: Iterable[int]) -> tuple[list[SearchCall], float]:
    """Play drawn scenarios, as `measure` does."""
    return measure(draw(seed, numbers))


def _measure_apart(seed: int, count: int, jobs: int) -> tuple[list[SearchCall], float]:
    """Play `count` drawn scenarios in `jobs` processes, as `measure` does."""
    with ProcessPoolExecutor(jobs) as pool:
        shares = [range(job, count, jobs) for job in range(jobs)]
        parts = list(pool.map(_measure_drawn, [seed] * jobs, shares))
    return [call for calls, _ in parts for call in calls], median(unit for _, unit in parts)


def _families(calls: list[SearchCall]) -> Iterator[tuple[str, dict[str, list[SearchCall]]]]:
    """Yield each way to group the calls: its title, and the calls by group."""
    yield "open lines", _sort_into_families(calls, lambda call: _span(call.open_lines))
    yield "level", _sort_into_families(calls, lambda call: call.scenario.partition("/")[0])
    yield "kitchen", _sort_into_families(calls, lambda call: call.kitchen)
    yield "workers", _sort_into_families(calls, lambda call: str(call.workers))
    yield "all", {"all": calls}


def _sort_into_families(
    calls: list[SearchCall], name: Callable[[SearchCall], str]
) -> dict[str, list[SearchCall]]:
    families: dict[str, list[SearchCall]] = {}
    for call in sorted(calls, key=lambda call: call.open_lines):
        families.setdefault(name(call), []).append(call)
    return families


def _span(lines: int) -> str:
    """Return the row of the table for a number of open lines, such as `4 to 6`."""
    number = bisect_right(SPANS_FROM, lines)
    low = SPANS_FROM[number - 1]
    return f"{low} to {SPANS_FROM[number] - 1}" if number < len(SPANS_FROM) else f"{low} or more"


def report(calls: list[SearchCall], unit: float) -> None:
    """Print the tables, the calls with the widest gaps, and the slowest call.

    `unit` is the CPU seconds of a busy timestep.
    """
    for title, families in _families(calls):
        print(
            f"{title:10} | calls | proven optimal | mean gap | worst gap | slowest answer "
            "| in busy timesteps | slowest first schedule"
        )
        for name, some in families.items():
            seconds = max(call.seconds for call in some)
            print(
                f"{name:10} | {len(some):5} "
                f"| {sum(call.planned == call.bound for call in some):14} "
                f"| {mean(c.gap for c in some):8.1%} "
                f"| {max(c.gap for c in some):9.1%} | {seconds:12.2f} s "
                f"| {seconds / unit:17,.0f} "
                f"| {max(c.first for c in some) * 1000:19.0f} ms"
            )
    wide = [call for call in calls if call.gap > WIDE]
    print(f"gap above {WIDE:.0%}: {len(wide)} of {len(calls)} calls")
    for call in sorted(calls, key=lambda call: -call.gap)[:NAMED]:
        print(
            f"gap {call.gap:.1%}: {call.scenario} at timestep {call.timestep}, "
            f"{call.kitchen} kitchen, {call.workers} workers, "
            f"{call.open_lines} open lines: {call.planned} timesteps, bound {call.bound}"
        )
    slowest = max(calls, key=lambda call: call.seconds)
    print(
        f"slowest: {slowest.scenario} at timestep {slowest.timestep}: {slowest.seconds:.2f} s, "
        f"{slowest.seconds / unit:,.0f} busy timesteps of the simulator "
        f"({slowest.seconds / unit / MOST_BUSY_TIMESTEPS:.2f} of {MOST_BUSY_TIMESTEPS:,})"
    )


def main() -> None:
    """Play the scenarios and print the figures of the planner's calls."""
    parser = argparse.ArgumentParser(description="Measure the embedded planner.")
    parser.add_argument("--seed", type=int, help="draw scenarios from this seed")
    parser.add_argument("--count", type=int, default=200, help="how many are drawn")
    parser.add_argument("--jobs", type=int, default=1, help="in how many processes they are played")
    asked = parser.parse_args()
    if asked.seed is None:
        calls, unit = measure(map(load_scenario, scenario_names()))
    else:
        calls, unit = _measure_apart(asked.seed, asked.count, asked.jobs)
    report(calls, unit)


if __name__ == "__main__":
    main()
