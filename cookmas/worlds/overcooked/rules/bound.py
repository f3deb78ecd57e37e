"""An upper bound of the points of an episode: by pots, by hands, and by the ways of the cooks.

The pots and the hands bound the points in every kitchen. Most ways are longer than that. In shipped
kitchens in which only soups of three onions are ordered, a line over the timesteps bounds the soups
(`lines.yaml`). It comes from a linear program over all that cooks can do, in
`benchmarks/overcooked_ai/bounds.py`.
"""

from __future__ import annotations

from functools import cache
from math import ceil, floor, gcd
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter

from cookmas.episodes.world import digest
from cookmas.files.reading import FileModel, Name
from cookmas.files.yaml_text import load_shipped_yaml
from cookmas.worlds.grids.grid import DIRECTIONS, Cell, neighbour
from cookmas.worlds.overcooked.rules.kitchen import OvercookedKitchen, SoupRecipe
from cookmas.worlds.overcooked.rules.serving import list_served_orders
from cookmas.worlds.overcooked.rules.state import dump_kitchen

LINES = Path(__file__).with_name("lines.yaml")


class SoupLine(FileModel):
    """The soups of an episode of n timesteps are at most `per_timestep` * n + `more`."""

    name: Name
    """Name of the scenario."""
    kitchen: Annotated[str, Field(max_length=64)]
    """Digest of its kitchen."""
    per_timestep: float
    """Soups in a timestep."""
    more: float
    """Soups that are added, or not there yet if below 0."""


def most_points(kitchen: OvercookedKitchen, horizon: int) -> float:
    """Return an upper bound of the points of an episode of `horizon` timesteps.

    A soup needs two interactions for each ingredient, one for a pot that does not start by itself,
    and three for its dish, the soup and the delivery. What is there at the beginning is taken for
    soups that are ready. Orders that cannot be served in the kitchen do not count.
    """
    ordered = list_served_orders(kitchen)
    if not ordered:
        return 0.0
    starts = 0 if kitchen.starts_by_itself else 1

    def interactions(recipe: SoupRecipe) -> int:
        return 2 * len(recipe.ingredients) + starts + 3

    def rounds(recipe: SoupRecipe, cooks: int) -> int:
        """Return the fewest timesteps from one start of a pot to the next one.

        While the pot does not cook, the soup is taken, the ingredients are put in and the pot is
        started, by at most as many interactions in a timestep as cooks can stand at the pot.
        """
        between = 1 + len(recipe.ingredients) + starts
        return recipe.time + ceil(between / cooks) - 1

    by_pots = sum(
        max(each.points / max(1, rounds(each, cooks)) for each in ordered)
        for pot in kitchen.pots
        if (cooks := count_beside(kitchen, pot))
    )
    by_hands = kitchen.cooks * max(each.points / interactions(each) for each in ordered)
    scene = kitchen.opening
    held = sum(cook.held is not None for cook in scene.cooks)
    there = len(scene.pots) + len(scene.counters) + held
    points = max(each.points for each in ordered)
    most = horizon * min(by_pots, by_hands) + there * points
    line = _read_lines().get(digest_of(kitchen))
    if line is not None:
        soups = floor(line.per_timestep * horizon + line.more)
        most = min(most, max(0, soups) * points)
    step = gcd(*(each.points for each in ordered))
    return float(floor(most / step + 1e-9) * step)


def count_beside(kitchen: OvercookedKitchen, pot: Cell) -> int:
    """Return how many cooks can stand at a pot at once, at most."""
    around = {neighbour(pot, direction) for direction in DIRECTIONS.values()}
    return min(kitchen.cooks, len(kitchen.open_grid.floor & around))


def digest_of(kitchen: OvercookedKitchen) -> str:
    """Return the digest of a kitchen."""
    return digest(dump_kitchen(kitchen))


@cache
def _read_lines() -> dict[str, SoupLine]:
    """Return the shipped lines by the digest of their kitchen."""
    lines = TypeAdapter(list[SoupLine]).validate_python(load_shipped_yaml(LINES))
    return {line.kitchen: line for line in lines}
