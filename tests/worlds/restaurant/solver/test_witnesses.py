"""The model of the rules has every schedule of the simulator: also those that share starts."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

import pytest

from cookmas.kitchen.actions import Pick, Place, Serve, Start, parse_action
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.simulator import step
from cookmas.kitchen.stages import Fetch, Workload, unfold_dish
from cookmas.kitchen.world import Restaurant
from cookmas.worlds.restaurant.scheduling.schedule import serves
from cookmas.worlds.restaurant.solver.cpsat import SolverAnswer, run
from cookmas.worlds.restaurant.solver.rules import RulesModel
from tests.worlds.restaurant.solver.brute import Wanted, open_lines
from tests.worlds.restaurant.solver.test_optima import Case

FINISH = "plating: assemble, pick; pass: serve(o1.1)"
PLATE = "plates: pick; plating: place"

BOTH = "pantry: pick(bread); grill: place; fridge: pick(beef); grill: place, start"
"""Two foods that are started together, by who placed the second one."""

WITNESSES: Mapping[str, tuple[Case, str]] = {
    "one start serves both slots": (
        Case(1, {"grill": 2}, [["bread > grill 4-60", "beef > grill 4-60"]]),
        f"{BOTH}; {PLATE}; grill: pick(bread); plating: place; grill: pick(beef); plating: place; ",
    ),
    "one start serves three slots": (
        Case(1, {"grill": 3}, [[f"{food} > grill 4-60" for food in ("bread", "beef", "oil")]]),
        "pantry: pick(bread); grill: place; fridge: pick(beef); grill: place; "
        f"pantry: pick(oil); grill: place, start; {PLATE}; grill: pick(bread); plating: place; "
        "grill: pick(beef); plating: place; grill: pick(oil); plating: place; ",
    ),
    "nobody walks to what cooks one minute": (
        Case(1, {"grill": 2}, [[f"{food} > grill 1-60" for food in ("bread", "beef", "oil")]]),
        f"{BOTH}, pick(bread); plating: place; pantry: pick(oil); grill: place, pick(beef); "
        f"plating: place; grill: start, pick(oil); plating: place; {PLATE}; ",
    ),
    "a line that opens when its dish is at the pass": (
        Case(1, {"grill": 2}, [["bread > grill 1-60"]], {"o1.1": 15}),
        f"pantry: pick(bread); grill: place, start, pick; plating: place; {PLATE}; ",
    ),
}


def walk(visits: str) -> list[str]:
    """Return the actions of one worker that does something at one station after another."""
    places = [visit.partition(": ") for visit in visits.split("; ")]
    return [*chain(*([f"navigate({at})", *does.split(", ")] for at, _, does in places))]


def find_events(
    kitchen: Kitchen, wanted: Wanted, actions: list[str], kind: str
) -> Mapping[str, tuple[int, int, int]]:
    """Return for each food when it is placed at a kind of station, started and taken out.

    The schedule is played; it serves what is wanted.
    """
    state = open_lines(kitchen, Restaurant(kitchen).start(), wanted)
    rows = [[parse_action(text)] for text in actions]
    assert serves(kitchen, state, rows, wanted)
    times: dict[str, list[int]] = {}
    for now, row in enumerate(rows):
        (action,), (before,) = row, state.workers
        there = [str(content.thing).partition(" ")[0] for content in state.contents.get(kind, ())]
        waiting = [c.since is None for c in state.contents.get(kind, ())]
        state, _ = step(kitchen, state, row)
        if before.station != kind:
            continue
        match action:
            case Place():
                times[str(before.holding)] = [now]
            case Start():
                for food, starts in zip(there, waiting, strict=True):
                    times[food] += [now] if starts else []
            case Pick():
                times[str(state.workers[0].holding).partition(" ")[0]].append(now)
    return {food: (put, start, out) for food, (put, start, out) in times.items()}


def solve(case: Case, actions: list[str], kind: str) -> SolverAnswer:
    """Return the answer of the model if the foods at a kind of station have these times, and none
    of them is interrupted."""
    kitchen, wanted, work = case.kitchen(), case.wanted(), Workload()
    for line, components in wanted.items():
        unfold_dish(work, line, components, kitchen.larder)
    model = RulesModel(kitchen, work, case.release, len(actions))
    events = find_events(kitchen, wanted, actions, kind)
    for each in model._of_kind[kind]:
        (entry,) = each.stage.inputs
        assert isinstance(entry.source, Fetch)
        put, start, out = events[entry.source.name]
        model.model.add(each.puts[0] == put)
        model.model.add(each.acts[0] == start)
        model.model.add(each.out == out)
        model.model.add(each.whole == 1)
    return run(model.model, 2.0)


@pytest.mark.parametrize("name", WITNESSES)
def test_a_schedule_of_the_simulator_is_one_of_the_model(name: str) -> None:
    case, visits = WITNESSES[name]
    actions = walk(visits + FINISH)
    served = [at for at, act in enumerate(actions) if isinstance(parse_action(act), Serve)]
    assert all(served[0] >= at for at in case.release.values())
    answer = solve(case, actions, "grill")
    assert answer.value is not None
    assert answer.value <= len(actions)


def test_a_dish_is_served_when_its_line_opens_and_not_before() -> None:
    case, visits = WITNESSES["a line that opens when its dish is at the pass"]
    actions = walk(visits + FINISH)
    late = case._replace(release={"o1.1": len(actions) - 1})
    assert solve(late, actions, "grill").value == len(actions)
    assert solve(case._replace(release={"o1.1": len(actions)}), actions, "grill").value is None
