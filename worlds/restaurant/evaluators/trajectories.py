"""Trajectories of the workers, held against those that are known to serve everything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from episodes.trace import PlanRecord
from evals.trajectories import astray, progress_completeness
from evals.verdict import EPISODE, Check
from kitchen.actions import Action, Navigate, Pick, Wait
from kitchen.layout import Station
from worlds.restaurant.evaluators.evidence import KitchenEvidence, Move


def step_of(action: Action, station: Station) -> str | None:
    """What counts of an action that is done at a station; None for walking and waiting.

    Stations of one kind are alike, and so are their slots.
    """
    if isinstance(action, Navigate | Wait):
        return None
    name = "pick" if isinstance(action, Pick) and action.slot is not None else str(action)
    return f"{name} at {station.kind.name}"


def trajectories(evidence: KitchenEvidence) -> Iterator[Check]:
    """`progress_completeness`, and `ites` of what was done after each answer of the planner.

    Collab-Overcooked, Section 3.2, equations 1 to 4. An answer advances if its ITES is positive.
    Nothing where no reference is known.
    """
    references = evidence.truth.references
    if not references:
        return
    done = [(move, step) for move in evidence.moves if (step := _step(move, evidence))]

    def until(timestep: int) -> dict[str, list[str]]:
        made: dict[str, list[str]] = {worker: [] for worker in evidence.world.workers}
        for move, step in done:
            if move.timestep < timestep:
                made[move.worker].append(step)
        return made

    end = evidence.final.timestep
    asked = _asked(evidence)
    values = [progress_completeness(until(timestep), references) for timestep in (*asked, end)]
    if values:
        whole = round(values[-1], 4)
        yield Check(name="progress_completeness", subject=EPISODE, value=whole)
    for timestep, before, after in zip(asked, values, values[1:], strict=False):
        first = next((step for move, step in done if move.timestep >= timestep), None)
        advances = after > before
        yield Check(
            name="ites",
            subject=f"answer at {timestep}",
            value=round(after - before, 4),
            passed=advances,
            reason="" if advances else astray(first, until(timestep), references),
        )


def _step(move: Move, evidence: KitchenEvidence) -> str | None:
    if not move.outcome.done:
        return None
    frame = evidence.frames[move.timestep]
    place = frame.before.workers[evidence.world.workers.index(move.worker)]
    return step_of(move.action, frame.world.kitchen.stations[place.station])


def _asked(evidence: KitchenEvidence) -> Sequence[int]:
    """The timesteps at which the planner answered."""
    return sorted({answer.timestep for answer in evidence.trace.of(PlanRecord)})
