"""The next actions from any scene: a plan for all cooks with the fewest actions to the serving."""

from __future__ import annotations

from collections import OrderedDict

from cookmas.solving.collab_overcooked.abstract import key
from cookmas.solving.collab_overcooked.references import Edge, ShortestPlans, shortest_plans
from cookmas.solving.collab_overcooked.useful import DishGoal
from cookmas.worlds.collab_overcooked.rules.kitchen import TICKS
from cookmas.worlds.collab_overcooked.rules.scene import FoodItem, Scene, UtensilContent, opening

KEPT = 64
"""Greatest number of searches whose results are kept."""

_known: OrderedDict[tuple[DishGoal, object], ShortestPlans | None] = OrderedDict()


def plan_from(goal: DishGoal, scene: Scene, preferred: int) -> list[Edge]:
    """Return the actions of a plan from a scene to the serving with the fewest actions.

    If either of two cooks can act next, cook `preferred` does. Return an empty list if no plan gets
    there, or the search is too long.
    """
    here = without_time(goal, scene)
    plans = _plans_with(goal, here)
    at, found = key(here), list[Edge]()
    while plans is not None and plans.edges.get(at):
        edge = min(plans.edges[at], key=lambda each: (each.number != preferred, each.action))
        found.append(edge)
        at = edge.to
    return found


def _plans_with(goal: DishGoal, here: Scene) -> ShortestPlans | None:
    """Return the shortest plans from scenes that include `here`; None if there are none.

    They are those of the search from the opening scene if it has met `here`, else of a new search.
    """
    for scene in (opening(goal.kitchen), here):
        entry = goal, key(scene)
        if entry not in _known:
            _known[entry] = shortest_plans(goal, scene)
            if len(_known) > KEPT:
                _known.popitem(last=False)
        plans = _known[entry]
        if plans is not None and key(here) in plans.left:
            return plans
    return None


def without_time(goal: DishGoal, scene: Scene) -> Scene:
    """Return a scene in the form in which it is searched.

    Utensils that were started have finished, and the things on counters are in the order of names.
    """
    cooks = tuple(cook._replace(held=cook.held and _drop_parts(cook.held)) for cook in scene.cooks)
    lying = sorted(map(_drop_parts, scene.counters.values()))
    counters = dict(zip(sorted(goal.kitchen.shared), lying, strict=False))
    utensils = {cell: _settle(content) for cell, content in sorted(scene.utensils.items())}
    return Scene(cooks, counters, utensils)


def _drop_parts(item: FoodItem) -> FoodItem:
    return item._replace(parts=0)


def _settle(content: UtensilContent) -> UtensilContent:
    if content.product is None:
        return content._replace(items=tuple(sorted(content.items)))
    return content._replace(ticks=TICKS)
