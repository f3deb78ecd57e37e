"""The most dishes that agents can have on the table by each timestep: exact, for simple kitchens.

A kitchen is simple if every dish is cooked once, from as many base ingredients, in one kind of tool
that gives nothing but what it has cooked. All states that its agents and tools can come to are
looked at, timestep by timestep. Dishes are taken for one, and so are ingredients, which only makes
more plays possible; and for each play there is one among those looked at that has as many dishes on
the table as early:

- What never comes to the table on a dish is never taken: nobody needs it, and it is in the way.
- Of several goings in a row only the last is done, when it was done.
- Waiting is moved behind going to storage, taking there and carrying, which touch nothing that
  others use: an agent waits where it has nothing in hand, or with an ingredient at its tool.
- Within a timestep a tool is emptied, then filled, then turned on: nothing else is accepted.
- Agents, and tools, are interchangeable.
- A state is looked at again only with more dishes on the table: who came to it earlier can wait.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import permutations, product
from typing import NamedTuple

from worlds.cuisineworld.engine import CHOPBOARD
from worlds.cuisineworld.kitchen import STEPS, Kitchen

MOST_STATIONS = 6
"""Agents and tools together, up to which all states are looked at."""


class Simple(NamedTuple):
    """A simple kitchen: its agents and tools, the ingredients of a dish, the wait of a tool."""

    agents: int
    tools: int
    ingredients: int
    wait: int


def simple(kitchen: Kitchen) -> Simple | None:
    """What a kitchen is as a simple one; None if it is none, or too large to look at all states."""
    recipes = [kitchen.recipes[dish] for dish in kitchen.servable]
    if len({(recipe.tool, len(recipe.inputs)) for recipe in recipes}) != 1:
        return None
    kind, ingredients = recipes[0].tool, len(recipes[0].inputs)
    cooked = any(item in kitchen.recipes for recipe in recipes for item in recipe.inputs)
    tools, wait = len(kitchen.by_kind[kind]), kitchen.tools[kind].wait
    if cooked or kind == CHOPBOARD or not wait or tools + kitchen.agents > MOST_STATIONS:
        return None
    return Simple(kitchen.agents, tools, ingredients, wait)


# What an agent is at: one of these, or so many and the number of a tool, where it has nothing in
# hand or holds an ingredient. Who has nothing in hand and is at no tool is away.
_AWAY, _AT_STORAGE, _WITH_INGREDIENT, _WITH_DISH, _AT_TABLE = range(5)
_FREE, _LOADED = 10, 20

# The order of what is done in a timestep.
_TAKE, _FILL, _START, _MOVE = range(4)

_State = tuple[tuple[int, ...], tuple[int, ...]]
"""Agents, and tools: so many ingredients inside, or -1 for a dish and -1 less for each timestep
that it still cooks. Agents and tools are interchangeable: of equal states the least is meant."""


class _Choice(NamedTuple):
    """What an agent may do: when within the timestep, to which tool, and what it is at then."""

    phase: int
    tool: int
    then: int


@cache
def most_made(kitchen: Simple, steps: int = STEPS) -> tuple[int, ...]:
    """The most dishes on the table after so many timesteps, from 0 to `steps`."""
    start = ((_AWAY,) * kitchen.agents, (0,) * kitchen.tools)
    best, layer, curve = {start: 0}, [start], [0]
    following: dict[_State, list[tuple[_State, int]]] = {}
    for _ in range(steps):
        now = [(state, best[state]) for state in layer]
        later: dict[_State, None] = {}
        for state, before in now:
            if state not in following:
                following[state] = list(_following(kitchen, state))
            for after, served in following[state]:
                if before + served > best.get(after, -1):
                    best[after] = before + served
                    later[after] = None
        layer = list(later)
        curve.append(max([curve[-1], *(best[state] for state in layer)]))
    return tuple(curve)


def _following(kitchen: Simple, state: _State) -> Iterator[tuple[_State, int]]:
    """The states that can follow a state, with the dishes that come to the table meanwhile."""
    agents, before = state
    served = agents.count(_AT_TABLE)
    found = set()
    for choices in product(*(_choices(agent, len(before)) for agent in agents)):
        tools = list(before)
        if all(_done(kitchen, choice, tools) for choice in sorted(choices)):
            tools = [its + 1 if its < -1 else its for its in tools]
            found.add(_least([choice.then for choice in choices], tools))
    return ((after, served) for after in found)


def _choices(agent: int, tools: int) -> list[_Choice]:
    """What an agent may do; whether a tool accepts it is looked at when it is done."""
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


def _done(kitchen: Simple, choice: _Choice, tools: list[int]) -> bool:
    """Do it, if it is accepted; tools are changed in place."""
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


def _least(agents: list[int], tools: list[int]) -> _State:
    """The least of the states that differ only in the numbers of agents and tools."""
    return min(
        (
            tuple(
                sorted(at if at < _FREE else at // 10 * 10 + order.index(at % 10) for at in agents)
            ),
            tuple(tools[tool] for tool in order),
        )
        for order in permutations(range(len(tools)))
    )
