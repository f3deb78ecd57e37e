"""The mailbox: the one way in which events reach an episode, numbered in the order of taking.

An episode is played from a `Mailbox`. That of an open episode (`OpenMailbox`) takes messages while
it runs; who sends them has a `Letterbox`, mostly in another process. Of a message
- posting returns when it is kept: from then on it is not lost;
- opening gives it a number and a timestep, for good;
- settling tells its sender, once a checkpoint that holds it is durable.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from episodes.envelope import MOST_WAITING, Answer, Envelope
from episodes.turns import Turns
from episodes.world import Json

MOST_LETTERS = 8
"""Messages that are taken at once, before the world has a say in whether it takes more."""

LOST = "this kitchen is run by another process now"
CLOSED = "the kitchen is closed"
FLOODED = "too many messages of this sender wait already; send it again later"
REUSED = "this id was used for another message of this sender"


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

    async def answer(self, sender: str, id: str) -> Answer | None:  # noqa: A002
        """What the sender of a message is told; None as long as it waits, or was never sent."""
        ...

    async def close(self) -> None:
        """Take no more messages; the episode ends once what has been taken is served."""
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


class MemoryMailbox:
    """Events known beforehand, by timestep, and events injected while the episode runs.

    Of those that become due at the same timestep the known events come first.
    """

    def __init__(self, scheduled: Iterable[tuple[int, Json]] = ()) -> None:
        self._scheduled = sorted(
            ((timestep, dict(event)) for timestep, event in scheduled), key=lambda item: item[0]
        )
        self._expected: list[tuple[int, dict[str, Any]]] = []
        self._waiting: list[dict[str, Any]] = []
        self._letters: list[Letter] = []

    def expect(self, coming: Iterable[tuple[int, Json]]) -> None:
        """Inject events at timesteps that are known beforehand, behind the known events there."""
        expected = [*self._expected, *((timestep, dict(event)) for timestep, event in coming)]
        self._expected = sorted(expected, key=lambda item: item[0])

    def inject(self, event: Json) -> None:
        """Post an event for the next timestep that is opened."""
        self._waiting.append(dict(event))

    def restore(self, letters: Sequence[Letter]) -> None:
        """Take up letters that an earlier run of the same episode has opened already."""
        self._letters = list(letters)
        known = sum(not letter.injected for letter in letters)
        self._scheduled = self._scheduled[known:]
        for letter in letters:
            if letter.injected and (arrived := (letter.timestep, letter.event)) in self._expected:
                self._expected.remove(arrived)

    async def open(self, timestep: int, after: int, may: May = always) -> Sequence[Letter]:
        """The letters due by `timestep` with a number above `after`, in order."""
        due = [event for t, event in self._scheduled if t <= timestep]
        self._scheduled = self._scheduled[len(due) :]
        expected = [event for t, event in self._expected if t <= timestep]
        self._expected = self._expected[len(expected) :]
        injected, self._waiting = [*expected, *self._waiting], []
        for event, by_hand in [(e, False) for e in due] + [(e, True) for e in injected]:
            self._add(timestep, event, injected=by_hand)
        return [letter for letter in self._letters[after:] if letter.timestep <= timestep]

    def _add(
        self, timestep: int, event: dict[str, Any], *, injected: bool, sender: str | None = None
    ) -> Letter:
        letter = Letter(
            number=len(self._letters) + 1,
            timestep=timestep,
            event=event,
            injected=injected,
            sender=sender,
        )
        self._letters.append(letter)
        return letter

    async def empty(self, after: int) -> bool:
        """Whether nothing is still to come beyond letter number `after`."""
        to_come = self._scheduled or self._expected or self._waiting
        return not to_come and len(self._letters) <= after

    async def due(self, after: int) -> int | None:
        """The timestep at which the next letter beyond number `after` is due."""
        known = [letter.timestep for letter in self._letters[after:]]
        known += [timestep for timestep, _ in (*self._scheduled[:1], *self._expected[:1])]
        return None if self._waiting else min(known, default=None)

    async def idle(self, after: int) -> bool:
        """Never: what is to come is known, and when nothing is the episode ends."""
        return False

    async def wait(self, after: int) -> None:
        """Return at once."""

    async def settle(self, settled: Sequence[Settled]) -> None:
        """Nobody is to be told."""


@dataclass(slots=True)
class _Sent:
    """A message, the number of its letter once it is taken, and the answer once it is settled."""

    envelope: Envelope
    number: int | None = None
    answer: Answer | None = None
    at: float = field(default_factory=time.monotonic)


class MemoryOpenMailbox(MemoryMailbox):
    """An open mailbox and its letterbox in one process; it dies with the process."""

    def __init__(
        self, scheduled: Iterable[tuple[int, Json]] = (), most_waiting: int = MOST_WAITING
    ) -> None:
        super().__init__(scheduled)
        self._most_waiting = most_waiting
        self._sent: dict[tuple[str, str], _Sent] = {}
        self._turns: Turns[_Sent] = Turns()
        self._numbered: dict[int, _Sent] = {}
        self._status: dict[str, Any] | None = None
        self._closed = False
        self._bell = asyncio.Event()

    async def post(self, envelope: Envelope) -> Answer | None:
        """Send a message; on return it is kept. The answer, where there is one already."""
        key = (envelope.sender, envelope.id)
        if sent := self._sent.get(key):
            if sent.envelope.event != envelope.event:
                return Answer(id=envelope.id, status="refused", why=REUSED)
            return sent.answer.again() if sent.answer else None
        if self._closed or self._turns.waiting(envelope.sender) >= self._most_waiting:
            why = CLOSED if self._closed else FLOODED
            return Answer(id=envelope.id, status="refused", why=why)
        sent = self._sent[key] = _Sent(envelope)
        self._turns.add(envelope.sender, kind_of(envelope.event), sent)
        self._bell.set()
        return None

    async def answer(self, sender: str, id: str) -> Answer | None:  # noqa: A002
        """What the sender of a message is told; None as long as it waits, or was never sent."""
        sent = self._sent.get((sender, id))
        return sent.answer if sent else None

    async def close(self) -> None:
        """Take no more messages."""
        self._closed = True
        self._bell.set()

    async def status(self) -> dict[str, Any] | None:
        """How the episode stands, as it was last published."""
        return self._status

    async def publish(self, status: Json) -> None:
        """Let everybody know how the episode stands."""
        self._status = dict(status)

    async def backlog(self) -> Backlog:
        """Return how many messages wait to be taken, and since when."""
        times = [sent.at for sent in self._turns]
        return Backlog(len(times), time.monotonic() - min(times) if times else None)

    async def withdraw(self, sender: str | None = None, id: str | None = None) -> int:  # noqa: A002
        """Withdraw the messages that wait, of one sender or with one id alone; return how many."""

        def meant(sent: _Sent) -> bool:
            return sender in (None, sent.envelope.sender) and id in (None, sent.envelope.id)

        withdrawn = self._turns.remove(meant)
        for sent in withdrawn:
            sent.answer = Answer(id=sent.envelope.id, status="withdrawn")
        self._bell.set()
        return len(withdrawn)

    async def leave(self) -> None:
        """Nothing connects to it."""

    async def open(self, timestep: int, after: int, may: May = always) -> Sequence[Letter]:
        """The letters due by `timestep` with a number above `after`, in order."""
        if known := await super().open(timestep, after):
            return known
        taken: list[Letter] = []
        first = len(self._letters) + 1
        for name, sent in self._turns.take(MOST_LETTERS, first, lambda s: may(s.envelope.event)):
            event = dict(sent.envelope.event)
            letter = self._add(timestep, event, injected=True, sender=name)
            sent.number = letter.number
            self._numbered[letter.number] = sent
            taken.append(letter)
        return taken

    async def empty(self, after: int) -> bool:
        """Whether it is closed and nothing is left beyond letter number `after`."""
        return self._closed and await super().empty(after) and not self._turns

    async def due(self, after: int) -> int | None:
        """None: somebody may send one at any time."""
        return None

    async def idle(self, after: int) -> bool:
        """Whether beyond letter number `after` nothing comes unless somebody sends it."""
        quiet = await super().empty(after) and not self._turns
        return quiet and not self._closed

    async def wait(self, after: int) -> None:
        """Return as soon as the mailbox is not idle any more."""
        while await self.idle(after):
            self._bell.clear()
            await self._bell.wait()

    async def settle(self, settled: Sequence[Settled]) -> None:
        """Tell the senders."""
        for each in settled:
            sent = self._numbered.get(each.number)
            if sent and sent.answer is None:
                sent.answer = answer_to(sent.envelope.id, each)

    async def meanings(self) -> Mapping[int, dict[str, Any]]:
        """What senders said their events mean, by the number of the letter."""
        found = ((number, sent.envelope.meaning) for number, sent in self._numbered.items())
        return {number: meaning for number, meaning in found if meaning is not None}


def answer_to(id: str, settled: Settled) -> Answer:  # noqa: A002
    """What the sender of message `id` is told."""
    return Answer(
        id=id,
        status="taken" if settled.refused is None else "refused",
        about=settled.about if settled.refused is None else None,
        why=settled.refused,
    )
