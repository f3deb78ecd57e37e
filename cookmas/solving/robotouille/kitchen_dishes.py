"""The things in a kitchen without names, read from a state, and the dishes that a goal wants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from cookmas.worlds.robotouille.rules.engine import FactState
from cookmas.worlds.robotouille.rules.layout import GoalQuery
from cookmas.worlds.robotouille.rules.literals import Literal
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


class NamelessItem(NamedTuple):
    """An item."""

    kind: str
    cuts: int
    """How often it was cut, or NEVER."""
    cooked: int
    fried: int


class KitchenVessel(NamedTuple):
    """A pot or a bowl."""

    kind: str
    water: int
    """EMPTY, how far it is filled, or how far it boils."""
    added: tuple[NamelessItem, ...]


Thing = NamelessItem | KitchenVessel
Robot = tuple[int, tuple[Thing, ...]]
"""A robot with what it holds: nothing or one thing."""


class NamelessStation(NamedTuple):
    """A station."""

    kind: str
    stack: tuple[Thing, ...]
    robot: tuple[Robot, ...]


class WantedItem(NamedTuple):
    """An item that a dish wants."""

    kind: str
    cut: bool
    cooked: bool
    fried: bool

    def fits(self, item: Thing) -> bool:
        """Return whether an item is as it is wanted."""
        return (
            isinstance(item, NamelessItem)
            and item.kind == self.kind
            and (not self.cut or item.cuts == CUTS)
            and (not self.cooked or item.cooked == DONE)
            and (not self.fried or item.fried == DONE)
        )


IN_STACKS = {"item_on", "item_at", "atop", "clear", "iscut", "iscooked", "isfried"}
"""The predicates that a stack of items can want."""
IN_SOUPS = {"in", "container_at", "isboiling", "addedto", "iscut", "iscooked", "isfried"}
"""The predicates that a soup can want."""


class WantedDish(NamedTuple):
    """A dish that the goal wants at one table: a stack, or a bowl of soup."""

    items: tuple[WantedItem, ...]
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


def read_dishes(goal: GoalQuery) -> list[WantedDish] | None:
    """Return the dishes of a goal of the kitchen; None if it wants something else."""
    wanted = [each for each in goal.literals if each.holds]
    dishes = [_read_dish([wanted[number] for number in part]) for part in goal.parts]
    found = [dish for dish in dishes if dish]
    if len(found) < len(dishes) or len(wanted) < len(goal.literals):
        return None
    wishes = {each for dish in found for each in dish.items}
    mixed = len(wishes) > len({each.kind for each in wishes})
    return [dish._replace(mixed=mixed) for dish in found]


def _read_dish(literals: Sequence[Literal]) -> WantedDish | None:
    """Return the dish of the literals about one table; None if they are about something else."""
    args: dict[str, list[tuple[str, ...]]] = {}
    for each in literals:
        args.setdefault(each.predicate, []).append(each.args)
    placed = [*args.get("item_on", ()), *args.get("item_at", ()), *args.get("container_at", ())]
    places = {place for _, place in placed}
    on = [name for name, _ in args.get("item_on", ())]
    free = [name for (name,) in args.get("clear", ())]
    known = args.keys() <= (IN_SOUPS if "in" in args else IN_STACKS)
    if not known or len(on) > 1 or len(free) > 1 or {_kind_of(x) for x in places} != {"table"}:
        return None
    if "in" in args:
        names = [item for item, _ in args.get("addedto", ())]
        vessels = [(_kind_of(water), _kind_of(vessel)) for water, vessel in args["in"]]
        if vessels != [("water", "bowl")] or len(placed) != 1:
            return None
    else:
        linked = [name for pair in args.get("atop", ()) for name in pair]
        names = list(dict.fromkeys([name for name, _ in placed] + linked))
    done = {
        predicate: {name for (name,) in args.get(predicate, ())}
        for predicate in ("iscut", "iscooked", "isfried")
    }
    items = [
        WantedItem(_kind_of(name), *(name in each for each in done.values())) for name in names
    ]
    return WantedDish(
        items=tuple(items),
        soup="in" in args,
        boils="isboiling" in args,
        bottom=names.index(on[0]) if on else None,
        top=names.index(free[0]) if free else None,
        above=tuple((names.index(one), names.index(two)) for one, two in args.get("atop", ())),
    )


def _kind_of(variable: str) -> str:
    return variable.rpartition("_")[0]


def has_dish(dish: WantedDish, station: NamelessStation) -> bool:
    """Return whether a dish is at a station."""
    return station.kind == "table" and _has_dish(dish, station.stack)


@cache
def _has_dish(dish: WantedDish, stack: tuple[Thing, ...]) -> bool:
    if dish.soup:
        vessel = stack[0] if stack else None
        if not isinstance(vessel, KitchenVessel) or vessel.kind != "bowl" or vessel.water < 0:
            return False
        if dish.boils and vessel.water != DONE:
            return False
        return _match(dish, vessel.added, [], free=True)
    return _match(dish, stack, [], free=False)


def _match(dish: WantedDish, stack: tuple[Thing, ...], chosen: list[int], free: bool) -> bool:
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


class StateReader:
    """The reading of states. Work on an item is left out if no dish wants its kind so."""

    def __init__(self, world: RobotouilleWorld, dishes: Sequence[WantedDish]) -> None:
        wanted = [each for dish in dishes for each in dish.items]
        self._world = world
        self._kinds = {each.kind for each in wanted}
        self._cut = {each.kind for each in wanted if each.cut}
        self._cooked = {each.kind for each in wanted if each.cooked}
        self._fried = {each.kind for each in wanted if each.fried}

    def read(self, state: FactState) -> Iterator[NamelessStation]:
        """Yield the stations."""
        seen = _SeenState(self._world, state)
        for name, (kind, *_) in self._world.level.objects.items():
            if name in seen.below:
                continue
            stack: list[Thing] = []
            on = [each for each in seen.lying_on(name) if each not in self._world.workers]
            while on:
                stack.append(self._thing(seen, on[0]))
                on = [] if isinstance(stack[-1], KitchenVessel) else seen.lying_on(on[0])
            yield NamelessStation(kind, tuple(stack), self._robot_at(seen, name))

    def _robot_at(self, seen: _SeenState, station: str) -> tuple[Robot, ...]:
        for number, worker in enumerate(self._world.workers):
            if seen.below.get(worker) == station:
                held = [self._thing(seen, name) for name in seen.lying_on(worker)]
                return ((number, tuple(held)),)
        return ()

    def _thing(self, seen: _SeenState, name: str) -> Thing:
        kind = self._world.engine.kinds[name]
        if kind not in ("pot", "bowl"):
            return self._item(seen, name, kind)
        inside = seen.lying_on(name)
        if not inside:
            filled = seen.progress.get(("fill-pot", name))
            return KitchenVessel(kind, EMPTY if filled is None else FILLING + filled, ())
        water = inside[0]
        kinds = self._world.engine.kinds
        items = [self._item(seen, each, kinds[each]) for each in seen.lying_on(water)]
        added = sorted(item for item in items if item.kind != RUBBISH)
        boils = _count(seen, "boil-water", water, "isboiling", can=True)
        return KitchenVessel(kind, boils, tuple(added))

    def _item(self, seen: _SeenState, name: str, kind: str) -> NamelessItem:
        if kind not in self._kinds:
            return NamelessItem(RUBBISH, NEVER, NEVER, NEVER)
        facts = seen.facts[name]
        cuts = cooked = fried = NEVER
        later = kind in self._fried and "isfryable" not in facts and "isfryableifcut" in facts
        if "iscut" in facts:
            cuts = CUTS
        elif "iscuttable" in facts and (kind in self._cut or later):
            cuts = seen.progress.get(("cut", name), 0)
        if kind in self._cooked:
            cooked = _count(seen, "cook", name, "iscooked", can="iscookable" in facts)
        if kind in self._fried:
            fried = _count(seen, "fry", name, "isfried", can="isfryable" in facts)
            if fried == NEVER and later:
                fried = ONCE_CUT
        return NamelessItem(kind, cuts, cooked, fried)


class _SeenState:
    """The facts of a state of the engine."""

    def __init__(self, world: RobotouilleWorld, state: FactState) -> None:
        self.facts: dict[str, set[str]] = {}
        """The predicates of each object alone."""
        self.below = world.engine.find_places(state.true)
        """The place of each object: what it is on, in or with."""
        self.progress: dict[tuple[str, str], int] = {}
        """The count of a timer, by its action and its object."""
        self._above: dict[str, list[str]] = {}
        for name, place in self.below.items():
            self._above.setdefault(place, []).append(name)
        for literal in world.engine.literals(state.true):
            if len(literal.args) == 1:
                self.facts.setdefault(literal.args[0], set()).add(literal.predicate)
        for running in state.timers:
            timer = world.engine.timer(running.key)
            key = (running.key.partition(".")[0], timer.about)
            if timer.length > 1:
                self.progress[key] = max(self.progress.get(key, 0), running.counted)

    def lying_on(self, name: str) -> list[str]:
        """Return what is on, in or with an object."""
        return self._above.get(name, [])


def _count(seen: _SeenState, action: str, name: str, done: str, *, can: bool) -> int:
    """Return how far a timer of an object is."""
    if done in seen.facts.get(name, ()):
        return DONE
    if (action, name) in seen.progress:
        return STARTED + seen.progress[action, name]
    return 0 if can else NEVER
