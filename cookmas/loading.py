"""Scenarios and planners by the names that people give them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from cookmas.episodes.base import World, check_base, overrides
from cookmas.episodes.scenario import Scenario, draw_scenario, redraw
from cookmas.episodes.world import Json
from cookmas.files.errors import InputError
from cookmas.files.naming import suggest_name
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.member import Policy, Team
from cookmas.orchestrator.models.options import MakeModel, ModelOptions, Models
from cookmas.orchestrator.planner import Planner
from cookmas.orchestrator.planners.naming import (
    NamedPlayer,
    is_lineup,
    load_lineup,
    load_player,
)
from cookmas.orchestrator.planners.seats import remove_advice, seat_policy, team_of
from cookmas.orchestrator.runs.request import Player, RunRequest, settings_as_text
from cookmas.user_processes import UserProcesses, is_own
from cookmas.world_names import domain_of, locate
from cookmas.worlds.base.domain import Domain
from cookmas.worlds.base.settings import Settings

NO_SETTINGS: Settings = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Loaded:
    """A request for a run, with the world and the scenario that it names."""

    request: RunRequest
    world: str
    """The world, by its name or as `package.module:Domain`."""
    domain: Domain
    name: str
    """Name of the scenario within its world, or its file."""
    scenario: Scenario
    """The scenario, drawn by the request's seed."""

    @property
    def horizon(self) -> int:
        """The number of timesteps after which the episode ends."""
        return self.scenario.horizon or self.domain.horizon(self.scenario)

    @property
    def judges(self) -> str:
        """The version of the evaluators that judge the episode."""
        return self.domain.judging.version

    def redraw(self, seed: int | None) -> Loaded:
        """Return a copy whose scenario is drawn with another seed."""
        return replace(self, scenario=redraw(self.scenario, seed))


def load(request: RunRequest) -> Loaded:
    """Return a request with its world and its scenario, which are loaded here.

    Raises CookMASError, for example if the scenario is invalid.
    """
    scenario = request.scenario
    if isinstance(scenario, str):
        world, name = locate(scenario, request.world)
        domain = domain_of(world)
        scenario = domain.scenario(name, settings_as_text(request.settings))
    else:
        played, name = scenario.world(), scenario.name
        check_base(type(played), World, f"scenario {name!r}")
        world = request.world or played.name
        domain = domain_of(world)
    return Loaded(request, world, domain, name, draw_scenario(scenario, request.seed))


def load_vetted(request: RunRequest) -> Loaded:
    """Load a request for a new run, and check the files that belong to its scenario.

    Raise CookMASError also if such a file, as the truth, does not fit. A run that is continued is
    loaded by `load`: nothing of the truth is read before it is judged.
    """
    loaded = load(request)
    if isinstance(request.scenario, str):
        loaded.domain.vet(loaded.scenario)
    return loaded


def load_scenario(
    name: str, world: str | None = None, settings: Mapping[str, Any] = NO_SETTINGS
) -> Scenario:
    """Return a scenario by its name (`level3/07`, `cuisineworld/level_3`) or its file.

    `world` names the scenario's world if the name does not. `settings` are the world's options for
    the scenario. Raises CookMASError.
    """
    return load_vetted(RunRequest(world=world, scenario=name, settings=settings)).scenario


def load_planner(
    spec: str,
    scenario: Scenario,
    model: ModelOptions | None = None,
    asking: AskingOptions | None = None,
    world: str | None = None,
    seed: int | None = None,
    make_model: MakeModel | None = None,
) -> Planner | Team:
    """Return a planner or a team for a scenario.

    `spec` is the name of a planner, a `package.module:Class`, or a schedule file. A line-up such as
    `alice=llm,bob=greedy` names a planner for each seat. `seed` is for planners that draw random
    numbers. `make_model` makes all models, whatever `model` names. The planner is made in this
    process, even if it is user-supplied. Raises CookMASError.
    """
    request = RunRequest(
        world=world, scenario=scenario, planner=spec, planner_seed=seed, model=model, asking=asking
    )
    return planner_of(load(request), make_model=make_model)


