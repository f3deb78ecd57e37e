"""An upper bound on the orders of a task that any play can complete, by which planners are judged.

The bound knows all orders, as no planner may. It relaxes the rules of the kitchen to a few. Each of
these limits what can be done before an order's last chance, and gives a bound; the smallest holds.

- Labour: a dish costs a number of agents' timesteps (labour.py explains it), and no agent does two
  things at once. The rule is applied once for every number of last timesteps before an order's last
  chance: it leaves out these timesteps, and the part of a dish that can be done in them.
- Tools: each cooking step occupies one tool of its kind for its wait, between the earliest timestep
  at which its ingredients can arrive and the latest from which the rest can still be done.
- The longest chain: a dish cannot be on the table earlier than its cooking steps take.
- Production: only a limited number of dishes can be on the table by an order's last chance
  (production.py computes it exactly, for kitchens in which every dish has one cooking step).

Under one rule, choosing the fewest orders to give up is Moore's problem (1968), which is solved
exactly. Dishes may wait on the table, so the arrival of an order does not matter.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence

from worlds.cuisineworld.engine import CuisineTask
from worlds.cuisineworld.kitchen import STEPS
from worlds.cuisineworld.labour import labour, latest, shortest
from worlds.cuisineworld.production import find_simple, most_made


def upper_bound(task: CuisineTask, steps: int = STEPS) -> int:
    """Return a number of orders of the task that no play of `steps` timesteps exceeds."""
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
    """Return the most orders that are served if `curve[t]` is the most dishes by timestep t.

    Orders are taken by their last chance; each gets a dish if one is left.
    """
    served = 0
    for last in sorted(lasts):
        served += served < curve[last]
    return served


def most_in_time(jobs: Iterable[tuple[int, int]]) -> int:
    """Return the most jobs that one machine can end in time; a job is a deadline and a duration.

    Source: Moore (1968). Jobs are taken by deadline; whenever one is late, the longest so far is
    given up. A job of duration 0 always succeeds.
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
