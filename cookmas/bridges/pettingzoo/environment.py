"""The environment in which all agents act at the same time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pettingzoo import ParallelEnv
from typing_extensions import Unpack

from cookmas.bridges.pettingzoo.common import Common, EnvOptions, Info, build_env
from cookmas.bridges.pettingzoo.spaces import Number, Observation
from cookmas.files.errors import InputError


class TogetherEnv(Common, ParallelEnv[str, Observation, Number]):  # type: ignore[misc]
    """Environment of one scenario of any world, or of several with equal actions and arrays.

    Use `parallel_env` to make it. Each worker is an agent. An action is a number, whose text is in
    `actions`. An agent without a turn can only wait, as its mask shows; its action is ignored.
    `verdict` is the judgement of the last episode that ended, or None if none has ended.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "cookmas_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": True,
    }

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Begin an episode of the scenario that `options` name as `scenario`, or of a random one.

        `seed` determines all random draws from now on, those of the scenario included, except
        if the `settings` of the environment have a `seed`: then this one stands. If the episode
        ends at once, `agents` is empty. Raises InputError if there is no such scenario or seed.
        """
        self._begin(seed, options)
        if self._get_stepped().ended:
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
        """Carry out one timestep. An agent without an action idles; an illegal action FAILs.

        After the end of an episode all five results are empty. Raises InputError without an earlier
        `reset`, for an unknown agent, and for a value that numbers no action.
        """
        if self._get_stepped().ended:
            return {}, {}, {}, {}, {}
        if not isinstance(actions, Mapping):
            raise InputError("actions", "expected the number of an action for each agent")
        self._check_agents(actions)
        for agent, number in actions.items():
            if number is not None:
                self._check_action(agent, number)
        given = {agent: self._text(agent, actions.get(agent)) for agent in self._movers()}
        rewards, outcomes = self._play(given)
        terminated, truncated = self._is_over()
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
    **options: Unpack[EnvOptions],
) -> TogetherEnv:
    """Return an environment of one or several scenarios. Each `reset` draws one of them.

    `world` and `settings` are as in `cookmas.load_scenario`. The options are:

    - `horizon`: the maximum number of timesteps, by default that of `cookmas run`;
    - `policy`: the name of the acting policy in the trace;
    - `rewards`: the weights of the rewards, by default `default_rewards` of the world;
    - `render_mode`: with "ansi" the environment renders text.

    Raises CookMASError.
    """
    return build_env(TogetherEnv, scenarios, world, settings, **options)
