"""Utilisation: how busy workers and stations were."""

from __future__ import annotations

from collections.abc import Iterator

from cookmas.evals.verdict import EPISODE, Check, make_unscored
from cookmas.kitchen.actions import Navigate, Wait
from cookmas.worlds.restaurant.evaluators.evidence import KitchenEvidence, WorkerMove


def utilisation(evidence: KitchenEvidence) -> Iterator[Check]:
    """Yield `idle` and `use` per worker, and `slots_filled` and `occupied` per kind of station.

    `idle` is a number of timesteps, and `use` is the share of timesteps in which the worker did
    something. `slots_filled` is the share of the slots that held something. `occupied` is the share
    of the workers' timesteps that they spent at stations of the kind.
    """
    if not evidence.frames:
        yield make_unscored("use", EPISODE, "no timestep was played")
        return
    yield from _workers(evidence)
    yield from _stations(evidence)


def _workers(evidence: KitchenEvidence) -> Iterator[Check]:
    timesteps = len(evidence.frames)
    aisle = evidence.world.kitchen.aisle
    for worker in evidence.world.workers:
        moves = [move for move in evidence.moves if move.worker == worker]
        idle = sum(_is_idle(move, aisle) for move in moves)
        busy = sum(move.outcome.done and not _is_idle(move, aisle) for move in moves)
        of = f"of {timesteps} timesteps"
        yield Check(name="idle", subject=worker, value=idle, reason=of)
        yield Check(
            name="use", subject=worker, value=round(busy / timesteps, 4), reason=f"{busy} {of}"
        )


def _is_idle(move: WorkerMove, aisle: str) -> bool:
    """Return whether a worker does nothing, stays where it is, or goes to the aisle."""
    if isinstance(move.action, Navigate):
        return move.action.station in (aisle, move.stood)
    return isinstance(move.action, Wait) and move.outcome.done


def _stations(evidence: KitchenEvidence) -> Iterator[Check]:
    places = [(frame.world.kitchen, frame.after) for frame in evidence.frames]
    kitchens = {id(kitchen): kitchen for kitchen, _ in places}.values()
    kinds = (station.kind.name for each in kitchens for station in each.stations.values())
    for kind in dict.fromkeys(kinds):
        slots = filled = there = 0
        for kitchen, state in places:
            names = kitchen.of_kind(kind)
            slots += sum(kitchen.stations[name].slots for name in names)
            filled += sum(len(state.contents.get(name, ())) for name in names)
            there += sum(place.station in names for place in state.workers)
        if slots:
            yield Check(
                name="slots_filled",
                subject=kind,
                value=round(filled / slots, 4),
                reason=f"{filled} of {slots} slot-timesteps",
            )
        stood = len(places) * len(evidence.world.workers)
        yield Check(
            name="occupied",
            subject=kind,
            value=round(there / stood, 4),
            reason=f"{there} of {stood} worker-timesteps",
        )
