"""The environment: workers are agents, and act all at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import ParallelEnv
from rich.console import Console

from cookmas.judging import judge
from cookmas.loading import load_scenario
from cookmas.pettingzoo.rewards import Rewards
from cookmas.pettingzoo.spaces import Number, Numbers, Observation, arrays, mask, observation_space
from cookmas.pettingzoo.stepped import Stepped
from cookmas.watch.scene import scene
from cookmas.worlds import domain_of, located
from episodes.errors import InputError
from episodes.scenario import DEFAULT_HORIZON, Scenario
from episodes.trace import Header, Trace
from episodes.world import Command, Outcome
from evals.verdict import Verdict
from orchestrator.episode import header_of
from worlds import capabilities
from worlds.domain import Domain
from worlds.training import Training

Infos = dict[str, dict[str, Any]]


class KitchenEnv(ParallelEnv[str, Observation, Number]):  # type: ignore[misc]
    """A scenario of any world, or several in kitchens that are built alike.

    Made by `parallel_env`. Each worker is an agent. An action is a number; `actions` says what it
    stands for. `verdict` is the judgement of the last episode that ended, None before.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "cookmas_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": True,
    }

    def __init__(
        self,
        scenarios: Sequence[Scenario],
        world: str,
        *,
        horizon: int | None = None,
        rewards: Rewards | None = None,
        policy: str = "policy",
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = render_mode
        self.verdict: Verdict | None = None
        self._scenarios = {scenario.name: scenario for scenario in scenarios}
        self._spec, self._domain = world, domain_of(world)
        self._horizon = horizon
        self._rewards = rewards or Rewards()
        self._policy = policy
        self._training = _common(self._domain, scenarios)
        self._random, _ = seeding.np_random()
        first = scenarios[0].world()
        self.possible_agents: list[str] = list(first.workers)
        self.agents: list[str] = []
        self._episode: Stepped | None = None
        number = len(self._training.actions)
        self._action_spaces = {agent: spaces.Discrete(number) for agent in self.possible_agents}
        self._observation_spaces = {
            agent: observation_space(self._training, len(self.possible_agents))
            for agent in self.possible_agents
        }

    @property
    def actions(self) -> Sequence[str]:
        """What the numbers of the actions stand for."""
        return self._training.actions

    @property
    def columns(self) -> Mapping[str, Sequence[str]]:
        """What stands in the columns of each array of an observation."""
        return {name: array.columns for name, array in self._training.arrays.items()}

    def observation_space(self, agent: str) -> spaces.Dict:
        """`me`, the agent's place among all, `observation`, arrays by name, and `action_mask`."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The numbers of the actions."""
        return self._action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], Infos]:
        """Begin an episode: of the scenario that `options` name, or of one that is drawn.

        A `seed` decides all draws from here on. Raises InputError if there is no such scenario.
        """
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        names = list(self._scenarios)
        name = (options or {}).get("scenario") or names[int(self._random.integers(len(names)))]
        if name not in self._scenarios:
            raise InputError("options, scenario", f"expected one of {', '.join(names)}")
        scenario = self._scenarios[name]
        world = scenario.world()
        self._episode = Stepped(scenario, world, self._header(scenario, world))
        self.agents = list(self.possible_agents)
        return self._observations(), self._infos()

    def step(
        self, actions: Mapping[str, Number]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """One timestep. Who is given no action idles; an action that is not legal FAILs.

        Raises InputError without a `reset` before, and for a number that stands for nothing.
        """
        episode = self._playing()
        before, state = episode.tally, episode.state
        commands = [
            Command(agent, self._text(state, agent, actions)) for agent in self.possible_agents
        ]
        outcomes = episode.step(commands).outcomes
        ended = episode.ended
        success = self._judged(episode) if ended and self._rewards.success else None
        agents = self.agents
        given = {
            agent: self._rewards.of(before, episode.tally, outcomes[agent], success)
            for agent in agents
        }
        terminated = dict.fromkeys(agents, ended == "finished")
        truncated = dict.fromkeys(agents, ended == "horizon")
        results = self._observations(), given, terminated, truncated, self._infos(outcomes)
        if ended:
            self.agents = []
        return results

    def render(self) -> str | None:
        """What a planner may see, as text, in the mode `ansi`; None without a mode."""
        if self.render_mode is None:
            return None
        episode = self._playing()
        console = Console(width=100, no_color=True)
        with console.capture() as shown:
            seen = episode.world.observe(episode.state)
            console.print(scene(capabilities.viewing(self._domain), episode.world, seen))
        return shown.get()

    def state(self) -> Numbers:
        """The arrays of everything that a planner may see, one behind the other."""
        episode = self._playing()
        seen = self._training.seen(episode.world.observe(episode.state))
        return np.concatenate([each.ravel() for each in arrays(self._training, seen).values()])

    def trace(self) -> Trace:
        """The trace of the present episode, or of the last. Raises InputError without one."""
        return self._playing().trace()

    def _playing(self) -> Stepped:
        if self._episode is None:
            raise InputError("env", "call reset first")
        return self._episode

    def _text(self, state: Any, agent: str, actions: Mapping[str, Number]) -> str:
        if agent not in actions:
            return self._playing().world.idle
        number = int(actions[agent])
        if not 0 <= number < len(self.actions):
            last = len(self.actions) - 1
            raise InputError(f"action of {agent}", f"expected 0 to {last}, not {number}")
        return self._training.text(state, number)

    def _header(self, scenario: Scenario, world: Any) -> Header:
        horizon = self._horizon or scenario.horizon or capabilities.horizon(self._domain, scenario)
        judges = self._domain.judging.version
        limit = horizon or DEFAULT_HORIZON
        return header_of(scenario, world, self._policy, "per-step", limit, judges)

    def _judged(self, episode: Stepped) -> bool | None:
        truth = capabilities.truth(self._domain, episode.scenario)
        self.verdict = judge(episode.trace(), truth, self._spec)
        return self.verdict.success

    def _observations(self) -> dict[str, Observation]:
        episode, training = self._playing(), self._training
        observed: dict[str, Observation] = {}
        state, seen = None, {}
        for me, agent in enumerate(self.agents):
            mine = episode.world.observe(episode.state, agent)
            if mine is not state:
                state, seen = mine, arrays(training, training.seen(mine))
            observed[agent] = {
                "me": np.array([me], np.int32),
                "observation": {name: array.copy() for name, array in seen.items()},
                "action_mask": mask(training, training.legal(mine, agent)),
            }
        return observed

    def _infos(self, outcomes: Mapping[str, Outcome] | None = None) -> Infos:
        """The texts that an agent may know, and why its last action FAILed, if it did."""
        episode = self._playing()
        infos: Infos = {}
        for agent in self.agents:
            due = episode.world.lookups(episode.world.observe(episode.state, agent))
            texts = {key: episode.texts[key] for key in due if key in episode.texts}
            fail = outcomes[agent].why if outcomes and not outcomes[agent].done else None
            infos[agent] = {"texts": texts, "fail": fail}
        return infos


def _common(domain: Domain, scenarios: Sequence[Scenario]) -> Training:
    """The worlds of these scenarios in numbers. Raises InputError if they are not alike."""
    first = capabilities.training(domain, scenarios[0].world())
    for scenario in scenarios[1:]:
        other = capabilities.training(domain, scenario.world())
        if (other.actions, other.arrays) != (first.actions, first.arrays):
            raise InputError(
                f"{scenario.name}, {scenarios[0].name}",
                "expected scenarios whose worlds are built alike: other actions or arrays",
            )
    return first


def parallel_env(
    scenarios: str | Sequence[str],
    *,
    world: str | None = None,
    settings: Mapping[str, Any] | None = None,
    horizon: int | None = None,
    rewards: Rewards | None = None,
    policy: str = "policy",
    render_mode: str | None = None,
) -> KitchenEnv:
    """An environment of a scenario, or of several of which each `reset` draws one.

    `world` and `settings` are as in `cookmas.load_scenario`. `horizon` is the timesteps of an
    episode (as long as `cookmas run` would let it go on); `policy` the name of who acts, in the
    trace. With `render_mode` "ansi" it can be rendered as text. Raises CookMASError.
    """
    names = [scenarios] if isinstance(scenarios, str) else list(scenarios)
    if not names or render_mode not in (None, "ansi"):
        raise InputError("parallel_env", "expected a scenario, and a render_mode of None or 'ansi'")
    places = [located(name, world) for name in names]
    if len({spec for spec, _ in places}) > 1:
        raise InputError("parallel_env", "expected scenarios of one world")
    loaded = [load_scenario(name, spec, settings or {}) for spec, name in places]
    return KitchenEnv(
        loaded,
        places[0][0],
        horizon=horizon,
        rewards=rewards,
        policy=policy,
        render_mode=render_mode,
    )
