"""The common base of both environments: an episode as arrays, from each agent's view.

The training form of a world (`cookmas.worlds.base.training.Training`) numbers its actions, and
gives its states as arrays of numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict, TypeVar

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from rich.console import Console
from typing_extensions import Unpack

from cookmas.bridges.pettingzoo.rewards import Rewards, default_rewards
from cookmas.bridges.pettingzoo.spaces import (
    Number,
    Numbers,
    Observation,
    arrays,
    is_whole,
    mask,
    observation_space,
)
from cookmas.bridges.pettingzoo.stepped import Stepped
from cookmas.display.watch.scene import scene
from cookmas.episodes.answered import rewards_of
from cookmas.episodes.base import overrides
from cookmas.episodes.scenario import DEFAULT_HORIZON, Scenario, depends_on_seed
from cookmas.episodes.trace import Header, Trace
from cookmas.episodes.world import DONE, Command, Outcome
from cookmas.evals.verdict import Verdict
from cookmas.files.errors import InputError
from cookmas.files.naming import suggest_name
from cookmas.files.option_models import refuse_name
from cookmas.files.wording import show_value
from cookmas.loading import load_scenario
from cookmas.orchestrator.episode import header_of
from cookmas.replaying import judge
from cookmas.world_names import domain_of, locate
from cookmas.worlds.base.domain import Domain
from cookmas.worlds.base.training import Training

Info = dict[str, Any]

TERMINATED = ("finished", "won", "lost", "over")
"""Endings that terminate an episode; at its horizon an episode is truncated."""

SEEDS = 2**31
"""Number of seeds out of which an episode draws one."""


class Common:
    """An environment that plays scenarios of one world, one episode at a time.

    The scenarios have the same actions and arrays. `verdict` is the judgement of the last episode
    that ended, or None if none has ended. With `fixed` the scenarios keep their own seeds.
    """

    def __init__(
        self,
        scenarios: Sequence[Scenario],
        world: str,
        *,
        horizon: int | None = None,
        rewards: Rewards | None = None,
        policy: str = "policy",
        render_mode: str | None = None,
        fixed: bool = False,
    ) -> None:
        if horizon is not None and (not is_whole(horizon) or horizon < 1):
            raise InputError("horizon", f"expected a whole number from 1 on, not {horizon!r}")
        self.render_mode = render_mode
        self.verdict: Verdict | None = None
        first = scenarios[0].world()
        self.possible_agents: list[str] = list(first.workers)
        self.agents: list[str] = []
        self._scenarios = {scenario.name: scenario for scenario in scenarios}
        self._spec, self._domain = world, domain_of(world)
        self._horizon = None if horizon is None else int(horizon)
        self._rewards = default_rewards(first) if rewards is None else rewards
        self._policy = policy
        self._fixed = fixed
        self._train(_find_common_training(self._domain, scenarios))
        self._random, _ = seeding.np_random()
        self._episode: Stepped | None = None
        self._seen: dict[str, Any] = {}
        if overrides(first, "movers"):
            for agent in self.possible_agents:
                self._count_waiting(agent, first.idle)
        self._action_spaces = {
            agent: spaces.Discrete(len(training.actions))
            for agent, training in self._by_agent.items()
        }
        self._observation_spaces = {
            agent: observation_space(training, len(self.possible_agents))
            for agent, training in self._by_agent.items()
        }

    @property
    def actions(self) -> Sequence[str]:
        """Text of each action by its number, if the actions are the same for all agents."""
        return self._training.actions

    @property
    def columns(self) -> Mapping[str, Sequence[str]]:
        """Names of the columns of each observed array, if they are the same for all agents."""
        return {name: array.columns for name, array in self._training.arrays.items()}

    def actions_of(self, agent: str) -> Sequence[str]:
        """Return the text of each action of an agent, by its number."""
        return self._training_of(agent).actions

    def columns_of(self, agent: str) -> Mapping[str, Sequence[str]]:
        """Return the names of the columns of each array that an agent observes."""
        return {name: array.columns for name, array in self._training_of(agent).arrays.items()}

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of `me` (the agent's index), `observation` (arrays by name) and
        `action_mask`.
        """
        self._check_agents([agent])
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of the action numbers."""
        self._check_agents([agent])
        return self._action_spaces[agent]

    def render(self) -> str | None:
        """Return a spectator's view as text if the mode is `ansi`; None without a mode."""
        if self.render_mode is None:
            return None
        episode = self._get_stepped()
        console = Console(width=100, no_color=True)
        with console.capture() as shown:
            seen = episode.world.spectate(episode.state)
            console.print(scene(self._domain.viewing, episode.world, seen))
        return shown.get()

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""

    def state(self) -> Numbers:
        """Return the arrays of everything that a planner may observe, flattened into one vector."""
        episode = self._get_stepped()
        seen = self._training.encode(episode.world.observe(episode.state))
        return np.concatenate([each.ravel() for each in arrays(self._training, seen).values()])

    def trace(self) -> Trace:
        """Return the trace of the present or last episode.

        Raises InputError if no episode has begun.
        """
        return self._get_stepped().trace()

    def _begin(self, seed: int | None, options: Mapping[str, Any] | None) -> None:
        """Begin an episode of the scenario that `options` name as `scenario`, or of a random one.

        `seed` determines all random draws from now on, those of the scenario included. Options of
        others are allowed, as PettingZoo demands. Raises InputError if there is no such scenario
        or seed, or if an option seems to be `scenario` misspelt.
        """
        if seed is not None:
            if not is_whole(seed) or seed < 0:
                raise InputError("seed", f"expected a whole number from 0 on, not {seed!r}")
            self._random, _ = seeding.np_random(int(seed))
        given = {} if options is None else options
        for unknown in sorted(set(given) - {"scenario"}, key=str):
            if suggest_name(str(unknown), ["scenario"]):
                refused = refuse_name(str(unknown), ["scenario"])
                raise InputError(f"options, {unknown}", refused)
        names = list(self._scenarios)
        name = given.get("scenario") or names[int(self._random.integers(len(names)))]
        if not isinstance(name, str) or name not in self._scenarios:
            near = suggest_name(str(name), names)
            raise InputError("options, scenario", f"expected one of {', '.join(names)}{near}")
        scenario = self._scenarios[name]
        drawn = depends_on_seed(scenario) and not self._fixed
        if drawn:
            redrawn: Any = scenario
            scenario = redrawn.redraw(int(self._random.integers(SEEDS)))
        world = scenario.world()
        if drawn:
            self._train(
                _find_common_training(self._domain, [self._scenarios[name], scenario], last=True)
            )
        self._episode = Stepped(scenario, world, self._header(scenario, world))
        self.agents = list(self.possible_agents)
        if self._episode.ended and self._rewards.success:
            self._judge(self._episode)
        self._look()

    def _train(self, training: Training) -> None:
        self._training = training
        self._by_agent = {agent: training.of(agent) for agent in self.possible_agents}

    def _training_of(self, agent: str) -> Training:
        self._check_agents([agent])
        return self._by_agent[agent]

    def _check_agents(self, named: Iterable[str]) -> None:
        for agent in named:
            if agent not in self.possible_agents:
                agents = ", ".join(self.possible_agents)
                raise InputError("agent", f"there is no {agent!r}; expected {agents}")

    def _get_stepped(self) -> Stepped:
        if self._episode is None:
            raise InputError("env", "call reset first")
        return self._episode

    def _movers(self) -> list[str]:
        """Return the agents whose turn it is, in order; none after the end of the episode."""
        now = self._get_stepped().movers
        return [agent for agent in self.possible_agents if agent in now]

    def _text(self, agent: str, number: Number | None) -> str:
        """Return the text of the action with a number, or of the idle action if `number` is None.

        Raises InputError if the agent has no such action.
        """
        if number is None:
            return self._get_stepped().world.idle
        self._check_action(agent, number)
        return self._by_agent[agent].text(self._seen[agent], int(number))

    def _check_action(self, agent: str, number: Number) -> None:
        last = len(self._by_agent[agent].actions) - 1
        if not is_whole(number) or not 0 <= number <= last:
            given = number if is_whole(number) else show_value(number)
            raise InputError(
                f"action of {agent}", f"expected a whole number from 0 to {last}, not {given}"
            )

    def _play(self, given: Mapping[str, str]) -> tuple[dict[str, float], Mapping[str, Outcome]]:
        """Carry out one timestep; return each agent's reward and the outcome of its action.

        `given` has the actions by agent. If no agent has a turn at the next timesteps, these are
        carried out too, and the rewards are those of all timesteps together. An episode that has
        ended does not change.
        """
        episode = self._get_stepped()
        if episode.ended:
            return dict.fromkeys(self.possible_agents, 0.0), dict.fromkeys(
                self.possible_agents, DONE
            )
        before = episode.tally
        commands = [Command(agent, action) for agent, action in given.items()]
        outcomes = episode.step(commands).outcomes
        success = self._judge(episode) if episode.ended and self._rewards.success else None
        own, after = _sum_own_rewards(episode), episode.tally
        rewards = {
            agent: self._rewards.of(before, after, outcomes[agent], success, own[agent])
            for agent in self.possible_agents
        }
        self._look()
        return rewards, outcomes

    def _is_over(self) -> tuple[bool, bool]:
        """Return whether the episode is terminated, and whether it is truncated."""
        ended = self._get_stepped().ended
        return ended in TERMINATED, ended == "horizon"

    def _look(self) -> None:
        """Store what each agent observes now."""
        episode = self._get_stepped()
        self._seen = {
            agent: episode.world.observe(episode.state, agent) for agent in self.possible_agents
        }

    def _observations(self) -> dict[str, Observation]:
        """Return every agent's observation; an agent without a turn can only wait."""
        moving = self._movers()
        observed: dict[str, Observation] = {}
        state, numbers, filled = None, None, {}
        for me, agent in enumerate(self.possible_agents):
            mine, training = self._seen[agent], self._by_agent[agent]
            if mine is not state or training is not numbers:
                state, numbers, filled = mine, training, arrays(training, training.encode(mine))
            legal = training.legal(mine, agent) if agent in moving else self._only_wait(agent)
            observed[agent] = {
                "me": np.array([me], np.int32),
                "observation": {name: array.copy() for name, array in filled.items()},
                "action_mask": mask(training, legal),
            }
        return observed

    def _only_wait(self, agent: str) -> Sequence[int]:
        """Return the idle action's number as the only legal action.

        If the world has no turns, the episode is over; then return the agent's legal actions
        instead.
        """
        world = self._get_stepped().world
        if not overrides(world, "movers"):
            return self._by_agent[agent].legal(self._seen[agent], agent)
        return [self._count_waiting(agent, world.idle)]

    def _count_waiting(self, agent: str, idle: str) -> int:
        actions = self._by_agent[agent].actions
        if idle not in actions:
            problem = f"expected {idle!r} among the actions of {agent}, for the turns of others"
            raise InputError(f"{self._domain.name}, training", problem)
        return actions.index(idle)

    def _infos(self, outcomes: Mapping[str, Outcome] | None = None) -> dict[str, Info]:
        """Return each agent's texts, the reason of its last FAIL and the ending of the episode."""
        episode = self._get_stepped()
        infos: dict[str, Info] = {}
        for agent in self.possible_agents:
            due = episode.world.lookups(self._seen[agent])
            texts = {key: episode.texts[key] for key in due if key in episode.texts}
            fail = outcomes[agent].why if outcomes and not outcomes[agent].done else None
            infos[agent] = {"texts": texts, "fail": fail, "ended": episode.ended}
        return infos

    def _header(self, scenario: Scenario, world: Any) -> Header:
        horizon = self._horizon or scenario.horizon or self._domain.horizon(scenario)
        judges = self._domain.judging.version
        limit = horizon or DEFAULT_HORIZON
        return header_of(scenario, world, self._policy, "per-step", limit, judges)

    def _judge(self, episode: Stepped) -> bool | None:
        truth = self._domain.truth(episode.scenario)
        self.verdict = judge(episode.trace(), truth, self._spec)
        return self.verdict.success


