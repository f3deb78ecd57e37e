"""The second computation of best actions: all that all workers can do, step by step.

It knows no bound and leaves out nothing, so it is for states from which the end is near.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import Any

from cookmas.episodes.world import Command
from cookmas.worlds.base.questions import Question

TRIED_STEPS = 20_000
"""Greatest number of steps that are tried for one question; with more it is not tried again."""

AHEAD = 6
"""Greatest depth of a question about Collab-Overcooked that is tried again."""

Value = tuple[float, float]
"""The probability of a win, and the turns that are left after it."""


def find_earliest(
    world: Any, state: Any, seat: str, is_reached: Callable[[Any], bool]
) -> tuple[set[str], int] | None:
    """Return the actions of a seat after which something can be reached earliest, and when.

    Return None if TRIED_STEPS do not suffice.
    """
    layer: dict[Hashable, tuple[Any, set[str]]] = {key_of(world, state): (state, set())}
    seen = set(layer)
    tried = timesteps = 0
    while layer:
        timesteps += 1
        best, following = set[str](), dict[Hashable, tuple[Any, set[str]]]()
        for before, led in layer.values():
            for actions, after in step_all(world, before):
                tried += 1
                first = {actions[seat]} if timesteps == 1 else led
                if is_reached(after):
                    best |= first
                elif (key := key_of(world, after)) not in seen:
                    following.setdefault(key, (after, set()))[1].update(first)
            if tried > TRIED_STEPS:
                return None
        if best:
            return best, timesteps
        seen |= following.keys()
        layer = following
    return None


def step_all(world: Any, state: Any) -> Iterator[tuple[Mapping[str, str], Any]]:
    """Yield all joint actions of a timestep that are done, in every order, and the state after.

    An action may be possible only after that of another worker in the same timestep.
    """
    movers = list(world.movers(state))
    options = dict(zip(movers, (list(world.legal(state, x)) for x in movers), strict=True))
    for worker in movers:
        for action in options[worker]:
            half, _, _ = world.step(state, [Command(worker, action)])
            for other in movers:
                if other != worker and other in world.movers(half):
                    more = [x for x in world.legal(half, other) if x not in options[other]]
                    options[other] += more
    orders = permutations(movers) if world.name == "cuisineworld" else [tuple(movers)]
    for order in orders:
        for chosen in product(*(options[worker] for worker in order)):
            after, outcomes, _ = world.step(
                state, [Command(x, action) for x, action in zip(order, chosen, strict=True)]
            )
            if all(outcomes[worker].done for worker in movers):
                yield dict(zip(order, chosen, strict=True)), after


def key_of(world: Any, state: Any) -> Hashable:
    """Return what the rest of the play depends on."""
    if world.name == "cuisineworld":
        inside = sorted((place, tuple(sorted(items))) for place, items in state.inside.items())
        return state.agents, tuple(inside), tuple(sorted(state.busy.items()))
    data = world.dump(state)
    if world.name == "collab-overcooked":
        for cook in data["cooks"].values():
            del cook["done"]
    return str({name: value for name, value in data.items() if name != "timestep"})


def serve_earliest(world: Any, state: Any, seat: str, question: Question) -> set[str] | None:
    """Return with which actions a dish comes to the table of CuisineWorld earliest."""
    dish, table = question.text.partition(" work for one ")[2].split()[0], world.kitchen.table
    begin = state._replace(orders=())
    there = begin.inside.get(table, ()).count(dish)
    found = find_earliest(
        world, begin, seat, lambda after: after.inside.get(table, ()).count(dish) > there
    )
    return found[0] if found else None


def deliver_earliest(world: Any, state: Any, seat: str, question: Question) -> set[str] | None:
    """Return with which actions the order of Collab-Overcooked is delivered earliest."""
    if question.depth > AHEAD:
        return None
    found = find_earliest(world, state, seat, lambda after: bool(after.served))
    return found[0] if found else None


def reach_earliest(world: Any, state: Any, seat: str, question: Question) -> set[str] | None:
    """Return with which actions the goal of Robotouille is reached earliest."""
    found = find_earliest(world, state, seat, lambda after: bool(world.goal.is_reached(after.true)))
    return found[0] if found else None


def play_rooms(world: Any, state: Any, seat: str, question: Question) -> set[str] | None:
    """Return the best moves in rooms, by trying all turns up to the depth of the question."""
    mover = question.text.split()[2 if question.kind == "planning" else 0]
    values = dict[str, Value]()
    position = world.position(state)
    for joint in _list_joints(world, position):
        value = _expect(world, position, joint, question.depth)
        action = world.texts_of(joint)[mover]
        values[action] = max(values.get(action, value), value)
    best = max(values.values())
    return {action for action, value in values.items() if value == best}


def _list_joints(world: Any, position: Any) -> Sequence[Any]:
    return list(product(*(world.engine.moves(position, player) for player in (0, 1))))


_KNOWN: dict[Hashable, Value] = {}


def _expect(world: Any, position: Any, joint: Any, left: int) -> Value:
    """Return the expectation of a turn with `left` turns, itself included."""
    drawn = [1]

    def choose(rooms: Sequence[int], number: int) -> int:
        drawn[0] = len(rooms)
        return rooms[number]

    results, number = list[Value](), 0
    while number < drawn[0]:
        after = world.turn(position, joint, lambda rooms, n=number: choose(rooms, n))
        results.append(_value(world, after, left - 1))
        number += 1
    chance, spare = (sum(each) / len(results) for each in zip(*results, strict=True))
    return round(chance, 9), round(spare, 9)


def _value(world: Any, position: Any, left: int) -> Value:
    won = world.engine.is_won(position)
    if won is not None or left == 0:
        return (1.0, float(left)) if won else (0.0, 0.0)
    key = (world.name, str(world.ways), position, left)
    if key not in _KNOWN:
        _KNOWN[key] = max(
            _expect(world, position, joint, left) for joint in _list_joints(world, position)
        )
    return _KNOWN[key]
