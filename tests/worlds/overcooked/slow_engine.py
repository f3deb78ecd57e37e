"""A second engine of the kitchen, written from its rules for reading and not for speed.

It knows a layout's grid, which soups have which points and times, and whether full pots start by
themselves. A pot is a list of ingredients with a clock; a clock that stands still is None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

AHEAD = {"north": (0, -1), "south": (0, 1), "east": (1, 0), "west": (-1, 0)}
DISPENSERS = {"O": "onion", "T": "tomato", "D": "dish"}


class SlowKitchen:
    def __init__(
        self,
        rows: Sequence[str],
        soups: Mapping[tuple[str, ...], tuple[int, int]],
        by_itself: bool,
        cooks: list[dict[str, Any]],
        things: dict[tuple[int, int], Any],
    ) -> None:
        self.letters = {
            (x, y): letter for y, row in enumerate(rows) for x, letter in enumerate(row)
        }
        self.soups = soups
        self.by_itself = by_itself
        self.cooks = cooks
        self.things = things
        self.open: dict[tuple[int, int], int] = {}

    def free(self, cell: tuple[int, int]) -> bool:
        return self.letters[cell] in " 123456789" or cell in self.open

    def in_front(self, cook: dict[str, Any]) -> tuple[int, int]:
        (x, y), (dx, dy) = cook["at"], AHEAD[cook["looks"]]
        return x + dx, y + dy

    def play(self, acts: Sequence[str]) -> int:
        points = 0
        for cook, act in zip(self.cooks, acts, strict=True):
            if act == "interact":
                points += self.interact(cook)
        self.walk(acts)
        self.tick()
        return points

    def interact(self, cook: dict[str, Any]) -> int:
        cell = self.in_front(cook)
        letter = self.letters[cell]
        hand = cook["holds"]
        thing = self.things.get(cell)
        if letter == "X":
            if hand is None or thing is None:
                cook["holds"] = thing
                self.things.pop(cell, None)
                if hand is not None:
                    self.things[cell] = hand
        elif letter in DISPENSERS:
            cook["holds"] = hand or DISPENSERS[letter]
        elif letter == "G":
            if hand is None and cell not in self.open:
                self.open[cell] = 0
        elif letter == "S":
            if isinstance(hand, tuple):
                cook["holds"] = None
                return self.soups[hand][0]
        elif letter == "P":
            self.at_pot(cook, cell)
        return 0

    def at_pot(self, cook: dict[str, Any], cell: tuple[int, int]) -> None:
        hand = cook["holds"]
        pot = self.things.get(cell, {"in": [], "clock": None})
        cold = pot["clock"] is None
        if hand in ("onion", "tomato"):
            if cold and len(pot["in"]) < 3:
                pot["in"].append(hand)
                self.things[cell] = pot
                cook["holds"] = None
        elif hand == "dish":
            soup = tuple(sorted(pot["in"]))
            if not cold and pot["clock"] == self.soups[soup][1]:
                cook["holds"] = soup
                del self.things[cell]
        elif hand is None and cold and pot["in"] and not self.by_itself:
            pot["clock"] = 0

    def walk(self, acts: Sequence[str]) -> None:
        olds = [cook["at"] for cook in self.cooks]
        wanted = []
        for cook, act in zip(self.cooks, acts, strict=True):
            if act in AHEAD:
                cook["looks"] = act
                ahead = self.in_front(cook)
                wanted.append(ahead if self.free(ahead) else cook["at"])
            else:
                wanted.append(cook["at"])
        swaps = any(
            first != second and wanted[first] == olds[second] and wanted[second] == olds[first]
            for first in range(len(olds))
            for second in range(len(olds))
        )
        if len(set(wanted)) == len(wanted) and not swaps:
            for cook, at in zip(self.cooks, wanted, strict=True):
                cook["at"] = at

    def tick(self) -> None:
        for cell, pot in self.things.items():
            if self.letters[cell] != "P":
                continue
            if pot["clock"] is None and self.by_itself and len(pot["in"]) == 3:
                pot["clock"] = 0
            if pot["clock"] is not None and pot["clock"] < self.soups[tuple(sorted(pot["in"]))][1]:
                pot["clock"] += 1
        standing = {cook["at"] for cook in self.cooks}
        for gate in [gate for gate in self.open if gate not in standing]:
            if self.open[gate] == 10:
                del self.open[gate]
            else:
                self.open[gate] += 1
