"""The actions of a robot after which the goal is reached earliest, proven by a whole search.

It goes through the kitchen without names, in which a bound leaves out what takes too long. Since
that model allows a little more than the rules, a schedule by the rules must exist for each action.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cookmas.episodes.world import Command
from cookmas.solving.robotouille.kitchen_estimate import KitchenEstimate
from cookmas.solving.robotouille.kitchen_search import name_schedule, read_kitchen_dishes
from cookmas.solving.robotouille.kitchen_states import NamelessKitchen, State
from cookmas.solving.search import Step, search_layers
from cookmas.worlds.robotouille.rules.engine import FactState
from cookmas.worlds.robotouille.world import RobotouilleWorld

FURTHER = 6
"""Greatest number of timesteps beyond the bound for which is searched."""


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
        self._most = most
        self._begun = dict[tuple[str, State], FactState]()
        for text, after in first:
            self._begun.setdefault((text, kitchen.read(after)), after)
        self._after = dict[State, list[Step[State, State]]]()

    def reach(self, within: int) -> dict[str, bool] | None:
        """Return the first actions with which the goal is reached within some timesteps.

        The value says whether the rules allow it too. Return None if too many states would be kept.
        """
        found = search_layers(
            [(text, self._enter(state)) for text, state in self._begun],
            self._follow,
            self._most,
            bound=self.estimate.of,
            within=within,
        )
        if found is None or found.kept > self._most:
            return None
        if found.first.keys() == {text for text, _ in self._begun}:
            return None
        return {
            text: any(self._is_allowed(found.find_way(state, text), text) for state in states)
            for text, states in found.first.items()
        }

    def _enter(self, state: State) -> Step[State, State]:
        return state, state, not self.estimate.of(state) and self.kitchen.is_reached(state)

    def _follow(self, state: State) -> list[Step[State, State]]:
        if state not in self._after:
            states = [after for _, after in self.kitchen.follow_all(state)]
            self._after[state] = [*map(self._enter, states)]
        return self._after[state]

    def _is_allowed(self, way: Sequence[State], text: str) -> bool:
        """Return whether the rules allow a way that begins with an action."""
        named = name_schedule(self.kitchen, way, self._begun[text, way[0]])
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
