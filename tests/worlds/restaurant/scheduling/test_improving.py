"""Improving: which searches one call makes, and when."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any, cast

import pytest

from cookmas.kitchen.components import Component, parse_component
from cookmas.worlds.restaurant.scheduling import improving, permutations, searches
from cookmas.worlds.restaurant.scheduling.blocking import find_blocked
from cookmas.worlds.restaurant.scheduling.bound import state_bound
from cookmas.worlds.restaurant.scheduling.effort import FEW, PATIENCE
from cookmas.worlds.restaurant.scheduling.found import Found
from cookmas.worlds.restaurant.scheduling.handling import Handling
from cookmas.worlds.restaurant.scheduling.improving import Improving
from cookmas.worlds.restaurant.scheduling.reuse import Remaining, find_remaining
from cookmas.worlds.restaurant.scheduling.states import HOPELESS, Solution, WorkInProgressError

CROWDED = (
    (
        "(onion > slice 1 > fry 5-6 + stock > fry 5-6)",
        "carrot > peel 1 > slice 1 > boil 6-7",
        "chicken > bake 20-22",
    ),
    (
        "beef patty > grill medium",
        "bun > grill 1-2",
        "lettuce",
        "onion > slice 1",
        "tomato > slice 1",
    ),
    (
        "(carrot > slice 2 > boil 12-14 + chicken > chop 2 > boil 12-14 + stock > boil 12-14)",
        "spring onion > slice 1",
    ),
    (
        "(butter + milk + potato > peel 1 > chop 2 > boil 15-17) > mix 2",
        "(honey + mint > chop 2 + vinegar) > mix 1",
        "lamb chop > grill medium",
    ),
    (
        "((minced beef > fry 10-12 + onion > chop 2 > fry 10-12 + tomato > chop 2 > fry 10-12)"
        " + lasagne sheets + mozzarella > slice 1) > assemble 1 > bake 15-18",
        "basil",
    ),
    ("(onion > chop 2 + tomato > chop 2) > mix 1", "cabbage > chop 2", "salmon > grill 4-5"),
    ("(lemon + parmesan > grate 1) > mix 2", "chicken > grill 6-8 > slice 1", "lettuce > chop 2"),
    (
        "(onion > slice 1 > fry 5-6 + stock > fry 5-6)",
        "chicken > bake 20-22",
        "potato > peel 1 > chop 2 > boil 6-7 > bake 12-14",
    ),
)
"""Dishes of eight lines."""


def test_a_search_goes_on_from_the_best_schedule(
    floor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(improving, "CLOSE", 0.0)
    shift = floor.shift("small", workers=4)
    shift.order(Random(1).choices(list(floor.items), k=3))
    call = shift.call(600)
    known: list[Found | None] = []
    search = call._search_without_foresight

    def first(work: Remaining, bound: int) -> Found | None:
        known.append(search(work, bound))
        return known[0]

    def again(found: Found, others: Sequence[Found], good: float) -> Found:
        known.append(found)
        return found

    monkeypatch.setattr(call, "_search_without_foresight", first)
    monkeypatch.setattr(call, "_glance", lambda *_: None)
    monkeypatch.setattr(call, "_search_on", again)
    call.best(Handling())
    assert known[1] is known[0]


def longer_with(
    floor: Any, monkeypatch: pytest.MonkeyPatch, items: Sequence[str], effort: int, **less: int
) -> int:
    """Return by how much a schedule is longer if the constants in `less` have these values."""
    shift = floor.shift("small", workers=6)
    shift.order(items)
    with monkeypatch.context() as patch:
        patch.setattr(improving, "CLOSE", 0.0)
        found: Found | None = shift.call(effort).best(Handling())
        for name, most in less.items():
            patch.setattr(searches, name, most)
        worse: Found | None = shift.call(effort).best(Handling())
    assert found
    assert worse
    return worse.length - found.length


def test_parts_of_a_schedule_far_from_its_bound_are_planned_anew(
    floor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Improving, "_vary_handling", lambda *_: [])
    items = Random(2).choices(list(floor.items), k=4)
    assert longer_with(floor, monkeypatch, items, 1500, WHOLE_COST=0) > 0


MUCH_FOR_A_MIXER = (
    "Bangers and Mash",
    "Boiled Egg and Soldiers",
    "Pork Schnitzel",
    "Fish Tacos",
    "Macaroni Cheese",
    "Fish Tacos",
    "Apple Crumble",
    "Salmon with Asparagus",
)
"""Menu items that wait for each other in a small kitchen if many workers cook them side by side."""


def test_lines_far_from_their_bound_are_planned_one_after_the_other(
    floor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Improving, "_reinsert", lambda self, found, *_: found)
    monkeypatch.setattr(improving, "FEW", FEW._replace(inserting=0.15))
    shift = floor.shift("small", workers=6)
    shift.order(MUCH_FOR_A_MIXER)
    call = shift.call(3000)
    work = find_remaining(shift.kitchen, shift.seen(), shift.open())
    found = call._glance(work, 0)
    assert found
    call.bound = found.length
    assert call._search_on(found, [], 0) is found
    call.bound = found.length / 2
    assert call._search_on(found, [], 0).length < found.length


@pytest.mark.parametrize("stuck", [True, False])
def test_lines_are_planned_one_after_the_other_if_other_searches_find_no_schedule(
    floor: Any, monkeypatch: pytest.MonkeyPatch, stuck: bool
) -> None:
    def refuse(*_: object) -> None:
        raise WorkInProgressError("pan_1")

    monkeypatch.setattr(improving, "LINES_AT_ONCE", 0)
    monkeypatch.setattr(Improving, "_in_turn", refuse if stuck else lambda *_: None)
    shift = floor.shift("small", workers=6)
    shift.order(MUCH_FOR_A_MIXER)
    work = find_remaining(shift.kitchen, shift.seen(), shift.open())
    found = shift.call(6000)._search_without_foresight(work, 0.0)
    assert found
    assert found.solution.configuration.startswith("lines one after the other")
    monkeypatch.setattr(improving, "INSERTING_GLANCE", 0)
    if stuck:
        with pytest.raises(WorkInProgressError, match="pan_1"):
            shift.call(6000)._search_without_foresight(work, 0.0)
    else:
        assert shift.call(6000)._search_without_foresight(work, 0.0) is None


def test_a_single_line_far_from_its_bound_is_searched_for_with_urgencies(
    floor: Any, component: Callable[[str], Component], monkeypatch: pytest.MonkeyPatch
) -> None:
    shift = floor.shift("small", workers=5)
    shift.order(["Classic Burger"])
    foods = (
        "(ketchup + mayonnaise + pickle > chop 1) > mix 2",
        "beef patty > grill medium",
        "beef patty > grill medium",
        "bun > grill 1-2",
        "cheddar > slice 1",
        "potato > peel 1 > slice 2 > deep-fry 6-8",
    )
    shift.wanted = {"o1.1": tuple(map(component, foods))}
    bound = state_bound(shift.kitchen, shift.seen(), shift.open()).value

    def length() -> int:
        found: Found | None = shift.call(6000, bound).best(Handling())
        assert found
        return found.length

    urged = length()
    monkeypatch.setattr(improving, "ALONE_TRIES", 0)
    assert urged < length()


def test_schedules_with_other_handlings_are_improved_for_a_while_too(
    floor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shift = floor.busy(9, workers=6, begun=14, more=4)
    monkeypatch.setattr(improving, "FEW", FEW._replace(handling=200))
    call = shift.call(2000)
    found, *others = call._vary_handling(Handling(), 0.0)
    costs: list[tuple[Found, float]] = []

    def reinsert(each: Found, most: float, good: float) -> Found:
        costs.append((each, most))
        return Found(each.work, replace(each.solution, length=5)) if each is others[0] else each

    monkeypatch.setattr(call, "_reinsert", reinsert)
    assert call._search_on(found, others, 0.0).work is others[0].work
    raced = costs[:-1]
    assert [each.work.stages for each, _ in raced[1:]] == [o.work.stages for o in others[:2]]
    assert len({most for _, most in raced}) == 1
    assert raced[0][1] < costs[-1][1]


def test_each_handling_differs_from_the_best_one_by_one_change(
    floor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shift = floor.busy(9, workers=6, begun=14, more=1)
    call = shift.call(2000)
    changes = Handling().changes(shift.kitchen, shift.seen())
    seen: list[Handling] = []
    lengths = iter([50, 40, *[45] * 200])

    def plan(work: Remaining) -> Found:
        seen.append(work.handling)
        return Found(work, Solution((), next(lengths), {}, frozenset(), ""))

    found = call._change_step_by_step(Handling(), None, plan, lambda _: False, [])
    assert [each.length for each in found[:3]] == [50, 40, 45]
    first, second, *later = seen
    assert first in [Handling().change(*change) for change in changes]
    assert second in [first.change(*change) for change in changes]
    near = [second.change(*change) for change in changes]
    assert later
    assert all(handling in near for handling in later)


def test_each_schedule_of_a_few_lines_is_improved_for_a_while(
    floor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shift = floor.busy(9, workers=6, begun=14, more=1)
    call = shift.call(6000)
    found = call._glance(call._work(Handling()), 0.0)
    improved: list[Found] = []
    patiences: list[float] = []

    def reinsert(each: Found, most: float, good: float, patience: float = HOPELESS) -> Found:
        improved.append(each)
        patiences.append(patience)
        call.spent += 40 * call.effort
        return Found(each.work, replace(each.solution, length=9)) if len(improved) == 3 else each

    monkeypatch.setattr(call, "_reinsert", reinsert)
    assert found
    best = call._search_on(found, [], 0.0)
    *briefly, last = improved
    assert briefly[0] is found
    assert len({repr(each.work.handling) for each in briefly}) == len(briefly) > 3
    assert best is last
    assert last.work is improved[2].work
    assert patiences == [PATIENCE * call.effort] * len(briefly) + [HOPELESS]


def waiting_mixer(floor: Any, *others: str) -> Any:
    """Return a kitchen whose only mixer holds butter and milk for a potato that is not peeled."""
    shift = floor.shift("small", workers=6)
    shift.state = floor.with_things(shift.state, mixer_1=["butter", "milk"])
    shift.order(["Bangers and Mash", *others])
    return shift


def test_a_mixer_that_waits_while_others_need_it_is_blocked(floor: Any) -> None:
    for others, blocked in (([], []), (["Caesar Salad"], ["mixer_1"]), (["Buttered Toast"], [])):
        shift = waiting_mixer(floor, *others)
        call = shift.call(2000)
        found = call._search_without_foresight(call._work(Handling()), 0.0)
        assert find_blocked(found) == blocked, others


def test_the_foods_of_a_blocked_mixer_are_abandoned(
    floor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shift = waiting_mixer(floor, "Caesar Salad")
    call = shift.call(2000)
    found = call._search_without_foresight(call._work(Handling()), 0.0)
    assert found
    (freed,) = call._free_stations(found, 0.0)
    assert freed.work.handling == Handling(given_up=frozenset({"mixer_1"}))
    starts: list[Found] = []

    def search_on(best: Found, others: Sequence[Found], good: float) -> Found:
        starts.extend([best, *others])
        return best

    monkeypatch.setattr(improving, "CLOSE", 0.0)
    monkeypatch.setattr(call, "_search_on", search_on)
    call.best(Handling())
    assert freed.work.stages in [start.work.stages for start in starts]


def test_a_glance_goes_through_many_lines_in_turn_too(
    floor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shift = floor.shift("small", workers=6)
    shift.order(Random(3).choices(list(floor.items), k=7))
    work = find_remaining(shift.kitchen, shift.seen(), shift.open())
    found = shift.call(100)._glance(work, 0)
    monkeypatch.setattr(improving, "FEWEST_ROLLED", 99)
    urged = shift.call(100)._glance(work, 0)
    assert found
    assert urged is None or found.length < urged.length


def test_a_glance_plans_many_lines_one_after_the_other_too(
    floor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shift = floor.shift("small", workers=6)
    shift.order(MUCH_FOR_A_MIXER)
    work = find_remaining(shift.kitchen, shift.seen(), shift.open())
    monkeypatch.setattr(improving, "INSERTING_GLANCE", 200)
    monkeypatch.setattr(Improving, "_is_far", lambda *_: True)
    found = shift.call(1500)._glance(work, 0)
    monkeypatch.setattr(Improving, "_is_far", lambda *_: False)
    in_turn = shift.call(1500)._glance(work, 0)
    assert found
    assert in_turn
    assert found.length < in_turn.length


def test_a_glance_ends_with_the_first_search_that_leads_nowhere() -> None:
    tried: list[object] = []

    class Nowhere:
        def best_along(self, *asked: object) -> None:
            tried.append(asked)

    assert permutations.best_by_rule(cast("Any", Nowhere()), 9) is None
    assert len(tried) == 1


def test_food_that_cooks_is_put_by_if_it_leaves_no_room_for_the_rest(floor: Any) -> None:
    shift = floor.shift("small", workers=5, effort=6000)
    shift.order(["Buttered Toast"] * len(CROWDED))
    shift.wanted = {
        line: tuple(parse_component(text, shift.kitchen.doneness) for text in dish)
        for line, dish in zip(shift.wanted, CROWDED, strict=True)
    }
    broth = "(onion > slice 1 > fry 5 + stock > fry 5)"
    sauce = "(minced beef > fry 10 + onion > chop 2 > fry 10 + tomato > chop 2 > fry 10)"
    shift.state = floor.with_things(
        shift.state._replace(timestep=57),
        *("pantry", "counter_1: chicken", "board_2", "pantry: stock"),
        "plating_2: beef patty > grill 8",
        out=["plating_1"],
        since={"oven_1": 55},
        board_1=["carrot > slice 2"],
        board_2=["potato"],
        counter_1=["lettuce"],
        mixer_1=["milk"],
        oven_1=["potato > peel 1 > chop 2 > boil 7"],
        plating_1=["plate", "carrot > peel 1 > slice 1 > boil 6", broth, "chicken > bake 20"],
        plating_2=["plate", "onion > slice 1", "tomato > slice 1", "bun > grill 1", "lettuce"],
        plating_3=["lasagne sheets", "mozzarella > slice 1", sauce],
    )
    result = shift.plan()
    bound = state_bound(shift.kitchen, shift.seen(), shift.open())
    assert len(result) <= 1.4 * bound.value
