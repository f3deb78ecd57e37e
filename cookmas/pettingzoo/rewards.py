"""What agents are rewarded for."""

from __future__ import annotations

from dataclasses import dataclass

from episodes.world import Outcome, Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewards:
    """What each agent gets: all of it is shared, but for `fail`, which is its own.

    `done` is for each thing that was asked for and delivered at this timestep, rightly or not,
    `lost` for each that cannot be any more, `fail` for an action of its own that FAILed,
    `timestep` for any. `success` comes at the end of an episode that the verdict calls a success;
    where it is 0 no episode is judged.
    """

    done: float = 0.1
    lost: float = -0.1
    fail: float = -0.01
    timestep: float = 0.0
    success: float = 1.0

    def of(self, before: Tally, after: Tally, outcome: Outcome, success: bool | None) -> float:
        """One agent's reward for a timestep; `success` is None as long as nothing is judged."""
        return (
            self.timestep
            + self.done * (after.done - before.done)
            + self.lost * (after.lost - before.lost)
            + self.fail * (not outcome.done)
            + self.success * bool(success)
        )
