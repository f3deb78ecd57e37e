"""Waste: all food that was not served by the end of the episode."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cookmas.evals.verdict import EPISODE, Check, make_unscored
from cookmas.kitchen.actions import Discard
from cookmas.kitchen.foods import Food
from cookmas.worlds.restaurant.evaluators.evidence import KitchenEvidence
from cookmas.worlds.restaurant.evaluators.progress import foods_of, list_remaining_foods


def waste(evidence: KitchenEvidence) -> Iterator[Check]:
    """Yield `waste_discarded`, `waste_left` and `waste`, their sum, in portions of raw ingredients.

    Only correct episodes are scored: a planner that serves nothing, or wrong dishes, wastes little.
    """
    if evidence.flaw:
        for name in ("waste_discarded", "waste_left", "waste"):
            yield make_unscored(name, EPISODE, evidence.flaw)
        return
    discarded, left = find_waste(evidence)
    yield _check("waste_discarded", discarded)
    yield _check("waste_left", left)
    yield _check("waste", [*discarded, *left])


def find_waste(evidence: KitchenEvidence) -> tuple[list[Food], list[Food]]:
    """Return the foods that went into the bin, and those left in the kitchen at the end."""
    discarded = [
        food
        for move in evidence.moves
        if isinstance(move.action, Discard) and move.outcome.done
        for food in foods_of(move.held)
    ]
    return discarded, list_remaining_foods(evidence.world, evidence.final)


def _check(name: str, foods: Sequence[Food]) -> Check:
    portions = sum(len(food.ingredients()) for food in foods)
    return Check(
        name=name,
        subject=EPISODE,
        value=portions,
        evidence="; ".join(map(str, foods)),
        reason=f"{len(foods)} foods of {portions} portions of ingredients",
    )
