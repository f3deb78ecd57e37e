"""The kitchen and its situation in words, as the papers tell them to a model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from textwrap import fill

from cookmas.worlds.grids.grid import Cell
from cookmas.worlds.grids.hands import HIDDEN
from cookmas.worlds.grids.words import tell_cook, tell_distances, tell_path, tell_ways
from cookmas.worlds.overcooked.rules.grounding import PATIENCE
from cookmas.worlds.overcooked.rules.kitchen import (
    CAPACITY,
    COUNTER,
    GATE,
    GATE_TICKS,
    LETTERS,
    WALL,
    KitchenItem,
    OvercookedKitchen,
    PotContent,
    Scene,
    SoupRecipe,
    count_ingredients,
    timesteps_open,
)
from cookmas.worlds.overcooked.rules.places import (
    MEANINGS,
    SHARED_LETTER,
    OvercookedSight,
    cells_reached,
    names_of,
    places_of,
)
from cookmas.worlds.overcooked.rules.state import OvercookedRules, OvercookedState

WIDTH = 100
"""Most letters of a line of the rules."""

RULES = """\
Cooks make soups and deliver them. The episode lasts {horizon} timesteps. Each delivery of an
ordered soup gives points to all; any other soup gives none. In each timestep every cook does one
thing: a step, a turn, an interaction, or nothing. The cooks interact first, one after the other in
the order of their numbers; then all move at the same time. A step towards a cell without floor only
turns the cook. A cook can step onto a cell that another one leaves in the same timestep.
But two cooks cannot stand on one cell or change places: if they try, all cooks stay where they are
in that timestep. A cook holds one thing.{lasting}{stuck}{hidden}

A soup is made in a pot. Ingredients go into the pot one by one, at most {capacity}. {start} It
cooks for some timesteps. Then a cook with a dish in its hands takes the soup out of the pot, and
delivers it at a serving window. Nothing burns, and dispensers never run out. Counters keep one
thing each.{walls}{gates}

Orders, which stay open: {orders}.

The kitchen, where a digit is the start of a cook ({cooks}):
{grid}
{letters}

The places by name, with column and row from the upper left corner:
{places}

{reach}"""

LASTING = """

A medium-level action lasts for all steps and turns of the way to its place, and one timestep more
for the interaction. It is a cook's move when its action is done or can no longer be done, and only
then."""

STUCK = f""" A cook that comes no nearer to the place of its action for {PATIENCE} timesteps is
asked as well. What it is given to do then takes the place of the action; to continue it, name it
again. After {2 * PATIENCE} timesteps one cook that comes no nearer takes a step away from the
others."""

HIDDEN_COOKS = """

No cook sees where the others are, what they hold and what they do."""

PAPERS = "A pot starts by itself at the third ingredient."
CURRENT = "A cook with empty hands starts a pot by an interaction, at one ingredient or more."
WALLS = " Walls keep nothing."
GATES = f"""

