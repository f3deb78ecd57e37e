"""The greatest number of dishes on the table by each timestep in a simple kitchen.

A kitchen is simple if each dish has one cooking step, all dishes have the same number of base
ingredients, and all use one kind of tool, which gives out only its products. The search visits all
states that the agents and tools can reach, timestep by timestep. It treats all dishes as equal, and
all ingredients, so the number is never too low. A play is a sequence of commands of all agents. The
search leaves out a play if another play has at least the same number of dishes on the table at each
timestep:

- An agent never takes an item that does not become part of a served dish.
- If an agent moves several times in a row, only its last move is made.
- An agent does not wait on its way to storage, at storage, or while it carries a dish; such waiting
  helps no other agent. An agent waits with empty hands, or with an ingredient at a tool.
- Within a timestep a tool is emptied, then filled, then activated, in no other order.
- Agents are interchangeable, and so are tools.
- A state is visited again only with more dishes on the table, because an agent that is early can
  wait.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import permutations, product
from typing import NamedTuple

from cookmas.worlds.cuisineworld.rules.engine import CHOPBOARD
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
