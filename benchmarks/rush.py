"""Measure the scheduler in a rush: 10 to 40 open lines, 2 to 6 workers, every shipped kitchen.

    python -m benchmarks.rush [CASES]
    python -m benchmarks.rush --limit     200 orders within 1,000 timesteps, the most of a scenario

The number of a case determines its kitchen, workers and dishes, some of which have customizations.
All or half of the lines come in at once, the others during the episode. The simulator plays the
case to its end. The scheduler is called when lines come in or the schedule is used up. For each
call the command measures the number of open lines in the schedule, their gap to the lower bound
from that state, and the CPU seconds. The seconds are also given relative to scheduling the first
six dishes of the menu, which is measured in the same run.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import mean, median

from cookmas.kitchen.components import Component
from cookmas.kitchen.customizations import customise
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import KitchenState
from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.planner import commands_of
from cookmas.scenarios.kitchens import build_kitchen, kitchen_path
from cookmas.scenarios.menu import load_menu
from cookmas.scenarios.scenario import MOST_LINES
from cookmas.scenarios.wishes import dishes, draw
from cookmas.solving.restaurant.scheduling.bound import state_bound
from cookmas.solving.restaurant.scheduling.schedule import make_schedule

KITCHENS = ("small", "standard", "large")
FEWEST, MOST = 10, 40
CASES = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A case: a kitchen, the ordered dishes, and their arrivals.

    An arrival is a timestep and the number of lines that come in.
    """

    kitchen: Kitchen
    dishes: Sequence[tuple[str, tuple[Component, ...]]]
    arrivals: Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RushCall:
    """One call of the scheduler.

    `planned` is the number of open lines in its schedule, `gap` their makespan above the bound,
    relative to the bound.
    """

    case: int
    open_lines: int
    planned: int
    gap: float
    seconds: float


