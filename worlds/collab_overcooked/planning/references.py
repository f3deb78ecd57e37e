"""Reference trajectories: what each cook does in the joint plans with the fewest actions.

The search goes through the kitchen without time and ways, one action after the other, and keeps
every scene. So it finds all such plans. Plans that differ only in the order of two cooks' actions
have the same parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from worlds.collab_overcooked.actions import PICKUP, Action
from worlds.collab_overcooked.planning.abstract import Move, after, key, moves, start
from worlds.collab_overcooked.planning.useful import Goal
from worlds.collab_overcooked.scene import Scene

Part = tuple[str, ...]
"""The actions of one cook, in order."""

Plans = Mapping[object, Sequence[tuple[Move, object]]]
"""The moves of the shortest plans in each scene, with the scene after each; None is the end."""


def spell(action: Action) -> str:
    """Return an action as the environment reports it."""
    if action.verb == PICKUP:
        return f"{PICKUP}({action.food}, {action.place})"
    return str(action)


@lru_cache(maxsize=64)
def references(goal: Goal) -> tuple[tuple[Part, ...], ...] | None:
    """Return what each cook does in the plans with the fewest actions, each way once.

    Return None if there is no plan, or the kitchen leaves open how many actions a cook does.
    """
    cooks = range(len(goal.kitchen.cooks))
    plans = shortest_plans(goal, start(goal))
    if not plans or any(len(_lengths(goal, plans, cook)) > 1 for cook in cooks):
        return None
    return tuple(tuple(sorted(_parts(goal, plans, cook))) for cook in cooks)


def _lengths(goal: Goal, plans: Plans, cook: int) -> set[int]:
    """Return how many actions a cook may do in a plan."""
    begun: dict[object, set[int]] = {key(start(goal)): {0}}
    while None not in begun:
        following: dict[object, set[int]] = {}
        for scene, numbers in begun.items():
            for (number, _), reached in plans[scene]:
                counted = {each + (number == cook) for each in numbers}
                following.setdefault(reached, set()).update(counted)
        begun = following
    return begun[None]


def _parts(goal: Goal, plans: Plans, cook: int) -> set[Part]:
    """Return what a cook does in all plans."""
    begun: dict[object, set[Part]] = {key(start(goal)): {()}}
    while None not in begun:
        following: dict[object, set[Part]] = {}
        for scene, known in begun.items():
            for (number, action), reached in plans[scene]:
                own = number == cook
                longer = {(*part, spell(action)) for part in known} if own else known
                following.setdefault(reached, set()).update(longer)
        begun = following
    return begun[None]


def shortest_plans(goal: Goal, scene: Scene) -> Plans:
    """Return all plans with the fewest actions from a scene on; empty if there is no plan."""
    layers: list[dict[object, Scene]] = [{key(scene): scene}]
    edges: dict[object, list[tuple[Move, object]]] = {}
    served = False
    while layers[-1] and not served:
        following: dict[object, Scene] = {}
        for here, known in layers[-1].items():
            edges[here] = []
            for move in moves(goal, known):
                reached = after(goal, known, move)
                there = None if reached is None else key(reached)
                edges[here].append((move, there))
                if reached is None:
                    served = True
                elif there not in edges:
                    following[there] = reached
        layers.append(following)
    live: set[object] = {None} if served else set()
    for number in range(len(layers) - 2, -1, -1):
        ends = number == len(layers) - 2
        following = layers[number + 1]
        for here in layers[number]:
            edges[here] = [
                (move, there)
                for move, there in edges[here]
                if (there is None if ends else there in following and there in live)
            ]
            if edges[here]:
                live.add(here)
    return {here: found for here, found in edges.items() if found}
