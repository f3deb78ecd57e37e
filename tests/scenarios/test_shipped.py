"""The scenarios that come with CookMAS: sound, and as varied as they are meant to be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
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


def count_scenarios(level: int, kind: type[Any]) -> int:
    return sum(any(isinstance(event, kind) for _, event in events(s)) for s in load_level(level))


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
    assert all(
        sum(isinstance(event, NewOrder) for _, event in events(s)) >= 2 for s in load_level(3)
    )
    calm = [s for s in load_level(3) if all(at == 0 for at, _ in events(s))]
    assert len(calm) == 3


@pytest.mark.parametrize("kind", [AddLine, RemoveLine, ChangeLine, CancelOrder])
def test_level_3_has_each_surprise_at_least_three_times(kind: type[Any]) -> None:
    assert count_scenarios(3, kind) >= 3


def test_level_3_has_orders_that_come_in_later() -> None:
    later = [
        s
        for s in load_level(3)
        if any(isinstance(event, NewOrder) and at > 0 for at, event in events(s))
    ]
    assert len(later) >= 3


def test_level_3_has_hard_changes_after_half_of_the_dish() -> None:
    hard = 0
    for scenario in load_level(3):
        starts = ordered_at(scenario)
        for at, event in events(scenario):
            if isinstance(event, ChangeLine):
                served = earliest(scenario, event.line)
                hard += starts[event.line] + served < 2 * at and at < served
    assert hard >= 2


def test_level_3_has_cancellations_just_before_serving() -> None:
    late = 0
    for scenario in load_level(3):
        for at, event in events(scenario):
            if isinstance(event, CancelOrder):
                lines = [n for n in scenario.book.items if n.startswith(f"{event.order}.")]
                late += any(0 <= earliest(scenario, line) - at <= 3 for line in lines)
    assert late >= 2


def test_level_3_has_rushes_of_twelve_lines() -> None:
    rushes = [
        s
        for s in load_level(3)
        if sum(at <= 10 for at in ordered_at(s).values()) == 12 and s.kitchen.name != "small"
    ]
    assert len(rushes) >= 2


def test_level_3_has_faults_that_leave_another_of_the_kind() -> None:
    faulty = 0
    roles: set[str] = set()
    for scenario in load_level(3):
        faults = [event for _, event in events(scenario) if isinstance(event, Fault)]
        faulty += bool(faults)
        down = Counter(scenario.kitchen.stations[f.station].kind.name for f in faults if f.station)
        for kind, count in down.items():
            assert len(scenario.kitchen.of_kind(kind)) > count
        roles |= {scenario.kitchen.stations[f.station].kind.role for f in faults if f.station}
        roles |= {"worker" for f in faults if f.worker}
    assert faulty >= 4
    assert roles == {"appliance", "tool", "worker"}


def test_level_3_has_due_times_and_a_stock_that_suffices() -> None:
    due = [
        s
        for s in load_level(3)
        if any(isinstance(event, NewOrder) and event.due for _, event in events(s))
    ]
    assert len(due) >= 3
    limited = [load_scenario(name) for name in NAMES if load_scenario(name).file.stock]
    assert len(limited) == 1
    scenario = limited[0]
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
