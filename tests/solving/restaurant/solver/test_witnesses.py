"""The model of the rules has every schedule of the simulator: also those that share starts."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, zip_longest

import pytest

from cookmas.kitchen.actions import Pick, Place, Serve, Start, parse_action
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.simulator import step
from cookmas.kitchen.stages import Fetch, Workload, unfold_dish
from cookmas.kitchen.world import Restaurant
from cookmas.solving.restaurant.scheduling.decode import Rows
from cookmas.solving.restaurant.scheduling.schedule import serves
from cookmas.solving.restaurant.solver.cpsat import SolverAnswer, run
from cookmas.solving.restaurant.solver.rules import RulesModel
from tests.solving.restaurant.solver.brute import Wanted, open_lines
from tests.solving.restaurant.solver.test_optima import Case

FINISH = "plating: assemble, pick; pass: serve(o1.1)"
PLATE = "plates: pick; plating: place"

BOTH = "pantry: pick(bread); grill: place; fridge: pick(beef); grill: place, start"
"""Two foods that are started together, by who placed the second one."""

HANDED_OVER = (
    "pantry: pick(bread); grill: place, start, pick; plating: place; plates: pick, wait, wait; "
    f"plating: place; {FINISH}",
    "fridge: pick(beef), wait, wait, wait, wait; grill: place, start, pick; plating: place; "
    "aisle: ",
)
"""What two workers do: the second one fills the slot that the first one has emptied."""

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
    "who places a food in a pan takes out another one": (
        Case(1, {"pan": 2}, [["bread > fry 1-60", "beef > fry 1-60"]]),
        "pantry: pick(bread); pan: place, start; fridge: pick(beef); pan: place, pick(bread); "
        f"plating: place; {PLATE}; pan: start, pick(beef); plating: place; ",
    ),
    "a line that opens when its dish is at the pass": (
        Case(1, {"grill": 2}, [["bread > grill 1-60"]], {"o1.1": 15}),
        f"pantry: pick(bread); grill: place, start, pick; plating: place; {PLATE}; ",
    ),
}


def walk(visits: str) -> list[str]:
    """Return the actions of one worker that does something at one station after another."""
    places = [visit.partition(": ") for visit in visits.split("; ")]
    return [
        *chain(*([f"navigate({at})", *filter(None, does.split(", "))] for at, _, does in places))
    ]


def together(*walks: list[str]) -> Rows:
    """Return the actions of several workers, of which each waits when it has done its own."""
    return [[parse_action(text) for text in row] for row in zip_longest(*walks, fillvalue="wait")]


def find_events(
    kitchen: Kitchen, wanted: Wanted, rows: Rows, kind: str
) -> Mapping[str, tuple[int, int, int]]:
    """Return for each food when it is placed at a kind of station, started and taken out.

    The schedule is played; it serves what is wanted.
    """
    state = open_lines(kitchen, Restaurant(kitchen).start(), wanted)
    assert serves(kitchen, state, rows, wanted)
    times: dict[str, list[int]] = {}
    for now, row in enumerate(rows):
        before = state
        state, _ = step(kitchen, state, row)
        waiting = [c for c in before.contents.get(kind, ()) if c.since is None]
        for action, old, new in zip(row, before.workers, state.workers, strict=True):
            match action:
                case Place() if old.station == kind:
                    times[str(old.holding)] = [now]
                case Start():
                    for content in waiting:
                        times[str(content.thing).partition(" ")[0]].append(now)
                case Pick() if old.station == kind:
                    times[str(new.holding).partition(" ")[0]].append(now)
    return {food: (put, start, out) for food, (put, start, out) in times.items()}


def solve(case: Case, rows: Rows, kind: str) -> SolverAnswer:
    """Return the answer of the model if the foods at a kind of station have these times, and none
    of them is interrupted."""
    kitchen, wanted, work = case.kitchen(), case.wanted(), Workload()
    for line, components in wanted.items():
        unfold_dish(work, line, components, kitchen.larder)
    model = RulesModel(kitchen, work, case.release, len(rows))
    events = find_events(kitchen, wanted, rows, kind)
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
    rows = together(walk(visits + FINISH))
    served = [at for at, row in enumerate(rows) if isinstance(row[0], Serve)]
    assert all(served[0] >= at for at in case.release.values())
    answer = solve(case, rows, "pan" if "pan" in case.slots else "grill")
    assert answer.value is not None
    assert answer.value <= len(rows)


def test_a_slot_is_filled_two_timesteps_after_it_was_emptied_and_no_sooner() -> None:
    case = Case(2, {"grill": 1}, [["bread > grill 1-60", "beef > grill 1-60"]])
    rows = together(*map(walk, HANDED_OVER))
    events = find_events(case.kitchen(), case.wanted(), rows, "grill")
    assert events == {"bread": (3, 4, 5), "beef": (7, 8, 9)}
    answer = solve(case, rows, "grill")
    assert answer.value is not None
    assert answer.value <= len(rows)


def test_a_dish_is_served_when_its_line_opens_and_not_before() -> None:
    case, visits = WITNESSES["a line that opens when its dish is at the pass"]
    rows = together(walk(visits + FINISH))
    late = case._replace(release={"o1.1": len(rows) - 1})
    assert solve(late, rows, "grill").value == len(rows)
    assert solve(case._replace(release={"o1.1": len(rows)}), rows, "grill").value is None
