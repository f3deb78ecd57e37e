"""Progress: how far the unserved lines and the workers had come on the way to everything served."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from cookmas.evals.trajectories import TrajectoryStep, advances
from cookmas.evals.verdict import Check, make_unscored
from cookmas.kitchen.actions import Action, Navigate, Pick, Wait
from cookmas.kitchen.components import Component, pair_off
from cookmas.kitchen.foods import Dish, Food, Thing
from cookmas.kitchen.layout import Station
from cookmas.kitchen.state import KitchenState
from cookmas.kitchen.world import Restaurant
from cookmas.worlds.restaurant.judging.comparison import on_plate
from cookmas.worlds.restaurant.judging.evidence import (
    NO_TRUTH,
    KitchenEvidence,
    LineEvidence,
    WorkerMove,
)


def progress(evidence: KitchenEvidence) -> Iterator[Check]:
    """Yield `progress` for every standing line that was not served.

    The value is the share of the steps of the wanted dish, plating included, that the best matching
    foods in the kitchen have been through at the end. It is 1 if the dish only has to be served.
    Foods are assigned to one line after the other, and no food counts twice.
    """
    foods = _foods(evidence)
    unserved = [line for line in evidence.standing if line.dish is None]
    ready = _take_ready_dishes(unserved, evidence.final, foods)
    for line in unserved:
        if line.wanted is None:
            yield make_unscored("progress", line.name, NO_TRUTH)
            continue
        wanted = on_plate(line.wanted)
        total = sum(map(_length, wanted)) + 1
        dish = ready.get(line.name)
        done, used = (total, dish.components) if dish else _claim(wanted, foods)
        yield Check(
            name="progress",
            subject=line.name,
            value=round(done / total, 4),
            evidence="; ".join(map(str, used)),
            reason=f"{done} of {total} steps done",
        )


def find_ready_dishes(evidence: KitchenEvidence) -> dict[str, Dish]:
    """Return, by line, the finished dishes that only had to be served at the end."""
    unserved = [line for line in evidence.standing if line.dish is None]
    return _take_ready_dishes(unserved, evidence.final, _foods(evidence))


def _foods(evidence: KitchenEvidence) -> list[Food]:
    return list(on_plate(list_remaining_foods(evidence.world, evidence.final)))


def _take_ready_dishes(
    lines: Sequence[LineEvidence], state: KitchenState, foods: list[Food]
) -> dict[str, Dish]:
    """Return, by line, the finished dishes that only have to be served.

    Also remove their foods from `foods`.
    """
    lying = [content.thing for contents in state.contents.values() for content in contents]
    held = [worker.holding for worker in state.workers]
    dishes = [thing for thing in (*held, *lying) if isinstance(thing, Dish)]
    ready: dict[str, Dish] = {}
    for line in lines:
        for dish in dishes:
            there = on_plate(dish.components)
            if line.wanted and pair_off(there, on_plate(line.wanted)) is not None:
                ready[line.name] = dish
                dishes.remove(dish)
                for food in there:
                    foods.remove(food)
                break
    return ready


def list_remaining_foods(world: Restaurant, state: KitchenState) -> list[Food]:
    """Return all food in the kitchen, with the minutes that it has cooked so far.

    A dish is returned as its separate foods.
    """
    foods: list[Food] = []
    for worker in state.workers:
        foods += foods_of(worker.holding)
    for station, contents in sorted(state.contents.items()):
        kind = world.kitchen.stations[station].kind
        for content in contents:
            minutes = state.minutes_cooked(station, content)
            for food in foods_of(content.thing):
                foods.append(food.apply(kind.processes[0], minutes) if minutes else food)
    return foods


def foods_of(thing: Thing | None) -> tuple[Food, ...]:
    """Return the foods of a dish, or a food by itself; empty for any other thing."""
    if isinstance(thing, Dish):
        return thing.components
    return (thing,) if isinstance(thing, Food) else ()


def _length(component: Component) -> int:
    """Return the number of steps of a component, including those of its parts."""
    return sum(len(node.steps) for node in component.walk())


def _claim(wanted: Sequence[Component], foods: list[Food]) -> tuple[int, tuple[Food, ...]]:
    """Remove from `foods` those that have been through the most steps of `wanted`.

    Returns the number of these steps and the removed foods. A food can match a component, or one of
    the parts that are joined into the component. The path of a part is the index of the component,
    followed by the index of the part in it, and so on.
    """
    candidates: list[tuple[int, tuple[int, ...], int]] = []
    for number, food in enumerate(foods):
        for path, component in _paths(wanted):
            if done := _count_steps_done(food, component):
                candidates.append((-done, path, number))
    taken: dict[tuple[int, ...], int] = {}
    steps = 0
    for minus, path, number in sorted(candidates):
        if number not in taken.values() and not any(_overlap(path, other) for other in taken):
            taken[path] = number
            steps -= minus
    used = sorted(taken.values())
    claimed = tuple(foods[number] for number in used)
    foods[:] = [food for number, food in enumerate(foods) if number not in used]
    return steps, claimed


def _paths(
    components: Sequence[Component], prefix: tuple[int, ...] = ()
) -> Iterator[tuple[tuple[int, ...], Component]]:
    for index, component in enumerate(components):
        path = (*prefix, index)
        yield path, component
        yield from _paths(component.parts, path)


def _overlap(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Return whether one of two paths begins with the other."""
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def _count_steps_done(food: Food, component: Component) -> int:
    """Return how many steps of a component a food has been through, up to the first wrong one."""
    if food.ingredients() != component.ingredients() or bool(food.parts) != bool(component.parts):
        return 0
    inner, _ = _claim(component.parts, list(food.parts))
    if pair_off(food.parts, component.parts) is None:
        return inner
    right = takewhile(
        lambda pair: (
            pair[0].process == pair[1].process and pair[1].low <= pair[0].minutes <= pair[1].high
        ),
        zip(food.steps, component.steps, strict=False),
    )
    return inner + sum(1 for _ in right)


def step_of(action: Action, station: Station) -> str | None:
    """Return an action at a station as a step of a trajectory; None for walking and waiting.

    Stations of one kind count as equal, and so do their slots.
    """
    if isinstance(action, Navigate | Wait):
        return None
    name = "pick" if isinstance(action, Pick) and action.slot is not None else str(action)
    return f"{name} at {station.kind.name}"


def trajectories(evidence: KitchenEvidence) -> Iterator[Check]:
    """Yield `progress_completeness`, and `ites`, its increase after each answer of the planner.

    The formulas are equations 1 to 4 of Collab-Overcooked, RowGroup 3.2. There are no checks if the
    scenario has no known trajectories.
    """
    references = evidence.truth.references
    if not references:
        return
    done = [
        TrajectoryStep(move.timestep, move.worker, step)
        for move in evidence.moves
        if (step := _step(move, evidence))
    ]
    yield from advances(evidence, done, references)


def _step(move: WorkerMove, evidence: KitchenEvidence) -> str | None:
    if not move.outcome.done:
        return None
    frame = evidence.frames[move.timestep]
    place = frame.before.workers[evidence.world.workers.index(move.worker)]
    return step_of(move.action, frame.world.kitchen.stations[place.station])