def planner_of(
    loaded: Loaded,
    processes: UserProcesses | None = None,
    setup: Json | None = None,
    make_model: MakeModel | None = None,
) -> Planner | Team:
    """Return the planner or the team of a request.

    A user-supplied planner runs in one of the `processes`, or in this process if there are none.
    `setup` is the world's setup if it differs from the scenario's. A line-up may omit the seats
    that people take. `make_model` makes the models in this process. Raises CookMASError.
    """
    request, workers = loaded.request, loaded.scenario.world().workers
    named = _Named(loaded, processes, setup, make_model)

    def load_one(player: Player) -> Planner | Team | Policy:
        return named.planner(player) if isinstance(player, str) else player

    if isinstance(request.planner, Mapping):
        seats = {seat: load_one(each) for seat, each in request.planner.items()}
        return team_of(seats, workers)
    planner = load_one(request.planner)
    if isinstance(planner, Policy):
        return seat_policy(planner, workers)
    if isinstance(planner, Team) and request.people and request.suggestions is False:
        return remove_advice(planner, request.people)
    return planner


def fallback_of(loaded: Loaded, processes: UserProcesses | None = None) -> Planner | None:
    """Return the fallback planner of a request; None if the request names none.

    The options of the model are not for the fallback. Raises InputError if it is not one of the
    world's planners for all workers, or calls a model.
    """
    request = loaded.request
    if request.fallback is None:
        return None
    if request.fallback not in loaded.domain.planners:
        named = loaded.domain.planners
        known = f"{', '.join(named)}{suggest_name(request.fallback, named)}"
        raise InputError("--fallback", f"expected one of the world's planners: {known}")
    alone = replace(loaded, request=request.model_copy(update={"model": None, "asking": None}))
    try:
        found = _Named(alone, processes, None).planner(request.fallback)
    except InputError as error:
        if error.where != "--model":
            raise
        raise InputError("--fallback", "expected a planner that calls no model") from None
    if isinstance(found, Team):
        raise InputError("--fallback", "expected one planner for all workers")
    return found


@dataclass(frozen=True, slots=True)
class _Named:
    """Makes the planners that a request names."""

    loaded: Loaded
    processes: UserProcesses | None
    setup: Json | None
    make_model: MakeModel | None = None

    def planner(self, spec: str) -> Planner | Team:
        """Return the planner that `spec` names; for a line-up, a team with a seed for each seat."""
        request = self.loaded.request
        player = NamedPlayer(
            planner=spec,
            model=request.model or ModelOptions(),
            asking=request.asking or AskingOptions(),
            seed=request.planner_seed,
        )
        if is_lineup(spec):
            workers = self.loaded.scenario.world().workers
            models = Models(player.model, workers, self.make_model)
            return load_lineup(player, workers, request.people, models, self._make)
        if seat := next(iter(player.asking.seats), None):
            raise InputError(
                f"planner {spec!r}",
                f"is for all seats, but an option names {seat!r}; expected --planner SEAT=PLANNER",
            )
        return self._make(player)

    def _make(
        self, player: NamedPlayer, models: Models | None = None, seat: str | None = None
    ) -> Planner | Team:
        spec, domain, scenario = player.planner, self.loaded.domain, self.loaded.scenario
        played = scenario.world()
        if self.processes and is_own(spec, domain.planners):
            world = {"world": self.loaded.world, "setup": self.setup or played.setup()}
            return self.processes.planner(player, world, seat)
        if spec == "oracle" and overrides(domain, "oracle", Domain):
            return domain.oracle(scenario)
        placement = domain.place(played, lambda path: domain.schedule(path, scenario))
        # An open episode waits for an endpoint itself, since it takes messages meanwhile.
        if self.loaded.request.pace is not None and (player.model.model or player.model.seats):
            player = player.model_copy(update={"model": player.model.without_waiting()})
        models = models or Models(player.model, (), self.make_model)
        return load_player(player, placement, models, seat)
