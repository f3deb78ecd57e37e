"""The orchestrator's cached view of an episode in Redis, and pending changes to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from files.errors import InputError
from files.lines import preview
from mailboxes.fairness import Turns
from mailboxes.protocol import Letter, Quarantined
from mailboxes.redis.entries import StreamEntry, TakenLetter, Waiting, follows


class Sent(NamedTuple):
    """New entries of a sender."""

    name: str
    """The sender's name as a part of a key."""
    proof: str
    """The proof that its name is bound to."""
    last: str
    """Its last entry before the episode was closed; empty if it is open."""
    entries: Sequence[StreamEntry]
    """The entries."""

    def is_late(self) -> bool:
        """Return whether all entries came after the episode was closed."""
        return follows(self.entries[0].id, self.last)


class EntryDeletion(NamedTuple):
    """The deletion of a stream entry, with the record for its sender."""

    name: str
    """The sender's name as a part of a key."""
    entry: str
    """Id of the entry; empty if none is deleted."""
    field: str = ""
    """Field of the record; empty if there is no record."""
    record: str = ""
    """The record as JSON."""
    number: int | None = None
    """Number of the letter."""


class Aside(NamedTuple):
    """An item to quarantine: a stream entry, a letter, or a known event."""

    kind: Literal["entry", "letter", "known"]
    """Where the item is stored."""
    name: str
    """The sender of an entry, or the number of a letter."""
    entry: str
    """Id of an entry, or the text of a known event."""
    what: Quarantined
    """The quarantine entry."""


@dataclass(slots=True, kw_only=True)
class EpisodeReading:
    """What has been read of an episode."""

    seen: dict[str, str] = field(default_factory=dict)
    """The last entry that was read of each sender."""
    names: Sequence[str] = ()
    """All senders, as parts of keys."""
    closed: bool = False
    """Whether the episode is closed."""
    number: int
    """Number of the last letter."""
    withdrawn: str
    """Number of messages withdrawn so far."""
    letters: dict[int, TakenLetter]
    """Letters that are not settled, and the last settled ones."""
    known: list[tuple[int, dict[str, Any]]]
    """Future events that are known beforehand, with their timesteps."""
    turns: Turns[Waiting]
    """The waiting messages in fair order."""
    waiting: set[str] = field(default_factory=set)
    """Keys of the waiting messages."""
    told: set[str] = field(default_factory=set)
    """Keys of those whose senders know their place."""
    more: bool = False
    """Whether there may be more to read."""

    def letters_after(self, after: int) -> list[Letter]:
        """Return the letters with a number above `after`, in order."""
        numbers = range(after + 1, self.number + 1)
        return [self.letters[number].letter for number in numbers if number in self.letters]

    def has_more(self, after: int) -> bool:
        """Return whether anything is still to come after letter number `after`."""
        return bool(self.more or self.letters_after(after) or self.turns or self.known)


def quarantine_damaged(origin: str, error: InputError, text: str) -> Quarantined:
    """Return the quarantine entry for a stored text that cannot be read."""
    return Quarantined(origin=origin, reason=preview(error), preview=preview(text))
