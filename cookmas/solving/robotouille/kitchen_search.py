"""The searches of a kitchen without names: the shortest schedule, and its actions with names.

The best actions of a robot are those after which the goal is reached earliest, proven by a whole
search, in which a bound leaves out what takes too long. Since the model allows a little more than
the rules, a schedule by the rules must exist for each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from cookmas.episodes.world import Command
from cookmas.solving.robotouille.distances import FAR
from cookmas.solving.robotouille.kitchen_dishes import WantedDish, read_dishes
from cookmas.solving.robotouille.kitchen_estimate import KitchenEstimate
from cookmas.solving.robotouille.kitchen_states import NamelessKitchen, State
from cookmas.solving.search import Step, search_layers
from cookmas.worlds.robotouille.rules.domain_file import read_shipped
from cookmas.worlds.robotouille.rules.engine import FactState
from cookmas.worlds.robotouille.world import RobotouilleWorld

WEIGHTS = (1.1, 1.25, 1.5, 2.0, 3.0)
"""The weights of the estimate with which schedules are looked for if none is proven."""

IN_TURN = (2.0, 3.0, 5.0)
"""The weights with which a dish is looked for if the dishes are made one after the other."""

IN_TURN_STATES = 2000
"""Greatest number of states that such a search expands for each dish."""

MOST_ROBOTS = 2
"""Greatest number of robots for which this search is made."""

Row = dict[str, str]


class BoundedSchedule(NamedTuple):
    """A bound on the timesteps to the goal, and the best schedule that was found."""

    bound: int
    """Number of timesteps that every schedule needs."""
    schedule: list[Row] | None
    """The shortest schedule that was found; None if none was."""


class FoundPath(NamedTuple):
    """The result of a search."""

    bound: int
    """Number of timesteps that every schedule needs."""
    path: Sequence[State] | None
    """The states of a schedule; None if none was found."""
    timesteps: int
    """Number of timesteps of this schedule."""


def solve(world: RobotouilleWorld, start: FactState, states: int) -> BoundedSchedule | None:
    """Return a schedule from a state, and a bound; None if this is not the shipped kitchen.

    The search without a weight may expand `states` states, and each further one with a weight too.
    If none finds a schedule, the dishes are made one after the other.
    """
    dishes = read_kitchen_dishes(world)
    if dishes is None:
        return None
    kitchen = NamelessKitchen(world, dishes, start)
    estimate = KitchenEstimate(kitchen)
    best = search(kitchen, estimate, 1, states, FAR)
    for weight in WEIGHTS:
        if best.path is None or best.bound < best.timesteps:
            found = search(kitchen, estimate, weight, states, best.timesteps)
            if found.path is not None:
                best = FoundPath(best.bound, found.path, found.timesteps)
    named = name_schedule(kitchen, best.path, start) if best.path else None
    if named is None:
        named = serve_in_turn(world, dishes, start, lambda left, state: left[0])
    reached = named is not None and world.goal.is_reached(named[1].true)
    return BoundedSchedule(best.bound, named[0] if named and reached else None)


def serve_in_turn(
    world: RobotouilleWorld,
    dishes: Sequence[WantedDish],
    state: FactState,
    choose: Callable[[Sequence[int], FactState], int],
) -> tuple[list[Row], FactState] | None:
    """Return a schedule in which each dish is made after the others, and the state after it.

    The function `choose` takes the numbers of the dishes that are left, and the state, and returns
    the number of the next dish. Return None if no schedule for the next dish is found.
    """
    schedule = list[Row]()
    left, made = [*range(len(dishes))], list[WantedDish]()
    while left:
        number = choose(left, state)
        left.remove(number)
        made.append(dishes[number])
        kitchen = NamelessKitchen(world, made, state)
        estimate = KitchenEstimate(kitchen)
        paths = (search(kitchen, estimate, weight, IN_TURN_STATES, FAR).path for weight in IN_TURN)
        path = next(filter(None, paths), None)
        named = name_schedule(kitchen, path, state) if path else None
        if named is None:
            return None
        schedule += named[0]
        state = named[1]
    return schedule, state


def read_kitchen_dishes(world: RobotouilleWorld) -> Sequence[WantedDish] | None:
    """Return the dishes of the goal; None if the rules are others, or the goal wants others."""
    if world.domain.digest != read_shipped("kitchen").digest or len(world.workers) > MOST_ROBOTS:
        return None
    return read_dishes(world.goal)


def search(
    kitchen: NamelessKitchen, estimate: KitchenEstimate, weight: float, states: int, most: int
) -> FoundPath:
    """Return a schedule of less than `most` timesteps, if the search finds one.

    The best state comes first, by the timesteps so far and the weighted estimate. With the weight 1
    the first rank is the bound.
    """
    follow = kitchen.follow if kitchen.robots == 1 else kitchen.follow_all
    length_to = {kitchen.start: 0}
    before: dict[State, State] = {}
    bound = estimate.of(kitchen.start)
    queue: list[tuple[float, int, int, State]] = [(bound, 0, 0, kitchen.start)]
    for number in range(states):
        if not queue:
            break
        rank, minus, _, state = heappop(queue)
        length = -minus
        if length > length_to[state]:
            continue
        if weight == 1:
            bound = max(bound, int(rank))
        if kitchen.is_reached(state):
            path = [state]
            while path[-1] in before:
                path.append(before[path[-1]])
            return FoundPath(bound, path[::-1], length)
        for cost, after in follow(state):
            left = estimate.of(after)
            if length + cost + left < min(length_to.get(after, FAR) + left, most):
                length_to[after] = length + cost
                before[after] = state
                rank = length + cost + (left if weight == 1 else weight * estimate.rank(after))
                heappush(queue, (rank, -length - cost, number, after))
    return FoundPath(bound, None, FAR)


def name_schedule(
    kitchen: NamelessKitchen, path: Sequence[State], state: FactState
) -> tuple[list[Row], FactState] | None:
    """Return the schedule of a path of states from a state, and the state after it.

    Return None if the rules forbid it.
    """
    schedule = list[Row]()
    for wanted in path[1:]:
        found = _find(kitchen, state, wanted, 1) or _find(kitchen, state, wanted, 2)
        if found is None:
            return None
        rows, state = found
        schedule += rows
    return schedule, state


def _find(
    kitchen: NamelessKitchen, state: FactState, wanted: State, steps: int
) -> tuple[list[Row], FactState] | None:
    """Return what leads from a state to one without names in `steps` timesteps; None if nothing."""
    for row, after in _follow(kitchen.world, state):
        if steps > 1:
            if len(row) == 1 and next(iter(row.values())).startswith("move("):
                found = _find(kitchen, after, wanted, steps - 1)
                if found:
                    return [row, *found[0]], found[1]
        elif kitchen.read(after) == wanted:
            return [row], after
    return None


def _follow(world: RobotouilleWorld, state: FactState) -> Iterator[tuple[Row, FactState]]:
    """Yield what the robots can do in a timestep, and the state after it."""
    first, *others = world.workers
    if not others:
        for text in world.legal(state, first):
            after, _, _ = world.step(state, [Command(first, text)])
            yield ({} if text == world.idle else {first: text}), after
        return
    (second,) = others
    for one in world.legal(state, first):
        half, _, _ = world.step(state, [Command(first, one), Command(second, world.idle)])
        for two in dict.fromkeys([*world.legal(state, second), *world.legal(half, second)]):
            commands = [Command(first, one), Command(second, two)]
            after, outcomes, _ = world.step(state, commands)
            if all(outcome.done for outcome in outcomes.values()):
                yield (
                    {each.worker: each.action for each in commands if each.action != world.idle},
                    after,
                )


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
    begun = [(row.get(robot, world.idle), after) for row, after in _follow(world, start)]
    search = _BeginningSearch(kitchen, begun, most)
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
