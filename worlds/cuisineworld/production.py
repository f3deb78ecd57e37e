"""The most dishes that agents can have on the table by each timestep: exact, for simple kitchens.

A kitchen is simple if every dish has one cooking step, with equally many base ingredients, in one
kind of tool that gives nothing but its products. The search visits all states that its agents and
tools can reach, timestep by timestep. It does not distinguish dishes, nor ingredients, which only
makes more plays possible. It leaves out plays for which another one has as many dishes on the table
as early:

- An item that never comes to the table on a dish is never taken: no agent needs it, and it is in
  the way.
- Of several moves of an agent in a row only the last is made, at the time of the last.
- An agent does not wait on its way to storage, there, or while it carries a dish, which affects no
  other agent. It waits with empty hands, or with an ingredient at its tool.
- Within a timestep a tool is emptied, then filled, then activated: nothing else is accepted.
- Agents are interchangeable, and so are tools.
- A state is visited again only with more dishes on the table: an agent that was earlier can wait.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import permutations, product
from typing import NamedTuple

from worlds.cuisineworld.engine import CHOPBOARD
from worlds.cuisineworld.kitchen import STEPS, CuisineKitchen

MOST_STATIONS = 6
"""Greatest number of agents and tools together for which all states are visited."""


class Simple(NamedTuple):
    """A simple kitchen."""

    agents: int
    """Number of agents."""
    tools: int
    """Number of tools."""
    ingredients: int
    """Number of ingredients of a dish."""
    wait: int
    """Timesteps for which cooking occupies a tool."""


def find_simple(kitchen: CuisineKitchen) -> Simple | None:
    """Return a kitchen as a simple one; None if it is not simple, or has too many states."""
    recipes = [kitchen.recipes[dish] for dish in kitchen.servable]
    if len({(recipe.tool, len(recipe.inputs)) for recipe in recipes}) != 1:
        return None
    kind, ingredients = recipes[0].tool, len(recipes[0].inputs)
    cooked = any(item in kitchen.recipes for recipe in recipes for item in recipe.inputs)
    tools, wait = len(kitchen.by_kind[kind]), kitchen.tools[kind].wait
    if cooked or kind == CHOPBOARD or not wait or tools + kitchen.agents > MOST_STATIONS:
        return None
    return Simple(kitchen.agents, tools, ingredients, wait)


# Where an agent is: one of these five, or at a tool. At a tool it is _FREE plus the number of the
# tool with empty hands, and _LOADED plus that number with an ingredient.
_AWAY, _AT_STORAGE, _WITH_INGREDIENT, _WITH_DISH, _AT_TABLE = range(5)
_FREE, _LOADED = 10, 20

# The phases of a timestep, in the order in which they happen.
_TAKE, _FILL, _START, _MOVE = range(4)

_State = tuple[tuple[int, ...], tuple[int, ...]]
"""The agents and the tools.

A tool is the number of ingredients inside, or -1 for a ready dish and 1 less for each timestep of
cooking that is left. Of the states that differ only in numbering, the least stands for all.
"""


class _Choice(NamedTuple):
    """One thing that an agent may do."""

    phase: int
    """The phase within the timestep."""
    tool: int
    """Number of the tool; 0 if the phase is a move."""
    then: int
    """Where the agent is afterwards."""


@cache
def most_made(kitchen: Simple, steps: int = STEPS) -> tuple[int, ...]:
    """Return the most dishes on the table after each number of timesteps, from 0 to `steps`."""
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
    """Yield the states that can follow a state, with the number of dishes served meanwhile."""
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
    """Return what an agent may do; whether a tool accepts it is checked later."""
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
    """Apply a choice to the tools in place; return False if its tool does not accept it."""
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
