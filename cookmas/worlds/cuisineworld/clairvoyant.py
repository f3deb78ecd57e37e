"""A play that knows all orders beforehand: where it completes as many as the bound, both are proven.

It gives up the orders that the rule of labour gives up (bound.py). The dishes of the others are
cooked in the order of their last chances, by the way in which the embedded planner gives out jobs.
"""

from __future__ import annotations

from collections import Counter
from cookmas.worlds.cuisineworld.bound import choose_orders
from cookmas.worlds.cuisineworld.engine import CuisineTask, play, start
from cookmas.worlds.cuisineworld.kitchen import STEPS
from cookmas.worlds.cuisineworld.policies.dispatch import Style, dispatch
from cookmas.worlds.cuisineworld.policies.search import count_dishes, still_wanted

STYLE = Style(patience=1)
"""How jobs are given out: agents wait little, since what comes next is known."""


def can_complete(task: CuisineTask, most: int, steps: int = STEPS) -> bool:
    """Return whether such a play completes `most` orders of the task in `steps` timesteps.

    If not, another play may.
    """
    kitchen, state, dishes = task.kitchen, start(task), choose_orders(task, steps)
    for _ in range(steps):
        left = still_wanted(dishes, Counter(), count_dishes(kitchen, state))
        state, _ = play(task, state, dispatch(kitchen, state, left, STYLE))
    return len(state.completed) >= most
