"""Trajectories of the corridor: the bells that each walker rang, compared with all ways to do so.

A way gives each bell to a walker that may ring it, and has an order for all bells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product

from cookmas.evals.evidence import Evidence
from cookmas.evals.trajectories import Trajectories, TrajectoryStep, advances
from cookmas.evals.verdict import Check
from cookmas.worlds.corridor.world import Corridor

MOST = 4
"""Greatest number of bells for which all ways to share them among walkers are tried."""


def trajectories(evidence: Evidence) -> Iterator[Check]:
    """Yield `progress_completeness`, and `ites` for each answer of the planner.

    `evals/trajectories.py` explains both checks. Of the actions only ringing counts, together with
    the place. Bells may be rung in any order, by any walker that may ring them. If there are more
    than MOST bells, yield nothing.
    """
    bells, walkers = evidence.final["bells"], evidence.world.workers
    if len(bells) <= MOST:
        rung = [
            TrajectoryStep(act.timestep, act.worker, _act_at(act.action, places[act.worker]))
            for act in evidence.acts
            if act.outcome.done and act.action.startswith("ring(")
            for places in [evidence.frames[act.timestep].before["places"]]
        ]
        yield from advances(evidence, rung, ways(bells, evidence.truth, walkers))


def ways(bells: Corridor, truth: Mapping[str, int], walkers: Sequence[str]) -> list[Trajectories]:
    """Return all ways to share the bells among walkers that may ring them, in all orders."""
    found: dict[tuple[tuple[str, ...], ...], Trajectories] = {}
    for order in permutations(bells):
        for ringers in product(walkers, repeat=len(order)):
            shared = list(zip(order, ringers, strict=True))
            if all(bells[name]["ringer"] in (None, ringer) for name, ringer in shared):
                parts = {
                    walker: [
                        _act_at(f"ring({n})", truth[n]) for n, ringer in shared if ringer == walker
                    ]
                    for walker in walkers
                }
                found[tuple(map(tuple, parts.values()))] = parts
    return list(found.values())


def _act_at(action: str, place: int) -> str:
    return f"{action} at {place}"
