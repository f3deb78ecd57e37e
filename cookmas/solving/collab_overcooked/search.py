"""The fewest timesteps of a dish: an exhaustive search over what both cooks do together.

The search goes through the timesteps one after the other and keeps every situation that can be
reached by useful actions and waiting. So the first plan that it finds has the fewest timesteps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from cookmas.solving.collab_overcooked.fewest_actions import SERVED
from cookmas.solving.collab_overcooked.useful import DishGoal
from cookmas.solving.search import Step, search_layers
from cookmas.worlds.collab_overcooked.rules.actions import Action
from cookmas.worlds.collab_overcooked.rules.grounding import (
    WAITING,
    Doing,
    begin,
    pass_timestep,
)
from cookmas.worlds.collab_overcooked.rules.kitchen import CollabKitchen, Scene, Tables, opening

SEARCHED_SITUATIONS = 100_000
"""Greatest number of situations that are searched for a plan to follow."""
KEPT_SITUATIONS = 2_000_000
"""Greatest number of situations that a search keeps."""


class TimedSituation(NamedTuple):
    """The scene, and what each cook is doing."""

    scene: Scene
    doing: tuple[Doing | None, ...]

    @property
    def key(self) -> object:
        """A value that equal situations have in common."""
        scene = self.scene
        counters = frozenset(scene.counters.items())
        return scene.cooks, counters, frozenset(scene.utensils.items()), self.doing


class PlanLink(NamedTuple):
    """How a situation was reached."""

    before: object
    """Key of the situation before; None for the first."""
    begun: tuple[Action | None, ...]
    """The actions that the cooks began; None for a cook that carried on."""


class TimedPlan(NamedTuple):
    """What both cooks do, timestep by timestep."""

    begun: tuple[Mapping[str, str], ...]
    """The actions that begin at each timestep, by cook."""
    situations: tuple[object, ...]
    """Key of the situation at each timestep."""


def fewest_timesteps(goal: DishGoal, most: int = KEPT_SITUATIONS) -> TimedPlan | None:
    """Return a plan with the fewest timesteps.

    Return None if there is none, or if more than `most` situations would be kept.
    """
    kitchen = goal.kitchen
    start = TimedSituation(opening(kitchen), (None,) * len(kitchen.cooks))
    tables = Tables(goal.steps)
    links: dict[object, PlanLink] = {start.key: PlanLink(None, ())}
    layer: Mapping[object, TimedSituation] = {start.key: start}
    while layer and len(links) <= most:
        following: dict[object, TimedSituation] = {}
        for key, situation in layer.items():
            for begun in _choices(goal, situation):
                after, served = play(kitchen, goal.dish, tables, situation, begun)
                if served:
                    return _plan(kitchen, links, key, begun)
                reached = after.key
                if reached not in links:
                    links[reached] = PlanLink(key, begun)
                    following[reached] = after
        layer = following
    return None


@lru_cache(maxsize=64)
def best_plan(goal: DishGoal, most: int = SEARCHED_SITUATIONS) -> TimedPlan | None:
    """Return the plan of a goal with the fewest timesteps; None if `most` situations give none."""
    return fewest_timesteps(goal, most)


def find_best_beginnings(
    goal: DishGoal,
    situation: TimedSituation,
    number: int,
    actions: Sequence[Action],
    most: int = KEPT_SITUATIONS,
) -> tuple[set[Action], int] | None:
    """Return the actions of a cook that lead to the dish earliest, and after how many timesteps.

    The cook begins one of `actions` now. From then on all cooks do useful things, clear away what
    is in the way, or wait. Return None if there is no way, or if more than `most` situations would
    be kept.
    """
    tables = Tables(goal.steps)

    def enter(
        now: TimedSituation, begun: tuple[Action | None, ...]
    ) -> Step[object, TimedSituation]:
        after, served = play(goal.kitchen, goal.dish, tables, now, begun)
        return SERVED if served else after.key, after, served

    found = search_layers(
        (
            (own, enter(situation, begun))
            for begun in _continue(goal, situation, number, actions)
            if (own := begun[number]) is not None
        ),
        lambda now: (enter(now, begun) for begun in _continue(goal, now, number, None)),
        most,
        left_out=[situation.key],
    )
    return (set(found.first), len(found.layers)) if found and found.reached else None


def _continue(
    goal: DishGoal, now: TimedSituation, number: int, actions: Sequence[Action] | None
) -> Iterator[tuple[Action | None, ...]]:
    """Yield what the cooks may begin; cook `number` begins one of `actions`, if they are given."""
    options: list[Sequence[Action | None]] = []
    for cook, doing in enumerate(now.doing):
        if doing is not None:
            options.append([None])
        elif cook == number and actions is not None:
            options.append(actions)
        else:
            found = (*goal.useful(now.scene, cook), *goal.clearing(now.scene, cook), WAITING)
            options.append(list(dict.fromkeys(found)))
    yield from product(*options)


def _choices(goal: DishGoal, situation: TimedSituation) -> Iterator[tuple[Action | None, ...]]:
    """Yield the combinations of what the cooks may begin: useful actions or waits.

    A combination has None for a cook in the middle of an action.
    """
    options: list[list[Action | None]] = []
    for number, doing in enumerate(situation.doing):
        if doing is not None:
            options.append([None])
        else:
            options.append([*goal.useful(situation.scene, number), WAITING])
    yield from product(*options)


def play(
    kitchen: CollabKitchen,
    order: str,
    tables: Tables,
    situation: TimedSituation,
    begun: tuple[Action | None, ...],
) -> tuple[TimedSituation, bool]:
    """Return the situation after a timestep, and whether the order was served in this timestep.

    `begun` has the action that each cook begins; None for a cook that carries on.
    """
    doing = [
        begin(action) if action else before
        for before, action in zip(situation.doing, begun, strict=True)
    ]
    passed = pass_timestep(kitchen, situation.scene, order, tables, doing)
    return TimedSituation(passed.scene, tuple(passed.left)), passed.happened.served


def _plan(
    kitchen: CollabKitchen,
    links: Mapping[object, PlanLink],
    key: object,
    begun: tuple[Action | None, ...],
) -> TimedPlan:
    """Return the plan whose last timestep begins in the situation `key`."""
    steps, keys = [begun], [key]
    while (link := links[key]).before is not None:
        key = link.before
        steps.append(link.begun)
        keys.append(key)
    named = [
        {
            name: str(action)
            for name, action in zip(kitchen.cooks, each, strict=True)
            if action is not None
        }
        for each in reversed(steps)
    ]
    return TimedPlan(tuple(named), tuple(reversed(keys)))
