"""The engine: one timestep of an episode as a pure function.

    state, step = play(task, state, ["goto_agent0_storage0", "noop_agent1"])

docs/explanation/cuisineworld-rules.md states the rules. In a timestep the commands are carried out
one after the other in the order of the list. Then the tools continue, orders are closed, lifetimes
decrease, and an order may come.

Legal commands are those that the kitchen would carry out as the first in a timestep. The end of
production is a lower bound on the timesteps until another dish can be served. It relaxes the rules,
so no planner can be faster: agents never block each other, every item is free for every dish, and
the contents of a tool can always be used. As in a timestep, one agent can put an item down, and
another one can activate the tool at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from cookmas.worlds.cuisineworld.rules import commands
from cookmas.worlds.cuisineworld.rules.commands import AgentCommand, Feedback, FeedbackKind, read
from cookmas.worlds.cuisineworld.rules.kitchen import (
    STORAGE,
    TABLE,
    Agent,
    CuisineKitchen,
    CuisineState,
    Order,
    opening,
)

RULES = "2"
"""Version of the rules; it grows whenever the same commands get other results."""

CHOPBOARD = "chopboard"


@dataclass(frozen=True, slots=True, kw_only=True)
class CuisineTask:
    """A kitchen and all dishes that will be ordered in it, which planners must not see."""

    kitchen: CuisineKitchen
    """The kitchen, which planners may see."""
    stream: tuple[str, ...]
    """The dishes in the order in which they are ordered, one in each interval."""


class EngineStep(NamedTuple):
    """The result of one timestep."""

    ok: tuple[bool, ...]
    """For each command, True if it was carried out; all are False if the list was refused."""
    feedback: tuple[Feedback, ...]
    """The kitchen's answers to the commands."""
    completed: tuple[str, ...]
    """Dishes of the orders that were completed."""
    failed: tuple[str, ...]
    """Dishes of the orders that expired."""
    arrived: tuple[str, ...]
    """Dishes of the orders that came."""


def start(task: CuisineTask) -> CuisineState:
    """Return the state at timestep 0."""
    return opening(task.kitchen, task.stream[0] if task.stream else None)


def play(
    task: CuisineTask, state: CuisineState, commands: Sequence[str]
) -> tuple[CuisineState, EngineStep]:
    """Carry out one timestep with a list of commands; return the next state and the result."""
    kitchen = task.kitchen
    draft = _Draft(state)
    understood = read(kitchen, commands)
    if isinstance(understood, Feedback):
        ok: tuple[bool, ...] = (False,) * len(commands)
        draft.feedback.append(understood)
    else:
        if set(map(_VERB, understood)) == {"noop"}:
            draft.feedback.append(Feedback(FeedbackKind.ALL_IDLE))
        ok = tuple([_ACTS[command.verb](kitchen, draft, command) for command in understood])
    if draft.busy:
        draft.busy = {place: left - 1 for place, left in draft.busy.items() if left > 1}
    completed, failed = _close(kitchen.table, draft)
    arrived = _arrive(task, draft, state.timestep + 1)
    then = CuisineState(
        state.timestep + 1,
        tuple(draft.agents),
        draft.inside,
        draft.busy,
        draft.orders,
        draft.arrived,
        state.completed + completed if completed else state.completed,
        state.failed + failed if failed else state.failed,
        state.failed_count + bool(failed),
    )
    return then, EngineStep(ok, tuple(draft.feedback), completed, failed, arrived)


class _Draft:
    """The next state under construction."""

    __slots__ = ("agents", "arrived", "busy", "feedback", "inside", "orders")

    def __init__(self, state: CuisineState) -> None:
        self.agents = list(state.agents)
        self.inside = dict(state.inside)
        self.busy: Mapping[str, int] = state.busy
        self.orders = state.orders
        self.arrived = state.arrived
        self.feedback: list[Feedback] = []

    def refuse(self, kind: FeedbackKind, command: AgentCommand, about: str | None = None) -> bool:
        self.feedback.append(Feedback(kind, command.agent, command.place, about))
        return False

    def has_free(self, command: AgentCommand, *, hands: bool) -> bool:
        """Return whether the agent's hands and the place are free; add a feedback for each if not.

        `hands` is True if the agent's hands are free.
        """
        if not hands:
            self.refuse(FeedbackKind.HANDS_FULL, command)
        if command.place in self.busy:
            return self.refuse(FeedbackKind.OCCUPIED, command)
        return hands