def _sum_own_rewards(episode: Stepped) -> Counter[str]:
    """Return the sum of the rewards that the world itself gave each worker, in the last call of
    `step`.
    """
    own: Counter[str] = Counter()
    if overrides(episode.world, "rewards"):
        for before, done in episode.carried:
            own.update(rewards_of(episode.world, before, done.state, done.outcomes))
    return own


def _find_common_training(
    domain: Domain, scenarios: Sequence[Scenario], *, last: bool = False
) -> Training:
    """Return the training form of the first scenario's world; with `last`, of the last one's.

    Raises InputError if the worlds have different actions or arrays.
    """
    worlds = [scenario.world() for scenario in scenarios]
    first = other = domain.training(worlds[0])
    for scenario, world in zip(scenarios[1:], worlds[1:], strict=True):
        other = domain.training(world)
        if _describe_spaces(first, worlds[0].workers) != _describe_spaces(other, world.workers):
            raise InputError(
                f"{scenario.name}, {scenarios[0].name}",
                "expected scenarios with the same actions and arrays",
            )
    return other if last else first


def _describe_spaces(training: Training, workers: Sequence[str]) -> list[Any]:
    """Return the actions and arrays, which must be equal in all worlds of an environment."""
    by_worker = {worker: training.of(worker) for worker in workers}
    return [
        (training.actions, training.arrays),
        {worker: (each.actions, each.arrays) for worker, each in by_worker.items()},
    ]


