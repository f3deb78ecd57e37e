"""The mailbox in the memory of one process, for an episode whose events are known.

A letter is an event or a message that the episode has taken, with a permanent number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from cookmas.episodes.world import Json
from cookmas.mailboxes.protocol import Letter, May, Settled, allow_all


class MemoryMailbox:
    """A mailbox with events that are known beforehand, and events injected while the episode runs.

    Among events that are due at the same timestep, the known events come first.
    """

    def __init__(self, scheduled: Iterable[tuple[int, Json]] = ()) -> None:
        self._scheduled = sorted(
            ((timestep, dict(event)) for timestep, event in scheduled), key=lambda item: item[0]
        )
        self._expected: list[tuple[int, dict[str, Any]]] = []
        self._waiting: list[dict[str, Any]] = []
        self._letters: list[Letter] = []

    def expect(self, coming: Iterable[tuple[int, Json]]) -> None:
        """Inject events at given timesteps, after the scenario's events of the same timestep."""
        expected = [*self._expected, *((timestep, dict(event)) for timestep, event in coming)]
        self._expected = sorted(expected, key=lambda item: item[0])

    def inject(self, event: Json) -> None:
        """Post an event for the next timestep that is opened."""
        self._waiting.append(dict(event))

    def restore(self, letters: Sequence[Letter]) -> None:
        self._letters = list(letters)
        known = sum(not letter.injected for letter in letters)
        self._scheduled = self._scheduled[known:]
        for letter in letters:
            if letter.injected and (arrived := (letter.timestep, letter.event)) in self._expected:
                self._expected.remove(arrived)

    async def open(self, timestep: int, after: int, may: May = allow_all) -> Sequence[Letter]:
        """Return the letters due by `timestep` with a number above `after`, in order.

        First turn the events that are due into letters. `may` is ignored: no event has to wait.
        """
        if self._scheduled or self._expected or self._waiting:
            self._take_in(timestep)
        return [letter for letter in self._letters[after:] if letter.timestep <= timestep]

    def _take_in(self, timestep: int) -> None:
        due = [event for t, event in self._scheduled if t <= timestep]
        self._scheduled = self._scheduled[len(due) :]
        expected = [event for t, event in self._expected if t <= timestep]
        self._expected = self._expected[len(expected) :]
        injected, self._waiting = [*expected, *self._waiting], []
        for event, by_hand in [(e, False) for e in due] + [(e, True) for e in injected]:
            number = len(self._letters) + 1
            letter = Letter(number=number, timestep=timestep, event=event, injected=by_hand)
            self._letters.append(letter)

    async def tell_places(self) -> None:
        """Do nothing: no sender waits for an answer."""

    async def empty(self, after: int) -> bool:
        to_come = self._scheduled or self._expected or self._waiting
        return not to_come and len(self._letters) <= after

    async def due(self, after: int) -> int | None:
        """Return the timestep at which the next letter after number `after` is due.

        Return None if there is no such letter, or if an event waits for the next timestep.
        """
        known = [letter.timestep for letter in self._letters[after:]]
        known += [timestep for timestep, _ in (*self._scheduled[:1], *self._expected[:1])]
        return None if self._waiting else min(known, default=None)

    async def idle(self, after: int) -> bool:
        """Return False: all future events are known."""
        return False

    async def wait(self, after: int) -> None:
        """Return at once, because this mailbox is never idle."""

    async def settle(self, settled: Sequence[Settled]) -> None:
        """Do nothing: no sender waits for a result."""

    async def end(self) -> int:
        """Return 0: no sender waits for an answer."""
        return 0
