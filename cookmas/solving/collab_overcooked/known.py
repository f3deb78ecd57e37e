"""The goal that a scripted cook knows: from the tables that it sees, or else from the book."""

from __future__ import annotations

from functools import lru_cache

from cookmas.solving.collab_overcooked.search import TimedPlan, fewest_timesteps
from cookmas.solving.collab_overcooked.useful import DishGoal
from cookmas.worlds.collab_overcooked.rules.book import book, rows_of, tables_of
from cookmas.worlds.collab_overcooked.rules.kitchen import CollabKitchen
from cookmas.worlds.collab_overcooked.rules.scene import Tables

SEARCHED_SITUATIONS = 100_000
"""Greatest number of situations that are searched for a plan to follow."""


def goal_of(kitchen: CollabKitchen, dish: str, tables: Tables | None) -> DishGoal | None:
    """Return the goal of a dish; None if neither the tables nor the book have its recipe."""
    if tables is None and dish in book().dishes:
        tables = tables_of([book().dishes[dish]])
    steps = () if tables is None else rows_of(tables, dish)
    return DishGoal(kitchen, dish, steps) if steps else None


@lru_cache(maxsize=64)
def best_plan(goal: DishGoal, most: int = SEARCHED_SITUATIONS) -> TimedPlan | None:
    """Return the plan of a goal with the fewest timesteps; None if `most` situations give none."""
    return fewest_timesteps(goal, most)
