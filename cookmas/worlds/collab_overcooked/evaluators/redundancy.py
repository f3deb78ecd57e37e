"""Redundancy: the share of actions that the food which was served did not need."""

from __future__ import annotations

from collections.abc import Iterator

from cookmas.evals.verdict import EPISODE, Check
from cookmas.worlds.collab_overcooked.actions import (
    DELIVER,
    FILL,
    PICKUP,
    PLACE,
    PUT,
    Action,
    read_action,
)
from cookmas.worlds.collab_overcooked.evaluators.histories import CookEvidence
from cookmas.worlds.collab_overcooked.kitchen import DISHES, INGREDIENTS
from cookmas.worlds.grids.grid import Cell

Needed = frozenset[int]
"""The numbers of the actions that made an item and brought it to where it is."""

NOTHING: Needed = frozenset()


class _Ledger:
    """The items in hands and places, each with the actions that brought it there."""

    def __init__(self) -> None:
        self.served = NOTHING
        self._hands: dict[int, Needed] = {}
        self._places: dict[Cell, Needed] = {}
        self._laid: dict[Cell, tuple[int, Needed]] = {}

    def enter(self, number: int, cook: int, action: Action, cell: Cell) -> None:
        """Enter the action with a number, which a cook has done while it faced a cell."""
        own = frozenset({number})
        held = self._hands.pop(cook, NOTHING)
        if action.verb == PICKUP:
            self._hands[cook] = self._take(cook, action, cell, own)
        elif action.verb == FILL:
            self._hands[cook] = held | self._places.pop(cell, NOTHING) | own
        elif action.verb == PLACE:
            self._places[cell] = held | own
            self._laid[cell] = cook, held
        elif action.verb == DELIVER:
            self.served = held | own
        elif action.verb == PUT:
            self._places[cell] = held | self._places.get(cell, NOTHING) | own
        else:
            self._places[cell] = self._places.get(cell, NOTHING) | own

    def _take(self, cook: int, action: Action, cell: Cell, own: Needed) -> Needed:
        """Return the actions of an item that a cook takes; `own` is the number of the taking.

        If the cook takes back what it laid down itself, neither the laying nor the taking counts.
        """
        if action.place in (INGREDIENTS, DISHES):
            return own
        there = self._places.pop(cell, NOTHING)
        by, before = self._laid.pop(cell, (-1, NOTHING))
        return before if by == cook else there | own

    def empty(self, cell: Cell) -> None:
        """Enter that nothing is left at a cell, for example because a mix was destroyed."""
        self._places.pop(cell, None)


def redundancy(evidence: CookEvidence) -> Iterator[Check]:
    """Yield `redundancy` of an order that was served: the share of actions that it did not need.

    An action is not needed if its item never got into the served food, or if a cook laid
    something down and took it back itself.
    """
    if not evidence.final.served:
        return
    ledger, count = _Ledger(), 0
    for frame in evidence.frames:
        before, after = frame.before, frame.after
        for cook, body in enumerate(each.body for each in before.scene.cooks):
            for text in after.done[cook][len(before.done[cook]) :]:
                ledger.enter(count, cook, read_action(text), body.faces)
                count += 1
        for cell in before.scene.utensils:
            if cell not in after.scene.utensils:
                ledger.empty(cell)
    needed = len(ledger.served)
    yield Check(
        name="redundancy",
        subject=EPISODE,
        value=round(1 - needed / count, 4),
        evidence=f"{count - needed} of {count} actions",
    )
