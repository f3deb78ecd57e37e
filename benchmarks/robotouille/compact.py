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
from typing import NamedTuple

from cookmas.worlds.robotouille.engine import FactState
from cookmas.worlds.robotouille.literals import Literal
from cookmas.worlds.robotouille.world import RobotouilleWorld

STARTED, DONE = 1, 5
"""Progress of a timer: started in this timestep, and done; 0 is not started."""
NEVER, ONCE_CUT = -1, -2
"""Progress that an item cannot make, or not before it is cut."""
CUTS = 3
EMPTY, FILLING, FILLED = -9, -8, -4
"""The water of an empty container, of a pot that is being filled since this timestep, and the
count at which it is full."""
RUBBISH = "-"


class Item(NamedTuple):
    """An item."""

    kind: str
    cuts: int
    """How often it was cut, or NEVER."""
    cooked: int
    fried: int


class Vessel(NamedTuple):
    """A pot or a bowl."""

    kind: str
    water: int
    """EMPTY, how far it is filled, or how far it boils."""
    added: tuple[Item, ...]


Thing = Item | Vessel
Robot = tuple[int, tuple[Thing, ...]]
"""A robot with what it holds: nothing or one thing."""


class Station(NamedTuple):
    """A station."""

    kind: str
    stack: tuple[Thing, ...]
    robot: tuple[Robot, ...]


State = tuple[int, ...]
"""The sorted numbers of the stations."""


class Wanted(NamedTuple):
    """An item that a dish wants."""

    kind: str
    cut: bool
    cooked: bool
    fried: bool

    def fits(self, item: Thing) -> bool:
        """Return whether an item is as it is wanted."""
        return (
            isinstance(item, Item)
            and item.kind == self.kind
            and (not self.cut or item.cuts == CUTS)
            and (not self.cooked or item.cooked == DONE)
            and (not self.fried or item.fried == DONE)
        )


class Dish(NamedTuple):
    """What the goal wants at one table: a stack, or a bowl of soup."""

    items: tuple[Wanted, ...]
    """Those of a stack; or those of a soup."""
    soup: bool
    boils: bool
    bottom: int | None
    """Which item lies on the table itself; None: any."""
    top: int | None
    """Which item is free; None: any."""
    above: tuple[tuple[int, int], ...]
    """Pairs of items of which the first lies directly on the second."""
    mixed: bool = False
    """Whether the goal wants items of one kind in several states."""


def read_dishes(literals: Sequence[Literal]) -> list[Dish]:
    """Return the dishes of a goal of the kitchen."""
    kind = {arg: arg.rpartition("_")[0] for each in literals for arg in each.args}
    about: dict[str, set[str]] = {}
    places: dict[str, list[str]] = {}
    for each in literals:
        about.setdefault(each.args[0], set()).add(each.predicate)
    for each in literals:
        if each.predicate in ("item_on", "item_at", "container_at"):
            places.setdefault(each.args[1], []).append(each.args[0])
    links = [each.args for each in literals if each.predicate == "atop"]
    dishes = []
    for names in places.values():
        waters = [x.args[0] for x in literals if x.predicate == "in" and x.args[1] in names]
        if waters:
            names = [
                x.args[0] for x in literals if x.predicate == "addedto" and x.args[1] == waters[0]
            ]
        for upper, lower in [*links, *reversed(links)]:
            if (upper in names) != (lower in names):
                names.append(lower if upper in names else upper)
        for upper, lower in [*links, *reversed(links), *links]:
            if (upper in names) != (lower in names):
                names.append(lower if upper in names else upper)
        names = list(dict.fromkeys(names))
        wanted = tuple(
            Wanted(
                kind[name],
                "iscut" in about[name],
                "iscooked" in about[name],
                "isfried" in about[name],
            )
            for name in names
        )
        find = names.index
        on = [find(name) for name in names if "item_on" in about[name]]
        free = [find(name) for name in names if "clear" in about[name]]
        above = tuple((find(a), find(b)) for a, b in links if a in names)
        boils = bool(waters) and "isboiling" in about[waters[0]]
        dishes.append(
            Dish(
                wanted,
                bool(waters),
                boils,
                on[0] if on else None,
                free[0] if free else None,
                above,
            )
        )
    return dishes


