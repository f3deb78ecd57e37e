"""A simple upper bound of the points of an episode, by the pots and by the hands of the cooks."""

from __future__ import annotations

from math import ceil, floor, gcd

from cookmas.worlds.overcooked.kitchen import OvercookedKitchen, SoupRecipe
from cookmas.worlds.overcooked.serving import list_served_orders


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

    def rounds(recipe: SoupRecipe) -> int:
        """Return the fewest timesteps from one start of a pot to the next one.

        While the pot does not cook, the soup is taken, the ingredients are put in and the pot is
        started, by at most as many interactions in a timestep as there are cooks.
        """
        between = 1 + len(recipe.ingredients) + starts
        return recipe.time + ceil(between / kitchen.cooks) - 1

    by_pots = len(kitchen.pots) * max(each.points / max(1, rounds(each)) for each in ordered)
    by_hands = kitchen.cooks * max(each.points / interactions(each) for each in ordered)
    scene = kitchen.opening
    held = sum(cook.held is not None for cook in scene.cooks)
    there = len(scene.pots) + len(scene.counters) + held
    most = horizon * min(by_pots, by_hands) + there * max(each.points for each in ordered)
    step = gcd(*(each.points for each in ordered))
    return float(floor(most / step + 1e-9) * step)
