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
- Production: only a limited number of dishes can be on the table by an order's last chance, which
  `most_made` computes for kitchens in which every dish has one cooking step.

For the rules of labour and tools, the fewest orders that must be given up are found exactly, by the
method of Moore (1968). Dishes may wait on the table, so the arrival of an order does not matter.

`can_complete` plays with knowledge of all orders; if it reaches the bound, both are proven. It
gives up the orders that the rule of labour gives up. The dishes of the others are cooked in the
order of their last chances, by the way in which the embedded planner gives out jobs.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import ceil
from typing import NamedTuple

from cookmas.solving.cuisineworld.dispatch import Style, count_dishes, dispatch, still_wanted
from cookmas.solving.cuisineworld.labour import labour, latest, shortest
from cookmas.worlds.cuisineworld.rules.engine import CHOPBOARD, CuisineTask, play, start
from cookmas.worlds.cuisineworld.rules.kitchen import STEPS, CuisineKitchen

SEARCHED_STATIONS = 6
"""Greatest number of agents and tools together for which all states are visited."""


class Simple(NamedTuple):
    """The numbers that describe a simple kitchen."""

    agents: int
    """Number of agents."""
    tools: int
    """Number of tools."""
    ingredients: int
    """Number of ingredients of a dish."""
    wait: int
    """Timesteps for which cooking occupies a tool."""


def find_simple(kitchen: CuisineKitchen) -> Simple | None:
    """Return the numbers of a simple kitchen; None if it is not simple or has too many states."""
    recipes = [kitchen.recipes[dish] for dish in kitchen.servable]
    if len({(recipe.tool, len(recipe.inputs)) for recipe in recipes}) != 1:
        return None
    kind, ingredients = recipes[0].tool, len(recipes[0].inputs)
    cooked = any(item in kitchen.recipes for recipe in recipes for item in recipe.inputs)
    tools, wait = len(kitchen.by_kind[kind]), kitchen.tools[kind].wait
    if cooked or kind == CHOPBOARD or not wait or tools + kitchen.agents > SEARCHED_STATIONS:
        return None
    return Simple(kitchen.agents, tools, ingredients, wait)


# The value of an agent in a state is one of these five, if the agent is not at a tool. At tool n it
# is _FREE + n if the agent's hands are empty, and _LOADED + n if it holds an ingredient.
_AWAY, _AT_STORAGE, _WITH_INGREDIENT, _WITH_DISH, _AT_TABLE = range(5)
_FREE, _LOADED = 10, 20

# The phases of a timestep, in the order in which they happen.
_TAKE, _FILL, _START, _MOVE = range(4)

_State = tuple[tuple[int, ...], tuple[int, ...]]
"""The values of the agents, and the values of the tools.

The value of a tool is the number of ingredients inside. It is -1 for a finished dish, and -1 - n if
the tool still cooks for n timesteps. If states differ only in the numbering of agents and tools,
only the least of them is used.
"""


class _Choice(NamedTuple):
    """One possible choice of an agent in a timestep."""

    phase: int
    """The phase within the timestep."""
    tool: int
    """Number of the tool; 0 if the phase is `_MOVE`."""
    then: int
    """The value of the agent in the next state."""


@cache
def most_made(kitchen: Simple, steps: int = STEPS) -> tuple[int, ...]:
    """Return the greatest number of dishes on the table after 0, 1, ... `steps` timesteps.

    All dishes count as equal.
    """
    start = ((_AWAY,) * kitchen.agents, (0,) * kitchen.tools)
    best, layer, curve = {start: 0}, [start], [0]
    following: dict[_State, list[tuple[_State, int]]] = {}
    for _ in range(steps):
        now = [(state, best[state]) for state in layer]
        later: dict[_State, None] = {}
        for state, before in now:
            if state not in following:
                following[state] = list(_successors(kitchen, state))
            for after, served in following[state]:
                if before + served > best.get(after, -1):
                    best[after] = before + served
                    later[after] = None
        layer = list(later)
        curve.append(max([curve[-1], *(best[state] for state in layer)]))
    return tuple(curve)


def _successors(kitchen: Simple, state: _State) -> Iterator[tuple[_State, int]]:
    """Return the possible next states, each with the number of dishes that reach the table."""
    agents, before = state
    served = agents.count(_AT_TABLE)
    found = set()
    for choices in product(*(_choices(agent, len(before)) for agent in agents)):
        tools = list(before)
        if all(_apply(kitchen, choice, tools) for choice in sorted(choices)):
            tools = [its + 1 if its < -1 else its for its in tools]
            found.add(_least_state([choice.then for choice in choices], tools))
    return ((after, served) for after in found)


def _choices(agent: int, tools: int) -> list[_Choice]:
    """Return the choices of an agent; `_apply` checks whether the tool accepts a choice."""
    if agent == _AT_STORAGE:
        return [_Choice(_MOVE, 0, _WITH_INGREDIENT)]
    if agent == _WITH_INGREDIENT:
        return [_Choice(_MOVE, 0, _LOADED + tool) for tool in range(tools)]
    if agent == _WITH_DISH:
        return [_Choice(_MOVE, 0, _AT_TABLE)]
    if agent == _AT_TABLE:
        return [_Choice(_MOVE, 0, _AWAY)]
    stay, at = _Choice(_MOVE, 0, agent), agent % 10
    if agent >= _LOADED:
        return [stay, _Choice(_FILL, at, _FREE + at)]
    going = [_FREE + tool for tool in range(tools) if _FREE + tool != agent]
    choices = [stay, *(_Choice(_MOVE, 0, then) for then in (_AT_STORAGE, *going))]
    if agent >= _FREE:
        choices += [_Choice(_TAKE, at, _WITH_DISH), _Choice(_START, at, agent)]
    return choices


def _apply(kitchen: Simple, choice: _Choice, tools: list[int]) -> bool:
    """Apply a choice to `tools` in place; return False if its tool does not accept the choice."""
    phase, tool, _ = choice
    if phase == _TAKE and tools[tool] == -1:
        tools[tool] = 0
    elif phase == _FILL and 0 <= tools[tool] < kitchen.ingredients:
        tools[tool] += 1
    elif phase == _START and tools[tool] == kitchen.ingredients:
        tools[tool] = -1 - kitchen.wait
    else:
        return phase == _MOVE
    return True


def _least_state(agents: list[int], tools: list[int]) -> _State:
    """Return the least of the states that differ only in the numbering of agents and tools."""
    return min(
        (
            tuple(
                sorted(at if at < _FREE else at // 10 * 10 + order.index(at % 10) for at in agents)
            ),
            tuple(tools[tool] for tool in order),
        )
        for order in permutations(range(len(tools)))
    )


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


STYLES = (Style(patience=1), Style(patience=2))
"""The ways to give out jobs that are tried, the better one first."""


def can_complete(task: CuisineTask, most: int, steps: int = STEPS) -> bool:
    """Return whether such a play completes `most` orders of the task in `steps` timesteps.

    If not, another play may.
    """
    dishes = choose_orders(task, steps)
    return any(_complete(task, dishes, style, steps) >= most for style in STYLES)


def _complete(task: CuisineTask, dishes: Sequence[str], style: Style, steps: int) -> int:
    """Return the number of orders that a play completes which cooks these dishes in this order."""
    kitchen, state = task.kitchen, start(task)
    for _ in range(steps):
        left = still_wanted(dishes, Counter(), count_dishes(kitchen, state))
        state, _ = play(task, state, dispatch(kitchen, state, left, style))
    return len(state.completed)
