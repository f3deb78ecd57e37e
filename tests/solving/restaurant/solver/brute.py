"""The shortest schedule of small tasks by trying everything in the simulator."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product

from cookmas.kitchen.actions import Action, Navigate, Pick
from cookmas.kitchen.components import Component, pair_off
from cookmas.kitchen.foods import Dish, Food, join, make_raw
from cookmas.kitchen.layout import KINDS, PLATE_NAME, Kitchen, Station
from cookmas.kitchen.legal import legal_actions
from cookmas.kitchen.simulator import step
from cookmas.kitchen.state import KitchenState, OrderLine

Wanted = Mapping[str, tuple[Component, ...]]


def tiny(larder: Mapping[str, str], workers: int, **slots: int) -> Kitchen:
    """Return a kitchen with dispensers, a pass, an aisle, and a station of each of some kinds."""
    kinds = {"pantry": 0, "fridge": 0, "plates": 0, "plating": 10, "pass": 0, "aisle": 0, **slots}
    return Kitchen(
        name="tiny",
        stations={
            kind: Station(
                name=kind, kind=KINDS[kind], slots=n, room=1 if KINDS[kind].exclusive else None
            )
            for kind, n in kinds.items()
        },
        larder=dict(larder),
        menu=(),
        doneness={},
        workers=tuple(f"worker_{number}" for number in range(1, workers + 1)),
        stock={},
    )


def open_lines(kitchen: Kitchen, state: KitchenState, wanted: Wanted) -> KitchenState:
    """Return the state in which a line is open for each dish."""
    return state._replace(lines={name: OrderLine(name) for name in wanted})


def fewest(
    kitchen: Kitchen,
    begin: KitchenState,
    wanted: Wanted,
    most: int,
    release: Mapping[str, int] | None = None,
) -> int | None:
    """Return the fewest timesteps in which everything is served; None if more than `most`.

    Nothing is served before the timestep of its line in `release`. Nobody picks more of an
    ingredient than is wanted in all, nor makes a food from which nothing that is wanted can be
    made; a state is left out if too little time is left for what must still be carried and served.
    Nothing else is left out.
    """
    useful = {str(food) for parts in wanted.values() for c in parts for food in _foods(c)}
    needed = [PLATE_NAME for _ in wanted]
    needed += [name for parts in wanted.values() for c in parts for name in c.ingredients()]
    worked = [str(_foods(c)[-1]) for parts in wanted.values() for c in parts if c.steps]
    front = {_key(begin, ()): (begin, tuple[str, ...]())}
    for timestep in range(1, most + 1):
        after: dict[object, tuple[KitchenState, tuple[str, ...]]] = {}
        for state, picked in front.values():
            for row in _rows(kitchen, state):
                fetched = [
                    action.food or PLATE_NAME
                    for place, action in zip(state.workers, row, strict=True)
                    if isinstance(action, Pick)
                    and kitchen.stations[place.station].kind.role == "dispenser"
                ]
                now = tuple(sorted((*picked, *fetched)))
                if any(now.count(name) > needed.count(name) for name in fetched):
                    continue
                new, outcomes = step(kitchen, state, row)
                if not all(outcome.done for outcome in outcomes):
                    continue
                if not _right(state, row, wanted, release or {}):
                    continue
                if not new.open_lines():
                    return timestep
                if timestep + _left(kitchen, new, len(needed) - len(now), worked) > most:
                    continue
                if all(str(food) in useful for food in _loose(new)):
                    after.setdefault(_key(new, now), (new, now))
        front = after
    return None


def _left(kitchen: Kitchen, state: KitchenState, unpicked: int, done: Collection[str]) -> int:
    """Return a number of timesteps that are needed at least.

    For each thing that is not picked yet a worker walks to it unless one stands there, picks it,
    carries and places it. `done` are the foods that lie on a plate in the end: each that was not
    yet taken from where it was worked on is picked, carried and placed. Then each dish is
    assembled, picked, carried and served.
    """
    there = sum(
        place.holding is None and kitchen.stations[place.station].kind.role == "dispenser"
        for place in state.workers
    )
    things = [place.holding for place in state.workers]
    things += [content.thing for content in state.contents.get("plating", ())]
    made = sum(isinstance(thing, Dish) for thing in things)
    made += sum(line.status == "served" for line in state.lines.values())
    unmade = len(state.lines) - made
    taken = sum(str(thing) in done for thing in things)
    workers = len(kitchen.workers)
    moves = 4 * unpicked - min(there, unpicked)
    moves += 3 * max(0, len(done) - taken) if unmade == len(state.lines) else 0
    if len(state.lines) == 1 and unmade:
        return -(-moves // workers) + 4
    return -(-(moves + 4 * unmade) // workers)


def _rows(kitchen: Kitchen, state: KitchenState) -> Iterator[tuple[Action, ...]]:
    """Yield all rows of actions, also those that enter a station which another worker leaves."""
    choices: list[list[Action]] = []
    for name, place in zip(kitchen.workers, state.workers, strict=True):
        own = legal_actions(kitchen, state, name)
        entered = (Navigate(n) for n in kitchen.stations if n != place.station)
        choices.append(own + [action for action in entered if action not in own])
    yield from product(*choices)


def _foods(component: Component) -> list[Food]:
    """Return the foods on the way to a component, the component itself last."""
    before = [_foods(part) for part in component.parts]
    if before:
        made = join(tuple(foods[-1] for foods in before))
        foods = [food for each in before for food in each]
    else:
        made, foods = make_raw(component.name), []
    foods.append(made)
    for each in component.steps:
        for minutes in range(1, each.high + 1):
            foods.append(made.apply(each.process, minutes))
        made = foods[-1]
    return foods


def _loose(state: KitchenState) -> Iterator[Food]:
    """Yield the foods that are not on a dish."""
    things = [place.holding for place in state.workers]
    things += [content.thing for lying in state.contents.values() for content in lying]
    yield from (thing for thing in things if isinstance(thing, Food))


def _right(
    state: KitchenState, row: Sequence[Action], wanted: Wanted, release: Mapping[str, int]
) -> bool:
    """Return whether what is served is what its line wants, and not served too early."""
    for place, action in zip(state.workers, row, strict=True):
        line = getattr(action, "line", None)
        if line is not None:
            dish = place.holding
            if state.timestep < release.get(line, 0):
                return False
            if not isinstance(dish, Dish) or pair_off(dish.components, wanted[line]) is None:
                return False
    return True


def _key(state: KitchenState, picked: tuple[str, ...]) -> object:
    """Return a key that is equal for states that differ only in the time and in who is who."""
    contents = tuple(
        sorted(
            (
                name,
                tuple(
                    (c.slot, str(c.thing), None if c.since is None else c.since - state.timestep)
                    for c in lying
                ),
            )
            for name, lying in state.contents.items()
        )
    )
    workers = tuple(sorted((w.station, str(w.holding)) for w in state.workers))
    return contents, workers, picked, tuple(state.open_lines())
