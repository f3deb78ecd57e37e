"""The engine and a second one, written from the facts, agree on random play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from cookmas.api import load_scenario
from cookmas.episodes.world import Command
from cookmas.worlds.collab_overcooked.rules.kitchen import (
    COUNTER,
    DISH,
    TICKS,
    CollabKitchen,
    Scene,
)
from cookmas.worlds.collab_overcooked.rules.state import CollabState
from cookmas.worlds.collab_overcooked.scenario import CollabScenario
from tests.sampling import CONFORMANCE, examples
from tests.worlds.collab_overcooked.slow_engine import Slow

SCENARIOS = [
    *[f"level_{level}/{number:02}" for level in range(1, 7) for number in (1, 4)],
    *[f"{layout}/{level:02}" for layout in ("open", "twin", "turned") for level in (2, 6)],
]
LONG = pytest.param("level_5/01", marks=pytest.mark.conformance)
NONSENSE = [
    "dance()", "pickup(egg)", "pickup(stone,counter)", "pickup(egg,sink0)", "wait(9)", "wait(0)",
    "wait(3)", "pickup(dish,ingredient_dispenser)", "pickup(egg,dish_dispenser)", "bake(pot0)",
    "put_obj_in_utensil(sink0)", "cook(pot0,oven0)", "deliver(1)", "pickup(potato,delivery)",
]  # fmt: skip

AROUND_A_POT = {
    "world": "collab-overcooked",
    "own_layout": {
        "grid": ["XIDXX", "X1P2X", "XSIDX"],
        "cooks": ["bob", "alice"],
        "readers": ["bob"],
    },
    "orders": {"egg_soup": 1.0},
    "raw": ["egg"],
    "dishes": {
        "egg_soup": {
            "served": "dish",
            "steps": [{"utensil": "pot", "inputs": ["egg"], "product": "egg_soup"}],
            "text": "Cook an egg, and fill a dish.",
        }
    },
}
"""A kitchen in which both cooks reach everything at once that makes the soup, but the delivery."""


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


def play_both(
    scenario: CollabScenario, choose: Callable[[CollabState, str], str], timesteps: int
) -> Iterator[tuple[CollabState, CollabState, Sequence[str | None], Sequence[str | None]]]:
    """Play in both engines, which agree; yield each state with the next, the texts, the refusals.

    `choose` proposes an action for a cook that is at none.
    """
    world = scenario.world()
    state = world.start()
    for _, event in scenario.events():
        state, _ = world.apply(state, event)
    recipes = {
        (row.utensil, tuple(sorted(row.inputs))): row.product for row in scenario.tables.rows
    }
    slow = Slow(world.setup(), recipes, scenario.order)
    for _ in range(timesteps):
        movers = world.movers(state)
        said = [choose(state, cook) if cook in movers else None for cook in world.workers]
        commands = [Command(w, t) for w, t in zip(world.workers, said, strict=True) if t]
        before = state
        state, outcomes, _ = world.step(state, commands)
        refused = slow.play(said)
        assert refused == [outcomes[cook].fail for cook in world.workers]
        ours = world.dump(state)
        assert slow.told() == {name: ours[name] for name in slow.told()}
        yield before, state, said, refused
        if state.served:
            break


def choose_at_random(scenario: CollabScenario, seed: int) -> Callable[[CollabState, str], str]:
    """Return a choice of legal actions and of those that may be of use."""
    world, draw = scenario.world(), Random(seed)

    def choose(state: CollabState, cook: str) -> str:
        legal = world.legal(state, cook)
        return draw.choice(legal) if draw.random() < 0.6 else proposals(scenario, draw)

    return choose


@given(st.sampled_from(SCENARIOS), st.sampled_from(["default", "original"]), st.integers(0, 10**6))
@settings(max_examples=examples(50, tests=12))
def test_two_engines_agree(name: str, mode: str, seed: int) -> None:
    scenario: Any = load_scenario(f"collab-overcooked/{name}", settings={"mode": mode})
    assert [*play_both(scenario, choose_at_random(scenario, seed), 70)]


@pytest.mark.parametrize("mode", ["default", "original"])
def test_both_engines_agree_on_what_needs_two_cooks_at_a_pot(mode: str, tmp_path: Path) -> None:
    """The rules that no recording reaches, but for the counters."""
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump({**AROUND_A_POT, "mode": mode}))
    scenario: Any = load_scenario(str(path))
    (pot,) = scenario.kitchen.places["pot0"]
    beside: Counter[tuple[str, bool]] = Counter()
    busy = set()
    for seed in range(40) if CONFORMANCE else range(11, 25):
        for before, after, said, refused in play_both(
            scenario, choose_at_random(scenario, seed), 150
        ):
            busy |= {t for t, kind in zip(said, refused, strict=True) if kind == "busy"}
            content = before.scene.utensils.get(pot)
            for cook, doing in zip(before.scene.cooks, after.doing, strict=True):
                if content and content.product and doing and cook.body.faces == pot:
                    beside[doing.action.verb, content.ticks < TICKS] += 1
    assert beside["fill_dish_with_food", True]
    assert beside["put_obj_in_utensil", True]
    assert beside["put_obj_in_utensil", False]
    assert {"put_obj_in_utensil(pot0)", "cook(pot0)"} <= busy


@pytest.mark.parametrize("mode", ["default", "original"])
def test_both_engines_refuse_when_no_counter_is_free(mode: str) -> None:
    """Both cooks lay things down until nothing is free, and then put them into a utensil."""
    scenario: Any = load_scenario("collab-overcooked/level_1/01", settings={"mode": mode})
    kitchen = scenario.kitchen
    refused: Counter[tuple[str, str | None]] = Counter()

    def choose(state: CollabState, cook: str) -> str:
        full = refused["place_obj_on_counter", "no_counter"] > 0
        return _hoard(kitchen, kitchen.cooks.index(cook), state.scene, full=full)

    for _, _, said, answers in play_both(scenario, choose, 300):
        refused.update((t.partition("(")[0], a) for t, a in zip(said, answers, strict=True) if t)
    within_reach = {cell for some in kitchen.counters for cell in some}
    assert within_reach < {*kitchen.places[COUNTER]}
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


@pytest.mark.parametrize("name", ["level_3/02", LONG])
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
