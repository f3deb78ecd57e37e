"""What holds up others is put by on a counter, or given up and made anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any, cast

import pytest

from kitchen.components import Component
from kitchen.stages import FoodInSlot, Made
from worlds.restaurant.scheduling import improving
from worlds.restaurant.scheduling.bound import state_bound
from worlds.restaurant.scheduling.handling import Handling
from worlds.restaurant.scheduling.improving import MOST_COST, Found, Improving
from worlds.restaurant.scheduling.problem import Problem
from worlds.restaurant.scheduling.reuse import Remaining, find_remaining
from worlds.restaurant.scheduling.schedule import EFFORT
from worlds.restaurant.scheduling.states import WorkInProgressError
from worlds.restaurant.scheduling.window import Window

AT_MOST = 1.5
"""By how much a call may exceed what it may spend: the search that it is in is ended."""


def full_of_halves(floor: Any, component: Callable[[str], Component]) -> Any:
    """A chicken is nearly baked, and all plating places wait for something that takes long."""
    shift = floor.shift("small", workers=3, effort=600)
    shift.order(["Classic Burger"] * 4)
    late = component("beans > boil 15-18")
    foods: list[tuple[Component, ...]] = [(component("chicken > bake 20-22"),)]
    foods += [(component(name), late) for name in ("feta", "olives", "lettuce")]
    shift.wanted = dict(zip(shift.wanted, foods, strict=True))
    shift.state = floor.with_things(
        shift.state._replace(timestep=17),
        since={"oven_1": 0},
        oven_1=["chicken"],
        plating_1=["plate", "feta"],
        plating_2=["plate", "olives"],
        plating_3=["plate", "lettuce"],
    )
    return shift


def test_what_must_not_burn_is_put_by_on_a_counter(
    floor: Any, component: Callable[[str], Component]
) -> None:
    shift = full_of_halves(floor, component)
    assert not any("bin" in action for row in shift.plan() for action in row.values())
    shift.play()
    shift.sound()
    assert shift.leftovers() == []


def test_what_is_put_by_goes_through_a_counter(
    floor: Any, component: Callable[[str], Component]
) -> None:
    shift = full_of_halves(floor, component)
    kitchen, state, wanted = shift.kitchen, shift.seen(), shift.open()
    stages = find_remaining(kitchen, state, wanted, put_by=frozenset({"oven_1"})).stages
    (counter,) = [n for n, stage in enumerate(stages) if stage.kind == "counter"]
    (entry,) = stages[counter].inputs
    assert entry.source == Made(counter - 1)
    assert stages[counter - 1].inputs[0].source == FoodInSlot(0, 1)
    assert not stages[counter].cooks


def test_it_is_found_out_what_is_better_dealt_with_otherwise(
    floor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shift = floor.shift("small", workers=6, effort=200)
    rng = Random(36)
    shift.order(rng.choices(list(floor.items), k=3))
    shift.play(14)
    shift.order(rng.choices(list(floor.items), k=4))
    monkeypatch.setattr(Improving, "_search_on", lambda _, found, *__: found)
    dealt_with = call_of(shift, 2000).best(Handling())
    monkeypatch.setattr(improving, "HANDLING_COST", 0)
    as_it_is = call_of(shift, 2000).best(Handling())
    assert dealt_with is not None
    assert as_it_is is not None
    assert dealt_with.length < as_it_is.length


def call_of(shift: Any, effort: int) -> Improving:
    return Improving(shift.kitchen, shift.seen(), shift.open(), frozenset(), effort)


def test_everything_can_be_made_anew_whatever_was_spent(
    floor: Any, component: Callable[[str], Component]
) -> None:
    shift = full_of_halves(floor, component)
    call = call_of(shift, 600)
    call.spent = 1e9
    everything = frozenset((*shift.state.contents, *shift.kitchen.workers))
    assert call.best(Handling(given_up=everything)) is not None


def test_what_holds_up_others_most_is_dealt_with_first(floor: Any) -> None:
    shift = floor.shift("small", workers=2)
    state = floor.with_things(
        shift.state, "aisle: bread", pot_1=["stock"], mixer_1=["milk"], counter_1=["flour"]
    )
    assert Handling().changes(shift.kitchen, state) == [
        (("worker_1",), True),
        (("pot_1",), True),
        (("worker_1",), False),
        (("mixer_1",), True),
        (("mixer_1",), False),
        (("pot_1",), False),
    ]
    held = floor.with_things(shift.state, "aisle: bread", "aisle: flour")
    workers = ("worker_1", "worker_2")
    together = [(workers, True), (workers, False)]
    assert Handling().changes(shift.kitchen, held)[:2] == together
    assert Handling().change(*together[0]) == Handling(frozenset(workers))
    both = Handling().change(["pot_1"], True).change(["mixer_1"], False)
    assert both == Handling(frozenset({"pot_1"}), frozenset({"mixer_1"}))
    assert both.change(["pot_1"], True) == Handling(given_up=frozenset({"mixer_1"}))


def test_a_counter_takes_as_much_as_it_has_slots(
    floor: Any, component: Callable[[str], Component]
) -> None:
    shift = full_of_halves(floor, component)
    kitchen, state, wanted = shift.kitchen, shift.seen(), shift.open()
    work = find_remaining(kitchen, state, wanted, put_by=frozenset({"oven_1"}))
    assert Window(Problem(kitchen, state, work)).safety.units["counter"] == 4


def test_what_is_put_down_takes_a_slot_of_the_counter(
    floor: Any, component: Callable[[str], Component]
) -> None:
    shift = full_of_halves(floor, component)
    lying = {name: [str(c.thing) for c in things] for name, things in shift.state.contents.items()}
    state = floor.with_things(
        shift.state, "aisle: bread", **lying, counter_1=["flour", "butter", "egg"]
    )
    work = find_remaining(shift.kitchen, state, shift.open(), given_up=frozenset({"worker_1"}))
    work.junk[0] = "counter_1"
    resources = Problem(shift.kitchen, state, work).resources
    assert resources.is_stuck(resources.levels, "counter", 0)


def test_what_cannot_be_gone_on_with_is_put_by_before_it_is_given_up() -> None:
    first = Handling().make_gentler("oven_1")
    assert first == Handling(put_by=frozenset({"oven_1"}))
    assert first is not None
    second = first.make_gentler("oven_1")
    assert second == Handling(frozenset({"oven_1"}), frozenset({"oven_1"}))
    assert second is not None
    assert second.make_gentler("oven_1") is None


@pytest.mark.parametrize("seed", range(4))
def test_a_call_stops_at_what_it_may_spend(
    floor: Any, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(improving, "CLOSE", 0.0)
    monkeypatch.setattr(improving, "NEAR", 0.0)
    shift = floor.shift("small", workers=5, effort=200)
    rng = Random(seed)
    shift.order(rng.choices(list(floor.items), k=2 + seed), rng)
    shift.play(8)
    shift.queue = []
    call = call_of(shift, EFFORT)
    assert call.best(Handling())
    assert call.spent <= AT_MOST * MOST_COST * EFFORT
    monkeypatch.setattr(improving, "MOST_COST", 1)
    poor = call_of(shift, EFFORT)
    assert poor.best(Handling())
    assert EFFORT < poor.spent < call.spent


@pytest.mark.parametrize("seed", range(4))
def test_what_is_dealt_with_otherwise_goes_as_planned(
    floor: Any, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(improving, "CLOSE", 0.0)
    monkeypatch.setattr(improving, "NEAR", 0.0)
    shift = floor.shift("small", workers=6, effort=200)
    rng = Random(seed)
    shift.order(rng.choices(list(floor.items), k=3), rng)
    for _ in range(6):
        shift.play(5)
        shift.queue = []
        if rng.random() < 0.5:
            shift.order(rng.choices(list(floor.items), k=1), rng)
    shift.play()
    shift.sound()


def test_what_leads_nowhere_when_put_by_is_given_up(
    floor: Any, component: Callable[[str], Component], monkeypatch: pytest.MonkeyPatch
) -> None:
    call = call_of(full_of_halves(floor, component), 600)
    seen: list[bool] = []
    search = call._search_without_foresight

    def first(work: Remaining, bound: int) -> Found | None:
        kinds = {stage.kind for stage in work.stages if stage.station or stage.rests}
        if "oven" not in kinds:
            return search(work, bound)
        seen.append("counter" in kinds)
        if "counter" in kinds:
            return None
        raise WorkInProgressError("oven_1")

    monkeypatch.setattr(call, "_search_without_foresight", first)
    monkeypatch.setattr(call, "_vary_handling", lambda *_: [])
    assert call.best(Handling()) is not None
    assert seen == [False, True]


def test_a_search_goes_on_from_the_best_schedule(
    floor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(improving, "CLOSE", 0.0)
    shift = floor.shift("small", workers=4)
    shift.order(Random(1).choices(list(floor.items), k=3))
    call = call_of(shift, 600)
    known: list[Found | None] = []
    search = call._search_without_foresight

    def first(work: Remaining, bound: int) -> Found | None:
        known.append(search(work, bound))
        return known[0]

    def again(found: Found, others: Sequence[Found], good: float) -> Found:
        known.append(found)
        return found

    monkeypatch.setattr(call, "_search_without_foresight", first)
    monkeypatch.setattr(call, "_vary_handling", lambda *_: [])
    monkeypatch.setattr(call, "_search_on", again)
    call.best(Handling())
    assert known[1] is known[0]


@pytest.mark.parametrize("name", ["board_1", "worker_1", "pot_1"])
def test_what_lies_where_it_can_be_taken_is_not_put_by(
    floor: Any, component: Callable[[str], Component], name: str
) -> None:
    shift = floor.shift("small", workers=2)
    shift.order(["Classic Burger"])
    soup = component("(stock > boil 5-6 + onion > boil 5-6)")
    shift.wanted = {"o1.1": (component("tomato > chop 2"), soup)}
    state = floor.with_things(
        shift.state._replace(timestep=3),
        "aisle: plate",
        since={"pot_1": 1},
        board_1=["tomato > chop 2"],
        pot_1=["stock", "onion"],
    )
    work = find_remaining(shift.kitchen, state, shift.open(), put_by=frozenset({name}))
    assert sum(stage.rests for stage in work.stages) == (name != "board_1")


def test_what_has_run_out_is_not_given_up(
    floor: Any, component: Callable[[str], Component], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(improving, "NEAR", 0.0)
    shift = full_of_halves(floor, component)
    shift.state = shift.state._replace(stock={"chicken": 0})
    call = call_of(shift, 600)
    glanced: list[Remaining] = []
    monkeypatch.setattr(call, "_glance", lambda work, *_: glanced.append(work))
    call._vary_handling(Handling(), 0.0)
    assert glanced
    assert not any(work.exceeds({"chicken": 0}) for work in glanced)


def longer_with(
    floor: Any, monkeypatch: pytest.MonkeyPatch, items: Sequence[str], effort: int, **less: int
) -> int:
    """Return by how much a schedule is longer if the constants in `less` have these values."""
    shift = floor.shift("small", workers=6)
    shift.order(items)
    with monkeypatch.context() as patch:
        patch.setattr(improving, "CLOSE", 0.0)
        found = call_of(shift, effort).best(Handling())
        for name, most in less.items():
            patch.setattr(improving, name, most)
        worse = call_of(shift, effort).best(Handling())
    assert found
    assert worse
    return worse.length - found.length


def test_parts_of_a_schedule_far_from_its_bound_are_planned_anew(
    floor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Improving, "_vary_handling", lambda *_: [])
    items = Random(2).choices(list(floor.items), k=4)
    assert longer_with(floor, monkeypatch, items, 1500, MOST_COST=0) > 0


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
    shift = floor.shift("small", workers=6)
    shift.order(MUCH_FOR_A_MIXER)
    call = call_of(shift, 3000)
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

    monkeypatch.setattr(improving, "MOST_AT_ONCE", 0)
    monkeypatch.setattr(Improving, "_in_turn", refuse if stuck else lambda *_: None)
    shift = floor.shift("small", workers=6)
    shift.order(MUCH_FOR_A_MIXER)
    work = find_remaining(shift.kitchen, shift.seen(), shift.open())
    found = call_of(shift, 6000)._search_without_foresight(work, 0.0)
    assert found
    assert found.solution.configuration.startswith("lines one after the other")
    monkeypatch.setattr(improving, "INSERTING_GLANCE", 0)
    if stuck:
        with pytest.raises(WorkInProgressError, match="pan_1"):
            call_of(shift, 6000)._search_without_foresight(work, 0.0)
    else:
        assert call_of(shift, 6000)._search_without_foresight(work, 0.0) is None


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
        call = Improving(shift.kitchen, shift.seen(), shift.open(), frozenset(), 6000, bound)
        found = call.best(Handling())
        assert found
        return found.length

    urged = length()
    monkeypatch.setattr(improving, "ALONE_TRIES", 0)
    assert urged < length()


def test_schedules_with_other_handlings_are_improved_for_a_while_too(
    floor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shift = floor.shift("small", workers=6, effort=200)
    rng = Random(36)
    shift.order(rng.choices(list(floor.items), k=3))
    shift.play(14)
    shift.order(rng.choices(list(floor.items), k=4))
    monkeypatch.setattr(improving, "HANDLING_COST", 200)
    call = call_of(shift, 2000)
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


def test_a_glance_goes_through_many_lines_in_turn_too(
    floor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shift = floor.shift("small", workers=6)
    shift.order(Random(3).choices(list(floor.items), k=7))
    work = find_remaining(shift.kitchen, shift.seen(), shift.open())
    found = call_of(shift, 100)._glance(work, 0)
    monkeypatch.setattr(improving, "FEWEST_ROLLED", 99)
    urged = call_of(shift, 100)._glance(work, 0)
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
    found = call_of(shift, 1500)._glance(work, 0)
    monkeypatch.setattr(Improving, "_is_far", lambda *_: False)
    in_turn = call_of(shift, 1500)._glance(work, 0)
    assert found
    assert in_turn
    assert found.length < in_turn.length


def test_a_glance_ends_with_the_first_search_that_leads_nowhere() -> None:
    tried: list[object] = []

    class Nowhere:
        def best_along(self, *asked: object) -> None:
            tried.append(asked)

    assert improving._search_configurations(cast("Any", Nowhere()), 9) is None
    assert len(tried) == 1
