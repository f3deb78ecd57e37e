"""The environment with turns: the agents whose turn it is act one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pettingzoo import AECEnv
from pettingzoo.utils.env import AECIterable
from typing_extensions import Unpack

from cookmas.bridges.pettingzoo.common import Common, EnvOptions, build_env
from cookmas.bridges.pettingzoo.spaces import Number, Observation


class TurnsEnv(Common, AECEnv[str, Observation, Number]):  # type: ignore[misc]
    """Environment of one or several scenarios of a world, in which only the agents with a turn act.

    Use `aec_env` to make it. The agents with a turn at a timestep act in their order; then the
    timestep is carried out. A timestep in which no agent has a turn is carried out at once. If the
    world discloses decisions, `infos[agent]["decided"]` has the actions of the agents that acted
    earlier in the same timestep.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "cookmas_turns_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode, as `TogetherEnv.reset` does."""
        self._begin(seed, options)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._given: dict[str, str] = {}
        self.infos = self._infos()
        self._go_on()

    def observe(self, agent: str) -> Observation:
        """Return what an agent observes now. Raises InputError without an earlier `reset`."""
        self._get_stepped()
        self._check_agents([agent])
        return self._observed[agent]

    @property
    def agent_selection(self) -> str:
        """The agent that acts next. Raises InputError without an earlier `reset`."""
        self._get_stepped()
        return self._selected

    @agent_selection.setter
    def agent_selection(self, agent: str) -> None:
        self._selected = agent

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable:
        """Yield the agent that acts next, until the end of the episode or `max_iter` times.

        Raises InputError without an earlier `reset`.
        """
        self._get_stepped()
        return super().agent_iter(max_iter)

    def step(self, action: Number | None) -> None:
        """Take the action of `agent_selection`; None if that agent is done.

        Raises InputError without an earlier `reset`, and for a value that numbers no action.
        """
        self._get_stepped()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._given[agent] = self._text(agent, action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._go_on()
        self._accumulate_rewards()

    def _go_on(self) -> None:
        """Select the agent that acts next.

        If all agents with a turn at this timestep have acted, carry out the timestep first.
        """
        if not self._agents_left() and not self._get_stepped().ended:
            self.rewards, outcomes = self._play(self._given)
            self.infos = self._infos(outcomes)
            self._given = {}
        self._observed = self._observations()
        terminated, truncated = self._is_over()
        if terminated or truncated:
            self.terminations = dict.fromkeys(self.agents, terminated)
            self.truncations = dict.fromkeys(self.agents, truncated)
            self.agent_selection = self.agents[0]
            return
        self.agent_selection = self._agents_left()[0]
        if self._get_stepped().world.discloses_decisions:
            self.infos[self.agent_selection]["decided"] = dict(self._given)

    def _agents_left(self) -> list[str]:
        """Return the agents with a turn at this timestep that have not acted yet, in order."""
        return [agent for agent in self._movers() if agent not in self._given]


def aec_env(
    scenarios: str | Sequence[str],
    *,
    world: str | None = None,
    settings: Mapping[str, Any] | None = None,
    **options: Unpack[EnvOptions],
) -> TurnsEnv:
    """Return an environment as `parallel_env` does, but one in which agents act one by one.

    It has the options of `parallel_env`: `horizon`, `rewards`, `policy` and `render_mode`. Raises
    CookMASError.
    """
    return build_env(TurnsEnv, scenarios, world, settings, **options)