def _noop(kitchen: CuisineKitchen, draft: _Draft, command: AgentCommand) -> bool:
    return True


def _goto(kitchen: CuisineKitchen, draft: _Draft, command: AgentCommand) -> bool:
    _, agent, place, _ = command
    assert place is not None
    draft.agents[agent] = Agent(place, draft.agents[agent].holding)
    return True


def _get(kitchen: CuisineKitchen, draft: _Draft, command: AgentCommand) -> bool:
    _, agent, place, item = command
    at, holding = draft.agents[agent]
    if at != place:
        return draft.refuse(FeedbackKind.ELSEWHERE, command)
    kind = kitchen.places[place]
    inside = draft.inside.get(place, ())
    if kind not in (STORAGE, CHOPBOARD) and not is_product(kitchen, kind, inside):
        return draft.refuse(FeedbackKind.NOT_TO_TAKE, command)
    if not draft.has_free(command, hands=holding is None):
        return False
    if kind == STORAGE:
        if item not in kitchen.ingredients:
            return draft.refuse(FeedbackKind.NO_INGREDIENT, command, item)
    elif not inside:
        return draft.refuse(FeedbackKind.NOTHING_INSIDE, command)
    else:
        (item,) = draft.inside.pop(place)
    draft.agents[agent] = Agent(place, item)
    return True


def is_product(kitchen: CuisineKitchen, kind: str, inside: tuple[str, ...]) -> bool:
    """Return whether the content of a tool of this kind is a finished product of that tool."""
    recipe = kitchen.recipes.get(inside[0]) if len(inside) == 1 else None
    return recipe is not None and recipe.tool == kind


def _put(kitchen: CuisineKitchen, draft: _Draft, command: AgentCommand) -> bool:
    """Put down the item that the agent holds; return whether this was possible.

    If the tool has the same item already, the new item disappears. An item that fits a recipe
    always has room, because no recipe has more items than its tool holds.
    """
    _, agent, place, _ = command
    at, item = draft.agents[agent]
    if at != place:
        return draft.refuse(FeedbackKind.ELSEWHERE, command)
    kind = kitchen.places[place]
    inside = draft.inside.get(place, ())
    if item is None:
        draft.refuse(FeedbackKind.HANDS_EMPTY, command)
        if place in draft.busy:
            draft.refuse(FeedbackKind.OCCUPIED, command)
        if kind in kitchen.tools and len(inside) >= kitchen.tools[kind].capacity:
            draft.refuse(FeedbackKind.NO_ROOM, command)
        return False
    then = (*inside, item)
    if kind == TABLE:
        if item not in kitchen.dishes:
            return draft.refuse(FeedbackKind.NOT_A_DISH, command, item)
    elif kind == STORAGE or item in inside:
        then = inside
    elif tuple(sorted(then)) not in kitchen.cooking[kind]:
        return draft.refuse(FeedbackKind.NO_RECIPE, command, "&".join(then))
    if place in draft.busy:
        return draft.refuse(FeedbackKind.OCCUPIED, command)
    if then:
        draft.inside[place] = then
    draft.agents[agent] = Agent(place)
    return True


def _activate(kitchen: CuisineKitchen, draft: _Draft, command: AgentCommand) -> bool:
    _, agent, place, _ = command
    at, holding = draft.agents[agent]
    if at != place:
        return draft.refuse(FeedbackKind.ELSEWHERE, command)
    free = draft.has_free(command, hands=holding is None)
    inside = draft.inside.get(place)
    if not inside:
        return draft.refuse(FeedbackKind.NOTHING_INSIDE, command)
    if not free:
        return False
    kind = kitchen.places[place]
    product = kitchen.cooking[kind].get(tuple(sorted(inside))) if kind in kitchen.tools else None
    if product is None:
        return draft.refuse(FeedbackKind.NO_RECIPE, command, "&".join(inside))
    draft.inside[place] = (product,)
    wait = kitchen.tools[kind].wait
    if wait:
        draft.busy = {**draft.busy, place: wait}
    return True


_VERB = attrgetter("verb")
_ACTS = {"noop": _noop, "goto": _goto, "get": _get, "put": _put, "activate": _activate}


