"""Handling: the treatment of work in progress.

Usually work in progress continues. Food that blocks others can wait on a counter when it is done,
or be abandoned and made again. Foods that cook together can first cook apart.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import KitchenState
from cookmas.worlds.restaurant.scheduling.claims import Withheld

CHANGES = (
    ("", True),
    ("pot", True),
    ("", False),
    ("plating", False),
    ("mixer", True),
    ("mixer", False),
    ("board", False),
    ("board", True),
    ("pot", False),
    ("pan", True),
    ("pan", False),
    ("grill", True),
    ("grill", False),
    ("oven", True),
    ("oven", False),
)
"""Kinds of stations, with "" for hands, and whether their food waits on a counter or is abandoned;
the change that most often leads to a shorter schedule comes first.
"""

Change = tuple[tuple[str, ...], bool]
"""A change of a handling: the arguments of `Handling.change`."""


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

    def changes(self, kitchen: Kitchen, state: KitchenState) -> list[Change]:
        """Return the possible changes, the most promising first.

        They concern the workers and stations in service that hold something: first all these
        workers together, then each worker and station, in the order of CHANGES.
        """
        held = [w for w, at in zip(kitchen.workers, state.workers, strict=True) if at.holding]
        kinds = {name: kitchen.stations[name].kind.name for name in state.contents}
        kinds |= dict.fromkeys(held, "")
        holders = [(name, kind) for name, kind in kinds.items() if name not in state.out]
        hands = tuple(name for name, kind in holders if not kind)
        together = [(hands, True), (hands, False)] if len(hands) > 1 else []
        return together + [
            ((name,), counter) for kind, counter in CHANGES for name, own in holders if own == kind
        ]

    def change(self, names: Collection[str], counter: bool) -> Handling:
        """Return this handling with some stations or workers treated differently.

        With `counter` their food is put by on a counter, else abandoned. If this handling does so
        already, the new one does not.
        """
        if counter:
            return self._replace(put_by=self.put_by.symmetric_difference(names))
        return self._replace(given_up=self.given_up.symmetric_difference(names))


AS_USUAL = Handling()
"""The handling in which all work in progress continues."""


def sort_cooking_first(changes: Iterable[Change], state: KitchenState) -> list[Change]:
    """Return changes in an order in which those that put by what cooks come first.

    Such food must leave its station soon, so it is likely to block other food.
    """

    def cooks(names: Iterable[str]) -> bool:
        lying = [content for name in names for content in state.contents.get(name, ())]
        return any(content.since is not None for content in lying)

    return sorted(changes, key=lambda change: not (change[1] and cooks(change[0])))
