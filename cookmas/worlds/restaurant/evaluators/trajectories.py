"""Comparison of the workers' trajectories with known trajectories that serve everything."""

from __future__ import annotations

from collections.abc import Iterator

from cookmas.evals.trajectories import TrajectoryStep, advances
from cookmas.evals.verdict import Check
from cookmas.kitchen.actions import Action, Navigate, Pick, Wait
from cookmas.kitchen.layout import Station
from cookmas.worlds.restaurant.evaluators.evidence import KitchenEvidence, WorkerMove


def step_of(action: Action, station: Station) -> str | None:
    """Return an action at a station as a step of a trajectory; None for walking and waiting.

    Stations of one kind count as equal, and so do their slots.
    """
    if isinstance(action, Navigate | Wait):
        return None
    name = "pick" if isinstance(action, Pick) and action.slot is not None else str(action)
    return f"{name} at {station.kind.name}"


def trajectories(evidence: KitchenEvidence) -> Iterator[Check]:
    """Yield `progress_completeness`, and `ites`, its increase after each answer of the planner.

    The formulas are equations 1 to 4 of Collab-Overcooked, Section 3.2. There are no checks if the
    scenario has no known trajectories.
    """
    references = evidence.truth.references
    if not references:
        return
    done = [
        TrajectoryStep(move.timestep, move.worker, step)
        for move in evidence.moves
        if (step := _step(move, evidence))
    ]
    yield from advances(evidence, done, references)


def _step(move: WorkerMove, evidence: KitchenEvidence) -> str | None:
    if not move.outcome.done:
        return None
    frame = evidence.frames[move.timestep]
    place = frame.before.workers[evidence.world.workers.index(move.worker)]
    return step_of(move.action, frame.world.kitchen.stations[place.station])
