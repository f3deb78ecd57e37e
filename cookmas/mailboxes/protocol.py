"""The mailbox protocol: the only channel through which events reach an episode.

An episode takes its events from a `Mailbox`. The mailbox of an open episode (`OpenMailbox`)
receives messages while the episode runs. Senders, mostly in other processes, use a `Letterbox`. A
message passes three stages:
- `post` returns when the message is stored; from then on it is not lost;
- `open` takes the message: it becomes a letter, with a permanent number and timestep;
- `settle` answers the sender, after a checkpoint that contains the letter has become durable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar

from cookmas.episodes.world import Json
from cookmas.mailboxes.envelope import MOST_WAITING, Answer, Envelope

StoredT = TypeVar("StoredT", bound=Answer | None)

MOST_LETTERS = 8
"""Maximum number of messages that one call of `open` takes.

The caller applies them before it calls `open` again, so that the room in the world is known.
"""

SENDER_PATIENCE = 10.0
"""Seconds for which a sender retries when the server does not answer."""

EPISODE_PATIENCE = 60.0
"""Seconds for which an orchestrator retries, enough to restart a server."""

LOST = "this episode is run by another process now"
CLOSED = "the episode is closed"
ENDED = "the episode has ended"
FLOODED = "too many messages of this sender wait already; send it again later"
FORGOTTEN = (
    "this message was answered before, and Redis has lost the answer; the trace of the run says "
    "whether it was taken"
)
REUSED = "this id was used for another message of this sender"
UNPROVED = "this sender name belongs to its first user, who has another token"

MOST_QUARANTINED = 1000
"""Maximum number of entries in a quarantine; then the oldest are dropped.

`count_quarantined` also counts the dropped entries.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """An event that an episode has taken from its mailbox, with a permanent number and timestep."""

    number: int
    """Number of the letter, from 1."""
    timestep: int
    event: dict[str, Any]
    injected: bool
    """True if the event came while the episode ran, rather than from the scenario."""
    sender: str | None = None
    """Sender of the message; None if the event is from the scenario or was injected in Python."""
    waited: float | None = field(default=None, compare=False)
    """Seconds from the storing of the message to the call of `open`; None if they are unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """The world's decision on a letter."""

    number: int
    about: str | None = None
    """Name of the event's subject, such as its order."""
    refused: str | None = None
    """Why the event was rejected; None if it was accepted."""


class Backlog(NamedTuple):
    """The messages that wait to be taken."""

    waiting: int
    oldest: float | None
    """Age of the oldest waiting message, in seconds; None if no message waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quarantined:
    """An unreadable entry of a mailbox."""

    origin: str
    reason: str
    preview: str
    """The first characters of the entry."""


May = Callable[[Json], bool]
"""A function that returns whether an event can be taken now.

