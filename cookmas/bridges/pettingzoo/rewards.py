"""The rewards of agents."""

from __future__ import annotations

from dataclasses import dataclass

from cookmas.episodes.base import World, overrides
from cookmas.episodes.world import Outcome, Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewards:
    """The weights of an agent's reward. Agents share all parts of it except `fail` and `own`."""

    done: float = 0.1
    """Reward for each goal that was delivered at this timestep, correct or not."""
    lost: float = -0.1
    """Reward for each goal that was lost at this timestep: it can no longer be reached."""
    fail: float = -0.01
    """Reward for an action of the agent that FAILed."""
    timestep: float = 0.0
    """Reward for each timestep."""
    success: float = 1.0
    """Reward at the end of a successful episode; with 0 no episode is judged."""
    score: float = 0.0
    """Reward for each point by which the world's score rises."""
    own: float = 0.0
    """Weight of the reward that the world itself gives the agent, if it gives one."""

    def of(
        self,
        before: Tally,
        after: Tally,
        outcome: Outcome,
        success: bool | None,
        own: float = 0.0,
    ) -> float:
        """Return one agent's reward for a timestep.

        `before` and `after` are the tallies before and after the timestep. `success` is None unless
        the episode was judged at this timestep. `own` is the reward that the world itself gives the
        agent.
        """
        return (
            self.timestep
            + self.done * (after.done - before.done)
            + self.lost * (after.lost - before.lost)
            + self.score * ((after.score or 0.0) - (before.score or 0.0))
            + self.fail * (not outcome.done)
            + self.own * own
            + self.success * bool(success)
        )


def default_rewards(world: World) -> Rewards:
    """Return the default rewards of a world.

    If the world gives rewards itself, these are used. Otherwise the rewards are the points of the
    world's score if it has one, and `Rewards()` if not.
    """
    if overrides(world, "rewards"):
        return Rewards(done=0.0, lost=0.0, fail=0.0, success=0.0, own=1.0)
    if overrides(world, "best_score"):
        return Rewards(done=0.0, lost=0.0, fail=0.0, success=0.0, score=1.0)
    return Rewards()