class Kitchen:
    """The stations and the actions of one layout, in numbers."""

    def __init__(self, world: RobotouilleWorld) -> None:
        self.world = world
        dishes = read_dishes(world.goal.literals)
        wishes = {each for dish in dishes for each in dish.items}
        mixed = len(wishes) > len({each.kind for each in wishes})
        self.dishes = [dish._replace(mixed=mixed) for dish in dishes]
        self.robots = len(world.workers)
        wanted = [each for dish in self.dishes for each in dish.items]
        self._kinds = {each.kind for each in wanted}
        self._cut = {each.kind for each in wanted if each.cut}
        self._cooked = {each.kind for each in wanted if each.cooked}
        self._fried = {each.kind for each in wanted if each.fried}
        self._numbers: dict[Station, int] = {}
        self.stations: list[Station] = []
        self._ticked: list[int] = []
        self._acts: dict[int, list[int]] = {}
        self._moves: dict[tuple[int, int], tuple[int, int]] = {}
        self.start = self.read(world.start())

    def number(self, station: Station) -> int:
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

    # What the engine's states are here.

    def read(self, state: FactState) -> State:
        """Return a state of the engine without names."""
        world = self.world
        facts: dict[str, set[str]] = {}
        below: dict[str, str] = {}
        rests = {x.predicate: x.args.index("it") for x in world.domain.rests}
        for literal in world.engine.literals(state.true):
            if literal.predicate in rests:
                at = rests[literal.predicate]
                below[literal.args[at]] = literal.args[1 - at]
            elif len(literal.args) == 1:
                facts.setdefault(literal.args[0], set()).add(literal.predicate)
        progress: dict[tuple[str, str], int] = {}
        for running in state.timers:
            name = running.key.partition(".")[0]
            timer = world.engine.timer(running.key)
            if timer.length > 1:
                known = progress.get((name, timer.about), 0)
                progress[name, timer.about] = max(known, running.counted)

        def thing(name: str) -> Thing:
            kind = world.engine.kinds[name]
            if kind in ("pot", "bowl"):
                waters = [x for x, at in below.items() if at == name]
                if not waters:
                    fill = progress.get(("fill-pot", name))
                    return Vessel(kind, EMPTY if fill is None else FILLING + fill, ())
                boil = progress.get(("boil-water", waters[0]))
                boiled = "isboiling" in facts.get(waters[0], ())
                added = sorted(thing(x) for x, at in below.items() if at == waters[0])
                water = DONE if boiled else 0 if boil is None else STARTED + boil
                return Vessel(kind, water, tuple(added))  # type: ignore[arg-type]
            return self._item(kind, facts[name], name, progress)

        stations = []
        for name, (kind, *_) in world.level.objects.items():
            if name in below:
                continue
            stack: list[Thing] = []
            on = name
            while found := [x for x, at in below.items() if at == on and x not in world.workers]:
                on = found[0]
                stack.append(thing(on))
                if isinstance(stack[-1], Vessel):
                    break
            robot: tuple[Robot, ...] = ()
            for number, worker in enumerate(world.workers):
                if below.get(worker) == name:
                    held = [x for x, at in below.items() if at == worker]
                    robot = ((number, tuple(thing(x) for x in held)),)
            stations.append(self.number(Station(kind, tuple(stack), robot)))
        return tuple(sorted(stations))

    def _item(
        self, kind: str, facts: set[str], name: str, progress: dict[tuple[str, str], int]
    ) -> Item:
        if kind not in self._kinds:
            return Item(RUBBISH, NEVER, NEVER, NEVER)
        cuts = cooked = fried = NEVER
        fries = kind in self._fried and ("isfryable" in facts or "isfryableifcut" in facts)
        if kind in self._cut or fries and "isfryable" not in facts:
            cuts = progress.get(("cut", name), 0) if "iscuttable" in facts else NEVER
        if "iscut" in facts:
            cuts = CUTS
        if kind in self._cooked:
            cooked = _progress("cook", "iscooked" in facts, "iscookable" in facts, name, progress)
        if kind in self._fried:
            fried = _progress("fry", "isfried" in facts, "isfryable" in facts, name, progress)
            if fried == NEVER and fries:
                fried = ONCE_CUT
        return Item(kind, cuts, cooked, fried)

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

    def serves(self, stations: Sequence[Station], first: int) -> bool:
        """Return whether the dishes from the first on are at different stations."""
        if first == len(self.dishes):
            return True
        for n, station in enumerate(stations):
            if has_dish(self.dishes[first], station):
                rest = [*stations[:n], *stations[n + 1 :]]
                if self.serves(rest, first + 1):
                    return True
        return False


