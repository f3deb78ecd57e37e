"""The environment in which all agents act at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pettingzoo import ParallelEnv

from cookmas.bridges.pettingzoo.common import Common, Info, loaded
from cookmas.bridges.pettingzoo.rewards import Rewards
from cookmas.bridges.pettingzoo.spaces import Number, Observation


class TogetherEnv(Common, ParallelEnv[str, Observation, Number]):  # type: ignore[misc]
    """A scenario of any world, or several in worlds that are built alike.

    Made by `parallel_env`. Each worker is an agent. An action is a number; `actions` says what it
    stands for. Who is not to move can only wait, as its mask says; whatever it gives is not asked
    for. `verdict` is the judgement of the last episode that ended, None before.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "cookmas_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": True,
    }

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Begin an episode: of the scenario that `options` name, or of one that is drawn.

        A `seed` decides all draws from here on, those of the scenario too. Of an episode that is
        over at once no `agents` are left. Raises InputError if there is no such scenario.
        """
        self._begin(seed, options)
        if self._playing().ended:
            self.agents = []
        return self._observations(), self._infos()

    def step(
        self, actions: Mapping[str, Number]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, Info],
    ]:
        """One timestep. Who is given no action idles; an action that is not legal FAILs.

        Of an episode that is over there is nothing to be told: all five are empty. Raises
        InputError without a `reset` before, and for a number that stands for nothing.
        """
        if self._playing().ended:
            return {}, {}, {}, {}, {}
        given = {agent: self._text(agent, actions.get(agent)) for agent in self._movers()}
        rewards, outcomes = self._play(given)
        terminated, truncated = self._over()
        results = (
            self._observations(),
            rewards,
            dict.fromkeys(self.agents, terminated),
            dict.fromkeys(self.agents, truncated),
            self._infos(outcomes),
        )
        if terminated or truncated:
            self.agents = []
        return results


def parallel_env(
    scenarios: str | Sequence[str],
    *,
    world: str | None = None,
    settings: Mapping[str, Any] | None = None,
    horizon: int | None = None,
    rewards: Rewards | None = None,
    policy: str = "policy",
    render_mode: str | None = None,
) -> TogetherEnv:
    """An environment of a scenario, or of several of which each `reset` draws one.

    `world` and `settings` are as in `cookmas.load_scenario`. `horizon` is the timesteps of an
    episode (as long as `cookmas run` would let it go on); `policy` the name of who acts, in the
    trace. Without `rewards` a world's own are paid, of a world that grades its score, else those
    of `Rewards()`. With `render_mode` "ansi" it can be rendered as text. Raises CookMASError.
    """
    found, spec = loaded(scenarios, world, settings, render_mode)
    return TogetherEnv(
        found, spec, horizon=horizon, rewards=rewards, policy=policy, render_mode=render_mode
    )
