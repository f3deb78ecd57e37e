"""Dishes that wait for each other in a circle: seen before it happens, and never happening."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cookmas.solving.restaurant.scheduling import window
from cookmas.solving.restaurant.scheduling.problem import Problem
from cookmas.solving.restaurant.scheduling.search import Search
from cookmas.solving.restaurant.scheduling.states import HOPELESS, Solution
from cookmas.solving.restaurant.scheduling.window import Order, Window
from tests.sampling import seeds

SAUCED = ("(oil + vinegar) > mix 2", "lettuce")
"""A dish that needs the one mixer of the small kitchen, and one of its three plating places."""


class Windowed:
    """Searches of a beam over a window of lines."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.window = Window(problem)
        self.search = Search(problem, self.window)
        self.by_name = self.window.by_name

    def best_along(
        self, order: Order = "arrival", shorter_than: float = HOPELESS
    ) -> Solution | None:
        self.window.set_up(order, shorter_than)
        return self.search.best(1)


def searched(kind: Any, shift: Any) -> Any:
    return kind(shift.problem())


def sauced(floor: Any, lines: int) -> Any:
    return floor.wanting(*[SAUCED] * lines, workers=2)


def stages(search: Any, kind: str) -> list[int]:
    return [n for n, stage in enumerate(search.problem.tasks.stages) if stage.kind == kind]


def test_a_circle_of_plating_places_and_a_mixer_is_not_safe(floor: Any) -> None:
    search = searched(Windowed, sauced(floor, 4))
    everything = sum(entry.bit for entry in search.problem.entries)
    plates, mixers = stages(search, "plating"), stages(search, "mixer")

    def safe(*held: int) -> bool:
        begun = sum(1 << stage for stage in held)
        return bool(search.window.safety.safe(begun, held, everything))

    assert safe()
    assert safe(*plates[:3]), "the mixer is free for each of them"
    assert safe(*plates[:2], mixers[3]), "the fourth has a plating place left"
    assert safe(*plates[:3], mixers[1]), "the second goes on, then the others"
    assert not safe(*plates[:3], mixers[3]), "three wait for the mixer, the fourth for a place"


def test_a_food_joined_on_a_plating_place_needs_a_second_one(floor: Any) -> None:
    dish = "(bread + butter) > assemble 1 > bake 4", "egg > boil 5"
    shift = floor.wanting(*[dish] * 3, workers=1)
    search = searched(Windowed, shift)
    everything = sum(entry.bit for entry in search.problem.entries)
    lasts = [n for n in stages(search, "plating") if n in search.window.safety.lasts.values()]
    begun = [sum(1 << stage for stage in lasts[:count]) for count in (2, 3)]
    assert search.window.safety.safe(begun[0], lasts[:2], everything)
    assert not search.window.safety.safe(begun[1], lasts, everything)


def rush(floor: Any, seed: int, lines: int, name: str, workers: int) -> Any:
    shift = floor.shift(name, workers, effort=1)
    shift.order(Random(seed).choices(list(floor.items), k=lines))
    return shift


def test_a_narrow_search_for_a_full_table_runs_into_a_circle(floor: Any) -> None:
    shift = rush(floor, 0, 24, "small", 3)
    assert searched(Search, shift).best(1) is None
    assert searched(Windowed, shift).best_along()


@pytest.mark.parametrize("seed", [0, 7, 9, 10])
def test_the_banker_keeps_even_a_single_state_out_of_a_circle(floor: Any, seed: int) -> None:
    shift = rush(floor, seed, 18, "small", 3)
    assert searched(Windowed, shift).best_along()


def test_a_search_that_cannot_beat_what_is_known_is_given_up(floor: Any) -> None:
    search = searched(Windowed, rush(floor, 0, 18, "small", 3))
    found = search.best_along()
    before = search.search.expanded
    assert found
    assert search.best_along(shorter_than=0.8 * found.length) is None
    assert search.search.expanded - before < before, "and that is seen before the end"
    assert search.best_along(shorter_than=found.length + 1) == found


@pytest.mark.parametrize("order", ["arrival", "longest", "turns"])
@pytest.mark.parametrize("slack", [0, 99])
def test_every_order_places_every_task_once(
    floor: Any, order: Any, slack: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window, "SLACK", slack)
    search = searched(Windowed, rush(floor, 3, 14, "small", 5))
    found = search.best_along(order)
    assert found
    served = [op.word for placed in found.placed for op in placed.mode.ops if op.verb == "serve"]
    assert sorted(served) == sorted(search.by_name)


def test_lines_take_turns_by_what_they_need_of_the_scarcest_station(floor: Any) -> None:
    shift = floor.shift("small", workers=3)
    shift.order(["Buttered Toast", "Fish and Chips", "French Fries", "Pork Schnitzel"])
    search = searched(Windowed, shift)
    search.best_along("turns")
    names = {id(line): name for name, line in search.by_name.items()}
    assert [names[id(line)] for line in search.window.lines] == turns(search)


def turns(search: Any) -> list[str]:
    need = dict.fromkeys(search.by_name, 0.0)
    for stage in search.problem.tasks.stages:
        if stage.kind == "mixer":
            need[stage.line] += 2 * len(stage.inputs) + len(stage.work)
    need = {name: need[name] / search.by_name[name].work for name in need}
    first, second, third, last = sorted(need, key=lambda name: -need[name])
    return [first, last, second, third]


@pytest.mark.parametrize("seed", seeds(3, 3, 40))
def test_any_rush_is_planned_whole_in_any_kitchen(floor: Any, seed: int) -> None:
    rng = Random(1000 + seed)
    name = rng.choice(["small", "small", "standard", "large"])
    shift = rush(floor, seed, rng.randint(10, 40), name, rng.randint(1, 6))
    shift.finish(3000)
    assert shift.calls == [0], "one schedule serves them all"
    assert shift.leftovers() == []


def test_new_orders_into_a_full_kitchen_are_planned_with_the_rest(floor: Any) -> None:
    shift = rush(floor, 0, 12, "small", 3)
    for _ in range(2):
        shift.play(30)
        shift.order(Random(len(shift.calls)).choices(list(floor.items), k=4))
    shift.finish(3000)
    assert len(shift.calls) == 3


def test_a_plating_place_is_not_begun_when_what_it_waits_for_needs_another(floor: Any) -> None:
    rng = Random(9016)
    kitchen = rng.choice(["small", "small", "standard"]), rng.randint(1, 6)
    shift = floor.shift(*kitchen)
    shift.order(rng.choices(list(floor.items), k=rng.randint(2, 12)))
    search = searched(Search, shift)
    assert search.best(1).length > 0
