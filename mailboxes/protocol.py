"""The mailbox: the one way in which events reach an episode, numbered in the order of taking.

An episode is played from a `Mailbox`. That of an open episode (`OpenMailbox`) takes messages while
it runs; who sends them has a `Letterbox`, mostly in another process. Of a message
- posting returns when it is kept: from then on it is not lost;
- opening gives it a number and a timestep, for good;
- settling tells its sender, once a checkpoint that holds it is durable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from episodes.world import Json
from mailboxes.envelope import Answer, Envelope

MOST_LETTERS = 8
"""Messages that are taken at once, before the world has a say in whether it takes more."""

LOST = "this episode is run by another process now"
CLOSED = "the episode is closed"
FLOODED = "too many messages of this sender wait already; send it again later"
REUSED = "this id was used for another message of this sender"
UNPROVED = "this sender's name belongs to who used it first, with another token"

MOST_QUARANTINED = 1000
"""Entries that a quarantine keeps; all are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """An event in the mailbox: its number from 1, and the timestep at which it was opened.

    `sender` sent it in a message; None: it is the scenario's, or was injected in Python.
    """

    number: int
    timestep: int
    event: dict[str, Any]
    injected: bool
    sender: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What came of a letter: `about` names what it is about, `refused` says why not taken."""

    number: int
    about: str | None = None
    refused: str | None = None


class Backlog(NamedTuple):
    """The messages that wait to be taken; `oldest` is how many seconds the first of them waits."""

    waiting: int
    oldest: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Quarantined:
    """What a mailbox held and nobody can read: where it was, why, and its first characters."""

    origin: str
    reason: str
    preview: str


May = Callable[[Json], bool]
"""Whether an event can be taken now, asked before it is; where one cannot, all of its kind wait."""


def always(event: Json) -> bool:
    """Take whatever comes."""
    return True


def kind_of(event: Json) -> str:
    """The kind of an event; empty where a sender says none."""
    kind = event.get("kind")
    return kind if isinstance(kind, str) else ""


class Mailbox(Protocol):
    """Where events wait until an episode takes them, in this process or elsewhere.

    Opening the mailbox at a timestep numbers what has become due; a letter once numbered stays, so
    that a timestep can be opened again.
    """

    async def open(self, timestep: int, after: int, may: May = always) -> Sequence[Letter]:
        """The letters due by `timestep` with a number above `after`, in order.

        It may be that there are more, until none is returned.
        """
        ...

    async def tell_places(self) -> None:
        """Tell the senders of messages that wait how many are taken before, each once."""
        ...

    async def empty(self, after: int) -> bool:
        """Whether nothing is still to come beyond letter number `after`."""
        ...

    async def due(self, after: int) -> int | None:
        """The timestep at which the next letter beyond number `after` is due.

        None if there is none, or if somebody may send one before.
        """
        ...

    async def idle(self, after: int) -> bool:
        """Whether beyond letter number `after` nothing comes unless somebody sends it."""
        ...

    async def wait(self, after: int) -> None:
        """Return as soon as the mailbox is not idle any more, without using the processor."""
        ...

    async def settle(self, settled: Sequence[Settled]) -> None:
        """A checkpoint that holds these letters is durable: their senders may be told.

        Settling again changes nothing.
        """
        ...

    def restore(self, letters: Sequence[Letter]) -> None:
        """Take up letters that an earlier run of the same episode has opened already."""
        ...


class Letterbox(Protocol):
    """A sender's side of an open episode."""

    async def post(self, envelope: Envelope) -> Answer | None:
        """Send a message; on return it is kept. The answer, where there is one already.

        Raises InfrastructureError if it cannot be said whether the message is kept: send it again,
        with the same id.
        """
        ...

    async def answer(self, envelope: Envelope) -> Answer | None:
        """What the sender of a message is told; None if nothing yet, or it was never sent."""
        ...

    async def close(self) -> None:
        """Take no more messages; the episode ends once what has been taken is done."""
        ...

    async def status(self) -> dict[str, Any] | None:
        """How the episode stands, as it was last published; None before that."""
        ...

    async def backlog(self) -> Backlog:
        """Return how many messages wait to be taken, and since when."""
        ...

    async def withdraw(self, sender: str | None = None, id: str | None = None) -> int:  # noqa: A002
        """Withdraw the messages that wait, of one sender or with one id alone; return how many.

        Their senders are told "withdrawn". A message that was taken stays taken.
        """
        ...

    async def house_token(self) -> str | None:
        """Return the token of the house; None for whoever may not read it."""
        ...

    async def quarantine(self) -> Sequence[Quarantined]:
        """Return what is in the quarantine, the newest first."""
        ...

    async def quarantined(self) -> int:
        """Return how much came into the quarantine since it was emptied last."""
        ...

    async def empty_quarantine(self) -> None:
        """Forget what is in the quarantine."""
        ...

    async def leave(self) -> None:
        """Let go of whatever connects to the episode; nothing is sent after that."""
        ...


class OpenMailbox(Mailbox, Protocol):
    """The mailbox of an episode that takes messages while it runs.

    Letters are opened fairly: the sender whose last one is the longest ago comes first. Those of
    one sender come in the order in which they were sent, but those of a kind that has to wait let
    others pass.
    """

    async def meanings(self) -> Mapping[int, dict[str, Any]]:
        """What senders said their events mean, by the number of the letter; for the judge."""
        ...

    async def publish(self, status: Json) -> None:
        """Let everybody know how the episode stands."""
        ...

    async def quarantined(self) -> int:
        """Return how much came into the quarantine since it was emptied last."""
        ...


def refusal(envelope: Envelope, why: str) -> Answer:
    """Return the answer that refuses a message."""
    return Answer(id=envelope.id, status="refused", why=why)


def waiting(id: str, place: int) -> Answer:  # noqa: A002
    """Return what the sender of message `id` is told while so many are taken before it."""
    return Answer(id=id, status="waiting", place=place)


def answer_to(id: str, settled: Settled) -> Answer:  # noqa: A002
    """What the sender of message `id` is told."""
    return Answer(
        id=id,
        status="taken" if settled.refused is None else "refused",
        about=settled.about if settled.refused is None else None,
        why=settled.refused,
    )
