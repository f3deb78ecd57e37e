"""A lower bound of the makespan that counts how many workers are idle at the end.

Every dish ends on a plating place, and there are few of those: at the end there is less to do than
there are workers. Let no schedule do more than E(q) timesteps of work in its last q timesteps. Then
W timesteps of work take at least q + (W - E(q)) / workers, for each q with W > E(q). This is
energetic reasoning over the workers as one cumulative resource (Baptiste, Le Pape & Nuijten 2001,
"Constraint-Based Scheduling", on cumulative constraints), in its destructive form: a shorter
schedule would leave work undone (Klein & Scholl 1999, "Computing lower bounds by destructive
improvement").

| constraint | what it says of E(q) |
|---|---|
| a dish is assembled, picked, carried and served | one worker does one after the other |
| one worker at a time is at a plating place | the last puts are `PUT_INTERVAL` timesteps apart |
| a food was carried to its plate, and worked before | in `CARRY` timesteps one worker helps it |
| nothing lies beside a dish | dishes of one place end as far apart as it takes to put their parts |
| a worker does one thing at a time | E(q) is at most E(q - 1) + workers |
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cookmas.solving.restaurant.bounds import LAST_OF_A_DISH

CARRY = 4
"""Timesteps that bring a food to its plate: a walk or a timestep of work, picking, walking and
putting.
"""

PUT_INTERVAL = 2
"""Timesteps between two puts on one plating place, where one worker at a time has room."""

FEWEST_PARTS = 2
"""The least number of things that are put on a plating place for a dish: a plate and a food."""


class Dishes(NamedTuple):
    """The numbers of dishes of a workload: of those `made` already, and of the `others`.

    Each of the others has at least `fewest` parts: its foods and its plate.
    """

    made: int
    others: int
    fewest: int = FEWEST_PARTS


def work_on_a_dish(last: int) -> int:
    """Return the greatest work on a dish in its `last` timesteps, up to and including the serving.

    `last` is at most `LAST_OF_A_DISH + CARRY`.
    """
    puts = range(LAST_OF_A_DISH, last, PUT_INTERVAL)
    return min(last, LAST_OF_A_DISH) + sum(last - put for put in puts)


def most_at_the_end(dishes: Dishes, workers: int, places: int) -> Mapping[int, int]:
    """Return for each small number of timesteps the greatest work that fits into the last ones.

    `places` is the number of plating places. In more timesteps than these, every worker may have
    something to do.
    """
    apart = PUT_INTERVAL * (1 + dishes.fewest)
    most: dict[int, int] = {0: 0}
    for last in range(1, LAST_OF_A_DISH + CARRY + 1):
        work = dishes.made * min(last, LAST_OF_A_DISH)
        for number, until in enumerate(range(last, 0, -apart)):
            ending = max(0, min(places, dishes.others - places * number))
            work += ending * work_on_a_dish(until)
        most[last] = min(work, most[last - 1] + workers)
    return most


def bound_by_ending(work: Mapping[int, int], dishes: Dishes, workers: int, places: int) -> int:
    """Return the least number of timesteps to serve `dishes` that end on some plating places.

    `work` has for some timesteps the work that cannot begin before them.
    """
    most = most_at_the_end(dishes, workers, places)
    return max(
        (
            release + last - (fits - needed) // workers
            for release, needed in work.items()
            for last, fits in most.items()
            if needed > fits
        ),
        default=0,
    )
