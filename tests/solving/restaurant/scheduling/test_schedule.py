"""Schedules are played in the simulator: nothing FAILs, and every dish is what was wanted."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cookmas.kitchen.components import Component
from cookmas.scenarios.menu import load_menu
from cookmas.scenarios.truth import load_menu_truth
from cookmas.solving.restaurant.bound import Demand, makespan_bound
from cookmas.solving.restaurant.scheduling import schedule
from cookmas.solving.restaurant.scheduling.schedule import UNDERWAY, find_problem, make_schedule
from tests.sampling import sampled, seeds

ROOT = Path(__file__).parents[4]
ITEMS = load_menu_truth(load_menu())
STAFFED = sampled(
    [(name, workers) for name in ("small", "standard", "large") for workers in range(1, 7)], 5
)
"""Kitchens, each with so many workers."""


def spares(shift: Any) -> list[str]:
    """Stations that hold things and of whose kind there is another."""
    kitchen = shift.kitchen
    return [
        name
        for name, station in kitchen.stations.items()
        if station.slots and len(kitchen.of_kind(station.kind.name)) > 1
    ]


@pytest.mark.parametrize("item", ITEMS)
def test_every_item_is_served_right_by_anybody_anywhere(floor: Any, item: str) -> None:
    for name, workers in STAFFED:
        shift = floor.shift(name, workers)
        shift.order([item])
        shift.finish()
        assert shift.calls == [0], "one schedule is enough"
        assert shift.leftovers() == []


@pytest.mark.parametrize("seed", seeds(0, 3, 60))
def test_many_dishes_at_once_are_served_right(floor: Any, seed: int) -> None:
    shift, _ = floor.random(seed)
    shift.finish()
    assert shift.calls == [0]
    assert shift.leftovers() == []
    demands = [Demand(release=0, components=parts) for parts in shift.wanted.values()]
    assert shift.state.timestep >= makespan_bound(shift.kitchen, demands).value


def test_more_effort_makes_no_longer_schedule_of_a_full_table(floor: Any) -> None:
    shift = floor.shift("standard")
    shift.order(list(ITEMS)[::5])
    lengths = [
        len(make_schedule(shift.kitchen, shift.state, shift.open(), effort=effort).schedule)
        for effort in (1, 6000)
    ]
    assert lengths[1] < lengths[0]


@pytest.mark.parametrize("seed", seeds(104, 6, 90))
def test_lines_come_and_go_while_everything_is_under_way(floor: Any, seed: int) -> None:
    shift, rng = floor.random(seed, most=6)
    for _ in range(3):
        shift.play(rng.randint(1, 25))
        standing = list(shift.state.open_lines())
        kind = rng.choice(["remove", "change", "add", "order"] if standing else ["order"])
        line = rng.choice(standing) if standing else ""
        if kind == "remove":
            shift.happen({"kind": "remove_line", "line": line})
        elif kind == "change":
            shift.happen({"kind": "change_line", "line": line, "note": "changed"})
            shift.wanted[line] = shift.dish(shift.state.lines[line].item, rng)
        else:
            shift.order(rng.choices(list(ITEMS), k=rng.randint(1, 2)), rng)
    shift.finish()


@pytest.mark.parametrize("seed", seeds(200, 8, 90))
def test_a_spare_station_out_of_service_keeps_no_dish_from_being_right(
    floor: Any, seed: int
) -> None:
    shift, rng = floor.random(seed, most=5)
    shift.play(rng.randint(1, 30))
    station = rng.choice(
        [name for name in spares(shift) if name in shift.state.contents] or spares(shift)
    )
    shift.happen({"kind": "fault", "station": station, "timesteps": rng.randint(1, 15)})
    shift.finish()


@pytest.mark.parametrize("seed", seeds(300, 8, 90))
def test_a_worker_out_of_service_keeps_no_dish_from_being_right(floor: Any, seed: int) -> None:
    shift, rng = floor.random(seed, most=5)
    shift.play(rng.randint(1, 30))
    worker = rng.choice(shift.kitchen.workers)
    shift.happen({"kind": "fault", "worker": worker, "timesteps": rng.randint(1, 15)})
    shift.finish()


@pytest.mark.parametrize("seed", seeds(400, 3, 60))
def test_asking_again_without_a_change_wastes_nothing(floor: Any, seed: int) -> None:
    shift, rng = floor.random(seed, most=5, effort=600)
    first = shift.plan()
    asked = rng.randint(1, len(first) - 1)
    for actions in first[:asked]:
        shift.tick(actions)
    again = shift.plan()
    assert not any("discard" in actions.values() for actions in again)
    left = [action for actions in first[asked:] for action in actions.values()]
    picks = {f"pick({food})" for food in [*shift.kitchen.larder, "plate"]}
    fetched = [action for row in again for action in row.values() if action in picks]
    assert len(fetched) == sum(action in picks for action in left), "nothing fetched anew"
    assert len(again) <= len(first) - asked
    shift.queue = again
    shift.finish()
    assert shift.leftovers() == []


def test_hands_that_are_full_of_the_wrong_things_are_emptied(floor: Any) -> None:
    shift = floor.shift("small")
    shift.order(["Buttered Toast"])
    shift.state = floor.with_things(
        shift.state, "fridge: egg", "plating_1: dish[egg > boil 3]", "pan_1: oil > fry 2"
    )
    shift.finish()
    assert shift.leftovers() == []


def test_with_everybody_out_of_service_there_is_nothing_but_waiting(floor: Any) -> None:
    shift = floor.shift()
    shift.order(["Buttered Toast"])
    state = floor.with_things(shift.state, out=shift.kitchen.workers)
    schedule = make_schedule(shift.kitchen, state, shift.wanted).schedule
    assert schedule
    assert all(set(actions.values()) == {"wait"} for actions in schedule)


def test_more_lines_than_are_planned_at_a_time_wait(
    floor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schedule, "PLANNED_LINES", 4)
    shift = floor.shift("standard")
    shift.order(list(ITEMS)[:7])
    first = shift.result(effort=60)
    assert (first.status, first.blocked) == ("partial", ("3 lines wait until fewer are open",))
    assert sum("serve" in action for row in first.schedule for action in row.values()) == 4
    shift.tick(first.schedule[0])
    rest = first.schedule[1:]
    again = shift.result(underway=rest, effort=60)
    assert (again.schedule, again.configuration, again.effort) == (rest, UNDERWAY, 0)
    assert again.bound is not None
    shift.queue, shift.underway = list(rest), list(rest)
    shift.finish()
    assert len(shift.calls) == 1, "a second schedule serves the others"


@pytest.mark.parametrize("kind", ["board", "grill", "plating", "fridge", "pass"])
def test_nobody_goes_to_a_kind_of_station_that_is_all_out_of_service(floor: Any, kind: str) -> None:
    shift = floor.shift("small")
    shift.order(["Classic Burger", "Buttered Toast"])
    stations = shift.kitchen.of_kind(kind)
    for station in stations:
        shift.happen({"kind": "fault", "station": station, "timesteps": 9})
    schedule = shift.plan()
    gone_to = {f"navigate({station})" for station in stations}
    assert schedule
    assert not any(gone_to & set(actions.values()) for actions in schedule)
    shift.finish()


def test_lines_left_for_later_are_not_served_yet(floor: Any) -> None:
    shift = floor.shift("small")
    shift.order(["Garden Salad", "Buttered Toast"])
    schedule = make_schedule(
        shift.kitchen, shift.state, shift.wanted, later=frozenset({"o1.1"}), effort=60
    ).schedule
    actions = {action for row in schedule for action in row.values()}
    assert "serve(o1.2)" in actions
    assert "serve(o1.1)" not in actions


def test_what_cannot_be_made_is_told_apart(
    floor: Any, component: Callable[[str], Component]
) -> None:
    wanted = {
        "o1.1": [component("bread")],
        "o1.2": [component("unicorn > grill 2")],
        "o1.3": [component("(bread + butter)")],
        "o1.4": [],
    }
    problems = {line: find_problem(floor.kitchen(), dish) for line, dish in wanted.items()}
    assert problems == {
        "o1.1": None,
        "o1.2": "unicorn is in no dispenser",
        "o1.3": "(bread + butter) is joined by nothing the kitchen can do",
        "o1.4": "no component was understood",
    }


MAKE = """
import json
from random import Random
from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.planner import commands_of
from cookmas.solving.restaurant.scheduling.schedule import make_schedule
from cookmas.scenarios.kitchens import build_kitchen, kitchen_path
from cookmas.scenarios.menu import load_menu
from cookmas.scenarios.truth import load_menu_truth

menu = load_menu()
items = load_menu_truth(menu)
kitchen = build_kitchen(kitchen_path("standard"), menu)
world = Restaurant(kitchen)
names = Random(5).choices(list(items), k=4)
event = {"kind": "new_order", "order": "o1", "lines": [{"item": name} for name in names]}
state, _ = world.apply(world.start(), event)
wanted = {line: items[order.item] for line, order in state.lines.items()}
for _ in range(2):
    schedule = make_schedule(kitchen, state, wanted, effort=20).schedule
    print(json.dumps(schedule))
    for actions in schedule[:17]:
        state, _, _ = world.step(state, commands_of(actions))
"""


def test_schedules_are_the_same_bytes_in_every_process() -> None:
    made = [
        subprocess.run(
            [sys.executable, "-c", MAKE],
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert made[0] == made[1]
    assert made[0].count(b"serve(") >= 4
