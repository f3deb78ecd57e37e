"""What evaluators read off an episode: the actions of the environment, and the references."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from evals.evidence import Evidence
from evals.trajectories import Step
from worlds.collab_overcooked.actions import WAIT, UnreadableError, read_action
from worlds.collab_overcooked.planning.known import goal_of
from worlds.collab_overcooked.planning.references import Part, references, spell
from worlds.collab_overcooked.world import CollabWorld


@dataclass(frozen=True, kw_only=True)
class CookEvidence(Evidence):
    """An episode in a kitchen of cooks."""

    world: CollabWorld

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """What the cooks have done in the environment, in order: no walking and no waiting."""
        return tuple(
            Step(frame.timestep, name, action)
            for frame in self.frames
            for name, before, after in zip(
                self.world.workers, frame.before.done, frame.after.done, strict=True
            )
            for action in after[len(before) :]
        )

    @cached_property
    def parts(self) -> Mapping[str, tuple[Part, ...]] | None:
        """The references of each cook.

        None where the kitchen does not decide how much each cook has to do.
        """
        goal = goal_of(self.world.kitchen, self.final.order or "", self.final.tables)
        found = references(goal) if goal else None
        return dict(zip(self.world.workers, found, strict=True)) if found else None


def read(text: str) -> str | None:
    """Return an action as the environment reports it; None for a text that is no such action."""
    try:
        action = read_action(text)
    except UnreadableError:
        return None
    return None if action.verb == WAIT else spell(action)
