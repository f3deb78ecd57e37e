"""An upper bound on the number of orders that an episode can complete, to compare planners with.

The bound uses all orders of the episode, which no planner may see. It replaces the rules of the
kitchen by the four weaker rules below. Each rule limits the work before an order's last chance,
which is the last timestep at which the order can be served. Each rule gives a bound; the smallest
of the bounds is used.

- Labour: a dish costs a number of agents' timesteps (see labour.py), and no agent does two things
  at once. The rule is applied several times. Each time it ignores a different number of timesteps
  just before an order's last chance, and the part of a dish's labour that can be done in this time.
- Tools: each cooking step occupies one tool of its kind for the tool's wait. The wait cannot begin
  before the ingredients can arrive, and must end in time for the rest of the dish.
- The longest chain: a dish cannot be on the table before the longest chain of its cooking steps is
  done.
- Production: only a limited number of dishes can be on the table by an order's last chance
  (production.py computes this number, for kitchens in which every dish has one cooking step).

For the rules of labour and tools, the fewest orders that must be given up are found exactly, by the
method of Moore (1968). Dishes may wait on the table, so the arrival of an order does not matter.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import ceil

from cookmas.solving.cuisineworld.labour import labour, latest, shortest
from cookmas.solving.cuisineworld.production import find_simple, most_made
from cookmas.worlds.cuisineworld.rules.engine import CuisineTask
from cookmas.worlds.cuisineworld.rules.kitchen import STEPS, CuisineKitchen

Orders = Sequence[tuple[int, str]]
"""The last chance of each order, in timesteps, and its dish."""


def upper_bound(task: CuisineTask, steps: int = STEPS) -> int:
    """Return an upper bound on the orders of the task that are completed in `steps` timesteps."""
    orders = _find_possible(task, steps)
    bounds = [
        len(orders),
        *_bound_by_labour(task.kitchen, orders),
        *_bound_by_tools(task.kitchen, orders),
    ]
    alike = find_simple(task.kitchen)
    if alike is not None:
        bounds.append(most_on_table((last for last, _ in orders), most_made(alike, steps)))
    return min(bounds)


def choose_orders(task: CuisineTask, steps: int = STEPS) -> list[str]:
    """Return the dishes of the most orders that there is labour for, by their last chances."""
    kitchen = task.kitchen
    orders = sorted(_find_possible(task, steps))
    jobs = [(kitchen.agents * last, labour(kitchen, dish)) for last, dish in orders]
    return [orders[number][1] for number in pick_in_time(jobs)]


def _find_possible(task: CuisineTask, steps: int) -> Orders:
    """Return the orders that could be completed if the agents did nothing else."""
    kitchen = task.kitchen
    fastest = {dish: find_fewest(kitchen, dish) for dish in kitchen.servable}
    arrivals = range(0, steps, kitchen.interval)
    orders = [
        (min(arrival + kitchen.lifetimes[dish], steps), dish)
        for arrival, dish in zip(arrivals, task.stream, strict=False)
    ]
    return [(last, dish) for last, dish in orders if dish in fastest and fastest[dish] <= last]


def find_fewest(kitchen: CuisineKitchen, dish: str) -> int:
    """Return a lower bound on the timesteps until a servable dish is on the table."""
    shared = ceil(Fraction(labour(kitchen, dish), kitchen.agents))
    return max(shortest(kitchen, dish), shared)


def _bound_by_labour(kitchen: CuisineKitchen, orders: Orders) -> Iterator[int]:
    """Yield the bounds of labour, for each number of ignored timesteps before the last chance."""
    commands = {dish: list(latest(kitchen, dish)) for dish in kitchen.servable}
    longest = max((find_fewest(kitchen, dish) for dish in kitchen.servable), default=0)
    for ignored in range(longest):
        costs = {
            dish: sum(command.back >= ignored for command in each)
            for dish, each in commands.items()
        }
        yield most_in_time(
            (kitchen.agents * (last - ignored), costs[dish]) for last, dish in orders
        )


def _bound_by_tools(kitchen: CuisineKitchen, orders: Orders) -> Iterator[int]:
    """Yield the bound of each kind of tool that cooking occupies."""
    for kind, places in kitchen.by_kind.items():
        wait = kitchen.tools[kind].wait if kind in kitchen.tools else 0
        if wait:
            begin = _find_earliest(kitchen, kind)
            uses = {
                dish: [c.back for c in latest(kitchen, dish) if c.activates == kind]
                for dish in kitchen.servable
            }
            ends = {dish: min(uses[dish], default=0) - wait for dish in uses}
            yield most_in_time(
                (len(places) * (last - ends[dish] - begin), wait * len(uses[dish]))
                for last, dish in orders
            )


def _find_earliest(kitchen: CuisineKitchen, kind: str) -> int:
    """Return the earliest timestep at which an ingredient can be in a tool of a kind."""
    recipes = (recipe for recipe in kitchen.recipes.values() if recipe.tool == kind)
    times = (shortest(kitchen, item) for recipe in recipes for item in recipe.inputs)
    return min(times, default=0)


def most_on_table(lasts: Iterable[int], curve: Sequence[int]) -> int:
    """Return the greatest number of orders that can be served by dishes on the table.

    `lasts` are the last timesteps at which the orders can be served. `curve[t]` is the greatest
    number of dishes on the table by timestep t. The order with the earliest last chance gets the
    first dish.
    """
    served = 0
    for last in sorted(lasts):
        served += served < curve[last]
    return served


def most_in_time(jobs: Iterable[tuple[int, int]]) -> int:
    """Return the greatest number of jobs that one machine can end in time.

    A job is a deadline and a duration.
    """
    return len(pick_in_time(sorted(jobs)))


def pick_in_time(jobs: Sequence[tuple[int, int]]) -> list[int]:
    """Return the positions of the most jobs that one machine can end in time.

    `jobs` are sorted by deadline. Source: Moore (1968). If a job is late, the longest job so far is
    given up. A job of duration 0 always succeeds.
    """
    instant, taken = list[int](), list[tuple[int, int]]()
    spent = 0
    for number, (deadline, duration) in enumerate(jobs):
        if not duration:
            instant.append(number)
            continue
        heapq.heappush(taken, (-duration, number))
        spent += duration
        if spent > deadline:
            spent += heapq.heappop(taken)[0]
    return sorted([*instant, *(number for _, number in taken)])