def _close(table: str, draft: _Draft) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Close the orders that have expired, then those for which a dish is on the table.

    Return the dishes of the completed orders, and those of the failed orders.
    """
    if not draft.orders:
        return (), ()
    served = draft.inside.get(table)
    if not served and draft.orders[0].lifetime > 0:
        return (), ()
    dishes = list(served or ())
    waiting, completed, failed = [], [], []
    for order in draft.orders:
        if order.lifetime <= 0:
            failed.append(order.dish)
        elif order.dish in dishes:
            dishes.remove(order.dish)
            completed.append(order.dish)
        else:
            waiting.append(order)
    draft.orders = tuple(waiting)
    if completed:
        if dishes:
            draft.inside[table] = tuple(dishes)
        else:
            del draft.inside[table]
    return tuple(completed), tuple(failed)


def _arrive(task: CuisineTask, draft: _Draft, timestep: int) -> tuple[str, ...]:
    """Decrease the lifetimes of orders, and add a new order if one is due; return its dish."""
    orders = [Order(lifetime - 1, dish) for lifetime, dish in draft.orders]
    arrived: tuple[str, ...] = ()
    if timestep % task.kitchen.interval == 0 and draft.arrived < len(task.stream):
        arrived = (task.stream[draft.arrived],)
        orders.append(Order(task.kitchen.lifetimes[arrived[0]], arrived[0]))
        draft.arrived += 1
    orders.sort()
    draft.orders = tuple(orders)
    return arrived


def legal_commands(kitchen: CuisineKitchen, state: CuisineState, agent: int) -> list[str]:
    """Return the legal commands of an agent: `noop`, all `goto`, and those at its present place."""
    at, holding = state.agents[agent]
    kind = kitchen.places[at]
    inside = state.inside.get(at, ())
    legal = [commands.noop(agent), *(commands.goto(agent, place) for place in kitchen.places)]
    if kind == STORAGE:
        if holding is None:
            items = sorted(kitchen.ingredients)
            legal += [commands.get(agent, at, item) for item in items]
        else:
            legal.append(commands.put(agent, at))
    elif kind == TABLE:
        if holding in kitchen.dishes:
            legal.append(commands.put(agent, at))
    elif at not in state.busy:
        cooking = kitchen.cooking[kind]
        if holding is not None:
            if holding in inside or tuple(sorted((*inside, holding))) in cooking:
                legal.append(commands.put(agent, at))
        elif inside:
            if kind == CHOPBOARD or is_product(kitchen, kind, inside):
                legal.append(commands.get(agent, at))
            if cooking.get(tuple(sorted(inside))) is not None:
                legal.append(commands.activate(agent, at))
    return legal


def every_command(kitchen: CuisineKitchen, agent: int) -> list[str]:
    """Return the commands of an agent that name places and ingredients of the kitchen."""
    every = [commands.noop(agent), *(commands.goto(agent, place) for place in kitchen.places)]
    for place, kind in kitchen.places.items():
        every.append(commands.put(agent, place))
        if kind == STORAGE:
            every += [commands.get(agent, place, item) for item in sorted(kitchen.ingredients)]
        elif kind != TABLE:
            every += [commands.get(agent, place), commands.activate(agent, place)]
    return every


BRING = 2
"""Timesteps from taking an item until it can be put down elsewhere."""


def futile(kitchen: CuisineKitchen, state: CuisineState, timesteps: int) -> bool:
    """Return whether no agent can put a dish on the serving table within this many timesteps."""
    return all(_soonest_put(kitchen, state, dish) >= timesteps for dish in kitchen.servable)


def _soonest_put(kitchen: CuisineKitchen, state: CuisineState, item: str) -> int:
    """Return the least number of timesteps after which an item can be put somewhere."""
    if any(agent.holding == item for agent in state.agents):
        return 0
    ready = [
        max(state.busy.get(place, 0), _count_steps_to(state, place))
        for place, inside in state.inside.items()
        if item in inside
    ]
    if item in kitchen.ingredients:
        ready.append(_count_steps_to(state, kitchen.storage))
    recipe = kitchen.recipes.get(item)
    if recipe is not None:
        lacking = [set(recipe.inputs)] + [
            set(recipe.inputs) - set(inside)
            for place, inside in state.inside.items()
            if kitchen.places[place] == recipe.tool
        ]
        wait = kitchen.tools[recipe.tool].wait
        ready += [
            max((_soonest_put(kitchen, state, each) for each in inputs), default=0) + wait
            for inputs in lacking
        ]
    return min(ready, default=10**9) + BRING


def _count_steps_to(state: CuisineState, place: str) -> int:
    """Return the least number of timesteps until an agent is at a place."""
    return 0 if any(agent.at == place for agent in state.agents) else 1
