"""An open mailbox in the memory of one process: a broker for tests, without files and servers.

It passes the same contract as the mailboxes of SQLite and Redis. Time comes from `clock`, so that a
test can decide what time it is. An orchestrator that can be superseded uses it through a
`FencedMailbox`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cookmas.episodes.world import Json
from cookmas.files.errors import LeaseLostError
from cookmas.mailboxes.fairness import Turns
from cookmas.mailboxes.memory import MemoryMailbox
from cookmas.mailboxes.protocol import (
    CLOSED,
    ENDED,
    FLOODED,
    LOST,
    MOST_LETTERS,
    MOST_WAITING,
    OPERATOR,
    REUSED,
    UNPROVED,
    Answer,
    Backlog,
    Envelope,
    Letter,
    May,
    Quarantined,
    Settled,
    allow_all,
    answer_to,
    kind_of,
    proof_of,
    refusal,
    waiting_answer,
)

HOUSE_TOKEN = "the token of the house"


@dataclass(slots=True)
class SentMessage:
    """A message that was sent, and what has happened to it."""

    envelope: Envelope
    """The message."""
    at: float
    """Time at which the message was sent, in seconds of the mailbox's clock."""
    place: int | None = None
    """The message's place in the queue, as the sender was told; None before that."""
    number: int | None = None
    """The number of the message's letter; None before it is taken."""
    answer: Answer | None = None
    """The final answer; None before the message is settled or withdrawn."""

    @property
    def waits(self) -> bool:
        """True if the message is neither taken nor withdrawn."""
        return self.number is None and self.answer is None


