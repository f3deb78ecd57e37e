"""The scenarios that come with CookMAS: sound, and as varied as they are meant to be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from cookmas.episodes.instruction import Instruct
from cookmas.kitchen.customizations import Done, customise
from cookmas.kitchen.events import (
    AddLine,
    CancelOrder,
    ChangeLine,
    Event,
    Fault,
    NewOrder,
    RemoveLine,
)
from cookmas.scenarios.check import check
from cookmas.scenarios.menu import load_menu
from cookmas.scenarios.scenario import KitchenScenario, load_scenario, scenario_names
from cookmas.scenarios.truth import load_truth
from cookmas.solving.restaurant.bound import Demand, makespan_bound

NAMES = scenario_names()
KINDS = {"done", "without", "extra", "swap", "longer"}


def load_level(level: int) -> list[KitchenScenario]:
    return [load_scenario(name) for name in scenario_names(level)]


def events(scenario: KitchenScenario) -> Iterator[tuple[int, Event | Instruct]]:
    for timed in sorted(scenario.file.events, key=lambda timed: timed.at):
        yield timed.at, timed.event


def ordered_at(scenario: KitchenScenario) -> dict[str, int]:
    """When each line came in."""
    found: dict[str, int] = {}
    sizes: Counter[str] = Counter()
    for at, event in events(scenario):
        count = len(event.lines) if isinstance(event, NewOrder) else isinstance(event, AddLine)
        for _ in range(count):
            sizes[event.order] += 1  # type: ignore[union-attr]
            found[f"{event.order}.{sizes[event.order]}"] = at  # type: ignore[union-attr]
    return found


def earliest(scenario: KitchenScenario, line: str) -> int:
    """A timestep before which a line, as first ordered, cannot be served."""
    truth = load_truth(scenario)
    book = scenario.book
    note = next((words for name, words in book.notes if name == line), "")
    dish = customise(
        truth.items[book.items[line]], truth.notes.get((line, note), ()), truth.doneness
    )
    demand = Demand(release=0, components=dish)
    return ordered_at(scenario)[line] + makespan_bound(scenario.kitchen, [demand]).value


@pytest.mark.parametrize("name", NAMES)
def test_is_sound(name: str) -> None:
    scenario = load_scenario(name)
    found = check(scenario.path)
    assert len(found) == 2
    said = "each with its meaning" if scenario.book.notes else "it has no notes"
    assert said in found[1]


@pytest.mark.parametrize("name", NAMES)
def test_every_dish_can_be_told_from_its_words(name: str) -> None:
    scenario = load_scenario(name)
    truth = load_truth(scenario)
    book = scenario.book
    for line, note in book.notes:
        assert truth.dish(book.items[line], line, note)
        unusual = [w for w in truth.wishes(line, note) if not isinstance(w, Done)]
        if unusual:
            assert truth.dish(book.items[line], line, note) != truth.items[book.items[line]]


@pytest.mark.parametrize("name", NAMES)
def test_at_most_twelve_lines_come_in(name: str) -> None:
    assert len(load_scenario(name).book.items) <= 12


def test_titles_tell_scenarios_apart() -> None:
    titles = [load_scenario(name).file.title for name in NAMES]
    assert len(set(titles)) == len(titles) == 60


@pytest.mark.parametrize("level", [1, 2, 3])
def test_each_level_has_twenty_with_all_kinds_of_wishes_in_all_kitchens(level: int) -> None:
    level_scenarios = load_level(level)
    assert [s.name for s in level_scenarios] == [f"level{level}/{n:02d}" for n in range(1, 21)]
    assert {s.file.level for s in level_scenarios} == {level}
    assert {s.kitchen.name for s in level_scenarios} == {"small", "standard", "large"}
    wishes = [w for s in level_scenarios for ws in load_truth(s).notes.values() for w in ws]
    assert {type(wish).__name__.lower() for wish in wishes} == KINDS
    said = sum(len({line for line, _ in s.book.notes}) for s in level_scenarios)
    assert said >= 0.4 * sum(len(s.book.items) for s in level_scenarios)


def test_every_item_is_ordered_somewhere() -> None:
    ordered = {item for name in NAMES for item in load_scenario(name).book.items.values()}
    assert ordered == set(load_menu().items)


def test_level_1_is_one_line() -> None:
    assert {len(s.book.items) for s in load_level(1)} == {1}


def test_level_2_is_one_order_of_several_lines() -> None:
    sizes = Counter(len(s.book.items) for s in load_level(2))
    assert all(len(s.file.events) == 1 for s in load_level(2))
    assert min(sizes) == 2
    assert {10, 12} <= set(sizes)
    assert sizes[12] == 1
    assert sum(sizes[size] for size in (3, 4, 5, 6)) > 10


def test_level_3_is_several_orders_three_times_without_surprises() -> None:
    level = load_level(3)
    assert all(sum(isinstance(event, NewOrder) for _, event in events(s)) >= 2 for s in level)
    assert sum(all(at == 0 for at, _ in events(s)) for s in level) == 3


def has(kind: type[Any]) -> Callable[[KitchenScenario], int]:
    return lambda scenario: any(isinstance(event, kind) for _, event in events(scenario))


def later_orders(scenario: KitchenScenario) -> int:
    return any(isinstance(event, NewOrder) and at > 0 for at, event in events(scenario))


def due_times(scenario: KitchenScenario) -> int:
    return any(isinstance(event, NewOrder) and bool(event.due) for _, event in events(scenario))


def hard_changes(scenario: KitchenScenario) -> int:
    """Count the changes after half of the time in which the dish could be made."""
    starts = ordered_at(scenario)
    changes = [(at, each.line) for at, each in events(scenario) if isinstance(each, ChangeLine)]
    return sum(
        starts[x] + earliest(scenario, x) < 2 * at < 2 * earliest(scenario, x) for at, x in changes
    )


def late_cancellations(scenario: KitchenScenario) -> int:
    """Count the orders that are cancelled just before one of their lines could be served."""
    orders = [(at, each.order) for at, each in events(scenario) if isinstance(each, CancelOrder)]
    return sum(
        any(
            0 <= earliest(scenario, line) - at <= 3
            for line in scenario.book.items
            if line.startswith(f"{order}.")
        )
        for at, order in orders
    )


def rushes(scenario: KitchenScenario) -> int:
    early = sum(at <= 10 for at in ordered_at(scenario).values())
    return early == 12 and scenario.kitchen.name != "small"


@pytest.mark.parametrize(
    ("count", "least"),
    [
        pytest.param(has(AddLine), 3, id="added lines"),
        pytest.param(has(RemoveLine), 3, id="removed lines"),
        pytest.param(has(ChangeLine), 3, id="changed lines"),
        pytest.param(has(CancelOrder), 3, id="cancelled orders"),
        pytest.param(has(Fault), 4, id="faults"),
        pytest.param(later_orders, 3, id="orders that come in later"),
        pytest.param(due_times, 3, id="due times"),
        pytest.param(hard_changes, 2, id="hard changes after half of the dish"),
        pytest.param(late_cancellations, 2, id="cancellations just before serving"),
        pytest.param(rushes, 2, id="rushes of twelve lines"),
    ],
)
def test_level_3_has_at_least_so_many(count: Callable[[KitchenScenario], int], least: int) -> None:
    assert sum(map(count, load_level(3))) >= least


def test_level_3_has_faults_that_leave_another_of_the_kind() -> None:
    roles: set[str] = set()
    for scenario in load_level(3):
        faults = [event for _, event in events(scenario) if isinstance(event, Fault)]
        down = Counter(scenario.kitchen.stations[f.station].kind.name for f in faults if f.station)
        for kind, count in down.items():
            assert len(scenario.kitchen.of_kind(kind)) > count
        roles |= {scenario.kitchen.stations[f.station].kind.role for f in faults if f.station}
        roles |= {"worker" for f in faults if f.worker}
    assert roles == {"appliance", "tool", "worker"}


def test_one_scenario_has_a_stock_which_suffices() -> None:
    (scenario,) = (each for each in map(load_scenario, NAMES) if each.file.stock)
    truth = load_truth(scenario)
    book = scenario.book
    notes = dict(book.notes)
    need = Counter(
        name
        for line, item in book.items.items()
        for component in truth.dish(item, line, notes.get(line, ""))
        for name in component.ingredients()
    )
    need["plate"] = len(book.items)
    assert all(need[food] <= amount for food, amount in scenario.file.stock.items())
    assert any(need[food] == amount for food, amount in scenario.file.stock.items())


def test_a_change_comes_too_late_only_once_in_a_while() -> None:
    early = late = 0
    for scenario in load_level(3):
        for at, event in events(scenario):
            if isinstance(event, ChangeLine | RemoveLine):
                before = at < earliest(scenario, event.line)
                early, late = early + before, late + (not before)
    assert early >= 5 * late
