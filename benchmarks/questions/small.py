"""All states of small worlds: the best actions of each, by going backwards from the end."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from benchmarks.questions.planning import key_of, step_all
from cookmas.world_names import domain_of
from cookmas.worlds.base.questions import Question
from cookmas.worlds.cuisineworld.rules.kitchen import Order
from cookmas.worlds.cuisineworld.world import CuisineWorld
from cookmas.worlds.robotouille.world import RobotouilleLevel, RobotouilleWorld

FAR = 10**6
"""Number of timesteps to an end that cannot be reached."""

SANDWICH = RobotouilleLevel(
    world="robotouille",
    title="sandwich",
    objects={
        "table1": ["table", "-"],
        "table2": ["table", "-"],
        "board1": ["board", "-"],
        "robot1": ["robot", "table1"],
        "robot2": ["robot", "board1"],
        "bread1": ["bread", "table1"],
        "lettuce1": ["lettuce", "table2"],
    },
    goal="item_on(bread_1, table_1), iscut(lettuce_2), atop(lettuce_2, bread_1)",
)
"""A kitchen of Robotouille with two robots, in which one item is cut."""

CHICKEN = RobotouilleLevel(
    world="robotouille",
    title="chicken",
    objects={
        "table1": ["table", "-"],
        "stove1": ["stove", "-"],
        "table2": ["table", "-"],
        "robot1": ["robot", "table1"],
        "robot2": ["robot", "table2"],
        "bread1": ["bread", "table1"],
        "chicken1": ["chicken", "table2", "iscookable"],
    },
    goal="item_on(bread_1, table_1), iscooked(chicken_2), atop(chicken_2, bread_1)",
)
"""A kitchen of Robotouille with two robots, in which one item is cooked."""


class SmallWorld(NamedTuple):
    """A world of which all states are visited."""

    name: str
    world: Any
    start: Any
    is_reached: Callable[[Any], bool]
    """Function that returns whether a state is an end, to be reached as early as possible."""
    asked: Mapping[str, Any] = {}
    """The values of the fields of a state that is asked about."""


def list_small_worlds() -> Iterator[SmallWorld]:
    """Yield the small worlds."""
    scenario: Any = domain_of("cuisineworld").scenario("level_0", {})
    kitchen = scenario.world().kitchen
    table, (dish,) = kitchen.table, kitchen.dishes
    cuisine = CuisineWorld(
        replace(kitchen, ingredients=kitchen.ingredients.intersection(kitchen.recipes[dish].inputs))
    )
    yield SmallWorld(
        "cuisineworld/level_0",
        cuisine,
        cuisine.start(),
        lambda state: table in state.inside,
        {"orders": (Order(1, dish),)},
    )
    for level in (SANDWICH, CHICKEN):
        yield _robots(f"robotouille, {level.title}", RobotouilleWorld(level))


def _robots(name: str, world: RobotouilleWorld) -> SmallWorld:
    return SmallWorld(name, world, world.start(), lambda state: world.goal.is_reached(state.true))


def compare_small(small: SmallWorld, every: int = 1) -> Iterator[tuple[Question, set[str]]]:
    """Yield the questions about the best action in states, and the actions that are best.

    It asks about each `every`th of all states.
    """
    world, questioner = small.world, domain_of(small.world.name).questioner
    states = _explore(small)
    far = _go_backwards(states)
    for key, (state, after) in islice(states.items(), 0, None, every):
        if far[key] in (0, FAR):
            continue
        asked = state._replace(**small.asked)
        for seat in world.workers:
            for question in questioner.ask(world, asked, seat, "planning", Random(0)):
                yield question, {actions[seat] for actions, to in after if far[to] == far[key] - 1}


_States = Mapping[Hashable, tuple[Any, list[tuple[Mapping[str, str], Hashable]]]]
"""Each state by its key, and the joint actions that lead to others; an end has none."""


def _explore(small: SmallWorld) -> _States:
    """Return all states that can come after the first one."""
    world = small.world
    found: dict[Hashable, tuple[Any, list[tuple[Mapping[str, str], Hashable]]]] = {}
    border = [(key_of(world, small.start), small.start)]
    while border:
        key, state = border.pop()
        if key in found:
            continue
        after = []
        if not small.is_reached(state):
            for actions, later in step_all(world, state):
                to = key_of(world, later)
                after.append((actions, to))
                if to not in found:
                    border.append((to, later._replace(timestep=0)))
        found[key] = state, after
    return found


def _go_backwards(states: _States) -> Mapping[Hashable, int]:
    """Return the fewest timesteps from each state to an end."""
    before: dict[Hashable, list[Hashable]] = {}
    for key, (_, after) in states.items():
        for _, to in after:
            before.setdefault(to, []).append(key)
    far = dict.fromkeys(states, FAR)
    layer = [key for key, (_, after) in states.items() if not after]
    timesteps = 0
    while layer:
        reached = [key for key in layer if far[key] == FAR]
        far.update(dict.fromkeys(reached, timesteps))
        layer = [x for key in dict.fromkeys(reached) for x in before.get(key, ())]
        timesteps += 1
    return far
