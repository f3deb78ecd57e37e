"""What agents are rewarded for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from episodes.capabilities import Rewarding, Scoring
from episodes.world import Outcome, Tally, World


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewards:
    """What each agent gets: all of it is shared, but for `fail` and `own`, which are its own.

    `done` is for each thing that was asked for and delivered at this timestep, rightly or not,
    `lost` for each that cannot be any more, `score` for each point by which the world's score
    rises, `fail` for an action of its own that FAILed, `timestep` for any. `own` is the weight of
    what the world itself rewards the agent with, where it does. `success` comes at the end of an
    episode that the verdict calls a success; where it is 0 no episode is judged.
    """

    done: float = 0.1
    lost: float = -0.1
    fail: float = -0.01
    timestep: float = 0.0
    success: float = 1.0
    score: float = 0.0
    own: float = 0.0

    def of(
        self,
        before: Tally,
        after: Tally,
        outcome: Outcome,
        success: bool | None,
        own: float = 0.0,
    ) -> float:
        """One agent's reward for a timestep; `success` is None as long as nothing is judged."""
        return (
            self.timestep
            + self.done * (after.done - before.done)
            + self.lost * (after.lost - before.lost)
            + self.score * ((after.score or 0.0) - (before.score or 0.0))
            + self.fail * (not outcome.done)
            + self.own * own
            + self.success * bool(success)
        )


def usual(world: World[Any]) -> Rewards:
    """Return what is paid where nothing is said.

    It is what the world rewards by itself; of a world that grades its score; else `Rewards()`.
    """
    if isinstance(world, Rewarding):
        return Rewards(done=0.0, lost=0.0, fail=0.0, success=0.0, own=1.0)
    if isinstance(world, Scoring):
        return Rewards(done=0.0, lost=0.0, fail=0.0, success=0.0, score=1.0)
    return Rewards()
