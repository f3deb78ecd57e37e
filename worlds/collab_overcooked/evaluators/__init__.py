"""The judging: the delivery of the order is success; how the cooks worked together is measured."""

from __future__ import annotations

from collections.abc import Sequence

from evals.columns import COLLABORATION, PROGRESS, Column, Measure, valued
from evals.evidence import Evidence
from evals.plain import PlainJudging
from evals.verdict import Goal
from worlds.collab_overcooked.evaluators.collaborations import collaborations
from worlds.collab_overcooked.evaluators.trajectories import trajectories


def _order(evidence: Evidence) -> Sequence[Goal]:
    """Return the order."""
    state = evidence.final
    if state.order is None:
        return ()
    if not state.served:
        return [Goal(name="order", what=state.order, status="open")]
    return [Goal(name="order", what=state.order, status="delivered", when=state.timestep)]


COLUMNS: Sequence[Column] = (
    *PROGRESS,
    *COLLABORATION,
    valued("initiating_capability", "IC", digits=2),
    valued("responding_capability", "RC", digits=2),
)

MEASURES: Sequence[Measure] = (
    Measure(name="progress_completeness"),
    Measure(name="tes", of=True),
    Measure(name="initiated", of=True),
    Measure(name="responded", of=True),
    Measure(name="initiating_capability"),
    Measure(name="responding_capability"),
    Measure(name="initiating_capability_of_dialogues"),
    Measure(name="responding_capability_of_dialogues"),
)

JUDGING = PlainJudging(
    more={"trajectories": trajectories, "collaborations": collaborations},
    columns=COLUMNS,
    measures=MEASURES,
    asked=_order,
)
