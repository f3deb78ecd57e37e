"""Step-to-action recipes: one step for each action of a plan (Appendix C.4 of the paper).

Such a recipe leaves nothing to break down. If a step is moved to the front of the recipe, a test
shows whether a model does that step better or worse because of its place.
"""

from __future__ import annotations

from collections.abc import Sequence

from cookmas.solving.collab_overcooked.fewest_actions import Edge, plan_from
from cookmas.solving.collab_overcooked.useful import DishGoal
from cookmas.worlds.collab_overcooked.rules.actions import (
    DELIVER,
    FILL,
    PICKUP,
    PLACE,
    PUT,
    read_action,
)
from cookmas.worlds.collab_overcooked.rules.kitchen import INGREDIENTS, TICKS, opening


def joint_plan(goal: DishGoal) -> list[Edge]:
    """Return a plan with the fewest actions; where possible, a cook without the recipe is first."""
    kitchen = goal.kitchen
    helpers = [n for n, name in enumerate(kitchen.cooks) if name not in kitchen.readers]
    return plan_from(goal, opening(goal.kitchen), helpers[0] if helpers else 0)


def describe_steps(goal: DishGoal) -> list[str]:
    """Return a sentence for each action of `joint_plan`."""
    return _sentences(joint_plan(goal))


def number_steps(steps: Sequence[str], moved: int) -> str:
    """Return steps as a numbered list; step number `moved` (0: none) is first."""
    ordered = [*steps[moved - 1 : moved], *steps[: moved - 1], *steps[moved:]] if moved else steps
    return "\n".join(f"{number}. {step}" for number, step in enumerate(ordered, start=1))


def _sentences(plan: Sequence[Edge]) -> list[str]:
    held: dict[int, str] = {}
    found = []
    for cook, text, _ in plan:
        verb, place, food, _ = read_action(text)
        item, where = held.get(cook, ""), _words(place.rstrip("0123456789"))
        if verb == PICKUP:
            held[cook] = _words(food)
            source = "" if place == INGREDIENTS else f" from the {where}"
            found.append(f"Pick up the {_words(food)}{source}.")
        elif verb == PUT:
            found.append(f"Put the {item} into the {where}.")
        elif verb == PLACE:
            found.append(f"Place the {item} on the counter.")
        elif verb == FILL:
            held[cook] = "food"
            found.append(f"Fill the dish from the {where}.")
        elif verb == DELIVER:
            found.append("Deliver it.")
        else:
            found.append(f"Start the {where}, which takes {TICKS} timesteps.")
    return found


def _words(name: str) -> str:
    return name.replace("_", " ")
