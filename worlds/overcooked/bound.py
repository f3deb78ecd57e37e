"""A simple upper bound of the points of an episode, by the pots and by the hands of the cooks."""

from __future__ import annotations

from math import floor, gcd

from worlds.overcooked.kitchen import OvercookedKitchen


def most_points(kitchen: OvercookedKitchen, horizon: int) -> float:
    """Return an upper bound of the points of an episode of `horizon` timesteps.

    A pot is busy with a soup while it cooks, and one timestep more, in which the soup is taken. A
    soup needs two interactions for each ingredient, and three for its dish, the soup and the
    delivery. What is there at the beginning is taken for soups that are ready.
    """
    ordered = kitchen.ordered
    by_pots = len(kitchen.pots) * max(each.points / (each.time + 1) for each in ordered)
    by_hands = kitchen.cooks * max(
        each.points / (2 * len(each.ingredients) + 3) for each in ordered
    )
    scene = kitchen.first
    held = sum(cook.held is not None for cook in scene.cooks)
    there = len(scene.pots) + len(scene.counters) + held
    most = horizon * min(by_pots, by_hands) + there * max(each.points for each in ordered)
    step = gcd(*(each.points for each in ordered))
    return float(floor(most / step + 1e-9) * step)
