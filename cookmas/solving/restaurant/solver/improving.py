"""A shorter schedule than a known one, by the solver: found in its model, read back, decoded.

The solution of the model is read as placed modes, which the scheduler decodes like its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import KitchenState
from cookmas.solving.restaurant.scheduling.decode import Improvement, decode
from cookmas.solving.restaurant.scheduling.planning import Found
from cookmas.solving.restaurant.scheduling.problem import Problem
from cookmas.solving.restaurant.scheduling.states import Placed, Solution
from cookmas.solving.restaurant.scheduling.tasks import Spot
from cookmas.solving.restaurant.solver.cpsat import run
from cookmas.solving.restaurant.solver.model import ModeModel, shape_of, times_after_walk, times_of

NAME = "CP-SAT"
"""The configuration of a schedule that the solver found."""


def read_solution(model: ModeModel, value: Callable[[Any], int]) -> Solution:
    """Return the placed modes of a solution, given the values of its variables."""
    problem = model.problem
    where = _find_stations(model, value)
    done = [t for t in model.tasks if t.present is None or value(t.present)]
    placed: list[Placed] = []
    blocks_of: dict[int, list[int]] = {}
    count = 0
    numbers = {id(times): number for number, times in enumerate(model.tasks)}
    for times in sorted(done, key=lambda t: value(t.begin)):
        number = numbers[id(times)]
        mode, start = times.find_chosen(value), value(times.start)
        link = None
        if times.linked is not None and value(times.linked):
            link = next(b for (b, n), var in model.links.items() if n == number and value(var))
            assert times.task is not None
            mode = next(
                other
                for other in problem.modes.of(times.task, linked=True)
                if shape_of(other) == shape_of(mode) and times_after_walk(other) == times_of(mode)
            )
            start += 1
        blocks = list(range(count + 1, count + 1 + len(mode.blocks)))
        count += len(mode.blocks)
        if link is not None:
            blocks[0] = link if link < 0 else blocks_of[link][-1]
        for block, worker in mode.hands:
            blocks[block] = -worker - 1
        blocks_of[number] = blocks
        spots = {}
        for room in mode.rooms:
            spot = room.spot
            if spot.stage >= 0:
                spots[spot] = where[spot.stage]
            else:
                spots[spot] = spot.station or problem.resources.by_kind[spot.kind][0]
        placed.append(Placed(start, mode, spots, blocks))
    return problem.solution(placed, value(model.last), NAME)


def _find_stations(model: ModeModel, value: Callable[[Any], int]) -> Mapping[int, str]:
    """Return the station of each stage.

    Stages that keep a tool or a vessel are given the first free one, in the order in which they
    begin; there are enough, since no more are kept at a timestep than there are.
    """
    problem, resources = model.problem, model.problem.resources
    stages = problem.tasks.stages
    where: dict[int, str] = {}
    free_from: dict[str, int] = defaultdict(lambda: -1)
    for name in problem.now.contents:
        if not any(stage.station == name for stage in stages):
            lifts = [(t, time) for t, time, _ in model.list_lifts(name)]
            gone = lifts and all(t.present is None or value(t.present) for t, _ in lifts)
            free_from[name] = 1 + max(value(t) for _, t in lifts) if gone else 10**6
    for number, here in model.stations.items():
        names = resources.by_kind[stages[number].kind]
        where[number] = next(name for name, var in zip(names, here, strict=True) if value(var))
    spans = []
    for number, (_, end) in model.kept.items():
        station = stages[number].station
        if station is not None:
            where[number] = station
            free_from[station] = value(end)
        else:
            first = min(value(a) for t, a, _ in model.visits[Spot(stage=number)])
            spans.append((first, value(end), number))
    for begin, end, number in sorted(spans):
        names = resources.by_kind[stages[number].kind]
        name = next(name for name in names if free_from[name] <= begin)
        where[number] = name
        free_from[name] = end
    return where


Told = Callable[[str], None]
"""A function that is told of progress, a sentence at a time."""


def improve(
    kitchen: Kitchen,
    state: KitchenState,
    found: Found,
    limit: float,
    release: Mapping[str, int] | None = None,
    told: Told | None = None,
) -> Improvement:
    """Return the best schedule that the solver finds within `limit` deterministic units.

    A line in `release` opens that many timesteps from now. The known schedule may be late for it;
    the solver gets so much more time.
    """
    problem = Problem(kitchen, state, found.work)
    late = max(
        (
            (release or {}).get(problem.tasks.line(placed.mode.task), 0)
            - placed.start
            - placed.mode.served
            for placed in found.solution.placed
            if placed.mode.task is not None and placed.mode.served is not None
        ),
        default=0,
    )
    model = ModeModel(problem, found.solution, found.solution.length + max(0, late), release)

    def log(value: int, bound: int) -> None:
        if told is not None:
            told(f"a schedule of {value} timesteps; in the model at least {bound}")

    answer = run(model.model, limit, log=log)
    if answer.value is None:
        return Improvement(None, None if answer.proven else answer.bound, NAME)
    solution = read_solution(model, answer.of)
    rows = decode(kitchen, state, list(found.work.stages), solution)
    return Improvement(rows[: answer.value], answer.bound, NAME)
