"""Grounding: the low-level acts of a medium-level action, one for each timestep, until it is done.

This is the one place in which actions become acts: for planners, prompts and people alike.
"""

from __future__ import annotations

from typing import NamedTuple

from cookmas.worlds.grids.grid import DIRECTIONS, Cell, neighbour
from cookmas.worlds.grids.hands import cells_of_others
from cookmas.worlds.overcooked.actions import AWAY, PICK_UP, MediumAction
from cookmas.worlds.overcooked.kitchen import INTERACT, MOVES, POT, STAY, OvercookedKitchen
from cookmas.worlds.overcooked.places import grid_now, places_of, way_to
from cookmas.worlds.overcooked.refusals import refusal
from cookmas.worlds.overcooked.scene import Scene

ACT_OF = {letter: act for act, letter in MOVES.items()}
"""The act that moves a cook in a direction, by the letter of the direction."""


class Underway(NamedTuple):
    """How a medium-level action continues after a timestep."""

    action: MediumAction | None
    """The action; None if it is done or cannot be done any more."""
    given_up: str | None = None
    """The kind of FAIL for which the action is given up; None if it is not."""


def next_act(kitchen: OvercookedKitchen, scene: Scene, number: int, action: MediumAction) -> str:
    """Return the next act of an action of cook `number`; `stay` if nothing leads on."""
    if action == AWAY:
        return step_away(kitchen, scene, number) or STAY
    cell = places_of(kitchen)[action.place]
    way = way_to(kitchen, scene, number, cell)
    if way is None:
        return STAY
    if way:
        return ACT_OF[way[0]]
    if action.verb == PICK_UP and kitchen.kinds[cell] == POT:
        content = scene.pots.get(cell)
        if content is not None and not kitchen.is_ready(content.ingredients, content.ticks):
            return STAY
    return INTERACT


def step_away(
    kitchen: OvercookedKitchen, scene: Scene, number: int, *, anywhere: bool = False
) -> str | None:
    """Return the step of a cook to the free cell that is farthest from the others; None if none is.

    A step that leads nearer to the others counts only if the cook goes `anywhere`.
    """
    taken, body = cells_of_others(scene.cooks, number), scene.cooks[number].body
    floor = grid_now(kitchen, scene).floor - taken
    best, found = -1 if anywhere else distance_to(body.at, taken), None
    for act, letter in MOVES.items():
        cell = neighbour(body.at, DIRECTIONS[letter])
        if cell in floor and (distance := distance_to(cell, taken)) > best:
            best, found = distance, act
    return found


def distance_to(cell: Cell, taken: frozenset[Cell]) -> int:
    """Return the columns and rows, added up, from a cell to the nearest in `taken`, if any is."""
    return min((abs(cell[0] - x) + abs(cell[1] - y) for x, y in taken), default=0)


def is_blocked(
    kitchen: OvercookedKitchen, before: Scene, after: Scene, number: int, act: str
) -> bool:
    """Return whether a cook wanted to walk in a timestep and another one kept it from walking."""
    if act not in MOVES:
        return False
    body = before.cooks[number].body
    beside = neighbour(body.at, DIRECTIONS[MOVES[act]])
    return beside in grid_now(kitchen, before).floor and after.cooks[number].body.at == body.at


def after_timestep(
    kitchen: OvercookedKitchen, after: Scene, number: int, action: MediumAction, deed: str | None
) -> Underway:
    """Return how an action of cook `number` continues after a timestep with this deed."""
    if deed is not None or action == AWAY:
        return Underway(None)
    kind = refusal(kitchen, after, number, action)
    return Underway(None, kind) if kind else Underway(action)
