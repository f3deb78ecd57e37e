"""The orchestrator's copy of an episode in Redis, and the changes to make in Redis.

A letter is a message or a known event that was taken, with a permanent number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from cookmas.files.errors import InputError
from cookmas.files.lines import preview
from cookmas.mailboxes.fairness import Turns
from cookmas.mailboxes.protocol import Letter, Quarantined
from cookmas.mailboxes.redis.entries import StreamEntry, TakenLetter, Waiting, follows


class Sent(NamedTuple):
    """The new entries in the stream of one sender."""

    name: str
    """The sender's name as a part of a key."""
    proof: str
    """The proof to which the sender's name is bound."""
    last: str
    """Id of the sender's last entry before the episode was closed; empty if the episode is open."""
    entries: Sequence[StreamEntry]
    """The new entries."""

    def is_late(self) -> bool:
        """Return whether all entries came after the episode was closed."""
        return follows(self.entries[0].id, self.last)


class EntryDeletion(NamedTuple):
    """The deletion of a stream entry, and the record that its sender gets in return."""

    name: str
    """The sender's name as a part of a key."""
    entry: str
    """Id of the entry; empty to delete none."""
    field: str = ""
    """Field in which the record is stored; empty if there is no record."""
    record: str = ""
    """The record as JSON."""
    number: int | None = None
    """Number of the message's letter; None if there is no letter."""


class Aside(NamedTuple):
    """An item to quarantine: a stream entry, a letter, or a known event."""

    kind: Literal["entry", "letter", "known"]
    """Where the item is stored."""
    name: str
    """The sender of an entry, or the number of a letter; empty for a known event."""
    entry: str
    """Id of an entry, or the text of a known event; empty for a letter."""
    what: Quarantined
    """The quarantine entry."""


@dataclass(slots=True, kw_only=True)
class EpisodeReading:
    """The data of an episode that the orchestrator has read."""

    seen: dict[str, str] = field(default_factory=dict)
    """Id of the last entry that was read, by sender."""
    names: Sequence[str] = ()
    """Names of all senders, as parts of keys."""
    closed: bool = False
    """True if the episode is closed."""
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
    """Keys of the waiting messages whose senders have been told their place."""
    more: bool = False
    """True if there may be more entries to read."""

    def letters_after(self, after: int) -> list[Letter]:
        """Return the letters with a number above `after`, in order."""
        numbers = range(after + 1, self.number + 1)
        return [self.letters[number].letter for number in numbers if number in self.letters]

    def has_more(self, after: int) -> bool:
        """Return whether a letter, message or known event comes after letter number `after`."""
        return bool(self.more or self.letters_after(after) or self.turns or self.known)


def quarantine_damaged(origin: str, error: InputError, text: str) -> Quarantined:
    """Return the quarantine entry for a stored text that cannot be read."""
    return Quarantined(origin=origin, reason=preview(error), preview=preview(text))
