"""Handling: the treatment of work in progress.

Usually work in progress continues. Food that blocks others can wait on a counter when it is done,
or be abandoned and made again. Foods that cook together can first cook apart.
"""

from __future__ import annotations

from typing import NamedTuple

from kitchen.layout import Kitchen
from kitchen.state import KitchenState
from worlds.restaurant.scheduling.claims import Withheld

BLOCKING = ("mixer", "plating", "board", "", "grill", "pan", "pot", "oven")
"""Kinds of stations, with "" for hands; the kind that is most likely to block others comes first.
"""


class Handling(NamedTuple):
    """A treatment of work in progress.

    Food of the stations and workers in `put_by` waits on a counter; food of those in `given_up` is
    abandoned. A pair in `withheld` is a line, and a station or worker whose things it does not get.
    In lines `apart`, food that cooks longer than the rest cooks alone first (see `cook_apart`).
    """

    put_by: frozenset[str] = frozenset()
    given_up: frozenset[str] = frozenset()
    withheld: Withheld = frozenset()
    apart: frozenset[str] = frozenset()

    def make_gentler(self, name: str) -> Handling | None:
        """Return the next handling to try if the work at a station or worker cannot continue; None
        if there is none.

        It puts the food by on a counter or, if this handling does so already, abandons the food.
        """
        if name not in self.put_by:
            return self._replace(put_by=self.put_by | {name})
        if name not in self.given_up:
            return self._replace(given_up=self.given_up | {name})
        return None

    def changes(self, kitchen: Kitchen, state: KitchenState) -> list[tuple[str, bool]]:
        """Return the possible changes as arguments of `change`: each station or worker, once with
        False (abandon) and once with True (counter).

        They concern the workers, and the stations of the kinds in BLOCKING, that are in service and
        hold something.
        """
        held = [w for w, at in zip(kitchen.workers, state.workers, strict=True) if at.holding]
        names = [name for name in (*state.contents, *held) if name not in state.out]
        names = [name for name in names if _rank(kitchen, name) < len(BLOCKING)]
        names.sort(key=lambda name: _rank(kitchen, name))
        return [(name, counter) for name in names for counter in (False, True)]

    def change(self, name: str, counter: bool) -> Handling:
        """Return this handling with one station or worker treated differently.

        With `counter` its food is put by on a counter, else abandoned. If this handling does so
        already, the new one does not.
        """
        if counter:
            return self._replace(put_by=self.put_by ^ {name})
        return self._replace(given_up=self.given_up ^ {name})


def _rank(kitchen: Kitchen, name: str) -> int:
    station = kitchen.stations.get(name)
    kind = station.kind.name if station else ""
    return BLOCKING.index(kind) if kind in BLOCKING else len(BLOCKING)
