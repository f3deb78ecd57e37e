"""The engine and a second one, written from the facts, agree on random play."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cookmas.api import load_scenario
from cookmas.episodes.world import Command
from cookmas.worlds.collab_overcooked.kitchen import COUNTER, DISH, CollabKitchen
from cookmas.worlds.collab_overcooked.scenario import CollabScenario
from cookmas.worlds.collab_overcooked.scene import Scene
from tests.worlds.collab_overcooked.slow_engine import Slow

SCENARIOS = [
    *[f"level_{level}/{number:02}" for level in range(1, 7) for number in (1, 4)],
    *[f"{layout}/{level:02}" for layout in ("open", "twin", "turned") for level in (2, 6)],
]
NONSENSE = [
    "dance()", "pickup(egg)", "pickup(stone,counter)", "pickup(egg,sink0)", "wait(9)", "wait(0)",
    "wait(3)", "pickup(dish,ingredient_dispenser)", "pickup(egg,dish_dispenser)", "bake(pot0)",
    "put_obj_in_utensil(sink0)", "cook(pot0,oven0)", "deliver(1)", "pickup(potato,delivery)",
]  # fmt: skip


def proposals(scenario: CollabScenario, draw: Random) -> str:
    """Return an action that may be of use, possible or not."""
    kitchen = scenario.kitchen
    steps = scenario.dishes[scenario.order].steps
    foods = [food for step in steps for food in (*step.inputs, step.product)]
    place = draw.choice([*kitchen.utensils, "counter", "ingredient_dispenser"])
    utensil = draw.choice([*kitchen.utensils])
    verb = {"p": "cook", "o": "bake", "c": "cut", "b": "stir"}[utensil[0]]
    return draw.choice(
        [
            f"pickup({draw.choice([*foods, DISH])},{place})",
            f"pickup({draw.choice(steps[0].inputs)},ingredient_dispenser)",
            "pickup(dish,dish_dispenser)",
            f"put_obj_in_utensil({utensil})",
            f"fill_dish_with_food({utensil})",
            f"{verb}({utensil})",
            "place_obj_on_counter()",
            "deliver()",
            draw.choice(NONSENSE),
        ]
    )


@given(st.sampled_from(SCENARIOS), st.sampled_from(["default", "original"]), st.integers(0, 10**6))
@settings(max_examples=50)
def test_two_engines_agree(name: str, mode: str, seed: int) -> None:
    scenario: Any = load_scenario(f"collab-overcooked/{name}", settings={"mode": mode})
    world = scenario.world()
    draw = Random(seed)
    state = world.start()
    for _, event in scenario.events():
        state, _ = world.apply(state, event)
    recipes = {
        (row.utensil, tuple(sorted(row.inputs))): row.product for row in scenario.tables.rows
    }
    slow = Slow(world.setup(), recipes, scenario.order)
    for _ in range(70):
        said: list[str | None] = []
        for cook in world.workers:
            text = None
            if cook in world.movers(state):
                legal = world.legal(state, cook)
                text = draw.choice(legal) if draw.random() < 0.6 else proposals(scenario, draw)
            said.append(text)
        commands = [Command(w, t) for w, t in zip(world.workers, said, strict=True) if t]
        state, outcomes, _ = world.step(state, commands)
        refused = slow.play(said)
        assert refused == [outcomes[cook].fail for cook in world.workers]
        ours = world.dump(state)
        assert slow.told() == {name: ours[name] for name in slow.told()}
        if state.served:
            break


@pytest.mark.parametrize("mode", ["default", "original"])
def test_both_engines_refuse_when_no_counter_is_free(mode: str) -> None:
    """Both cooks lay things down until nothing is free, and then put them into a utensil."""
    scenario: Any = load_scenario("collab-overcooked/level_1/01", settings={"mode": mode})
    world = scenario.world()
    state = world.start()
    for _, event in scenario.events():
        state, _ = world.apply(state, event)
    slow = Slow(world.setup(), {}, scenario.order)
    refused: Counter[tuple[str, str | None]] = Counter()
    for _ in range(300):
        said: list[str | None] = []
        for number, cook in enumerate(world.workers):
            text = None
            if cook in world.movers(state):
                full = refused["place_obj_on_counter", "no_counter"] > 0
                text = _hoard(world.kitchen, number, state.scene, full=full)
            said.append(text)
        commands = [Command(w, t) for w, t in zip(world.workers, said, strict=True) if t]
        state, outcomes, _ = world.step(state, commands)
        answers = slow.play(said)
        assert answers == [outcomes[cook].fail for cook in world.workers]
        refused.update((t.partition("(")[0], a) for t, a in zip(said, answers, strict=True) if t)
    within_reach = {cell for some in world.kitchen.counters for cell in some}
    assert within_reach < {*world.kitchen.places[COUNTER]}
    assert (refused["place_obj_on_counter", "no_counter"] > 0) is (mode == "default")


def _hoard(kitchen: CollabKitchen, number: int, scene: Scene, *, full: bool) -> str:
    """Return what a cook does who lays down what it can take, until no counter is free."""
    reached = kitchen.within[number]
    if scene.cooks[number].held is not None:
        utensil = next(name for name in kitchen.utensils if name in reached)
        return f"put_obj_in_utensil({utensil})" if full else "place_obj_on_counter()"
    if "dish_dispenser" in reached:
        return "pickup(dish,dish_dispenser)"
    return f"pickup({min(kitchen.raw)},ingredient_dispenser)"


@pytest.mark.parametrize("name", ["level_3/02", "level_5/01"])
def test_both_engines_serve_the_best_plan(name: str) -> None:
    import cookmas

    run = cookmas.play(f"collab-overcooked/{name}", "reference")
    scenario: Any = load_scenario(f"collab-overcooked/{name}")
    recipes = {
        (row.utensil, tuple(sorted(row.inputs))): row.product for row in scenario.tables.rows
    }
    slow = Slow(scenario.world().setup(), recipes, scenario.order)
    for record in run.trace.records:
        if record.kind == "step":
            given_ = dict(record.commands)
            slow.play([given_.get(cook) for cook in scenario.kitchen.cooks])
    assert slow.won
    assert run.success
