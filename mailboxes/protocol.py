"""The mailbox protocol: the only channel for events to an episode; it numbers them when taken.

An episode is played from a `Mailbox`. That of an open episode (`OpenMailbox`) takes messages while
it runs. Senders, mostly in other processes, use a `Letterbox`. The life of a message:
- posting returns when the message is stored: from then on it is not lost;
- opening takes it: it becomes a letter with a permanent number and timestep;
- settling answers its sender, once a checkpoint that contains it is durable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from episodes.world import Json
from mailboxes.envelope import Answer, Envelope

MOST_LETTERS = 8
"""Maximum number of messages that are taken before the world is asked again for room."""

LOST = "this episode is run by another process now"
CLOSED = "the episode is closed"
FLOODED = "too many messages of this sender wait already; send it again later"
REUSED = "this id was used for another message of this sender"
UNPROVED = "this sender name belongs to its first user, who has another token"

MOST_QUARANTINED = 1000
"""Maximum number of entries that a quarantine keeps; the counter counts all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A numbered event of the mailbox."""

    number: int
    """Its number, from 1."""
    timestep: int
    """The timestep at which it was taken."""
    event: dict[str, Any]
    """The event as plain data."""
    injected: bool
    """Whether it came while the episode ran, rather than from the scenario."""
    sender: str | None = None
    """Sender of its message; None if it came from the scenario or was injected in Python."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """The world's decision on a letter."""

    number: int
    """Number of the letter."""
    about: str | None = None
    """Name of its subject."""
    refused: str | None = None
    """Why the event was rejected; None if it was accepted."""


class Backlog(NamedTuple):
    """The messages that wait to be taken."""

    waiting: int
    """Their number."""
    oldest: float | None
    """Age of the oldest in seconds; None if there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quarantined:
    """An unreadable entry of a mailbox."""

    origin: str
    """Where it was."""
    reason: str
    """Why it cannot be read."""
    preview: str
    """Its first characters."""


May = Callable[[Json], bool]
"""Returns whether the next event can be taken now; if not, all events of its kind wait."""


def allow_all(event: Json) -> bool:
    """Return True for every event."""
    return True


def kind_of(event: Json) -> str:
    """Return the kind of an event; empty if the sender gave none."""
    kind = event.get("kind")
    return kind if isinstance(kind, str) else ""


class Mailbox(Protocol):
    """The place where events wait until an episode takes them, in this process or elsewhere.

    Opening the mailbox at a timestep numbers the events that are due. Numbers are permanent, so a
    timestep can be opened again.
    """

    async def open(self, timestep: int, after: int, may: May = allow_all) -> Sequence[Letter]:
        """Return the letters due by `timestep` with a number above `after`, in order.

        There may be more; the caller repeats the call until it returns none.
        """
        ...

    async def tell_places(self) -> None:
        """Tell each sender, once for each waiting message, how many others come before it."""
        ...

    async def empty(self, after: int) -> bool:
        """Return whether no event is still to come after letter number `after`."""
        ...

    async def due(self, after: int) -> int | None:
        """Return the timestep at which the next letter after number `after` is due.

        Return None if there is none, or if a sender may post one earlier.
        """
        ...

    async def idle(self, after: int) -> bool:
        """Return whether nothing comes after letter number `after` unless a sender posts it."""
        ...

    async def wait(self, after: int) -> None:
        """Return as soon as the mailbox is no longer idle, without busy waiting."""
        ...

    async def settle(self, settled: Sequence[Settled]) -> None:
        """Tell the senders the results of letters that a durable checkpoint contains.

        Settling the same letter again changes nothing.
        """
        ...

    def restore(self, letters: Sequence[Letter]) -> None:
        """Restore the letters that an earlier run of the same episode has taken."""
        ...


class Letterbox(Protocol):
    """The sender's side of an open episode."""

    async def post(self, envelope: Envelope) -> Answer | None:
        """Send a message, which is stored when this returns.

        Return the answer if there is one already.

        Raise InfrastructureError if the result is uncertain: send it again with the same id.
        """
        ...

    async def answer(self, envelope: Envelope) -> Answer | None:
        """Return the answer to a message; None if it has no place yet or was never sent."""
        ...

    async def close(self) -> None:
        """Take no more messages. The episode ends when those already taken are done."""
        ...

    async def status(self) -> dict[str, Any] | None:
        """Return the status as last published; None before the first time."""
        ...

    async def backlog(self) -> Backlog:
        """Return how many messages wait to be taken, and since when."""
        ...

    async def withdraw(self, sender: str | None = None, id: str | None = None) -> int:  # noqa: A002
        """Withdraw waiting messages, only of a sender or an id if given. Return their number.

        Their senders are told "withdrawn". A message that was taken stays taken.
        """
        ...

    async def house_token(self) -> str | None:
        """Return the token of the operator (`house`); None if the caller may not read it."""
        ...

    async def quarantine(self) -> Sequence[Quarantined]:
        """Return the entries of the quarantine, newest first."""
        ...

    async def count_quarantined(self) -> int:
        """Return the number of entries quarantined since the quarantine was last emptied."""
        ...

    async def empty_quarantine(self) -> None:
        """Delete all entries of the quarantine."""
        ...

    async def leave(self) -> None:
        """Close all connections; nothing can be sent afterwards."""
        ...


class OpenMailbox(Mailbox, Protocol):
    """The mailbox of an episode that takes messages while it runs.

    Messages are taken fairly: the sender whose last turn is the longest ago comes first. Messages
    of one sender keep their order, but a kind of event that has to wait lets other kinds pass.
    """

    async def meanings(self) -> Mapping[int, dict[str, Any]]:
        """Return what the senders say their events mean, by letter number; for the judge."""
        ...

    async def publish(self, status: Json) -> None:
        """Publish the status of the episode."""
        ...

    async def count_quarantined(self) -> int:
        """Return the number of entries quarantined since the quarantine was last emptied."""
        ...


def refusal(envelope: Envelope, why: str) -> Answer:
    """Return the answer that refuses a message."""
    return Answer(id=envelope.id, status="refused", why=why)


def waiting_answer(id: str, place: int) -> Answer:  # noqa: A002
    """Return the answer to message `id` while `place` messages are taken before it."""
    return Answer(id=id, status="waiting", place=place)


def answer_to(id: str, settled: Settled) -> Answer:  # noqa: A002
    """Return the final answer to message `id`."""
    return Answer(
        id=id,
        status="taken" if settled.refused is None else "refused",
        about=settled.about if settled.refused is None else None,
        why=settled.refused,
    )
