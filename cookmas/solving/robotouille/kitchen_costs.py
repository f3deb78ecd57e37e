"""The timesteps that one object of a kitchen needs: an item, or the vessels of a soup."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

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
    Thing,
    WantedDish,
    WantedItem,
)

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
