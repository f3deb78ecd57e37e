"""Trajectories compared with reference trajectories: TES, ITES and progress completeness.

The measures of Collab-Overcooked (Section 3.2, equations 1 to 4). A trajectory is the sequence of
actions that a worker has carried out, without walking, waiting and what FAILed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from math import inf
from typing import NamedTuple

from episodes.trace import PlanRecord
from evals.evidence import Evidence
from evals.verdict import EPISODE, Check

BETA = 0.95
"""Weight of a redundant action against a missing one, as in the paper."""

Actions = Sequence[str]
Trajectories = Mapping[str, Actions]
"""The actions of every worker."""


def in_order(history: Actions, reference: Actions) -> int:
    """D: the length of the longest beginning of `reference` that is found in `history` in order."""
    length = 0
    for action in history:
        if length < len(reference) and action == reference[length]:
            length += 1
    return length


def efficiency(history: Actions, reference: Actions) -> float:
    """(1 + b^2) D / (m + b^2 n), n and m being the lengths of history and reference; b is 0.95.

    A worker that has nothing to do and does nothing has 1.
    """
    weight = BETA**2
    whole = len(reference) + weight * len(history)
    return (1 + weight) * in_order(history, reference) / whole if whole else 1.0


def tes(history: Actions, references: Sequence[Actions]) -> float:
    """The trajectory efficiency score: the `efficiency` against the reference that it fits best."""
    return max(efficiency(history, reference) for reference in references)


def ites(more: Actions, history: Actions, references: Sequence[Actions]) -> float:
    """The incremental score of further actions: TES with them, minus TES without."""
    return tes([*history, *more], references) - tes(history, references)


def progress_completeness(histories: Trajectories, references: Sequence[Trajectories]) -> float:
    """The mean TES of all workers, for the reference and the casting that fit best.

    Beside the paper, whose two agents are no equals: workers that are, such as the restaurant's,
    may play each other's parts, so every assignment of them to those of a reference is tried.
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


def astray(action: str | None, histories: Trajectories, references: Sequence[Trajectories]) -> str:
    """Why an action does not advance: it is `premature`, `repetitive` or `irrelevant`.

    The kinds of Collab-Overcooked (Appendix C.4): it is still to come in a reference, has been
    done already, or is in none. `nothing` is no action at all.
    """
    if action is None:
        return "nothing"
    parts = [part for reference in references for part in reference.values()]
    for part in parts:
        done = max(in_order(history, part) for history in histories.values())
        if action in part[done:]:
            return "premature"
    return "repetitive" if any(action in part for part in parts) else "irrelevant"


class Step(NamedTuple):
    """What a worker did that counts."""

    timestep: int
    worker: str
    action: str


def advances(
    evidence: Evidence, steps: Sequence[Step], references: Sequence[Trajectories]
) -> Iterator[Check]:
    """`progress_completeness`, and `ites` of what was done after each answer of the planner.

    An answer advances if its ITES is positive.
    """

    def until(timestep: float) -> dict[str, list[str]]:
        made: dict[str, list[str]] = {worker: [] for worker in evidence.world.workers}
        for step in steps:
            if step.timestep < timestep:
                made[step.worker].append(step.action)
        return made

    asked = sorted({answer.timestep for answer in evidence.trace.of(PlanRecord)})
    values = [progress_completeness(until(timestep), references) for timestep in (*asked, inf)]
    yield Check(name="progress_completeness", subject=EPISODE, value=round(values[-1], 4))
    for timestep, before, after in zip(asked, values, values[1:], strict=False):
        first = next((step.action for step in steps if step.timestep >= timestep), None)
        yield Check(
            name="ites",
            subject=f"answer at {timestep}",
            value=round(after - before, 4),
            passed=after > before,
            reason="" if after > before else astray(first, until(timestep), references),
        )
