"""Scenarios and planners by what a person calls them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from cookmas.apart import Apart, is_own
from cookmas.seating import team_in_seats, team_of, unadvised
from cookmas.worlds import domain_of, located
from episodes.capabilities import is_simulable
from episodes.scenario import Scenario, drawn_by, redrawn
from episodes.world import Json
from files.errors import InputError
from orchestrator.dialogue.options import AskingOptions
from orchestrator.member import Policy, Team
from orchestrator.models.budgeted import Models
from orchestrator.models.options import ModelOptions
from orchestrator.planner import Planner
from orchestrator.planners.lineup import is_lineup, seed_of
from orchestrator.planners.load import load_planner as load_planner_of
from orchestrator.planners.seats import seated
from orchestrator.runs.request import Player, RunRequest, said
from worlds import capabilities
from worlds.domain import Domain, Settings

NO_SETTINGS: Settings = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Loaded:
    """A request with what it names: its world, and the scenario as its seed draws it.

    `name` is that of the scenario within its world, or its file.
    """

    request: RunRequest
    world: str
    domain: Domain
    name: str
    scenario: Scenario

    @property
    def horizon(self) -> int:
        """Timesteps after which an episode of it ends."""
        return self.scenario.horizon or capabilities.horizon(self.domain, self.scenario)

    @property
    def judges(self) -> str:
        """The version of those who will judge it."""
        return self.domain.judging.version

    def redrawn(self, seed: int | None) -> Loaded:
        """Return the same with what another seed draws."""
        return replace(self, scenario=redrawn(self.scenario, seed))


def load(request: RunRequest) -> Loaded:
    """Load what a request names, once; the scenario is one that `check` calls sound.

    Raises CookMASError.
    """
    scenario = request.scenario
    if isinstance(scenario, str):
        world, name = located(scenario, request.world)
        domain = domain_of(world)
        scenario = domain.scenario(name, said(request.settings))
        capabilities.vet(domain, scenario)
    else:
        world, name = request.world or scenario.world().name, scenario.name
        domain = domain_of(world)
    return Loaded(request, world, domain, name, drawn_by(scenario, request.seed))


def load_scenario(
    name: str, world: str | None = None, settings: Mapping[str, Any] = NO_SETTINGS
) -> Scenario:
    """A scenario by its name (`level3/07`, `cuisineworld/level_3`) or its file.

    `world` names the world it belongs to, where its name does not; `settings` are what that world
    lets one say of a scenario. Raises CookMASError.
    """
    return load(RunRequest(world=world, scenario=name, settings=settings)).scenario


def load_planner(
    spec: str,
    scenario: Scenario,
    model: ModelOptions | None = None,
    asking: AskingOptions | None = None,
    world: str | None = None,
    seed: int | None = None,
) -> Planner | Team:
    """A planner or a team for a scenario: a name, a `package.module:Class`, or a schedule file.

    A line-up such as `alice=llm,bob=greedy` names one for each seat. `seed` is for one that draws.
    It is made in this process, also where it is one of your own. Raises CookMASError.
    """
    request = RunRequest(
        world=world, scenario=scenario, planner=spec, planner_seed=seed, model=model, asking=asking
    )
    return planner_of(load(request))


def planner_of(
    loaded: Loaded, apart: Apart | None = None, setup: Json | None = None
) -> Planner | Team:
    """Return the planner or the team of a request. Raises CookMASError.

    One that a person wrote runs `apart`, or in this process. `setup` is the world as it is built,
    where that is not as the scenario says. In a line-up seats of people may be left out.
    """
    request, workers = loaded.request, loaded.scenario.world().workers

    def one(player: Player) -> Planner | Team | Policy:
        return _Named(loaded, apart, setup).planner(player) if isinstance(player, str) else player

    if isinstance(request.planner, Mapping):
        seats = {seat: one(each) for seat, each in request.planner.items()}
        return team_of(seats, workers)
    found = one(request.planner)
    if isinstance(found, Policy):
        return seated(found, workers)
    if isinstance(found, Team) and request.people and request.suggestions is False:
        return unadvised(found, request.people)
    return found


@dataclass(frozen=True, slots=True)
class _Named:
    """Makes the planners of a request by their names."""

    loaded: Loaded
    apart: Apart | None
    setup: Json | None

    def planner(self, spec: str) -> Planner | Team:
        """Return the planner of a name, or the team of a line-up with a seed for each seat."""
        request = self.loaded.request
        if is_lineup(spec):
            return team_in_seats(spec, self.loaded.scenario.world().workers, request, self._in_seat)
        if seat := next(iter(request.asking.seats if request.asking else ()), None):
            raise InputError(
                f"planner {spec!r}",
                f"is for all, and an option names seat {seat!r}; expected --planner SEAT=PLANNER",
            )
        return self._made(spec, request.planner_seed)

    def _in_seat(self, spec: str, seat: str, models: Models) -> Planner | Team:
        seed = self.loaded.request.planner_seed
        return self._made(spec, None if seed is None else seed_of(seed, seat), seat, models)

    def _made(
        self, spec: str, seed: int | None, seat: str | None = None, models: Models | None = None
    ) -> Planner | Team:
        request, domain, scenario = self.loaded.request, self.loaded.domain, self.loaded.scenario
        if self.apart and is_own(spec, domain.planners):
            setup = self.setup or scenario.world().setup()
            place = {"world": self.loaded.world, "setup": setup}
            return self.apart.planner(spec, place, request, seed, seat)
        if spec == "oracle" and isinstance(domain, capabilities.OracleDomain):
            return domain.oracle(scenario)
        played = scenario.world()
        return load_planner_of(
            spec,
            domain.planners,
            lambda path: capabilities.schedule(domain, path, scenario),
            played.workers,
            request.model,
            request.asking,
            seed,
            seat,
            models,
            simulated=is_simulable(played),
        )