A closed gate is opened by an interaction with empty hands. It can be entered in the next
{GATE_TICKS} timesteps; the time stands still while a cook stands in it."""


@lru_cache(maxsize=64)
def describe_rules(
    kitchen: OvercookedKitchen, cooks: tuple[str, ...], rules: OvercookedRules
) -> str:
    """Return the rules of a kitchen and of an episode in words."""
    lasting = rules.acts != "low"
    kinds = set(kitchen.kinds.values())
    starts = ", ".join(f"{number} {name}" for number, name in enumerate(cooks, 1))
    letters = [f"{letter} {kind}" for letter, kind in LETTERS.items() if kind in kinds]
    text = RULES.format(
        horizon=rules.horizon,
        lasting=LASTING if lasting else "",
        stuck=STUCK if lasting and rules.stalemate == "step_away" else "",
        hidden=HIDDEN_COOKS if rules.hide_partner else "",
        capacity=CAPACITY,
        start=PAPERS if kitchen.starts_by_itself else CURRENT,
        walls=WALLS if WALL in kinds else "",
        gates=GATES if GATE in kinds else "",
        orders=", ".join(map(_describe_order, kitchen.ordered)),
        cooks=starts,
        grid="\n".join(kitchen.grid.rows),
        letters=", ".join(each.replace("_", " ") for each in letters),
        places="\n".join(_describe_places(kitchen)),
        reach="\n".join(_describe_reach(kitchen, cooks)),
    )
    paragraphs = text.strip().split("\n\n")
    return "\n\n".join(
        each if "\n- " in f"\n{each}" or each.startswith("The kitchen") else fill(each, WIDTH)
        for each in paragraphs
    )


def _describe_order(recipe: SoupRecipe) -> str:
    soup = " and ".join(count_ingredients(recipe.ingredients))
    return f"a soup of {soup} ({recipe.points} points, cooks {recipe.time})"


def _describe_places(kitchen: OvercookedKitchen) -> Iterator[str]:
    groups: dict[str, list[str]] = defaultdict(list)
    for name, (x, y) in places_of(kitchen).items():
        groups[name[0]].append(f"{name} ({x},{y})")
    for letter, names in groups.items():
        yield f"- {MEANINGS[letter]}: {', '.join(names)}"


def _describe_reach(kitchen: OvercookedKitchen, cooks: Sequence[str]) -> Iterator[str]:
    """Yield what each cook reaches, gates or not, if the cooks reach different places."""
    names = names_of(kitchen)
    reached = [
        [name for cell, name in names.items() if cell in cells_reached(kitchen, start)]
        for start in kitchen.grid.starts
    ]
    if any(each != reached[0] for each in reached):
        for cook, each in zip(cooks, reached, strict=True):
            yield f"{cook} reaches only {', '.join(each)}."


def tell_kitchen(
    kitchen: OvercookedKitchen,
    cooks: Sequence[str],
    state: OvercookedState,
    cook: str | None,
    *,
    ways: bool = True,
) -> Iterator[str]:
    """Yield sentences about an observed state, as they are told to a cook.

    A cook is told of itself first. If `cook` is None, the sentences are for a central planner.
    Nothing is told of hidden cooks, and without `ways` nothing of how far the places are.
    """
    seen = [
        (name, number) for number, name in enumerate(cooks) if state.scene.cooks[number] != HIDDEN
    ]
    seen.sort(key=lambda each: each[0] != cook)
    for name, number in seen:
        held = _tell_item(state.scene.cooks[number].held)
        yield from tell_cook(None if name == cook else name, held, state.doing[number])
    others = {name: state.scene.cooks[number].body.at for name, number in seen}
    for name, number in seen if ways else ():
        sight = OvercookedSight(kitchen, state.scene, number)
        told = _tell_ways(sight, {n: c for n, c in others.items() if n != name})
        yield tell_ways(None if name == cook else name, told)
    yield from _tell_pots(kitchen, state.scene)
    yield from _tell_counters(kitchen, state.scene)
    for cell, gate in state.scene.gates.items():
        left = timesteps_open(gate)
        is_now = f"open for {left} more timestep{'s' * (left > 1)}" if gate.open else "closed"
        yield f"{names_of(kitchen)[cell]} is {is_now}."
    yield f"{tell_delivered(state)}."


def tell_delivered(state: OvercookedState) -> str:
    """Return how many soups were delivered, and for how many points."""
    soups = "1 soup was" if state.delivered == 1 else f"{state.delivered} soups were"
    return f"{soups} delivered for {state.score} points"


def _tell_item(item: KitchenItem | None) -> str:
    if item is None:
        return "nothing"
    if item.kind == "soup":
        return f"a soup of {', '.join(item.ingredients)}"
    return f"{'an' if item.kind == 'onion' else 'a'} {item.kind}"


def _tell_ways(sight: OvercookedSight, others: Mapping[str, Cell]) -> list[str]:
    """Return how far the places are; of the plain counters the nearest empty one, and full ones."""
    kitchen, scene = sight.kitchen, sight.scene
    names = names_of(kitchen)
    gates = {names[cell]: cell for cell, gate in scene.gates.items() if not gate.open}
    places: dict[str, Cell] = {}
    empty: list[tuple[int, str]] = []
    for name, cell in places_of(kitchen).items():
        if kitchen.kinds[cell] != COUNTER or name[0] == SHARED_LETTER or cell in scene.counters:
            places[name] = cell
        elif (way := sight.way_through(cell)) is not None:
            empty.append((len(way), name))
    if empty:
        nearest = min(empty, key=lambda each: each[0])[1]
        places[f"{nearest}, the nearest empty counter,"] = places_of(kitchen)[nearest]
    told = {name: cell for name, cell in places.items() if name not in gates}
    ways = tell_distances(kitchen.open_grid, sight.body, told, {**others, **gates})
    for name, cell in gates.items():
        way = sight.way_through(cell)
        if cell not in sight.reached or way is None:
            ways.append(f"{name} cannot be reached.")
        else:
            ways.append(f"{name} {tell_path(way)}.")
    return ways


def _tell_pots(kitchen: OvercookedKitchen, scene: Scene) -> Iterator[str]:
    names = names_of(kitchen)
    for cell in kitchen.pots:
        if cell in names:
            yield f"{names[cell]} {_tell_content(kitchen, scene.pots.get(cell))}."


def _tell_content(kitchen: OvercookedKitchen, content: PotContent | None) -> str:
    if content is None:
        return f"has 0 of {CAPACITY} ingredients"
    inside = f"{len(content.ingredients)} of {CAPACITY} ingredients"
    inside += f" ({', '.join(content.ingredients)})"
    if content.ticks < 0:
        return f"has {inside} and does not cook"
    if kitchen.is_ready(content.ingredients, content.ticks):
        return f"has {inside}, and its soup is ready"
    left = kitchen.times[content.ingredients] - content.ticks
    return f"has {inside} and cooks for {left} more timesteps"


def _tell_counters(kitchen: OvercookedKitchen, scene: Scene) -> Iterator[str]:
    """Yield what lies on each counter; of the empty ones only the shared ones are named."""
    for name, cell in places_of(kitchen).items():
        if kitchen.kinds[cell] == COUNTER:
            there = scene.counters.get(cell)
            if there is not None:
                yield f"On {name} lies {_tell_item(there)}."
            elif name[0] == SHARED_LETTER:
                yield f"{name} is empty."
