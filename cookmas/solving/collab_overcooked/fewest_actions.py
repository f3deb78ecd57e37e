"""Plans with the fewest actions, by exhaustive search in a kitchen without timesteps and walking.

A plan is a sequence of actions for each cook. Plans that differ only in the order of actions of
different cooks are one plan. Ways and time play no part.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from cookmas.solving.collab_overcooked.useful import DishGoal
from cookmas.worlds.collab_overcooked.rules.actions import DELIVER, FILL, PICKUP, PLACE, PUT, Action
from cookmas.worlds.collab_overcooked.rules.kitchen import (
    COUNTER,
    DISH,
    DISHES,
    TICKS,
    FoodItem,
    Scene,
    Tables,
    UtensilContent,
    opening,
)
from cookmas.worlds.grids.grid import Cell

Move = tuple[int, Action]
"""The number of a cook, and its action."""


def moves(goal: DishGoal, scene: Scene) -> Iterator[Move]:
    """Yield the useful actions of all cooks; things are laid on shared counters only."""
    room = len(scene.counters) < len(goal.kitchen.shared)
    for number in range(len(scene.cooks)):
        for action in goal.useful(scene, number):
            if room or action.verb != PLACE:
                yield number, action


def apply_move(goal: DishGoal, scene: Scene, move: Move) -> Scene | None:
    """Return the scene after an action; None once the dish has been delivered.

    Utensils finish at once. Things lie on the shared counters in the order of their names, so that
    equal scenes are equal.
    """
    number, action = move
    kitchen, cook = goal.kitchen, scene.cooks[number]
    counters, utensils = dict(scene.counters), dict(scene.utensils)
    held = cook.held
    cell = kitchen.utensils.get(action.place, (-1, -1))
    if action.verb == DELIVER:
        return None
    if action.verb == PICKUP and action.place == COUNTER:
        place = next(c for c, item in counters.items() if item.name == action.food)
        held = counters.pop(place)
    elif action.verb == PICKUP and action.place == DISHES:
        held = FoodItem(DISH, "dish")
    elif action.verb == PICKUP:
        utensils.pop(cell, None)
        held = FoodItem(action.food, "ingredient")
    elif held is not None and action.verb == PLACE:
        counters[next(c for c in sorted(kitchen.shared) if c not in counters)] = held
        held = None
    elif held is not None and action.verb == PUT:
        inside = utensils[cell].items if cell in utensils else ()
        items = tuple(sorted((*inside, held.name)))
        utensils[cell] = UtensilContent(items, len(items))
        held = None
    elif action.verb == FILL:
        utensils.pop(cell)
        held = FoodItem(goal.dish, "with_dish")
    else:
        content = utensils[cell]
        product = Tables(goal.steps).product(kitchen.kinds[cell], content.items)
        utensils[cell] = UtensilContent((), content.filled, product, TICKS)
    cooks = list(scene.cooks)
    cooks[number] = cook._replace(held=held)
    return Scene(tuple(cooks), _sort_items(goal, counters), dict(sorted(utensils.items())))


def _sort_items(goal: DishGoal, counters: dict[Cell, FoodItem]) -> dict[Cell, FoodItem]:
    return dict(zip(sorted(goal.kitchen.shared), sorted(counters.values()), strict=False))


def key(scene: Scene) -> object:
    """Return a value that equal scenes have in common."""
    held = tuple(cook.held for cook in scene.cooks)
    return held, tuple(scene.counters.values()), tuple(scene.utensils.items())


SEARCHED_SCENES = 20_000
"""Greatest number of scenes that are searched."""

FOUND_SEQUENCES = 20_000
"""Greatest number of sequences of one cook that are returned."""

SERVED = "served"


class Edge(NamedTuple):
    """An action of cook `number` that leads from one scene to the one with the key `to`."""

    number: int
    action: str
    to: object


class ReferencePlans(NamedTuple):
    """The plans with the fewest actions."""

    edges: Mapping[object, Sequence[Edge]]
    """For the key of each scene, the actions there that belong to such a plan."""
    opening: object
    """Key of the opening scene."""
    actions: int
    """Number of actions of both cooks together."""
    by_cook: tuple[tuple[tuple[str, ...], ...], ...]
    """The sequences of each cook, by its number."""

    def has(self, sequences: Sequence[Sequence[str]]) -> bool:
        """Return whether one plan consists of these sequences, one for each cook."""
        left = [(self.opening, (0,) * len(sequences))]
        seen = set(left)
        while left:
            scene, at = left.pop()
            if scene == SERVED:
                if all(n == len(each) for n, each in zip(at, sequences, strict=True)):
                    return True
                continue
            for number, action, to in self.edges[scene]:
                mine = sequences[number]
                if at[number] < len(mine) and mine[at[number]] == action:
                    following = tuple(n + (cook == number) for cook, n in enumerate(at))
                    if (to, following) not in seen:
                        seen.add((to, following))
                        left.append((to, following))
        return False


@lru_cache(maxsize=64)
def references_of(goal: DishGoal) -> ReferencePlans | None:
    """Return the plans with the fewest actions; None if there are none, or too many."""
    scene = opening(goal.kitchen)
    begin = key(scene)
    found = shortest_plans(goal, scene)
    if found is None or begin not in found.left:
        return None
    best, left = found
    by_cook = [_sequences(best, begin, number) for number in range(len(scene.cooks))]
    if any(each is None for each in by_cook):
        return None
    return ReferencePlans(best, begin, left[begin], tuple(each or () for each in by_cook))


class ShortestPlans(NamedTuple):
    """For the key of each scene, the next actions in the shortest plans, and how many are left."""

    edges: Mapping[object, Sequence[Edge]]
    left: Mapping[object, int]


def shortest_plans(goal: DishGoal, scene: Scene) -> ShortestPlans | None:
    """Return the plans with the fewest actions from a scene and from each that can follow it.

    Return None if there are too many scenes.
    """
    edges = _search(goal, scene)
    if edges is None:
        return None
    left = _distances(edges)
    best = {
        place: [each for each in some if left.get(each.to) == left[place] - 1]
        for place, some in edges.items()
        if place in left
    }
    return ShortestPlans(best, left)


def _search(goal: DishGoal, start: Scene) -> dict[object, list[Edge]] | None:
    scenes = {key(start): start}
    todo = [key(start)]
    edges: dict[object, list[Edge]] = {}
    while todo:
        place = todo.pop()
        edges[place] = []
        for move in moves(goal, scenes[place]):
            reached = apply_move(goal, scenes[place], move)
            to = SERVED if reached is None else key(reached)
            edges[place].append(Edge(move[0], str(move[1]), to))
            if reached is not None and to not in scenes:
                scenes[to] = reached
                todo.append(to)
        if len(scenes) > SEARCHED_SCENES:
            return None
    return edges


def _distances(edges: Mapping[object, Sequence[Edge]]) -> dict[object, int]:
    """Return the fewest actions from each scene to the serving.

    Scenes from which no plan gets there are left out.
    """
    into: dict[object, list[object]] = {}
    for place, some in edges.items():
        for edge in some:
            into.setdefault(edge.to, []).append(place)
    left: dict[object, int] = {SERVED: 0}
    queue: deque[object] = deque([SERVED])
    while queue:
        place = queue.popleft()
        for before in into.get(place, ()):
            if before not in left:
                left[before] = left[place] + 1
                queue.append(before)
    return left


def _sequences(
    edges: Mapping[object, Sequence[Edge]], start: object, number: int
) -> tuple[tuple[str, ...], ...] | None:
    """Return the sequences of one cook in all plans; None if there are too many."""
    found: list[tuple[str, ...]] = []
    begin: tuple[str, ...] = ()
    todo = [(begin, _quietly(edges, {start}, number))]
    while todo:
        sequence, places = todo.pop()
        if SERVED in places:
            found.append(sequence)
        by_action: dict[str, set[object]] = {}
        for place in places:
            for edge in edges.get(place, ()):
                if edge.number == number:
                    by_action.setdefault(edge.action, set()).add(edge.to)
        for action, reached in by_action.items():
            todo.append(((*sequence, action), _quietly(edges, reached, number)))
        if len(found) + len(todo) > FOUND_SEQUENCES:
            return None
    return tuple(sorted(found))


def _quietly(
    edges: Mapping[object, Sequence[Edge]], places: set[object], number: int
) -> frozenset[object]:
    """Return `places`, and the scenes that follow them while cook `number` does nothing."""
    reached, todo = set(places), list(places)
    while todo:
        for edge in edges.get(todo.pop(), ()):
            if edge.number != number and edge.to not in reached:
                reached.add(edge.to)
                todo.append(edge.to)
    return frozenset(reached)


KEPT = 64
"""Greatest number of searches whose results are kept."""

_known: OrderedDict[tuple[DishGoal, object], ShortestPlans | None] = OrderedDict()


def plan_from(goal: DishGoal, scene: Scene, preferred: int) -> list[Edge]:
    """Return the actions of a plan from a scene to the serving with the fewest actions.

    If either of two cooks can act next, cook `preferred` does. Return an empty list if no plan gets
    there, or the search is too long.
    """
    here = without_time(goal, scene)
    plans = _plans_with(goal, here)
    at, found = key(here), list[Edge]()
    while plans is not None and plans.edges.get(at):
        edge = min(plans.edges[at], key=lambda each: (each.number != preferred, each.action))
        found.append(edge)
        at = edge.to
    return found


def _plans_with(goal: DishGoal, here: Scene) -> ShortestPlans | None:
    """Return the shortest plans from scenes that include `here`; None if there are none.

    They are those of the search from the opening scene if it has met `here`, else of a new search.
    """
    for scene in (opening(goal.kitchen), here):
        entry = goal, key(scene)
        if entry not in _known:
            _known[entry] = shortest_plans(goal, scene)
            if len(_known) > KEPT:
                _known.popitem(last=False)
        plans = _known[entry]
        if plans is not None and key(here) in plans.left:
            return plans
    return None


def without_time(goal: DishGoal, scene: Scene) -> Scene:
    """Return a scene in the form in which it is searched.

    Utensils that were started have finished, and the things on counters are in the order of names.
    """
    cooks = tuple(cook._replace(held=cook.held and _drop_parts(cook.held)) for cook in scene.cooks)
    lying = sorted(map(_drop_parts, scene.counters.values()))
    counters = dict(zip(sorted(goal.kitchen.shared), lying, strict=False))
    utensils = {cell: _settle(content) for cell, content in sorted(scene.utensils.items())}
    return Scene(cooks, counters, utensils)


def _drop_parts(item: FoodItem) -> FoodItem:
    return item._replace(parts=0)


def _settle(content: UtensilContent) -> UtensilContent:
    if content.product is None:
        return content._replace(items=tuple(sorted(content.items)))
    return content._replace(ticks=TICKS)
