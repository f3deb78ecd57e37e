"""Recipes in single actions; a later one can be moved to the front (the paper's Appendix C.4)."""

from __future__ import annotations

from collections.abc import Sequence

from worlds.collab_overcooked.actions import FILL, PICKUP, PLACE, PUT, Action, read_action
from worlds.collab_overcooked.kitchen import COUNTER, DISHES, INGREDIENTS, STARTERS, TICKS, Kitchen
from worlds.collab_overcooked.planning.references import SERVED, Edge, References, references_of
from worlds.collab_overcooked.planning.useful import Goal


def single_steps(goal: Goal) -> list[str]:
    """Return a shortest plan in sentences, an action each; nothing if no plan is known."""
    known = references_of(goal.kitchen.grid.rows, goal)
    return [] if known is None else _sentences(goal.kitchen, _one_plan(known))


def numbered(steps: Sequence[str], first: int) -> str:
    """Return steps as a numbered list, with the step of this number (from 1) moved to the front."""
    moved = [steps[first - 1], *steps[: first - 1], *steps[first:]]
    return "\n".join(f"{number}. {step}" for number, step in enumerate(moved, start=1))


def _one_plan(known: References) -> list[tuple[int, Action]]:
    """Return one of the plans: a cook goes on as long as it can, and dishes are fetched last."""

    def rank(edge: Edge) -> tuple[bool, bool, str]:
        return "(dish," in edge.action, edge.number != last, edge.action

    place, last = known.first, 1
    found = []
    while place != SERVED:
        edge = min(known.edges[place], key=rank)
        found.append((edge.number, read_action(edge.action)))
        place, last = edge.to, edge.number
    return found


def _sentences(kitchen: Kitchen, plan: Sequence[tuple[int, Action]]) -> list[str]:
    held = dict.fromkeys(range(len(kitchen.cooks)), "")
    found = []
    for number, action in plan:
        food, place = action.food.replace("_", " "), _spoken(kitchen, action.place)
        what = held[number]
        if action.verb == PICKUP:
            held[number] = food
            if action.place in (INGREDIENTS, DISHES):
                found.append(f"Pick up the {food}.")
            else:
                out = "from" if action.place == COUNTER else "out of"
                found.append(f"Take the {food} {out} the {place}.")
        elif action.verb == PUT:
            found.append(f"Put the {what} into the {place}.")
        elif action.verb == PLACE:
            found.append(f"Lay the {what} on the counter.")
        elif action.verb == FILL:
            found.append(f"Fill the dish from the {place}.")
        elif action.verb in STARTERS.values():
            found.append(f"Start the {place} and wait {TICKS} timesteps.")
        else:
            found.append("Deliver it.")
    return found


def _spoken(kitchen: Kitchen, place: str) -> str:
    cell = kitchen.utensils.get(place)
    return (kitchen.kinds[cell] if cell else place).replace("_", " ")