_known: dict[tuple[Dish, str, tuple[Thing, ...]], bool] = {}


def has_dish(dish: Dish, station: Station) -> bool:
    """Return whether a dish is at a station."""
    key = (dish, station.kind, station.stack)
    found = _known.get(key)
    if found is None:
        found = _known[key] = station.kind == "table" and _has_dish(dish, station.stack)
    return found


def _has_dish(dish: Dish, stack: tuple[Thing, ...]) -> bool:
    if dish.soup:
        vessel = stack[0] if stack else None
        if not isinstance(vessel, Vessel) or vessel.kind != "bowl" or vessel.water < 0:
            return False
        if dish.boils and vessel.water != DONE:
            return False
        return _match(dish, vessel.added, [], free=True)
    return _match(dish, stack, [], free=False)


def _match(dish: Dish, stack: tuple[Thing, ...], chosen: list[int], free: bool) -> bool:
    number = len(chosen)
    if number == len(dish.items):
        return free or all(chosen[a] == chosen[b] + 1 for a, b in dish.above)
    for place, thing in enumerate(stack):
        fits = place not in chosen and dish.items[number].fits(thing)
        if not free and fits:
            fits = (number != dish.bottom or place == 0) and (
                number != dish.top or place == len(stack) - 1
            )
        if fits and _match(dish, stack, [*chosen, place], free):
            return True
    return False


def _progress(
    action: str, done: bool, can: bool, name: str, progress: dict[tuple[str, str], int]
) -> int:
    if done:
        return DONE
    if (action, name) in progress:
        return STARTED + progress[action, name]
    return 0 if can else NEVER


def _tick(station: Station) -> Station:
    """Return a station after its timer has counted."""
    if not station.stack:
        return station
    first, *rest = station.stack
    if isinstance(first, Vessel):
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


def _act(station: Station) -> Iterator[Station]:
    """Yield a station after each action of the robot at it."""
    ((robot, held),) = station.robot
    kind, stack = station.kind, station.stack
    if held:
        thing = held[0]
        empty = ((robot, ()),)
        if not stack:
            yield Station(kind, (thing,), empty)
            return
        below = stack[0]
        if isinstance(thing, Item) and isinstance(below, Item):
            yield Station(kind, (*stack, thing), empty)
        elif isinstance(thing, Item) and isinstance(below, Vessel):
            if below.kind == "pot" and below.water >= 0:
                more = () if thing.kind == RUBBISH else (thing,)
                added = tuple(sorted((*below.added, *more)))
                yield Station(kind, (below._replace(added=added),), empty)
        elif isinstance(thing, Vessel) and isinstance(below, Vessel):
            pours = thing.water in (0, DONE) and below.water == EMPTY
            if (thing.kind, below.kind) == ("pot", "bowl") and pours:
                full = Vessel("bowl", thing.water, thing.added)
                yield Station(kind, (full,), ((robot, (Vessel("pot", EMPTY, ()),)),))
        return
    if not stack:
        return
    top = stack[-1]
    yield Station(kind, stack[:-1], ((robot, (top,)),))
    if len(stack) > 1:
        return
    changed: Thing | None = None
    if isinstance(top, Vessel):
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
        yield Station(kind, (changed,), station.robot)