def draw_case(number: int) -> Case:
    """Return the case with this number, drawn with the number as seed."""
    rng, menu, items = Random(number), load_menu(), dishes()
    name, workers = rng.choice(KITCHENS), rng.randint(2, 6)
    size = rng.randint(FEWEST, MOST)
    wanted = []
    for item in rng.choices(list(items), k=size):
        wishes = draw(item, rng.randint(1, 2), rng) if rng.random() < 0.5 else ()
        wanted.append((item, customise(items[item], wishes, menu.doneness)))
    first = rng.choice([size, size, max(1, size // 2)])
    arrivals, timestep, left = [(0, first)], 0, size - first
    while left:
        timestep, more = timestep + rng.randint(5, 25), min(left, rng.randint(1, 4))
        arrivals.append((timestep, more))
        left -= more
    return Case(
        kitchen=build_kitchen(kitchen_path(name), menu, workers), dishes=wanted, arrivals=arrivals
    )


def draw_limit() -> Case:
    """Return the case with the most lines of a scenario: one every five timesteps, in the large
    kitchen.
    """
    rng, menu, items = Random(MOST_LINES), load_menu(), dishes()
    return Case(
        kitchen=build_kitchen(kitchen_path("large"), menu),
        dishes=[(item, items[item]) for item in rng.choices(list(items), k=MOST_LINES)],
        arrivals=[(1000 * number // MOST_LINES, 1) for number in range(MOST_LINES)],
    )


def play(number: int, case: Case) -> Iterator[RushCall]:
    """Play a case; yield the calls of the scheduler. Raises AssertionError if an action FAILs."""
    world, coming, left = Restaurant(case.kitchen), list(case.arrivals), list(case.dishes)
    state, wanted = world.start(), dict[str, tuple[Component, ...]]()
    queue: list[dict[str, str]] = []
    underway: list[dict[str, str]] = []
    while coming or state.open_lines():
        if coming and coming[0][0] <= state.timestep:
            _, size = coming.pop(0)
            some, left, underway, queue = left[:size], left[size:], queue, []
            order = f"o{len(case.arrivals) - len(coming)}"
            lines = [{"item": item} for item, _ in some]
            state, _ = world.apply(state, {"kind": "new_order", "order": order, "lines": lines})
            wanted |= {f"{order}.{n}": parts for n, (_, parts) in enumerate(some, start=1)}
        still = {line: wanted[line] for line in state.open_lines()}
        if still and not queue:
            seen = world.observe(state)
            queue, call = call_scheduler(number, case.kitchen, seen, still, underway)
            underway = []
            yield call
        row = queue.pop(0) if queue else dict.fromkeys(case.kitchen.workers, "wait")
        state, outcomes, _ = world.step(state, commands_of(row))
        assert all(outcome.done for outcome in outcomes.values()), (number, state.timestep)


def call_scheduler(
    number: int,
    kitchen: Kitchen,
    state: KitchenState,
    wanted: Mapping[str, Sequence[Component]],
    underway: Sequence[Mapping[str, str]],
) -> tuple[list[dict[str, str]], RushCall]:
    """Call the scheduler for a state; return its schedule and the figures of the call."""
    begin = time.process_time()
    schedule = make_schedule(kitchen, state, wanted, underway=underway).schedule
    seconds = time.process_time() - begin
    served = {
        action[len("serve(") : -1]: timestep
        for timestep, row in enumerate(schedule, start=1)
        for action in row.values()
        if action.startswith("serve(")
    }
    planned = {line: parts for line, parts in wanted.items() if line in served}
    bound = state_bound(kitchen, state, planned).value if planned else 0
    call = RushCall(
        case=number,
        open_lines=len(wanted),
        planned=len(planned),
        gap=max(served.values()) / bound - 1 if bound else 0.0,
        seconds=seconds,
    )
    return schedule, call


def table_of_six() -> float:
    """Return the CPU seconds of scheduling the menu's first six dishes at once.

    They are the median of three calls.
    """
    kitchen, world_lines = build_kitchen(kitchen_path("standard"), load_menu()), dishes()
    items = list(world_lines)[:6]
    world = Restaurant(kitchen)
    lines = [{"item": item} for item in items]
    state, _ = world.apply(world.start(), {"kind": "new_order", "order": "o1", "lines": lines})
    wanted = {f"o1.{n}": world_lines[item] for n, item in enumerate(items, start=1)}
    seconds = []
    for _ in range(3):
        begin = time.process_time()
        make_schedule(kitchen, state, wanted)
        seconds.append(time.process_time() - begin)
    return median(seconds)


def main() -> None:
    """Play the cases and print a table by the number of open lines."""
    if sys.argv[1:] == ["--limit"]:
        calls = list(play(0, draw_limit()))
        slowest = max(call.seconds for call in calls)
        print(
            f"{MOST_LINES} orders: {len(calls)} calls, up to {max(c.open_lines for c in calls)} "
            f"open lines, {sum(call.seconds for call in calls):.0f} s, slowest {slowest:.2f} s"
        )
        return
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else CASES
    unit = table_of_six()
    calls = [call for number in range(cases) for call in play(number, draw_case(number))]
    print(f"a table of six: {unit:.2f} s")
    print(
        "open lines | calls | all planned | mean gap | worst gap | mean s | worst s | worst ratio"
    )
    for low, high in ((1, 9), (10, 12), (13, 16), (17, 24), (25, 32), (33, 40), (10, 40)):
        some = [call for call in calls if low <= call.open_lines <= high]
        if some:
            slowest = max(call.seconds for call in some)
            print(
                f"{low:>4} to {high:<3} | {len(some):5} "
                f"| {sum(call.planned == call.open_lines for call in some):11} "
                f"| {mean(c.gap for c in some):8.1%} | {max(c.gap for c in some):9.1%} "
                f"| {mean(c.seconds for c in some):6.2f} | {slowest:7.2f} | {slowest / unit:11.1f}"
            )
    worst = max((call for call in calls if call.open_lines >= FEWEST), key=lambda call: call.gap)
    print(f"worst: case {worst.case} with {worst.open_lines} open lines, {worst.gap:.1%}")


if __name__ == "__main__":
    main()
