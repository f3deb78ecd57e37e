"""What evaluators read off an episode: the actions of the environment, and the references.

An action of the environment is one that a cook completes by an interaction, such as taking an egg.
References are what each cook does in the plans with the fewest actions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from cookmas.evals.evidence import Evidence
from cookmas.evals.trajectories import Actions, TrajectoryStep, completeness_by_role, tes
from cookmas.evals.verdict import EPISODE, Check
from cookmas.worlds.collab_overcooked.actions import WAIT, read_action
from cookmas.worlds.collab_overcooked.planning.known import goal_of
from cookmas.worlds.collab_overcooked.planning.references import references_of
from cookmas.worlds.collab_overcooked.planning.useful import DishGoal
from cookmas.worlds.collab_overcooked.world import CollabWorld
from cookmas.worlds.grids.lasting import UnableError


@dataclass(frozen=True, kw_only=True)
class CookEvidence(Evidence):
    """An episode in a kitchen of cooks."""

    world: CollabWorld

    @cached_property
    def steps(self) -> tuple[TrajectoryStep, ...]:
        """What the cooks have done in the environment, in order: no walking and no waiting."""
        return tuple(
            TrajectoryStep(frame.timestep, name, str(read_action(action)))
            for frame in self.frames
            for name, before, after in zip(
                self.world.workers, frame.before.done, frame.after.done, strict=True
            )
            for action in after[len(before) :]
        )

    @cached_property
    def goal(self) -> DishGoal | None:
        """The goal of the order; None if its recipe is unknown."""
        final = self.final
        return goal_of(self.world.kitchen, final.order or "", final.tables)

    @cached_property
    def references(self) -> Mapping[str, Sequence[Actions]] | None:
        """The different sequences of actions of each cook in the plans with the fewest actions.

        None if no plan is known, there are too many, or a cook does more actions in one plan than
        in another because both cooks can do the same work.
        """
        found = references_of(self.goal) if self.goal else None
        if found is None or any(len(set(map(len, some))) > 1 for some in found.by_cook):
            return None
        return dict(zip(self.world.workers, found.by_cook, strict=True))


def read(text: str) -> str | None:
    """Return an action in its one spelling; empty for a wait, None for any other text."""
    try:
        action = read_action(text)
    except UnableError:
        return None
    return "" if action.verb == WAIT else str(action.at_once)


def trajectories(evidence: CookEvidence) -> Iterator[Check]:
    """Yield `tes` of each cook, and `progress_completeness`, their mean.

    Yield nothing without references.
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
