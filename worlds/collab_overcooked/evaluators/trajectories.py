"""Trajectories: the actions of each cook, against all plans with the fewest actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from statistics import mean

from episodes.trace import PlanRecord
from evals.evidence import Evidence
from evals.trajectories import tes
from evals.verdict import EPISODE, Check
from worlds.collab_overcooked.planning.known import goal_of
from worlds.collab_overcooked.planning.references import References, canonical, references_of
from worlds.collab_overcooked.state import State


def references(evidence: Evidence) -> References | None:
    """Return the reference trajectories of the order; None if there are none, or too many.

    Where either cook can do the same work there are none: what one did the other need not do.
    """
    state: State = evidence.final
    goal = goal_of(evidence.world.kitchen, state.order or "", state.tables)  # type: ignore[attr-defined]
    known = None if goal is None else references_of(goal.kitchen.grid.rows, goal)
    fixed = known is not None and all(len(set(map(len, some))) == 1 for some in known.by_cook)
    return known if fixed else None


def history(evidence: Evidence, number: int, timestep: float = inf) -> tuple[str, ...]:
    """Return the actions that cook `number` has carried out before a timestep.

    Walking, waiting and refused actions are not in it.
    """
    states = [frame.before for frame in evidence.frames if frame.timestep == timestep]
    state: State = states[0] if states else evidence.final
    return canonical(state.done[number])


def trajectories(evidence: Evidence) -> Iterator[Check]:
    """Yield `tes` of each cook, `progress_completeness`, which is their mean, and `ites` of every
    answer of a planner.

    Yield nothing without reference trajectories, as in a kitchen where either cook can do all.
    """
    known = references(evidence)
    if known is None:
        return
    cooks = evidence.world.workers
    scores = _scores(evidence, known, inf)
    for cook, score in zip(cooks, scores, strict=True):
        yield Check(name="tes", subject=cook, value=round(score, 4))
    yield Check(name="progress_completeness", subject=EPISODE, value=round(mean(scores), 4))
    asked = sorted({answer.timestep for answer in evidence.trace.of(PlanRecord)})
    values = [mean(_scores(evidence, known, timestep)) for timestep in (*asked, inf)]
    for timestep, before, after in zip(asked, values, values[1:], strict=False):
        yield Check(
            name="ites",
            subject=f"answer at {timestep}",
            value=round(after - before, 4),
            passed=after > before,
        )


def _scores(evidence: Evidence, known: References, timestep: float) -> Sequence[float]:
    return [
        tes(history(evidence, number, timestep), known.by_cook[number])
        for number in range(len(evidence.world.workers))
    ]
