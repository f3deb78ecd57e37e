"""What whoever plays an episode in Redis has read of it, and what becomes of that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from files.errors import InputError
from files.lines import preview
from mailboxes.fairness import Turns
from mailboxes.protocol import Letter, Quarantined
from mailboxes.redis.entries import Entry, Taken, Waiting, follows


class Sent(NamedTuple):
    """What a sender has sent since; `proof` binds its name, `last` was its last before closing."""

    name: str
    proof: str
    last: str
    entries: Sequence[Entry]

    def is_late(self) -> bool:
        """Return whether all of it came after the episode was closed."""
        return follows(self.entries[0].id, self.last)


class Outcome(NamedTuple):
    """What becomes of an entry of a sender's stream: it is off, and its sender finds a record."""

    name: str
    entry: str
    field: str = ""
    record: str = ""
    number: int | None = None


class Aside(NamedTuple):
    """What goes to the quarantine: an entry of a sender's stream, a letter, or a known event."""

    kind: Literal["entry", "letter", "known"]
    name: str
    entry: str
    what: Quarantined


@dataclass(slots=True, kw_only=True)
class Read:
    """What has been read of an episode; `number` is the last letter's.

    `withdrawn` is how many messages had been withdrawn by then, and there may be `more` to be read.

    `seen` has the last entry that was read of each sender, `waiting` what stands for the messages
    whose turn has not come, and `told` those of them whose senders know their place.
    """

    seen: dict[str, str] = field(default_factory=dict)
    names: Sequence[str] = ()
    closed: bool = False
    number: int
    withdrawn: str
    letters: dict[int, Taken]
    known: list[tuple[int, dict[str, Any]]]
    turns: Turns[Waiting]
    waiting: set[str] = field(default_factory=set)
    told: set[str] = field(default_factory=set)
    more: bool = False

    def left(self, after: int) -> list[Letter]:
        """The letters with a number above `after`, in order."""
        numbers = range(after + 1, self.number + 1)
        return [self.letters[number].letter for number in numbers if number in self.letters]

    def anything(self, after: int) -> bool:
        """Whether anything is still to come beyond letter number `after`."""
        return bool(self.more or self.left(after) or self.turns or self.known)


def damaged(origin: str, error: InputError, text: str) -> Quarantined:
    """Return what the quarantine says of a stored text that cannot be read."""
    return Quarantined(origin=origin, reason=preview(error), preview=preview(text))
