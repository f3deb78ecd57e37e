"""Kitchens of Robotouille without names: the states from which optimal schedules are proven.

Every way costs one timestep, so stations of one kind with equal contents are interchangeable, and
so are equal items. A state is the sorted numbers of its stations; a station is its kind, its stack
from below, and the robot at it. An item whose kind the goal does not name is rubbish. Work that
the goal does not ask for is left out.

The model allows more than the rules in one point: an item that was taken away while it cooks may
go on at another stove. So bounds hold, and schedules are replayed in the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cookmas.solving.robotouille.kitchen_dishes import (
    CUTS,
    DONE,
    EMPTY,
    FILLED,
    FILLING,
    ONCE_CUT,
    RUBBISH,
    STARTED,
    KitchenVessel,
    NamelessItem,
    NamelessStation,
    StateReader,
    Thing,
    WantedDish,
    has_dish,
)
from cookmas.worlds.robotouille.rules.engine import FactState
from cookmas.worlds.robotouille.world import RobotouilleWorld

State = tuple[int, ...]
"""The sorted numbers of the stations."""


class NamelessKitchen:
    """The stations and the actions of one layout, in numbers."""

    def __init__(
        self, world: RobotouilleWorld, dishes: Sequence[WantedDish], state: FactState
    ) -> None:
        """Take the dishes that the goal wants, and the state from which the search goes."""
        self.world = world
        self.dishes = dishes
        self.robots = len(world.workers)
        self._reader = StateReader(world, dishes)
        self._numbers: dict[NamelessStation, int] = {}
        self.stations: list[NamelessStation] = []
        self._ticked: list[int] = []
        self._acts: dict[int, list[int]] = {}
        self._moves: dict[tuple[int, int], tuple[int, int]] = {}
        self.start = self.read(state)

    def number(self, station: NamelessStation) -> int:
        """Return the number of a station."""
        known = self._numbers.get(station)
        if known is None:
            known = self._numbers[station] = len(self.stations)
            self.stations.append(station)
            self._ticked.append(known)
            later = _tick(station)
            if later != station:
                self._ticked[known] = self.number(later)
        return known

    def read(self, state: FactState) -> State:
        """Return a state of the engine without names."""
        return tuple(sorted(map(self.number, self._reader.read(state))))

    # What can be done.

    def tick(self, state: Sequence[int]) -> State:
        """Return a state after the timers have counted."""
        ticked = self._ticked
        return tuple(sorted([ticked[each] for each in state]))

    def counts(self, state: State) -> bool:
        """Return whether a timer counts in a state."""
        ticked = self._ticked
        return any(ticked[each] != each for each in state)

    def acts(self, station: int) -> list[int]:
        """Return what the robot at a station can make of it."""
        if station not in self._acts:
            found = dict.fromkeys(_act(self.stations[station]))
            self._acts[station] = [self.number(each) for each in found]
        return self._acts[station]

    def move(self, origin: int, target: int) -> tuple[int, int]:
        """Return two stations after the robot at the first has gone to the second."""
        known = self._moves.get((origin, target))
        if known is None:
            one, other = self.stations[origin], self.stations[target]
            left = self.number(one._replace(robot=()))
            known = left, self.number(other._replace(robot=one.robot))
            self._moves[origin, target] = known
        return known

    def find_robot(self, state: State, robot: int) -> int:
        """Return the place in a state of the station at which a robot is."""
        for place, number in enumerate(state):
            standing = self.stations[number].robot
            if standing and standing[0][0] == robot:
                return place
        raise AssertionError(robot)

    def follow(self, state: State) -> Iterator[tuple[int, State]]:
        """Yield the timesteps and the state after each thing that one robot can do.

        A way is one with what is done at its end, since it is of no use alone.
        """
        place = self.find_robot(state, 0)
        here = state[place]
        others = state[:place] + state[place + 1 :]
        for after in self.acts(here):
            yield 1, self.tick((*others, after))
        if self.counts(state):
            yield 1, self.tick(state)
        seen = set()
        for n, there in enumerate(others):
            if there in seen:
                continue
            seen.add(there)
            left, entered = self.move(here, there)
            rest = (*others[:n], *others[n + 1 :], left)
            entered = self._ticked[entered]
            for after in self.acts(entered):
                yield 2, self.tick((*self.tick(rest), after))

    def follow_all(self, state: State) -> Iterator[tuple[int, State]]:
        """Yield 1 and the state after each timestep of several robots."""
        seen = set()
        for one in dict.fromkeys(self._do(state, 0)):
            for two in dict.fromkeys(self._do(one, 1)):
                after = self.tick(two)
                if after not in seen:
                    seen.add(after)
                    yield 1, after

    def _do(self, state: State, robot: int) -> Iterator[State]:
        place = self.find_robot(state, robot)
        here = state[place]
        others = state[:place] + state[place + 1 :]
        yield state
        for after in self.acts(here):
            yield tuple(sorted((*others, after)))
        seen = set()
        for n, there in enumerate(others):
            if there not in seen and not self.stations[there].robot:
                seen.add(there)
                pair = self.move(here, there)
                yield tuple(sorted((*others[:n], *others[n + 1 :], *pair)))

    # The goal.

    def is_reached(self, state: State) -> bool:
        """Return whether all dishes are there."""
        return self.serves([self.stations[each] for each in state], 0)

    def serves(self, stations: Sequence[NamelessStation], first: int) -> bool:
        """Return whether the dishes from the first on are at different stations."""
        if first == len(self.dishes):
            return True
        for n, station in enumerate(stations):
            if has_dish(self.dishes[first], station):
                rest = [*stations[:n], *stations[n + 1 :]]
                if self.serves(rest, first + 1):
                    return True
        return False


def _tick(station: NamelessStation) -> NamelessStation:
    """Return a station after its timer has counted."""
    if not station.stack:
        return station
    first, *rest = station.stack
    if isinstance(first, KitchenVessel):
        water = first.water
        if station.kind == "sink" and EMPTY < water < 0:
            water = 0 if water + 1 == FILLED else water + 1
        elif station.kind == "stove" and 0 < water < DONE:
            water += 1
        first = first._replace(water=water)
    elif station.kind == "stove" and 0 < first.cooked < DONE:
        first = first._replace(cooked=first.cooked + 1)
    elif station.kind == "fryer" and 0 < first.fried < DONE:
        first = first._replace(fried=first.fried + 1)
    return station._replace(stack=(first, *rest))


def _act(station: NamelessStation) -> Iterator[NamelessStation]:
    """Yield a station after each action of the robot at it."""
    ((robot, held),) = station.robot
    kind, stack = station.kind, station.stack
    if held:
        thing = held[0]
        empty = ((robot, ()),)
        if not stack:
            yield NamelessStation(kind, (thing,), empty)
            return
        below = stack[0]
        if isinstance(thing, NamelessItem) and isinstance(below, NamelessItem):
            yield NamelessStation(kind, (*stack, thing), empty)
        elif isinstance(thing, NamelessItem) and isinstance(below, KitchenVessel):
            if below.kind == "pot" and below.water >= 0:
                more = () if thing.kind == RUBBISH else (thing,)
                added = tuple(sorted((*below.added, *more)))
                yield NamelessStation(kind, (below._replace(added=added),), empty)
        elif isinstance(thing, KitchenVessel) and isinstance(below, KitchenVessel):
            pours = thing.water in (0, DONE) and below.water == EMPTY
            if (thing.kind, below.kind) == ("pot", "bowl") and pours:
                full = KitchenVessel("bowl", thing.water, thing.added)
                yield NamelessStation(kind, (full,), ((robot, (KitchenVessel("pot", EMPTY, ()),)),))
        return
    if not stack:
        return
    top = stack[-1]
    yield NamelessStation(kind, stack[:-1], ((robot, (top,)),))
    if len(stack) > 1:
        return
    changed: Thing | None = None
    if isinstance(top, KitchenVessel):
        if top.kind == "pot" and kind == "sink" and top.water == EMPTY:
            changed = top._replace(water=FILLING)
        elif top.kind == "pot" and kind == "stove" and top.water == 0:
            changed = top._replace(water=STARTED)
    elif kind == "board" and 0 <= top.cuts < CUTS:
        changed = top._replace(cuts=top.cuts + 1)
        if changed.cuts == CUTS and top.fried == ONCE_CUT:
            changed = changed._replace(fried=0)
    elif kind == "stove" and top.cooked == 0:
        changed = top._replace(cooked=STARTED)
    elif kind == "fryer" and top.fried == 0:
        changed = top._replace(fried=STARTED)
    if changed:
        yield NamelessStation(kind, (changed,), station.robot)