If an event cannot be taken, all waiting events of its kind wait too.
"""


def allow_all(event: Json) -> bool:
    """Return True for every event."""
    return True


def kind_of(event: Json) -> str:
    """Return the kind of an event; empty if the sender gave none."""
    kind = event.get("kind")
    return kind if isinstance(kind, str) else ""


class Mailbox(Protocol):
    """The place where events wait until an episode takes them, in this process or elsewhere.

    `open` numbers the events that are due at a timestep. Numbers are permanent, so that a resumed
    episode can open the same timestep again.
    """

    async def open(self, timestep: int, after: int, may: May = allow_all) -> Sequence[Letter]:
        """Return the letters due by `timestep` with a number above `after`, in order.

        Events that are due become letters first; of the messages, only those that `may` allows. One
        call may leave letters out, so the caller repeats the call until it returns none.
        """
        ...

    async def tell_places(self) -> None:
        """Tell the sender of each waiting message, once, how many messages are taken before it."""
        ...

    async def empty(self, after: int) -> bool:
        """Return whether no event comes after letter number `after`."""
        ...

    async def due(self, after: int) -> int | None:
        """Return the timestep at which the next letter after number `after` is due.

        Return None if there is no such letter, or if a sender may post a message earlier.
        """
        ...

    async def idle(self, after: int) -> bool:
        """Return whether no event comes after letter number `after` unless a sender posts one."""
        ...

    async def wait(self, after: int) -> None:
        """Wait, without busy waiting, until the mailbox is no longer idle."""
        ...

    async def settle(self, settled: Sequence[Settled]) -> None:
        """Tell the senders the results of letters that a durable checkpoint contains.

        Settling the same letter again changes nothing.
        """
        ...

    async def end(self) -> int:
        """Refuse every message that has no answer, now and later, since the episode has ended.

        All letters that it has taken are settled before. Return how many messages were refused;
        ending again changes nothing.
        """
        ...

    def restore(self, letters: Sequence[Letter]) -> None:
        """Restore the letters that the episode took before it was resumed."""
        ...


class Letterbox(Protocol):
    """The sender's side of an open episode."""

    async def post(self, envelope: Envelope) -> Answer | None:
        """Send a message. Return its answer if there is one already, else None.

        If None is returned, the message is stored.

        Raise InfrastructureError if it is uncertain whether the message is stored. The caller may
        then send the message again with the same id: a message is taken only once.
        """
        ...

    async def answer(self, envelope: Envelope) -> Answer | None:
        """Return the answer to a message; while the message waits, an answer with its place.

        Return None if the place is not known yet, or if the message was never sent.
        """
        ...

    async def close(self) -> None:
        """Accept no more messages; the episode ends when the accepted ones are done."""
        ...

    async def status(self) -> dict[str, Any] | None:
        """Return the last published status of the episode; None if there is none."""
        ...

    async def backlog(self) -> Backlog:
        """Return the number of waiting messages, and the age of the oldest."""
        ...

    async def withdraw(self, sender: str | None = None, id: str | None = None) -> int:  # noqa: A002
        """Withdraw all waiting messages, or only those of a sender or id; return their number.

        Their senders get the answer "withdrawn". Messages that were taken cannot be withdrawn.
        """
        ...

    async def house_token(self) -> str | None:
        """Return the token of the operator (`house`); None if the caller may not read it."""
        ...

    async def quarantine(self) -> Sequence[Quarantined]:
        """Return the entries of the quarantine, newest first."""
        ...

    async def count_quarantined(self) -> int:
        """Return the number of quarantined entries since the quarantine was last emptied."""
        ...

    async def empty_quarantine(self) -> None:
        """Delete all entries of the quarantine."""
        ...

    async def leave(self) -> None:
        """Close all connections; nothing can be sent afterwards."""
        ...


class OpenMailbox(Mailbox, Protocol):
    """The mailbox of an episode that takes messages while it runs.

    Messages are taken in fair order: the sender whose last turn is the longest ago comes first.
    Messages of one sender keep their order, but a message that has to wait lets later messages of
    other kinds pass.
    """

    async def meanings(self) -> Mapping[int, dict[str, Any]]:
        """Return the meanings that senders stated for their events, by letter number."""
        ...

    async def publish(self, status: Json) -> None:
        """Publish the status of the episode."""
        ...


def refusal(envelope: Envelope, why: str) -> Answer:
    """Return the answer that refuses a message."""
    return Answer(id=envelope.id, status="refused", why=why)


def find_refusal(
    *,
    proved: bool,
    over: str | None = None,
    waiting: int = 0,
    most_waiting: int = MOST_WAITING,
) -> str | None:
    """Return why a mailbox refuses a message whose id is new; None if the message may wait.

    `proved` is true if the sender has the proof to which its name is bound. `over` says why the
    episode takes no messages any more. `waiting` messages of the sender wait already.
    """
    if not proved:
        return UNPROVED
    return over or (FLOODED if waiting >= most_waiting else None)


def answer_again(envelope: Envelope, stored: StoredT, *, same: bool) -> StoredT | Answer:
    """Return the answer that is `stored` under the id of a message; None if there is none yet.

    If the id was used for another event, so that the message is not the `same`, refuse it: only the
    first message with an id counts.
    """
    return stored if same else refusal(envelope, REUSED)


def waiting_answer(id: str, place: int) -> Answer:  # noqa: A002
    """Return the preliminary answer to message `id`: `place` messages are taken before it."""
    return Answer(id=id, status="waiting", place=place)


def answer_to(id: str, settled: Settled) -> Answer:  # noqa: A002
    """Return the final answer to message `id`, which follows from the decision on its letter."""
    return Answer(
        id=id,
        status="taken" if settled.refused is None else "refused",
        about=settled.about if settled.refused is None else None,
        why=settled.refused,
    )
