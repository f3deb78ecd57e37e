"""The things in a kitchen, without names, and the dishes that a goal wants."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from cookmas.worlds.robotouille.rules.layout import GoalQuery
from cookmas.worlds.robotouille.rules.literals import Literal

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
