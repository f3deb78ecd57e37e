"""Certificates of the restaurant: schedules by the solver, and bounds that hold under the rules.

A certificate is about all lines that are not cancelled, for a planner that knows them from the
beginning: it may begin a dish before the order, but not serve it. Lines that are cancelled are
never made. So for scenarios with later events its value is the *clairvoyant* optimum, if it is
proven.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cookmas.episodes.play import Play
from cookmas.episodes.world import Command
from cookmas.files.errors import InputError
from cookmas.kitchen.components import Component
from cookmas.kitchen.stages import Workload, unfold_dish
from cookmas.kitchen.state import KitchenState, OrderLine
from cookmas.kitchen.world import Restaurant
from cookmas.scenarios.scenario import KitchenScenario
from cookmas.scenarios.schedule import load_schedule
from cookmas.scenarios.truth import ScenarioTruth
from cookmas.solving.certificates import Certificate
from cookmas.solving.restaurant.bound import clairvoyant_bound
from cookmas.solving.restaurant.proof import (
    judge_dishes,
    makespan_of,
    play_schedule,
    rows_of,
    schedule_paths,
)
from cookmas.solving.restaurant.scheduling.planning import Planning
from cookmas.solving.restaurant.scheduling.schedule import EFFORT
from cookmas.solving.restaurant.solver.cpsat import BOUNDING, run, version
from cookmas.solving.restaurant.solver.improving import Told, improve
from cookmas.solving.restaurant.solver.rules import RulesModel

Schedule = Sequence[Mapping[str, str]]


class Standing(NamedTuple):
    """The lines of a scenario that are not cancelled: the components of each, and the timestep from
    which on it can be served so.

    `begin` is the first state, in which all these lines are open. `steady` is false if something is
    out of service at some time.
    """

    wanted: Mapping[str, tuple[Component, ...]]
    release: Mapping[str, int]
    begin: KitchenState
    steady: bool

    @property
    def clairvoyant(self) -> bool:
        """True if something becomes known only later."""
        return any(self.release.values())


def find_standing(scenario: KitchenScenario, truth: ScenarioTruth) -> Standing:
    """Return the lines of a scenario that its known schedule serves.

    A change that comes after the dish was served there asks for nothing. Without a known schedule,
    nothing is served before the last event.
    """
    world, events = scenario.world(), scenario.events()
    paths = schedule_paths(scenario)
    schedule: Schedule = load_schedule(paths[0], scenario) if paths else ()
    horizon = max(len(schedule), 1 + max(at for at, _ in events))
    play = Play(world, events, horizon, lambda record: None)
    lines: dict[str, OrderLine] = {}
    release: dict[str, int] = {}
    while True:
        for name, line in play.state.lines.items():
            if name not in lines or lines[name].note != line.note:
                release[name] = play.timestep
            lines[name] = line
        if play.ended:
            break
        row = schedule[play.timestep] if play.timestep < len(schedule) else {}
        play.step([Command(*each) for each in row.items()])
    stand = {n: OrderLine(x.item, x.note) for n, x in lines.items() if x.status != "cancelled"}
    return Standing(
        {name: truth.dish(line.item, name, line.note) for name, line in stand.items()},
        {name: release[name] for name in stand},
        world.start()._replace(lines=stand),
        all(event["kind"] != "fault" for _, event in events),
    )


def find_own_bound(scenario: KitchenScenario, standing: Standing) -> int:
    """Return the bound without a solver for a planner that knows everything."""
    return clairvoyant_bound(scenario.kitchen, standing.wanted, standing.release)


def find_bound(scenario: KitchenScenario, standing: Standing, most: int, limit: float) -> int:
    """Return the bound that the solver proves under the rules within `limit` deterministic units,
    or the one without a solver if that is greater.

    `most` is the length of a known schedule: the solver is asked for a shorter one. No bound is
    lowered to it. Raises InputError if a bound is greater, because then one of both is wrong.
    """
    own = find_own_bound(scenario, standing)
    if own > most:
        raise InputError(scenario.name, f"the bound {own} is refuted by a schedule of {most}")
    if own == most or not RulesModel.holds(scenario.kitchen):
        return own
    work = Workload()
    for line, components in standing.wanted.items():
        unfold_dish(work, line, components, scenario.kitchen.larder)
    model = RulesModel(scenario.kitchen, work, standing.release, most - 1, standing.steady)
    answer = run(model.model, limit, BOUNDING)
    if answer.proven and answer.value is None:
        return most
    return max(own, answer.bound)


def certify(
    scenario: KitchenScenario, truth: ScenarioTruth, limit: float, told: Told
) -> Certificate:
    """Return the certificate of a scenario: the best schedule found, and its bounds.

    The solver looks for a schedule, and for a bound, for `limit` deterministic units each.
    """
    standing = find_standing(scenario, truth)
    kitchen, begin = scenario.kitchen, standing.begin
    known = [load_schedule(path, scenario) for path in schedule_paths(scenario)]
    best = min(
        filter(None, (_play_rows(scenario, truth, each) for each in known)), key=len, default=None
    )
    model_bound = None
    found = Planning(kitchen, begin, standing.wanted, standing.wanted, EFFORT).best()
    if found is not None:
        improved = improve(kitchen, begin, found, limit, standing.release, told)
        model_bound = improved.bound
        rows = [
            dict(zip(kitchen.workers, map(str, row), strict=True)) for row in improved.rows or ()
        ]
        new = _play_rows(scenario, truth, rows) if rows else None
        if new is not None and (best is None or len(new) < len(best)):
            best = new
    if best is None:
        raise InputError(scenario.name, "no schedule was found that solves it")
    told(f"the simulator confirms {len(best)} timesteps; now the bound under its rules")
    bound = find_bound(scenario, standing, len(best), limit)
    return Certificate(
        world=Restaurant.name,
        certificate=scenario.name,
        digest=scenario.digest,
        value=len(best),
        bound=bound,
        model_bound=None if model_bound is None else max(bound, model_bound),
        solver=f"{version()}, {limit:g} units",
        schedule=[dict(row) for row in best],
    )


def prove_again(
    scenario: KitchenScenario, truth: ScenarioTruth, certificate: Certificate, limit: float
) -> int:
    """Return the bound that the solver proves again for a certificate, at most its value."""
    standing = find_standing(scenario, truth)
    return find_bound(scenario, standing, certificate.value, limit)


def _play_rows(
    scenario: KitchenScenario, truth: ScenarioTruth, schedule: Schedule
) -> list[dict[str, str]] | None:
    """Return a schedule until the last dish is served, without what idles; None if an action FAILs
    or a dish is not as asked.
    """
    try:
        trace = play_schedule(scenario, schedule, scenario.name)
    except InputError:
        return None
    rows = rows_of(trace)
    solved = judge_dishes(scenario, truth, trace).success
    return rows[: makespan_of(rows)] or None if solved else None
