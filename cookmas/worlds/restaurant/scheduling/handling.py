"""Handling: the treatment of work in progress.

Usually work in progress continues. Food that blocks others can wait on a counter when it is done,
or be abandoned and made again. Foods that cook together can first cook apart.
"""

from __future__ import annotations

from typing import NamedTuple


class Handling(NamedTuple):
    """A treatment of work in progress.

    Food of the stations and workers in `put_by` waits on a counter; food of those in `given_up` is
    abandoned. In lines `apart`, food that cooks longer than the rest cooks alone first (see
    `cook_apart`).
    """

    put_by: frozenset[str] = frozenset()
    given_up: frozenset[str] = frozenset()
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


AS_USUAL = Handling()
"""The handling in which all work in progress continues."""
