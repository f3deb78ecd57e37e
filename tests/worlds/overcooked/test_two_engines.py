"""The engine and a second one, written from the rules, agree on random play."""

from __future__ import annotations

from typing import Any, get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.overcooked_ai.useful import play_usefully
from cookmas.worlds.grids.grid import DIRECTIONS
from cookmas.worlds.overcooked.rules.kitchen import (
    ACTS,
    MOVES,
    Dynamics,
    KitchenItem,
    OvercookedKitchen,
    Scene,
)
from cookmas.worlds.overcooked.rules.layout import (
    OvercookedLayout,
    layouts,
    load_kitchen,
    read_layout,
)
from cookmas.worlds.overcooked.rules.steps import step
from tests.sampling import examples
from tests.worlds.overcooked.slow_engine import SlowKitchen

DYNAMICS: tuple[Dynamics, ...] = get_args(Dynamics)
KITCHENS = [
    (name, dynamics)
    for dynamics in DYNAMICS
    for name, path in layouts(dynamics).items()
    if all(len(each.ingredients) == 3 for each in read_layout(path).start_all_orders)
    or dynamics == "current"
]
LOOKS = {DIRECTIONS[letter]: word for word, letter in MOVES.items()}
SEEDS = st.integers(0, 10**6)


def plain(item: KitchenItem | None) -> Any:
    return item and (item.ingredients or item.kind)


def told(scene: Scene) -> tuple[Any, ...]:
    cooks = [
        {"at": cook.body.at, "looks": LOOKS[cook.body.facing], "holds": plain(cook.held)}
        for cook in scene.cooks
    ]
    things = {cell: plain(item) for cell, item in scene.counters.items()}
    pots = {
        cell: {"in": list(pot.ingredients), "clock": pot.ticks if pot.ticks >= 0 else None}
        for cell, pot in scene.pots.items()
    }
    return cooks, {**things, **pots}, {cell: g.ticks for cell, g in scene.gates.items() if g.open}


def slow_of(kitchen: OvercookedKitchen) -> SlowKitchen:
    cooks, things, _ = told(kitchen.opening)
    soups = {soup.ingredients: (soup.points, soup.time) for soup in kitchen.recipes}
    return SlowKitchen(kitchen.grid.rows, soups, kitchen.dynamics == "papers", cooks, things)


def agree(kitchen: OvercookedKitchen, seed: int, timesteps: int) -> None:
    slow = slow_of(kitchen)
    for acts, scene, points in play_usefully(kitchen, seed, timesteps):
        assert slow.play(acts) == points
        for pot in (thing for thing in slow.things.values() if isinstance(thing, dict)):
            pot["in"].sort()
        assert (slow.cooks, slow.things, slow.open) == told(scene)


@given(st.sampled_from(KITCHENS), SEEDS)
@settings(max_examples=examples(60, tests=12))
def test_two_engines_agree_in_the_layouts(which: tuple[str, Dynamics], seed: int) -> None:
    agree(load_kitchen(*which), seed, 150)


@st.composite
def kitchens(draw: st.DrawFn) -> OvercookedKitchen:
    """Draw a kitchen: any cells inside a border that has all kinds of places."""
    width, height = draw(st.integers(3, 5)), draw(st.integers(2, 4))
    size = width * height - 2
    inside = draw(st.lists(st.sampled_from("    XPG"), min_size=size, max_size=size))
    cells = "".join(draw(st.permutations([*inside, "1", "2"])))
    border = draw(st.lists(st.sampled_from("DOPSTX"), min_size=2 * height, max_size=2 * height))
    middle = [
        f"{border[2 * row]}{cells[width * row : width * (row + 1)]}{border[2 * row + 1]}"
        for row in range(height)
    ]
    top = "".join(draw(st.permutations([*"OTDSP", *"X" * (width - 3)])))
    rows = [top, *middle, "W" * (width + 2)]
    numbers = st.integers(1, 30)
    fields = [f"{food}_{kind}" for kind in ("value", "time") for food in ("onion", "tomato")]
    drawn = {field: draw(numbers) for field in fields}
    layout = OvercookedLayout.model_validate({"grid": rows, **drawn})
    return layout.kitchen(draw(st.sampled_from(DYNAMICS)))


@given(kitchens(), SEEDS)
@settings(max_examples=examples(60, tests=12))
def test_two_engines_agree_in_any_kitchen(kitchen: OvercookedKitchen, seed: int) -> None:
    agree(kitchen, seed, 100)


@given(kitchens(), st.lists(st.tuples(*[st.sampled_from(ACTS)] * 2), max_size=60))
@settings(max_examples=examples(60, tests=12))
def test_two_engines_agree_on_any_acts(
    kitchen: OvercookedKitchen, plays: list[tuple[str, ...]]
) -> None:
    slow, scene = slow_of(kitchen), kitchen.opening
    for acts in plays:
        scene, happened = step(kitchen, scene, acts)
        assert slow.play(acts) == happened.points
    cooks, _, opened = told(scene)
    assert (slow.cooks, slow.open) == (cooks, opened)
