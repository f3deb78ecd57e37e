"""Handling: what happens to work in progress. Usually it continues. Food that blocks others may be
put aside on a counter when it is done, or abandoned and made again. Foods that cook together may
first cook apart.
"""

from __future__ import annotations

from typing import NamedTuple

from kitchen.layout import Kitchen
from kitchen.state import KitchenState
from worlds.restaurant.scheduling.claims import Withheld

BLOCKING = ("mixer", "plating", "board", "", "grill", "pan", "pot", "oven")
"""Kinds of stations, hands among them (""), the likeliest to hold up others first."""


class Handling(NamedTuple):
    """The stations and workers that put their food on a counter, and those that discard it.

    What is `withheld` from a line is for others, or for none. For the lines `apart` what cooks
    longer than the rest is cooked by itself before (see `cook_apart`).
    """

    put_by: frozenset[str] = frozenset()
    given_up: frozenset[str] = frozenset()
    withheld: Withheld = frozenset()
    apart: frozenset[str] = frozenset()

    def make_gentler(self, name: str) -> Handling | None:
        """Return the next handling where some work cannot continue: a gentler one first."""
        if name not in self.put_by:
            return self._replace(put_by=self.put_by | {name})
        if name not in self.given_up:
            return self._replace(given_up=self.given_up | {name})
        return None

    def changes(self, kitchen: Kitchen, state: KitchenState) -> list[tuple[str, bool]]:
        """Return the other ways to handle food: its holder, and whether a counter takes it."""
        held = [w for w, at in zip(kitchen.workers, state.workers, strict=True) if at.holding]
        names = [name for name in (*state.contents, *held) if name not in state.out]
        names = [name for name in names if _rank(kitchen, name) < len(BLOCKING)]
        names.sort(key=lambda name: _rank(kitchen, name))
        return [(name, counter) for name in names for counter in (False, True)]

    def change(self, name: str, counter: bool) -> Handling:
        """Return this handling with one station or worker dealt with otherwise."""
        if counter:
            return self._replace(put_by=self.put_by ^ {name})
        return self._replace(given_up=self.given_up ^ {name})


def _rank(kitchen: Kitchen, name: str) -> int:
    station = kitchen.stations.get(name)
    kind = station.kind.name if station else ""
    return BLOCKING.index(kind) if kind in BLOCKING else len(BLOCKING)
