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
from collections.abc import Iterable, Sequence

from cookmas.worlds.cuisineworld.engine import CuisineTask
from cookmas.worlds.cuisineworld.kitchen import STEPS
from cookmas.worlds.cuisineworld.labour import labour, latest, shortest
from cookmas.worlds.cuisineworld.production import find_simple, most_made


def upper_bound(task: CuisineTask, steps: int = STEPS) -> int:
    """Return an upper bound on the orders of the task that are completed in `steps` timesteps."""
    kitchen, agents = task.kitchen, task.kitchen.agents
    costs = {dish: labour(kitchen, dish) for dish in kitchen.servable}
    commands = {dish: tuple(latest(kitchen, dish)) for dish in kitchen.servable}
    chains = {
        dish: max(shortest(kitchen, dish), -(-costs[dish] // agents)) for dish in kitchen.servable
    }
    orders = [
        (min(arrival + kitchen.lifetimes[dish], steps), dish)
        for arrival, dish in zip(range(0, steps, kitchen.interval), task.stream, strict=False)
        if dish in costs
    ]
    orders = [(last, dish) for last, dish in orders if chains[dish] <= last]
    bounds = [len(orders)]
    for tail in range(max(chains.values(), default=0)):
        before = {
            dish: sum(command.back >= tail for command in commands[dish]) for dish in commands
        }
        bounds.append(most_in_time((agents * (last - tail), before[dish]) for last, dish in orders))
    for kind, places in kitchen.by_kind.items():
        if kind in kitchen.tools and (wait := kitchen.tools[kind].wait):
            uses = {
                dish: [command.back for command in commands[dish] if command.activates == kind]
                for dish in commands
            }
            first = min(
                (
                    shortest_to_cook
                    for shortest_to_cook in (
                        shortest(kitchen, item)
                        for recipe in kitchen.recipes.values()
                        if recipe.tool == kind
                        for item in recipe.inputs
                    )
                ),
                default=0,
            )
            bounds.append(
                most_in_time(
                    (
                        len(places) * (last - min(uses[dish], default=0) + wait - first),
                        wait * len(uses[dish]),
                    )
                    for last, dish in orders
                )
            )
    alike = find_simple(kitchen)
    if alike is not None:
        bounds.append(most_on_table((last for last, _ in orders), most_made(alike, steps)))
    return min(bounds)


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

    A job is a deadline and a duration. Source: Moore (1968). Jobs are added in the order of their
    deadlines. If a job is late, the longest job so far is given up. A job of duration 0 always
    succeeds.
    """
    instant, taken = 0, list[int]()
    spent = 0
    for deadline, duration in sorted(jobs):
        if not duration:
            instant += 1
            continue
        heapq.heappush(taken, -duration)
        spent += duration
        if spent > deadline:
            spent += heapq.heappop(taken)
    return instant + len(taken)
