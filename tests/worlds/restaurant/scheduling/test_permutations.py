"""Many lines are gone through in several orders, and the best schedule is kept."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cookmas.worlds.restaurant.scheduling import improving
from cookmas.worlds.restaurant.scheduling.permutations import CONFIGURATIONS, best_permutation
from cookmas.worlds.restaurant.scheduling.problem import Problem
from cookmas.worlds.restaurant.scheduling.reuse import find_remaining
from cookmas.worlds.restaurant.scheduling.rolling import RollingSearch
from cookmas.worlds.restaurant.scheduling.window import Configuration


@pytest.fixture
def rush(floor: Any) -> Any:
    shift = floor.shift("small", workers=4)
    shift.order(Random(1).choices(list(floor.items), k=14))
    return shift


def searched(shift: Any) -> RollingSearch:
    work = find_remaining(shift.kitchen, shift.seen(), shift.open())
    return RollingSearch(Problem(shift.kitchen, shift.seen(), work))


def test_more_searches_find_a_shorter_schedule_of_all_lines(rush: Any) -> None:
    few, many = searched(rush), searched(rush)
    first, best = best_permutation(few, 0), best_permutation(many, 8 * few.search.tried)
    assert first
    assert best
    assert many.search.tried > 2 * few.search.tried
    assert best.length < first.length
    served = [op.word for placed in best.placed for op in placed.mode.ops if op.verb == "serve"]
    assert sorted(served) == sorted(many.by_name)


def test_lines_are_moved_but_none_is_lost(rush: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rolling, orders = searched(rush), list[Any]()
    best_along = rolling.best_along

    def noted(configuration: Any, width: int, shorter_than: float, order: Any) -> Any:
        orders.append(tuple(order))
        return best_along(configuration, width, shorter_than, order)

    monkeypatch.setattr(rolling, "best_along", noted)
    best_permutation(rolling, 20_000)
    assert len(set(orders)) > 3
    assert {tuple(sorted(order)) for order in orders} == {tuple(sorted(rolling.by_name))}


def test_a_search_that_finds_nothing_runs_each_configuration_once(
    rush: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rolling, tried = searched(rush), list[Configuration]()

    def fail(configuration: Configuration, *_: object) -> None:
        tried.append(configuration)
        rolling.search.tried += 100

    monkeypatch.setattr(rolling, "best_along", fail)
    assert best_permutation(rolling, 20_000) is None
    assert tried == list(CONFIGURATIONS)
    rolling.search.tried = 10**6
    assert best_permutation(rolling, 20_000) is None
    assert len(tried) == len(CONFIGURATIONS), "no more is tried once the tries are spent"


def test_a_schedule_of_few_lines_far_from_the_bound_is_searched_for_again(
    floor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shift = floor.shift("small", workers=6, effort=600)
    shift.order(Random(0).choices(list(floor.items), k=8))
    again = len(shift.plan())
    monkeypatch.setattr(improving, "CLOSE", 99)
    shift.underway = []
    assert again < 0.9 * len(shift.plan())


def test_a_single_line_is_not_permuted(floor: Any) -> None:
    shift = floor.shift("small")
    shift.order(["Classic Burger"])
    rolling = searched(shift)
    assert best_permutation(rolling, 10**6)
    assert rolling.search.tried < 10**5
