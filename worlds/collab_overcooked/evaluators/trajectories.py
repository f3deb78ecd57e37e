"""Trajectories: how well the actions of each cook fit the plans with the fewest actions."""

from __future__ import annotations

from collections.abc import Iterator

from evals.trajectories import completeness_by_role, tes
from evals.verdict import EPISODE, Check
from worlds.collab_overcooked.evaluators.histories import CookEvidence


def trajectories(evidence: CookEvidence) -> Iterator[Check]:
    """Yield `tes` of each cook, and `progress_completeness`, their mean.

    Yield nothing where the kitchen does not decide how much each cook has to do.
    """
    references = evidence.references
    if references is None:
        return
    histories = {
        name: [step.action for step in evidence.steps if step.worker == name] for name in references
    }
    for name, own in references.items():
        value = round(tes(histories[name], own), 4)
        yield Check(name="tes", subject=name, value=value, evidence="; ".join(histories[name]))
    whole = completeness_by_role(histories, references)
    yield Check(name="progress_completeness", subject=EPISODE, value=round(whole, 4))