class MemoryOpenMailbox(MemoryMailbox):
    """An open mailbox, which is also the letterbox of its senders.

    At most `most_waiting` messages of each sender may wait.
    """

    def __init__(
        self,
        scheduled: Iterable[tuple[int, Json]] = (),
        most_waiting: int = MOST_WAITING,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(scheduled)
        self._most_waiting = most_waiting
        self._clock = clock
        self._sent: dict[tuple[str, str], SentMessage] = {}
        self._proofs: dict[str, str | None] = {OPERATOR: proof_of(HOUSE_TOKEN)}
        self._status: dict[str, Any] | None = None
        self._closed = self._ended = False
        self.fence = 0
        """The fencing number of the last orchestrator; 0 if the orchestrator has none."""
        self.bells: list[asyncio.Event] = []
        """The events that wake those who wait for a message."""

    async def post(self, envelope: Envelope) -> Answer | None:
        """Send a message. Return its answer if there is one already, else None."""
        key = (envelope.sender, envelope.id)
        if self._proofs.setdefault(envelope.sender, envelope.proof) != envelope.proof:
            return refusal(envelope, UNPROVED)
        if sent := self._sent.get(key):
            if sent.envelope.event != envelope.event:
                return refusal(envelope, REUSED)
            return sent.answer.repeat() if sent.answer else None
        waiting = sum(sent.envelope.sender == envelope.sender for sent in self._waiting_messages())
        if self._closed or waiting >= self._most_waiting:
            return refusal(envelope, self._why_closed if self._closed else FLOODED)
        self._sent[key] = SentMessage(envelope, self._clock())
        self._ring()
        return None

    async def answer(self, envelope: Envelope) -> Answer | None:
        """Return the answer to a message; while the message waits, an answer with its place.

        Return None if the place is not known yet, or if the message was never sent.
        """
        sent = self._sent.get((envelope.sender, envelope.id))
        if sent and sent.envelope.event != envelope.event:
            return refusal(envelope, REUSED)
        if sent is None or sent.answer or sent.place is None:
            return sent.answer if sent else None
        return waiting_answer(envelope.id, sent.place)

    async def tell_places(self) -> None:
        """Tell the sender of each waiting message, once, how many messages are taken before it."""
        for sent, place in self._turns().places(lambda sent: sent.place is None):
            sent.place = place

    async def backlog(self) -> Backlog:
        """Return the number of waiting messages, and the age of the oldest."""
        times = [sent.at for sent in self._waiting_messages()]
        return Backlog(len(times), self._clock() - min(times) if times else None)

    async def withdraw(self, sender: str | None = None, id: str | None = None) -> int:  # noqa: A002
        """Withdraw all waiting messages, or only those of a sender or id; return their number."""
        withdrawn = [
            sent
            for sent in self._waiting_messages()
            if sender in (None, sent.envelope.sender) and id in (None, sent.envelope.id)
        ]
        for sent in withdrawn:
            sent.answer = Answer(id=sent.envelope.id, status="withdrawn")
        self._ring()
        return len(withdrawn)

    async def house_token(self) -> str | None:
        """Return the token of the operator (`house`)."""
        return HOUSE_TOKEN

    async def quarantine(self) -> Sequence[Quarantined]:
        """Return an empty sequence: messages in this mailbox have been validated already."""
        return ()

    async def count_quarantined(self) -> int:
        """Return 0: this mailbox has no quarantine."""
        return 0

    async def empty_quarantine(self) -> None:
        """Do nothing: this mailbox has no quarantine."""

    async def close(self) -> None:
        """Accept no more messages."""
        self._closed = True
        self._ring()

    async def status(self) -> dict[str, Any] | None:
        """Return the last published status of the episode; None if there is none."""
        return self._status

    async def end(self) -> int:
        """Refuse every message that has no answer, now and later, since the episode has ended."""
        self._ended = not self._closed or self._ended
        self._closed = True
        left = [sent for sent in self._sent.values() if sent.answer is None]
        for sent in left:
            sent.answer = refusal(sent.envelope, self._why_closed)
        return len(left)

    async def publish(self, status: Json) -> None:
        """Publish the status of the episode."""
        self._status = dict(status)

    async def leave(self) -> None:
        """Do nothing: there is no connection."""

    async def open(self, timestep: int, after: int, may: May = allow_all) -> Sequence[Letter]:
        """Return the letters due by `timestep` with a number above `after`, in order.

        If there is no such letter, first turn the known events that are due into letters. If no
        known event is due, turn the next messages that `may` allows into letters.
        """
        if known := await super().open(timestep, after):
            return known
        first = len(self._letters) + 1
        heads = self._turns().take(MOST_LETTERS, first, lambda sent: may(sent.envelope.event))
        for number, head in enumerate(heads, start=first):
            head.item.number = number
            letter = Letter(
                number=number,
                timestep=timestep,
                event=dict(head.item.envelope.event),
                injected=True,
                sender=head.sender,
            )
            self._letters.append(letter)
        return self._letters[first - 1 :]

    async def empty(self, after: int) -> bool:
        """Return whether the mailbox is closed and nothing is left after letter number `after`."""
        return self._closed and await self._quiet(after)

    async def due(self, after: int) -> int | None:
        """Return None: a sender may post a message at any time."""
        return None

    async def idle(self, after: int) -> bool:
        """Return whether nothing is left after letter number `after`, but senders may post."""
        return not self._closed and await self._quiet(after)

    async def wait(self, after: int) -> None:
        """Wait, without busy waiting, until the mailbox is no longer idle."""
        bell = asyncio.Event()
        self.bells.append(bell)
        try:
            while await self.idle(after):
                await bell.wait()
                bell.clear()
        finally:
            self.bells.remove(bell)

    async def settle(self, settled: Sequence[Settled]) -> None:
        """Tell the senders the results of their letters."""
        numbered = self._numbered()
        for each in settled:
            sent = numbered.get(each.number)
            if sent and sent.answer is None:
                sent.answer = answer_to(sent.envelope.id, each)

    async def meanings(self) -> Mapping[int, dict[str, Any]]:
        """Return the meanings that senders stated for their events, by letter number."""
        found = {number: sent.envelope.meaning for number, sent in self._numbered().items()}
        return {number: meaning for number, meaning in found.items() if meaning is not None}

    def numbers(self) -> Mapping[tuple[str, str], int]:
        """Return the number of each letter from a sender, by the sender's name and the id."""
        return {key: sent.number for key, sent in self._sent.items() if sent.number is not None}

    @property
    def _why_closed(self) -> str:
        return ENDED if self._ended else CLOSED

    def _ring(self) -> None:
        for bell in self.bells:
            bell.set()

    def _waiting_messages(self) -> list[SentMessage]:
        return [sent for sent in self._sent.values() if sent.waits]

    def _numbered(self) -> dict[int, SentMessage]:
        return {sent.number: sent for sent in self._sent.values() if sent.number is not None}

    def _turns(self) -> Turns[SentMessage]:
        """Return the waiting messages in fair order."""
        last = {letter.sender: letter.number for letter in self._letters if letter.sender}
        turns = Turns[SentMessage](last)
        for sent in self._waiting_messages():
            turns.add(sent.envelope.sender, kind_of(sent.envelope.event), sent)
        return turns

    async def _quiet(self, after: int) -> bool:
        """Return whether nothing is left after letter number `after`."""
        return not self._waiting_messages() and await super().empty(after)


class FencedMailbox:
    """The mailbox of a broker for an orchestrator with a fencing number.

    As soon as an orchestrator with a higher number has opened the mailbox, taking and telling raise
    LeaseLostError. The letters outlive the orchestrator.
    """

    def __init__(self, broker: MemoryOpenMailbox, fence: int) -> None:
        self._broker = broker
        self._fence = fence
        self.check()
        broker.fence = fence
        self.empty, self.due, self.idle = broker.empty, broker.due, broker.idle
        self.wait, self.meanings = broker.wait, broker.meanings

    def check(self) -> None:
        """Raise LeaseLostError if an orchestrator with a higher number has opened the mailbox."""
        if self._broker.fence > self._fence:
            raise LeaseLostError(LOST)

    async def open(self, timestep: int, after: int, may: May = allow_all) -> Sequence[Letter]:
        """Return the letters due by `timestep` with a number above `after`, in order."""
        self.check()
        return await self._broker.open(timestep, after, may)

    async def tell_places(self) -> None:
        """Tell the sender of each waiting message, once, how many messages are taken before it."""
        self.check()
        await self._broker.tell_places()

    async def settle(self, settled: Sequence[Settled]) -> None:
        """Tell the senders the results of their letters."""
        self.check()
        await self._broker.settle(settled)

    async def end(self) -> int:
        """Refuse every message that has no answer, now and later, since the episode has ended."""
        self.check()
        return await self._broker.end()

    async def publish(self, status: Json) -> None:
        """Publish the status of the episode."""
        self.check()
        await self._broker.publish(status)

    def restore(self, letters: Sequence[Letter]) -> None:
        """Do nothing: the broker has the letters."""
