"""Comparison of trajectories with reference trajectories.

The measures are those of Collab-Overcooked (Section 3.2, equations 1 to 4): the trajectory
efficiency score (TES), the incremental score of further actions (ITES), and progress completeness.
A trajectory is the sequence of actions that a worker has carried out, without walking, waiting and
FAILs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from math import inf
from typing import NamedTuple

from cookmas.episodes.trace import PlanRecord
from cookmas.evals.evidence import Evidence
from cookmas.evals.verdict import EPISODE, Check

BETA = 0.95
"""Weight of a redundant action relative to a missing action, as in the paper."""

ASTRAY = ("premature", "repetitive", "irrelevant", "nothing")
"""The categories of actions that do not advance, as `classify_astray` returns them."""

Actions = Sequence[str]
Trajectories = Mapping[str, Actions]
"""The actions of each worker, by the worker's name."""


def in_order(history: Actions, reference: Actions) -> int:
    """Return D: the length of the longest prefix of `reference` that `history` has in this order.

    Other actions may stand between those of the prefix.
    """
    length = 0
    for action in history:
        if length < len(reference) and action == reference[length]:
            length += 1
    return length


def efficiency(history: Actions, reference: Actions) -> float:
    """Return (1 + b^2) D / (m + b^2 n) for a reference of m actions and a history of n actions.

    D is the result of `in_order`, and b is BETA. If reference and history are empty, return 1: the
    worker had nothing to do and did nothing.
    """
    return _efficiency(in_order(history, reference), len(reference), len(history))


def _efficiency(done: int, required: int, made: int) -> float:
    """Return `efficiency` by D, m and n."""
    weight = BETA**2
    whole = required + weight * made
    return (1 + weight) * done / whole if whole else 1.0


def tes(history: Actions, references: Sequence[Actions]) -> float:
    """Return the trajectory efficiency score: the highest `efficiency` for any reference."""
    lengths = _lengths(tuple(map(tuple, references)))
    return max(
        _efficiency(len(begun), lengths[begun], len(history))
        for begun in _beginnings(history, lengths)
    )


def progress(history: Actions, references: Sequence[Actions]) -> int:
    """Return the greatest D of any reference."""
    return max(map(len, _beginnings(history, _lengths(tuple(map(tuple, references))))))


@lru_cache(maxsize=64)
def _lengths(references: tuple[tuple[str, ...], ...]) -> Mapping[tuple[str, ...], int]:
    """Return, for each beginning, the length of the shortest reference that begins with it."""
    lengths: dict[tuple[str, ...], int] = {}
    for reference in references:
        for end in range(len(reference) + 1):
            begun = reference[:end]
            lengths[begun] = min(lengths.get(begun, len(reference)), len(reference))
    return lengths


def _beginnings(history: Actions, lengths: Mapping[tuple[str, ...], int]) -> set[tuple[str, ...]]:
    """Return the beginnings of references that a history has in order."""
    reached: set[tuple[str, ...]] = {()}
    for action in history:
        reached |= {longer for each in reached if (longer := (*each, action)) in lengths}
    return reached


def ites(more: Actions, history: Actions, references: Sequence[Actions]) -> float:
    """Return the incremental score of further actions: TES with them minus TES without them."""
    return tes([*history, *more], references) - tes(history, references)


def progress_completeness(histories: Trajectories, references: Sequence[Trajectories]) -> float:
    """Return the highest mean efficiency of all workers, for any reference and assignment of roles.

    The two agents of the paper have fixed roles, but workers here are interchangeable. So try every
    assignment of workers to the roles of a reference.
    """
    workers = list(histories)
    best = 0.0
    for reference in references:
        parts = list(reference.values())
        parts += [()] * (len(workers) - len(parts))
        scores = [[efficiency(histories[worker], part) for part in parts] for worker in workers]
        for cast in permutations(range(len(parts)), len(workers)):
            total = sum(row[part] for row, part in zip(scores, cast, strict=True))
            best = max(best, total / len(workers))
    return best


def completeness_by_role(
    histories: Trajectories, references: Mapping[str, Sequence[Actions]]
) -> float:
    """Return the mean TES of all workers, each by the references of its own role."""
    return sum(tes(histories[worker], own) for worker, own in references.items()) / len(references)


def classify_astray(
    action: str | None, histories: Trajectories, references: Sequence[Trajectories]
) -> str:
    """Return why an action does not advance: it is `premature`, `repetitive` or `irrelevant`.

    `histories` has the trajectory of each worker before the action. The kinds are those of
    Collab-Overcooked (Appendix C.4). Of a worker's part in a reference, the longest beginning that
    any one worker has done (`in_order`) is done. An action is premature if a part has it later,
    repetitive if parts have it only in what is done, and irrelevant if no reference has it. Return
    `nothing` if there is no action. `histories` must not be empty.
    """
    if action is None:
        return "nothing"
    parts = [part for reference in references for part in reference.values()]
    for part in parts:
        done = max(in_order(history, part) for history in histories.values())
        if action in part[done:]:
            return "premature"
    return "repetitive" if any(action in part for part in parts) else "irrelevant"


class TrajectoryStep(NamedTuple):
    """A worker's action that belongs to its trajectory."""

    timestep: int
    worker: str
    action: str
    """The action, in the world's notation."""


def advances(
    evidence: Evidence, steps: Sequence[TrajectoryStep], references: Sequence[Trajectories]
) -> Iterator[Check]:
    """Yield `progress_completeness`, and `ites` of the actions that follow each planner's answer.

    Those are the actions until the next answer or the end. `ites` is the increase in progress
    completeness.

    An answer advances if its ITES is positive.
    """

    def acts_until(timestep: float) -> dict[str, list[str]]:
        actions: dict[str, list[str]] = {worker: [] for worker in evidence.world.workers}
        for step in steps:
            if step.timestep < timestep:
                actions[step.worker].append(step.action)
        return actions

    asked = sorted({answer.timestep for answer in evidence.trace.of(PlanRecord)})
    values = [progress_completeness(acts_until(timestep), references) for timestep in (*asked, inf)]
    yield Check(name="progress_completeness", subject=EPISODE, value=round(values[-1], 4))
    for timestep, before, after in zip(asked, values, values[1:], strict=False):
        first = next((step.action for step in steps if step.timestep >= timestep), None)
        yield Check(
            name="ites",
            subject=f"answer at {timestep}",
            value=round(after - before, 4),
            passed=after > before,
            reason=""
            if after > before
            else classify_astray(first, acts_until(timestep), references),
        )
