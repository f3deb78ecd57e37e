"""The actions of a robot after which the goal is reached earliest, proven by a whole search.

It goes through the kitchen without names, in which a bound leaves out what takes too long. Since
that model allows a little more than the rules, a schedule by the rules must exist for each action.
"""

from __future__ import annotations

from collections.abc import Iterator

from cookmas.episodes.world import Command
from cookmas.solving.robotouille.kitchen_estimate import KitchenEstimate
from cookmas.solving.robotouille.kitchen_search import name_schedule, read_kitchen_dishes
from cookmas.solving.robotouille.kitchen_states import NamelessKitchen, State
from cookmas.worlds.robotouille.rules.engine import FactState
from cookmas.worlds.robotouille.world import RobotouilleWorld

FURTHER = 6
"""Greatest number of timesteps beyond the bound for which is searched."""

_Layer = dict[State, dict[str, State | FactState]]
"""Each state with the first actions that lead to it, and the state before it on that way."""


def find_best_beginnings(
    world: RobotouilleWorld, start: FactState, robot: str, most: int
) -> tuple[list[str], int] | None:
    """Return the legal actions of one of two robots that reach the goal earliest, and when.

    Return None if all do, if more than `most` states would be kept, if one of them is possible only
    after what the other robot does in the same timestep, or if these are not the shipped kitchen
    and its dishes. For two robots the model is no proof about soups: it leaves out pouring before
    the soup boils.
    """
    dishes = read_kitchen_dishes(world)
    if dishes is None or len(world.workers) != 2 or any(dish.soup for dish in dishes):
        return None
    kitchen = NamelessKitchen(world, dishes, start)
    search = _BeginningSearch(kitchen, list(_begin(world, start, robot)), most)
    legal = world.legal(start, robot)
    bound = search.estimate.of(kitchen.start)
    for within in range(bound, bound + FURTHER):
        found = search.reach(within)
        if found is None:
            return None
        if found:
            sure = all(found.values()) and found.keys() <= set(legal)
            return (list(found), within) if sure else None
    return None


class _BeginningSearch:
    """The search from what the robots can do first."""

    def __init__(
        self, kitchen: NamelessKitchen, first: list[tuple[str, FactState]], most: int
    ) -> None:
        self.kitchen = kitchen
        self.estimate = KitchenEstimate(kitchen)
        self._first = first
        self._texts = {text for text, _ in first}
        self._most = most
        self._after = dict[State, list[State]]()

    def reach(self, within: int) -> dict[str, bool] | None:
        """Return the first actions with which the goal is reached within some timesteps.

        The value says whether the rules allow it too. Return None if too many states would be kept.
        """
        kitchen, seen = self.kitchen, set[State]()
        layer: _Layer = {}
        for text, after in self._first:
            state = kitchen.read(after)
            if 1 + self.estimate.of(state) <= within:
                layer.setdefault(state, {}).setdefault(text, after)
        layers = [layer]
        while len(seen) + len(layer) <= self._most:
            if reached := [state for state in layer if kitchen.is_reached(state)]:
                found = dict[str, bool]()
                if {text for state in reached for text in layer[state]} == self._texts:
                    return None
                for state in reached:
                    for text in layer[state]:
                        found[text] = found.get(text) or self._is_allowed(layers, state, text)
                return found
            if len(layers) == within:
                return {}
            seen |= layer.keys()
            following: _Layer = {}
            for state, led in layer.items():
                for later in self._follow(state):
                    if later in seen or len(layers) + 1 + self.estimate.of(later) > within:
                        continue
                    known = following.setdefault(later, {})
                    for text in led:
                        known.setdefault(text, state)
            layer = following
            layers.append(layer)
        return None

    def _follow(self, state: State) -> list[State]:
        if state not in self._after:
            self._after[state] = [after for _, after in self.kitchen.follow_all(state)]
        return self._after[state]

    def _is_allowed(self, layers: list[_Layer], state: State, text: str) -> bool:
        """Return whether the rules allow the way to a state that begins with an action."""
        path = [state]
        for layer in layers[:0:-1]:
            before = layer[path[-1]][text]
            assert not isinstance(before, FactState)
            path.append(before)
        first = layers[0][path[-1]][text]
        assert isinstance(first, FactState)
        named = name_schedule(self.kitchen, path[::-1], first)
        return named is not None and self.kitchen.world.goal.is_reached(named[1].true)


def _begin(
    world: RobotouilleWorld, state: FactState, robot: str
) -> Iterator[tuple[str, FactState]]:
    """Yield each action of a robot that is possible beside one of the other, and what follows."""
    one, two = world.workers
    for first in world.legal(state, one):
        half, _, _ = world.step(state, [Command(one, first), Command(two, world.idle)])
        for second in dict.fromkeys([*world.legal(state, two), *world.legal(half, two)]):
            after, outcomes, _ = world.step(state, [Command(one, first), Command(two, second)])
            if all(outcome.done for outcome in outcomes.values()):
                yield first if robot == one else second, after