class EnvOptions(TypedDict, total=False):
    """The options of both environments."""

    horizon: int | None
    """Maximum number of timesteps, by default that of `cookmas run`."""
    rewards: Rewards | None
    """Weights of the rewards, by default `default_rewards` of the world."""
    policy: str
    """Name of the acting policy in the trace."""
    render_mode: str | None
    """With "ansi" the environment renders text."""


E = TypeVar("E", bound=Common)


def build_env(
    kind: type[E],
    scenarios: str | Sequence[str],
    world: str | None = None,
    settings: Mapping[str, Any] | None = None,
    **options: Unpack[EnvOptions],
) -> E:
    """Return an environment of type `kind`, for scenarios by their names. Raises CookMASError."""
    for unknown in sorted(set(options) - EnvOptions.__annotations__.keys()):
        raise InputError(unknown, refuse_name(unknown, EnvOptions.__annotations__))
    names = [scenarios] if isinstance(scenarios, str) else list(scenarios)
    if not names or options.get("render_mode") not in (None, "ansi"):
        raise InputError("env", "expected a scenario, and a render_mode of None or 'ansi'")
    places = [locate(name, world) for name in names]
    if len({spec for spec, _ in places}) > 1:
        raise InputError("env", "expected scenarios of one world")
    given = settings or {}
    loaded = [load_scenario(name, spec, given) for spec, name in places]
    return kind(loaded, places[0][0], fixed="seed" in given, **options)
