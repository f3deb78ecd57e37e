"""The quickest way to a dish on the serving table: a whole search of what all agents can do.

It leaves out only what is of no use to the dish, and plans that another one equals:

- An agent goes to a place only to do something there, and at once after what it did before. There
  it waits until it can be done; so it never goes twice in a row.
- It takes from storage only what the dish needs, or what it takes to empty a tool that the dish
  needs. It visits only tools of a kind that the dish or such an emptying needs.
- Of equal tools at which nobody stands it visits the first.
- Agents at one place act in any order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product

from cookmas.solving.search import Step, search_layers
from cookmas.worlds.cuisineworld.rules import commands
from cookmas.worlds.cuisineworld.rules.engine import CuisineTask, legal_commands, play
from cookmas.worlds.cuisineworld.rules.kitchen import (
    STEPS,
    STORAGE,
    CuisineKitchen,
    CuisineState,
    steps_of,
)

FAR = 999
"""Number of timesteps to what cannot be had."""

_Situation = tuple[CuisineState, tuple[bool, ...]]
"""A state without orders, and which agents have come to do something and have not done it."""


def find_quickest(
    kitchen: CuisineKitchen, state: CuisineState, dish: str, agent: int, most: int
) -> tuple[set[str], int] | None:
    """Return the commands of an agent after which a dish is on the table earliest, and when.

    The dish is one more than there are on the table; the number is that of timesteps. Return None
    if the episode ends before that, if more than `most` situations would be kept, or if one of
    these commands is possible only after what another agent does in the same timestep.
    """
    search = _DishSearch(kitchen, state, dish)
    start = state._replace(orders=())
    for within in range(search.bound(start), STEPS - state.timestep + 1):
        found = search.reach(start, agent, within, most)
        if found is None:
            return None
        if found:
            legal = legal_commands(kitchen, start, agent)
            return (found, within) if found.issubset(legal) else None
    return None


class _DishSearch:
    """The search for one more of a dish."""

    def __init__(self, kitchen: CuisineKitchen, state: CuisineState, dish: str) -> None:
        self.kitchen = kitchen
        self.dish = dish
        self._task = CuisineTask(kitchen=kitchen, stream=())
        self._served = self._count(state)
        own = {recipe.product: recipe for recipe in steps_of(dish, kitchen.recipes)}
        self._own_kinds = {recipe.tool for recipe in own.values()}
        recipes = dict(own)
        for place, inside in state.inside.items():
            kind = kitchen.places[place]
            if kind in self._own_kinds and not any(
                set(inside) <= {*recipe.inputs, recipe.product}
                for recipe in own.values()
                if recipe.tool == kind
            ):
                for other in kitchen.recipes.values():
                    if other.tool == kind and set(inside) <= set(other.inputs):
                        steps = steps_of(other.product, kitchen.recipes)
                        recipes |= {each.product: each for each in steps}
        self._items = {item for recipe in recipes.values() for item in recipe.inputs}
        self._kinds = {recipe.tool for recipe in recipes.values()}
        self._takers = {
            item: {recipe.tool for recipe in recipes.values() if item in recipe.inputs}
            for item in self._items
        }
        self._bounds: dict[tuple[object, ...], int] = {}

    def _count(self, state: CuisineState) -> int:
        return state.inside.get(self.kitchen.table, ()).count(self.dish)

    def reach(self, start: CuisineState, agent: int, within: int, most: int) -> set[str] | None:
        """Return the first commands of an agent that lead to the dish in `within` timesteps.

        Return None if more than `most` situations would be kept.
        """
        at = start.agents[agent].at
        acts = [commands.put(agent, at), commands.get(agent, at), commands.activate(agent, at)]
        first = list(dict.fromkeys([*legal_commands(self.kitchen, start, agent), *acts]))
        nobody = (False,) * self.kitchen.agents
        found = search_layers(
            self._follow((start, nobody), agent, first),
            lambda situation: (step for _, step in self._follow(situation, agent, None)),
            most,
            bound=lambda situation: self.bound(situation[0]),
            within=within,
        )
        return None if found is None else set(found.first)

    def _follow(
        self, situation: _Situation, agent: int, first: Sequence[str] | None
    ) -> Iterator[tuple[str, Step[object, _Situation]]]:
        """Yield the command of an agent, which is one of `first` if given, and the step with it.

        An agent that did one of these is free to go anywhere.
        """
        state, _ = situation
        agents = range(self.kitchen.agents)
        options = [first if n == agent and first else self._options(situation, n) for n in agents]
        for chosen in product(*options):
            going = [text.startswith("goto") for text in chosen]
            here = [n for n in agents if not going[n] and not chosen[n].startswith("noop")]
            met = [
                n
                for n in here
                if any(state.agents[n].at == state.agents[m].at for m in here if m != n)
            ]
            rest = [chosen[n] for n in agents if n not in met]
            for order in permutations(met):
                after, step = play(self._task, state, [*rest, *(chosen[n] for n in order)])
                if all(step.ok):
                    bound = tuple(going[n] or chosen[n].startswith("noop") for n in agents)
                    if first:
                        bound = tuple(b and n != agent for n, b in enumerate(bound))
                    served = self._count(after) > self._served
                    yield chosen[agent], (_key((after, bound)), (after, bound), served)

    def _options(self, situation: _Situation, agent: int) -> list[str]:
        """Return what an agent may do: act here, wait to do so, or go elsewhere to act."""
        state, bound = situation
        kitchen, (at, holding) = self.kitchen, state.agents[agent]
        kind = kitchen.places[at]
        useful = kind in self._kinds
        if kind == STORAGE and holding is None:
            found = [commands.get(agent, at, x) for x in sorted(self._items & kitchen.ingredients)]
        elif kind == STORAGE or (at == kitchen.table and holding is not None):
            found = [commands.put(agent, at)]
        elif holding is not None:
            found = [commands.put(agent, at), commands.noop(agent)]
        elif useful:
            found = [commands.get(agent, at), commands.activate(agent, at), commands.noop(agent)]
        else:
            found = []
        if not bound[agent]:
            found += [commands.goto(agent, place) for place in self._goals(state, at, holding)]
        return found or [commands.noop(agent)]

    def _goals(self, state: CuisineState, at: str, holding: str | None) -> Iterator[str]:
        """Yield the places at which an agent can do something useful with what it holds."""
        kitchen = self.kitchen
        standing = {each.at for each in state.agents}
        alike = set[object]()
        for place, kind in kitchen.places.items():
            if place == at:
                continue
            if kind == STORAGE:
                yield place
            elif place == kitchen.table:
                if holding == self.dish:
                    yield place
            elif kind in (self._kinds if holding is None else self._takers.get(holding, ())):
                key = (kind, tuple(sorted(state.inside.get(place, ()))), state.busy.get(place))
                if place in standing or key not in alike:
                    yield place
                if place not in standing:
                    alike.add(key)

    # The bound.

    def bound(self, state: CuisineState) -> int:
        """Return a number of timesteps that the dish takes at least."""
        key = (state.agents, *map(tuple, (sorted(state.inside.items()), state.busy.items())))
        if key not in self._bounds:
            self._bounds[key] = max(self._find_ready(state), self._labour(state))
        return self._bounds[key]

    def _find_ready(self, state: CuisineState) -> int:
        """Return after how many timesteps the dish is on the table if no agent is in the way."""
        held = [at for at, item in state.agents if item == self.dish]
        if held:
            return 1 if self.kitchen.table in held else 2
        return self._hold(state, self.dish) + 2

    def _hold(self, state: CuisineState, item: str) -> int:
        """Return after how many timesteps an agent can hold an item."""
        kitchen, agents = self.kitchen, state.agents
        if any(each.holding == item for each in agents):
            return 0
        recipe = kitchen.recipes.get(item)
        if recipe is None:
            full = min(each.holding is not None for each in agents)
            return 1 + full + all(each.at != kitchen.storage for each in agents)
        times = []
        for place in kitchen.by_kind.get(recipe.tool, ()):
            inside = state.inside.get(place, ())
            come = all(each.at != place for each in agents)
            if inside == (item,):
                times.append(max(come, state.busy.get(place, 0)) + 1)
                continue
            has = inside if set(inside) <= set(recipe.inputs) else ()
            put = [self._put(state, x, place) for x in recipe.inputs if x not in has]
            wait = kitchen.tools[recipe.tool].wait
            if put:
                times.append(max(put) + max(wait, kitchen.agents < 3))
            else:
                times.append(come + 1 + wait)
        return min(times, default=FAR)

    def _put(self, state: CuisineState, item: str, place: str) -> int:
        """Return after how many timesteps an item can be in a place."""
        here = any(each == (place, item) for each in state.agents)
        return 1 if here else self._hold(state, item) + 2

    def _labour(self, state: CuisineState) -> int:
        """Return the timesteps of the work that is left if it is shared evenly.

        Each agent may stand where it acts first.
        """
        held = any(each.holding == self.dish for each in state.agents)
        work = 2 + (0 if held else self._work(state, self.dish))
        standing = sum(
            each.at != self.kitchen.table or each.holding == self.dish for each in state.agents
        )
        return -(-(work - standing) // self.kitchen.agents)

    def _work(self, state: CuisineState, item: str) -> int:
        """Return the number of commands until an agent holds an item, ways to storage included."""
        kitchen = self.kitchen
        if any(each.holding == item for each in state.agents):
            return 0
        recipe = kitchen.recipes.get(item)
        if recipe is None:
            return 2
        found = []
        for place in kitchen.by_kind.get(recipe.tool, ()):
            inside = state.inside.get(place, ())
            if inside == (item,):
                return 1
            has = inside if set(inside) <= set(recipe.inputs) else ()
            found.append(2 + sum(2 + self._work(state, x) for x in recipe.inputs if x not in has))
        return min(found, default=FAR)


def _key(situation: _Situation) -> object:
    state, bound = situation
    inside = sorted((place, tuple(sorted(items))) for place, items in state.inside.items())
    return state.agents, tuple(inside), tuple(sorted(state.busy.items())), bound
