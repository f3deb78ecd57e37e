"""Waste: all food that ends unserved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evals.verdict import EPISODE, Check
from kitchen.actions import Discard
from kitchen.foods import Food
from worlds.restaurant.evaluators.evidence import KitchenEvidence
from worlds.restaurant.evaluators.progress import foods_of, remaining_foods


def waste(evidence: KitchenEvidence) -> Iterator[Check]:
    """`waste_discarded`, `waste_left` and `waste` of both, in portions of raw ingredients."""
    discarded = [
        food
        for move in evidence.moves
        if isinstance(move.action, Discard) and move.outcome.done
        for food in foods_of(move.held)
    ]
    left = remaining_foods(evidence.world, evidence.final)
    yield _check("waste_discarded", discarded)
    yield _check("waste_left", left)
    yield _check("waste", [*discarded, *left])


def _check(name: str, foods: Sequence[Food]) -> Check:
    portions = sum(len(food.ingredients()) for food in foods)
    return Check(
        name=name,
        subject=EPISODE,
        value=portions,
        evidence="; ".join(map(str, foods)),
        reason=f"{len(foods)} foods of {portions} portions of ingredients",
    )
