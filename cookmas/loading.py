"""Scenarios and planners by the names that people give them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from cookmas.apart import Apart, is_own
from cookmas.seating import team_in_seats, unadvised
from cookmas.worlds import domain_of, located
from episodes.capabilities import is_simulable
from episodes.scenario import Scenario
from episodes.world import Json
from files.errors import InputError
from orchestrator.dialogue.options import AskingOptions
from orchestrator.member import Team
from orchestrator.models.budgeted import Models
from orchestrator.models.options import ModelOptions
from orchestrator.planner import Planner
from orchestrator.planners.lineup import is_lineup, seed_of
from orchestrator.planners.load import load_planner as load_planner_of
from orchestrator.runs.folder import RunFile
from worlds import capabilities
from worlds.domain import Domain, Settings

NO_SETTINGS: Settings = MappingProxyType({})

Load = Callable[[str, int | None, str | None, Models | None], Planner | Team]
"""Makes the planner of a name, with a seed, for a seat, with the models of all seats."""


def load_scenario(
    name: str, world: str | None = None, settings: Mapping[str, Any] = NO_SETTINGS
) -> Scenario:
    """Return a scenario by its name (`level3/07`, `cuisineworld/level_3`) or its file.

    `world` names the scenario's world if the name does not. `settings` are the world's options for
    the scenario. Raises CookMASError.
    """
    spec, name = located(name, world)
    return sound(domain_of(spec), name, settings)


def load_planner(
    spec: str,
    scenario: Scenario,
    model: ModelOptions | None = None,
    asking: AskingOptions | None = None,
    world: str | None = None,
    seed: int | None = None,
) -> Planner | Team:
    """Return a planner or a team for a scenario: by a name, a `package.module:Class` or a schedule
    file.

    A line-up such as `alice=llm,bob=greedy` names a planner for each seat. `seed` is for planners
    that draw random numbers. The planner is made in this process, even if it is user-supplied.
    Raises CookMASError.
    """

    def load(
        planner: str, own: int | None, seat: str | None, models: Models | None
    ) -> Planner | Team:
        return _load_named(planner, scenario, model, asking, world, own, seat, models)

    return _load_seats(spec, scenario, model, asking, seed, load)


def _load_seats(
    spec: str,
    scenario: Scenario,
    model: ModelOptions | None,
    asking: AskingOptions | None,
    seed: int | None,
    load: Load,
    people: Sequence[str] = (),
) -> Planner | Team:
    """Return the planner of a name, or the team of a line-up, in which each seat has its seed."""
    if not is_lineup(spec):
        if seat := next(iter(asking.seats if asking else ()), None):
            raise InputError(
                f"planner {spec!r}",
                f"is for all seats, but an option names {seat!r}; expected --planner SEAT=PLANNER",
            )
        return load(spec, seed, None, None)

    def load_seat(planner: str, seat: str, models: Models) -> Planner | Team:
        return load(planner, None if seed is None else seed_of(seed, seat), seat, models)

    return team_in_seats(spec, scenario.world().workers, model, asking, load_seat, people)


def _load_named(
    spec: str,
    scenario: Scenario,
    model: ModelOptions | None,
    asking: AskingOptions | None,
    world: str | None,
    seed: int | None,
    seat: str | None,
    models: Models | None,
) -> Planner | Team:
    domain, played = domain_of(world or scenario.world().name), scenario.world()
    if spec == "oracle" and isinstance(domain, capabilities.OracleDomain):
        return domain.oracle(scenario)
    return load_planner_of(
        spec,
        domain.planners,
        lambda path: capabilities.schedule(domain, path, scenario),
        played.workers,
        model,
        asking,
        seed,
        seat,
        models,
        simulated=is_simulable(played),
    )


def asked(
    spec: str,
    scenario: Scenario,
    world: str,
    model: ModelOptions | None,
    asking: AskingOptions | None,
    apart: Apart,
    setup: Json | None = None,
    seed: int | None = None,
    people: Sequence[str] = (),
) -> Planner | Team:
    """Return a planner or a team for a scenario; a user-supplied planner runs in its own process.

    `setup` is the world's setup if it differs from the scenario's. `seed` is for planners that draw
    random numbers. A line-up may omit seats of `people`. Raises CookMASError.
    """
    named = domain_of(world).planners

    def load(
        planner: str, own: int | None, seat: str | None, models: Models | None
    ) -> Planner | Team:
        if is_own(planner, named):
            return apart.planner(planner, scenario, world, model, asking, own, setup, seat)
        return _load_named(planner, scenario, model, asking, world, own, seat, models)

    return _load_seats(spec, scenario, model, asking, seed, load, people)


def planner_for(
    file: RunFile, scenario: Scenario, apart: Apart, setup: Json | None = None
) -> Planner | Team:
    """Return the planner or the team of a run. Raises CookMASError."""
    found = asked(
        file.planner,
        scenario,
        file.world,
        file.model,
        file.asking,
        apart,
        setup=setup,
        people=file.people,
    )
    if isinstance(found, Team) and file.people and not file.suggestions:
        return unadvised(found, file.people)
    return found


def sound(domain: Domain, name: str, settings: Mapping[str, Any]) -> Scenario:
    """Return a valid scenario. Raises CookMASError if it is invalid."""
    scenario = domain.scenario(name, said(settings))
    capabilities.vet(domain, scenario)
    return scenario


def said(settings: Mapping[str, Any]) -> dict[str, str]:
    """Return settings as they are stored: the value of each as text."""
    return {name: str(value) for name, value in settings.items()}
