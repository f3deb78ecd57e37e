"""The mailbox: the one way in which events reach an episode, numbered in the order of arrival."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from episodes.world import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """An event in the mailbox: its number from 1, and the timestep at which it is due."""

    number: int
    timestep: int
    event: dict[str, Any]
    injected: bool


class Mailbox(Protocol):
    """Where events wait until an episode takes them, in this process or elsewhere.

    Opening the mailbox at a timestep numbers what has become due; a letter once numbered stays, so
    that a timestep can be opened again.
    """

    async def open(self, timestep: int, after: int) -> Sequence[Letter]:
        """The letters due by `timestep` with a number above `after`, in order."""
        ...

    async def empty(self, after: int) -> bool:
        """Whether nothing is still to come beyond letter number `after`."""
        ...

    def restore(self, letters: Sequence[Letter]) -> None:
        """Take up letters that an earlier run of the same episode has opened already."""
        ...


class MemoryMailbox:
    """Events known beforehand, by timestep, and events injected while the episode runs.

    Of those that become due at the same timestep the known events come first.
    """

    def __init__(self, scheduled: Iterable[tuple[int, Json]] = ()) -> None:
        self._scheduled = sorted(
            ((timestep, dict(event)) for timestep, event in scheduled), key=lambda item: item[0]
        )
        self._waiting: list[dict[str, Any]] = []
        self._letters: list[Letter] = []

    def inject(self, event: Json) -> None:
        """Post an event for the next timestep that is opened."""
        self._waiting.append(dict(event))

    def restore(self, letters: Sequence[Letter]) -> None:
        """Take up letters that an earlier run of the same episode has opened already."""
        self._letters = list(letters)
        known = sum(not letter.injected for letter in letters)
        self._scheduled = self._scheduled[known:]

    async def open(self, timestep: int, after: int) -> Sequence[Letter]:
        """The letters due by `timestep` with a number above `after`, in order."""
        due = [event for t, event in self._scheduled if t <= timestep]
        self._scheduled = self._scheduled[len(due) :]
        injected, self._waiting = self._waiting, []
        for event, by_hand in [(e, False) for e in due] + [(e, True) for e in injected]:
            self._letters.append(
                Letter(
                    number=len(self._letters) + 1,
                    timestep=timestep,
                    event=event,
                    injected=by_hand,
                )
            )
        return [letter for letter in self._letters[after:] if letter.timestep <= timestep]

    async def empty(self, after: int) -> bool:
        """Whether nothing is still to come beyond letter number `after`."""
        return not self._scheduled and not self._waiting and len(self._letters) <= after
