"""How many orders of a task could be served at all: an upper bound, for judging planners by.

It sees the whole stream, as no planner may. The rules of the kitchen are relaxed to a few, each of
which says how much there is time for before an order's last chance; each gives a bound, and the
smallest holds.

- Labour: a dish costs so many agents' timesteps (labour.py says why), and no agent does two
  things at once. What of a dish can be left to the last timesteps before its last chance is left
  out together with these timesteps, for any number of them.
- Tools: each cooking step holds one tool of its kind for its wait, from when its ingredients can
  be there at the earliest until what follows can still be done.
- The longest chain: a dish is not on the table before it is done.

For one rule, which orders to give up so that fewest are lost is Moore's problem (1968), which is
solved exactly. Dishes may wait on the table, so an order's arrival does not matter.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable

from worlds.cuisineworld.engine import Task
from worlds.cuisineworld.kitchen import STEPS
from worlds.cuisineworld.labour import labour, latest, shortest


def upper_bound(task: Task, steps: int = STEPS) -> int:
    """No play of `steps` timesteps completes more orders of the task than this."""
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
    return min(bounds)


def most_in_time(jobs: Iterable[tuple[int, int]]) -> int:
    """The most jobs that one machine ends in time; a job is its deadline and its duration.

    Moore (1968): take jobs by deadline, and whenever one is late, give up the longest so far.
    """
    taken: list[int] = []
    spent = 0
    for deadline, duration in sorted(jobs):
        heapq.heappush(taken, -duration)
        spent += duration
        if spent > deadline:
            spent += heapq.heappop(taken)
    return len(taken)
