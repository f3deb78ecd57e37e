"""Many lines are gone through in several orders, and the best schedule is kept."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from worlds.restaurant.scheduling import improving, orders
from worlds.restaurant.scheduling.orders import WAYS, best_of_orders
from worlds.restaurant.scheduling.reuse import remaining
from worlds.restaurant.scheduling.rolling import RollingSearch, Way


@pytest.fixture
def rush(floor: Any) -> Any:
    shift = floor.shift("small", workers=4)
    shift.order(Random(1).choices(list(floor.items), k=14))
    return shift


def searched(shift: Any) -> RollingSearch:
    work = remaining(shift.kitchen, shift.seen(), shift.open())
    return RollingSearch(shift.kitchen, shift.seen(), work)


def test_more_searches_find_a_shorter_schedule_of_all_lines(rush: Any) -> None:
    few, many = searched(rush), searched(rush)
    first, best = best_of_orders(few, 0), best_of_orders(many, 8 * few.tried)
    assert first
    assert best
    assert many.tried > 2 * few.tried
    assert best.length < first.length
    served = [op.word for placed in best.placed for op in placed.mode.ops if op.verb == "serve"]
    assert sorted(served) == sorted(many.by_name)


def test_lines_are_moved_but_none_is_lost(rush: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    search, orders = searched(rush), list[Any]()
    best_along = search.best_along

    def noted(way: Any, width: int, shorter_than: float, order: Any) -> Any:
        orders.append(tuple(order))
        return best_along(way, width, shorter_than, order)

    monkeypatch.setattr(search, "best_along", noted)
    best_of_orders(search, 20_000)
    assert len(set(orders)) > 3
    assert {tuple(sorted(order)) for order in orders} == {tuple(sorted(search.by_name))}


def test_a_search_that_finds_nothing_runs_each_configuration_once(
    rush: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    search, ways = searched(rush), list[Way]()

    def fail(way: Way, *_: object) -> None:
        ways.append(way)
        search.tried += 100

    monkeypatch.setattr(search, "best_along", fail)
    assert best_of_orders(search, 20_000) is None
    assert ways == list(WAYS)
    search.tried = 10**6
    assert best_of_orders(search, 20_000) is None
    assert len(ways) == len(WAYS), "no more is tried once the tries are spent"


def test_a_schedule_of_few_lines_far_from_the_bound_is_searched_for_again(
    floor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shift = floor.shift("small", workers=6, effort=600)
    shift.order(Random(0).choices(list(floor.items), k=8))
    again = len(shift.plan())
    monkeypatch.setattr(improving, "CLOSE", 99)
    assert again < 0.9 * len(shift.plan())


def test_a_single_line_is_not_permuted(floor: Any) -> None:
    shift = floor.shift("small")
    shift.order(["Classic Burger"])
    search = searched(shift)
    assert best_of_orders(search, 10**6)
    assert search.tried < 10**5


def test_the_line_served_last_is_moved_to_an_earlier_place_at_times() -> None:
    lines = list("abcdef")
    moved = [orders._moved(lines, Random(seed), "f").index("f") for seed in range(40)]
    others = [orders._moved(lines, Random(seed), None).index("f") for seed in range(40)]
    assert sum(moved) < sum(others) - 20
