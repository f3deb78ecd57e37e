"""Which decisions, taken back, would have saved a goal.

The reference's decision takes the place of one that was taken, and the recorded planner or team
plays on by itself. So a decision is to blame only if the others, as they would have been taken,
are good enough without it. There may be several such decisions, or none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from cookmas.causes.counterfactuals import ByReference, Counterfactuals, DecisionPoint
from cookmas.causes.losses import Losses


@dataclass(frozen=True, slots=True, kw_only=True)
class Saving:
    """The decisions that would have saved a goal if they had been taken back."""

    goal: str
    single: Sequence[DecisionPoint]
    """Each of them alone, in their order; the first is the cause."""
    pair: tuple[DecisionPoint, DecisionPoint] | None
    """Two of them together, if no single one does and a pair was found."""
    pairs_left: bool
    """True if no such pair was found, and it is not known of every pair."""
    unsure: Sequence[DecisionPoint]
    """Those of which it is not known: an answer was not recorded, or no more plays were allowed."""


async def find_saving(
    counterfactuals: Counterfactuals, goals: Sequence[str], losses: Losses, most: int
) -> Sequence[Saving]:
    """Return what would have saved each of the goals, from `most` plays in all.

    The decisions are tried in the order of what they lost, and pairs of those that lost something.
    """
    points = (await counterfactuals.play()).points
    ordered = sorted(losses.found, key=lambda loss: loss.weight, reverse=True)
    losing = [loss.point for loss in ordered]
    single: dict[DecisionPoint, frozenset[str] | None] = {}
    for point in dict.fromkeys([*losing, *points]):
        single[point] = await _reached_without(counterfactuals, {point}, most)
    pairs: dict[tuple[DecisionPoint, DecisionPoint], frozenset[str] | None] = {}
    lost = {goal for goal in goals if not any(goal in (found or ()) for found in single.values())}
    for pair in combinations(sorted(losing, key=points.index), 2) if lost else ():
        pairs[pair] = await _reached_without(counterfactuals, {*pair}, most)
        lost -= pairs[pair] or frozenset()
        if not lost:
            break
    return [_saving(goal, points, single, pairs) for goal in goals]


def _saving(
    goal: str,
    points: Sequence[DecisionPoint],
    single: Mapping[DecisionPoint, frozenset[str] | None],
    pairs: Mapping[tuple[DecisionPoint, DecisionPoint], frozenset[str] | None],
) -> Saving:
    alone = [point for point in points if goal in (single[point] or ())]
    together = [pair for pair, found in pairs.items() if goal in (found or ())]
    return Saving(
        goal=goal,
        single=alone,
        pair=together[0] if together and not alone else None,
        pairs_left=not (alone or together) and None in pairs.values(),
        unsure=[point for point in points if single[point] is None],
    )


async def _reached_without(
    counterfactuals: Counterfactuals, points: set[DecisionPoint], most: int
) -> frozenset[str] | None:
    """Return the goals that are reached if decisions are taken back; None if that is unknown."""
    change = ByReference(at=frozenset(points))
    if not counterfactuals.knows(change) and counterfactuals.plays >= most:
        return None
    verdict = (await counterfactuals.play(change)).verdict
    return None if verdict is None else counterfactuals.reached(verdict)
