"""A play that knows all orders beforehand; if it reaches the bound, both are proven.

It gives up the orders that the rule of labour gives up (bound.py). The dishes of the others are
cooked in the order of their last chances, by the way in which the embedded planner gives out jobs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cookmas.solving.cuisineworld.bound import choose_orders
from cookmas.solving.cuisineworld.dispatch import (
    Style,
    count_dishes,
    dispatch,
    still_wanted,
)
from cookmas.worlds.cuisineworld.rules.engine import CuisineTask, play, start
from cookmas.worlds.cuisineworld.rules.kitchen import STEPS

STYLES = (Style(patience=1), Style(patience=2))
"""The ways to give out jobs that are tried, the better one first."""


def can_complete(task: CuisineTask, most: int, steps: int = STEPS) -> bool:
    """Return whether such a play completes `most` orders of the task in `steps` timesteps.

    If not, another play may.
    """
    dishes = choose_orders(task, steps)
    return any(_complete(task, dishes, style, steps) >= most for style in STYLES)


def _complete(task: CuisineTask, dishes: Sequence[str], style: Style, steps: int) -> int:
    """Return the number of orders that a play completes which cooks these dishes in this order."""
    kitchen, state = task.kitchen, start(task)
    for _ in range(steps):
        left = still_wanted(dishes, Counter(), count_dishes(kitchen, state))
        state, _ = play(task, state, dispatch(kitchen, state, left, style))
    return len(state.completed)
