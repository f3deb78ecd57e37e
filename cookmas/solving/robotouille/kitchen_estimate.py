"""A bound on the timesteps that are left in a kitchen without names.

Each timestep of a robot is paid by one object: an action by the object that it moves or changes,
and a way by the object of the first action at its end. So the sum of what the objects need is a
bound for one robot, and half of it for two. What an object needs, an item or a vessel of a soup:

- Each time it is moved: taking it, one way, and laying it down. Before that, one way of the robot
  with empty hands to it, unless the robot is there already. The robot cannot come for it with
  another thing in its hands, because what it lays down there would lie on top of it.
- Each cut, and each start of a timer. After such a start the robot waits, or comes again.
- An object that lies on something that must go, or that lies where it cannot stay, is moved too.

Which object serves for which part of a dish, and at which station a dish is made, is not known.
The bound is the least over all choices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations, product

from cookmas.solving.robotouille.distances import FAR
from cookmas.solving.robotouille.kitchen_dishes import (
    CUTS,
    DONE,
    EMPTY,
    FILLED,
    NEVER,
    ONCE_CUT,
    STARTED,
    KitchenVessel,
    NamelessItem,
    NamelessStation,
    Thing,
    WantedDish,
    WantedItem,
)
from cookmas.solving.robotouille.kitchen_states import NamelessKitchen, State

TRIP = 3
"""To take a thing, to carry it, and to lay it down."""


Prefix = tuple[int, tuple[int, ...]]
"""How many things of a stack stay, from below, and which items of the dish they are."""


@cache
def find_prefixes(dish: WantedDish, stack: tuple[Thing, ...]) -> list[Prefix]:
    """Return the parts of a stack, from below, that can stay in a dish.

    Each has the number of things that stay, and the items of the dish that they are.
    """
    found: set[tuple[int, tuple[int, ...]]] = {(0, ())}

    def extend(height: int, used: dict[int, int]) -> None:
        found.add((height, tuple(sorted(used))))
        if height == len(stack):
            return
        thing = stack[height]
        for number, wanted in enumerate(dish.items):
            if number in used or not wanted.fits(thing):
                continue
            if number == dish.bottom and height > 0:
                continue
            if number == dish.top and (len(used) + 1 < len(dish.items) or height + 1 < len(stack)):
                continue
            if not _links(dish, {**used, number: height}):
                continue
            extend(height + 1, {**used, number: height})
        if height == 0 and dish.bottom is not None:
            return
        lies = {place: number for number, place in used.items()}.get(height - 1)
        if not any(lower == lies and upper not in used for upper, lower in dish.above):
            extend(height + 1, used)

    extend(0, {})
    return sorted(each for each in found if not any(_is_better(dish, x, each) for x in found))


def _is_better(dish: WantedDish, one: Prefix, other: Prefix) -> bool:
    """Return whether a choice that lets more things stay is never worse than another one.

    That is sure if nothing that a dish may want stays without need.
    """
    more = set(one[1]) > set(other[1]) and one[0] > other[0]
    return more and len(one[1]) == one[0] and not dish.mixed


def _links(dish: WantedDish, used: dict[int, int]) -> bool:
    """Return whether what stays lies as the dish wants it, without gaps below."""
    for upper, lower in dish.above:
        if upper in used and used.get(lower) != used[upper] - 1:
            return False
    return True


@cache
def count_for_item(
    wanted: WantedItem,
    item: NamelessItem,
    place: str,
    bottom: bool,
    robot: str,
    *,
    at_dish: bool = False,
    waits: bool = False,
) -> int:
    """Return the timesteps for an item until it lies in its dish.

    With `waits` they include those in which it cooks or fries; else those of robots alone count.

    `place` is the kind of its station, or "" if a robot holds it; `bottom` says whether it lies on
    the station itself. `robot` is the kind of the station of a robot that is there, or that holds
    it, or "". `at_dish` says whether it is at the station of the dish, where it cannot stay.
    """
    if item.kind != wanted.kind:
        return FAR
    cuts = CUTS - max(item.cuts, 0) if wanted.cut and item.cuts < CUTS else 0
    if wanted.fried and item.fried == ONCE_CUT:
        cuts = CUTS - item.cuts
    if cuts and item.cuts == NEVER:
        return FAR
    if (wanted.cooked and item.cooked == NEVER) or (wanted.fried and item.fried == NEVER):
        return FAR
    visits = []
    if cuts:
        visits.append(("board", cuts, 0))
    for kind, wants, progress in (
        ("stove", wanted.cooked, item.cooked),
        ("fryer", wanted.fried, item.fried),
    ):
        if wants and progress < DONE:
            ticks = DONE - 1 - max(progress, STARTED)
            visits.append((kind, int(progress <= 0), ticks if waits else min(ticks, 1)))
    total = 0
    trips = len(visits) + 1
    held = place == ""
    work = {kind for kind, _, _ in visits}
    for kind, actions, again in visits:
        total += actions
        stays = not held and kind == place and bottom
        trips -= stays
        if actions or not stays:
            total += again
    if at_dish and trips < 2:
        trips = 2
        total += 1
    total += TRIP * trips
    if held:
        total -= 2 if robot in work or (not work and robot == "table") else 1
    elif not robot:
        total += 1
    return total


def count_for_soup(
    dish: WantedDish, vessels: Sequence[tuple[KitchenVessel, str, str]], more: int
) -> int:
    """Return the timesteps for the pot, the bowl and the water of a soup.

    Each of the `vessels` has its place and the robot there. `more` is the number of items that must
    still be added. If there are any, the way to the pot costs nothing: the robot that adds one is
    there.
    """
    best = FAR
    for vessel, place, robot in vessels:
        if vessel.kind == "bowl" and vessel.water >= 0:
            if not more and (vessel.water == DONE or not dish.boils):
                best = min(best, _count_for_bowl(place, robot))
        elif vessel.kind == "pot":
            pot = _count_for_pot(dish, vessel, place, robot, more)
            for other, where, who in vessels:
                if other.kind == "bowl" and other.water == EMPTY:
                    best = min(best, pot + _count_for_bowl(where, who))
    return best


def _count_for_bowl(place: str, robot: str) -> int:
    if place == "table":
        return 0
    return 1 if place == "" else TRIP if robot else TRIP + 1


def _count_for_pot(dish: WantedDish, pot: KitchenVessel, place: str, robot: str, more: int) -> int:
    """Return the timesteps until the soup is poured."""
    held = place == ""
    total, again = 0, 0
    trips = 1
    if pot.water < 0:
        if pot.water == EMPTY:
            total += 1
        if place != "sink":
            trips += 1
            again += pot.water != FILLED - 1
        elif pot.water == EMPTY:
            again += 1
    if dish.boils and pot.water < DONE:
        if pot.water <= 0:
            total += 1
        if place != "stove" or pot.water < 0:
            trips += 1
            again += pot.water != DONE - 1
        elif pot.water == 0:
            again += 1
    total += TRIP * trips + max(0, again - more)
    if held:
        total -= 2
    elif not robot and not more:
        total += 1
    return total


def count_after(dish: WantedDish, index: int) -> int:
    """Return the timesteps of a dish that come after an item lies in it, one after the other."""
    if dish.soup:
        return TRIP
    above = {lower: upper for upper, lower in dish.above}
    number = 0
    while index in above:
        index, number = above[index], number + 1
    return number or int(dish.top not in (None, index))


Row = tuple[str, tuple[int, ...]]
"""The kind of an item, and what it costs to serve for each wanted item of this kind, in order."""

Choice = tuple[int, int, tuple[int, ...]]
"""The station of a dish, how much stays there, and as which of its items. The station -1 is any
other one."""

NOTHING: Choice = (-1, 0, ())


class KitchenEstimate:
    """The bound in the states of a kitchen."""

    def __init__(self, kitchen: NamelessKitchen) -> None:
        self._kitchen = kitchen
        self._known: dict[State, tuple[int, int]] = {}
        self._parts: dict[tuple[int, int, int], tuple[int, tuple[Row, ...]]] = {}
        self._roles: dict[str, list[tuple[int, int]]] = {}
        for number, dish in enumerate(kitchen.dishes):
            for index, wanted in enumerate(dish.items):
                self._roles.setdefault(wanted.kind, []).append((number, index))
        supply = Counter(
            thing.kind for each in kitchen.start for thing in _list_things(kitchen.stations[each])
        )
        self._sure = {kind for kind, roles in self._roles.items() if supply[kind] == len(roles)}
        self._all = {kind: (1 << len(roles)) - 1 for kind, roles in self._roles.items()}
        self._times: dict[int, Sequence[Row]] = {}
        self._after = {
            (number, index): count_after(dish, index)
            for number, dish in enumerate(kitchen.dishes)
            for index in range(len(dish.items))
        }
        self._soups = [n for n, dish in enumerate(kitchen.dishes) if dish.soup]

    def of(self, state: State) -> int:
        """Return the least number of timesteps that are left; FAR if the goal is out of reach."""
        return self._count(state)[0]

    def work(self, state: State) -> int:
        """Return the least number of timesteps that are left for all robots together."""
        return self._count(state)[1]

    def rank(self, state: State) -> float:
        """Return about how much work is left for each robot, to compare states."""
        bound, work = self._count(state)
        return max(work / self._kitchen.robots, (bound + work / self._kitchen.robots) / 2)

    def _count(self, state: State) -> tuple[int, int]:
        """Return the least number of timesteps that are left, and the work of all robots."""
        known = self._known.get(state)
        if known is None:
            work = min(self._count_work(state, each) for each in self._choices(state))
            bound = max(-(-work // self._kitchen.robots), self._count_chain(state))
            known = self._known[state] = min(FAR, bound), work
        return known

    def _choices(self, state: State) -> Iterator[Sequence[Choice]]:
        """Yield what can be chosen for each dish; of a soup nothing is."""
        stations = self._kitchen.stations
        options = []
        for dish in self._kitchen.dishes:
            found = [NOTHING]
            if not dish.soup:
                for place, number in enumerate(state):
                    station = stations[number]
                    if station.kind == "table" and station.stack:
                        prefixes = find_prefixes(dish, station.stack)
                        found += [(place, height, used) for height, used in prefixes if used]
            options.append(found)
        dishes = self._kitchen.dishes
        for choice in product(*options):
            places = [place for place, _, _ in choice if place >= 0]
            ordered = all(
                choice[n - 1] <= choice[n]
                for n in range(1, len(dishes))
                if dishes[n] == dishes[n - 1]
            )
            if ordered and len(set(places)) == len(places):
                yield choice

    def _count_work(self, state: State, choice: Sequence[Choice]) -> int:
        """Return the timesteps of all robots together for a choice."""
        open_roles = dict(self._all)
        chosen = {}
        for number, (place, height, used) in enumerate(choice):
            if place >= 0:
                chosen[place] = (number, height)
                for index in used:
                    kind = self._kitchen.dishes[number].items[index].kind
                    open_roles[kind] &= ~(1 << self._roles[kind].index((number, index)))
        total = 0
        rows: dict[str, list[tuple[int, ...]]] = {kind: [] for kind in open_roles}
        for place, number in enumerate(state):
            dish, height = chosen.get(place, (-1, 0))
            extra, found = self._part(number, dish, height)
            total += extra
            for kind, row in found:
                rows[kind].append(row)
        if self._soups:
            return total + self._count_soups(state, open_roles, rows)
        return total + _match_all(open_roles, rows)

    def _count_chain(self, state: State) -> int:
        """Return the longest chain of timesteps: an item until it lies in its dish, then others."""
        times: dict[str, list[tuple[int, ...]]] = {kind: [] for kind in self._roles}
        for number in state:
            for kind, row in self._times_at(number):
                times[kind].append(row)
        longest = 0
        for kind, roles in self._roles.items():
            if len(times[kind]) < len(roles):
                return FAR
            for role, (dish, index) in enumerate(roles):
                least = min(row[role] for row in times[kind])
                if least:
                    longest = max(longest, least + self._after[dish, index])
        return longest

    def _times_at(self, number: int) -> Sequence[Row]:
        """Return for each item at a station how long it takes until it can serve for each role."""
        if number not in self._times:
            self._times[number] = list(self._find_times(self._kitchen.stations[number]))
        return self._times[number]

    def _find_times(self, station: NamelessStation) -> Iterator[Row]:
        robot = station.kind if station.robot else ""
        for held in station.robot[0][1] if station.robot else ():
            yield from self._times_of(held, "", 0, robot)
        for depth, thing in enumerate(station.stack):
            yield from self._times_of(thing, station.kind, depth, robot)

    def _times_of(self, thing: Thing, place: str, depth: int, robot: str) -> Iterator[Row]:
        for item in thing.added if isinstance(thing, KitchenVessel) else (thing,):
            row = []
            for number, index in self._roles.get(item.kind, ()):
                dish = self._kitchen.dishes[number]
                wanted = dish.items[index]
                on_table = place == "table" and (index != dish.bottom or depth == 0)
                if isinstance(thing, KitchenVessel):
                    row.append(0 if dish.soup else FAR)
                elif not dish.soup and on_table and wanted.fits(item):
                    row.append(0)
                else:
                    bottom = place != "" and depth == 0
                    row.append(count_for_item(wanted, item, place, bottom, robot, waits=True))
            if row:
                yield item.kind, tuple(row)

    def _part(self, number: int, dish: int, height: int) -> tuple[int, tuple[Row, ...]]:
        """Return the work for rubbish at a station, and the row of each other item there.

        `dish` is made at the station, where things stay up to a height; -1 if none is.
        """
        key = (number, dish, height)
        if key in self._parts:
            return self._parts[key]
        station = self._kitchen.stations[number]
        robot = station.kind if station.robot else ""
        total, found, burden = 0, list[Row](), dish >= 0
        for thing in station.robot[0][1] if station.robot else ():
            if isinstance(thing, NamelessItem) and thing.kind in self._roles:
                found.append(self._row(thing, "", False, robot, -1, burden=False))
        for depth, thing in enumerate(station.stack):
            if isinstance(thing, KitchenVessel) or depth < height:
                continue
            if thing.kind in self._roles:
                found.append(self._row(thing, station.kind, depth == 0, robot, dish, burden))
                burden = burden or thing.kind in self._sure
            elif burden:
                total += TRIP if robot else TRIP + 1
        self._parts[key] = total, tuple(found)
        return self._parts[key]

    def _row(
        self, item: NamelessItem, place: str, bottom: bool, robot: str, dish: int, burden: bool
    ) -> Row:
        """Return the row of an item. `burden` says whether it lies on something that must go."""
        row = []
        for number, index in self._roles[item.kind]:
            wanted = self._kitchen.dishes[number]
            last = burden and index == wanted.top and len(self._roles[item.kind]) == 1
            returns = not wanted.soup and (number == dish or (last and item.kind in self._sure))
            row.append(
                count_for_item(wanted.items[index], item, place, bottom, robot, at_dish=returns)
            )
        return item.kind, tuple(row)

    def _count_soups(
        self,
        state: State,
        open_roles: dict[str, int],
        rows: dict[str, list[tuple[int, ...]]],
    ) -> int:
        """Return the work in the cheapest choice of pots or bowls with water for soups."""
        vessels: list[tuple[KitchenVessel, str, str]] = []
        for each in state:
            station = self._kitchen.stations[each]
            robot = station.kind if station.robot else ""
            for thing in station.robot[0][1] if station.robot else ():
                if isinstance(thing, KitchenVessel):
                    vessels.append((thing, "", robot))
            for thing in station.stack[:1]:
                if isinstance(thing, KitchenVessel):
                    vessels.append((thing, station.kind, robot))
        full = [n for n, (vessel, _, _) in enumerate(vessels) if vessel.water >= 0]
        unused = [n for n, (vessel, _, _) in enumerate(vessels) if vessel.water < 0]
        best = FAR
        for chosen in set(permutations([*full, *[-1] * len(self._soups)], len(self._soups))):
            left, total = dict(open_roles), 0
            for soup, number in zip(self._soups, chosen, strict=True):
                dish = self._kitchen.dishes[soup]
                added = list(vessels[number][0].added) if number >= 0 else []
                missing = 0
                for index, wanted in enumerate(dish.items):
                    found = next((x for x in added if wanted.fits(x)), None)
                    if found:
                        added.remove(found)
                        role = self._roles[wanted.kind].index((soup, index))
                        left[wanted.kind] &= ~(1 << role)
                    else:
                        missing += 1
                taken = [vessels[n] for n in ([number] if number >= 0 else []) + unused]
                if number >= 0:
                    taken = [taken[0], *(x for x in taken[1:] if x[0].kind == "bowl")]
                total += count_for_soup(dish, taken, missing)
            best = min(best, total + _match_all(left, rows))
        return best


def _list_things(station: NamelessStation) -> Iterator[Thing]:
    """Yield everything at a station, and what is held or in water there."""
    for thing in (*station.stack, *(x for _, held in station.robot for x in held)):
        yield thing
        if isinstance(thing, KitchenVessel):
            yield from thing.added


def _match_all(open_roles: dict[str, int], rows: dict[str, list[tuple[int, ...]]]) -> int:
    return sum(
        _match_cheapest(tuple(sorted(rows[kind])), roles)
        for kind, roles in open_roles.items()
        if roles
    )


@cache
def _match_cheapest(rows: tuple[tuple[int, ...], ...], roles: int) -> int:
    """Return the least sum of a choice of one row for each of the roles, no row twice."""
    best = {0: 0}
    for role in range(roles.bit_length()):
        if not roles >> role & 1:
            continue
        after: dict[int, int] = {}
        for used, total in best.items():
            for number, row in enumerate(rows):
                if not used >> number & 1:
                    key = used | 1 << number
                    after[key] = min(after.get(key, FAR), total + row[role])
        best = after
    return min(best.values(), default=FAR)
