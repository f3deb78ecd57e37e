"""Mailboxes in the memory of one process: one with known events, and an open one.

A letter is an event or a message that the episode has taken, with a permanent number.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cookmas.episodes.world import Json
from cookmas.mailboxes.envelope import MOST_WAITING, Answer, Envelope
from cookmas.mailboxes.fairness import Turns
from cookmas.mailboxes.protocol import (
    CLOSED,
    FLOODED,
    MOST_LETTERS,
    REUSED,
    UNPROVED,
    Backlog,
    Letter,
    May,
    Quarantined,
    Settled,
    allow_all,
    answer_to,
    kind_of,
    refusal,
    waiting_answer,
)


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
        """Restore the letters that the episode took before it was resumed."""
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
        """Turn the events that are due by `timestep` into letters."""
        due = [event for t, event in self._scheduled if t <= timestep]
        self._scheduled = self._scheduled[len(due) :]
        expected = [event for t, event in self._expected if t <= timestep]
        self._expected = self._expected[len(expected) :]
        injected, self._waiting = [*expected, *self._waiting], []
        for event, by_hand in [(e, False) for e in due] + [(e, True) for e in injected]:
            self._add(timestep, event, injected=by_hand)

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

    async def tell_places(self) -> None:
        """Do nothing: no sender waits for an answer."""

    async def empty(self, after: int) -> bool:
        """Return whether no event comes after letter number `after`."""
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


@dataclass(slots=True)
class _Sent:
    """A message that was sent, and what has happened to it."""

    envelope: Envelope
    place: int | None = None
    """The message's place in the queue, as the sender was told; None before that."""
    number: int | None = None
    """The number of the message's letter; None before it is taken."""
    answer: Answer | None = None
    """The final answer; None before the message is settled."""
    at: float = field(default_factory=time.monotonic)
    """Time at which the message was sent, in seconds of the monotonic clock."""


class MemoryOpenMailbox(MemoryMailbox):
    """An open mailbox, which is also the letterbox of its senders, in the memory of one process.

    At most `most_waiting` messages of each sender may wait.
    """

    def __init__(
        self, scheduled: Iterable[tuple[int, Json]] = (), most_waiting: int = MOST_WAITING
    ) -> None:
        super().__init__(scheduled)
        self._most_waiting = most_waiting
        self._sent: dict[tuple[str, str], _Sent] = {}
        self._proofs: dict[str, str | None] = {}
        self._turns: Turns[_Sent] = Turns()
        self._numbered: dict[int, _Sent] = {}
        self._status: dict[str, Any] | None = None
        self._closed = False
        self._bell = asyncio.Event()

    async def post(self, envelope: Envelope) -> Answer | None:
        """Send a message. Return its answer if there is one already, else None.

        If None is returned, the message is stored.
        """
        key = (envelope.sender, envelope.id)
        if self._proofs.setdefault(envelope.sender, envelope.proof) != envelope.proof:
            return refusal(envelope, UNPROVED)
        if sent := self._sent.get(key):
            if sent.envelope.event != envelope.event:
                return refusal(envelope, REUSED)
            return sent.answer.repeat() if sent.answer else None
        if self._closed or self._turns.count_waiting(envelope.sender) >= self._most_waiting:
            return refusal(envelope, CLOSED if self._closed else FLOODED)
        sent = self._sent[key] = _Sent(envelope)
        self._turns.add(envelope.sender, kind_of(envelope.event), sent)
        self._bell.set()
        return None

    async def answer(self, envelope: Envelope) -> Answer | None:
        """Return the answer to a message; while the message waits, an answer with its place.

        Return None if the place is not known yet, or if the message was never sent.
        """
        sent = self._sent.get((envelope.sender, envelope.id))
        if sent is None or sent.answer or sent.place is None:
            return sent.answer if sent else None
        return waiting_answer(envelope.id, sent.place)

    async def tell_places(self) -> None:
        """Tell the sender of each waiting message, once, how many messages are taken before it."""
        for sent, place in self._turns.places(lambda sent: sent.place is None):
            sent.place = place

    async def backlog(self) -> Backlog:
        """Return the number of waiting messages, and the age of the oldest."""
        times = [sent.at for sent in self._turns]
        return Backlog(len(times), time.monotonic() - min(times) if times else None)

    async def withdraw(self, sender: str | None = None, id: str | None = None) -> int:  # noqa: A002
        """Withdraw all waiting messages, or only those of a sender or id; return their number."""

        def is_meant(sent: _Sent) -> bool:
            return sender in (None, sent.envelope.sender) and id in (None, sent.envelope.id)

        withdrawn = self._turns.remove(is_meant)
        for sent in withdrawn:
            sent.answer = Answer(id=sent.envelope.id, status="withdrawn")
        self._bell.set()
        return len(withdrawn)

    async def house_token(self) -> str | None:
        """Return None: within one process the operator needs no token."""
        return None

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
        self._bell.set()

    async def status(self) -> dict[str, Any] | None:
        """Return the last published status of the episode; None if there is none."""
        return self._status

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
        """Return whether the mailbox is closed and nothing is left after letter number `after`."""
        return self._closed and await super().empty(after) and not self._turns

    async def due(self, after: int) -> int | None:
        """Return None: a sender may post a message at any time."""
        return None

    async def idle(self, after: int) -> bool:
        """Return whether nothing is left after letter number `after`, but senders may post."""
        quiet = await super().empty(after) and not self._turns
        return quiet and not self._closed

    async def wait(self, after: int) -> None:
        """Wait, without busy waiting, until the mailbox is no longer idle."""
        while await self.idle(after):
            self._bell.clear()
            await self._bell.wait()

    async def settle(self, settled: Sequence[Settled]) -> None:
        """Tell the senders the results of their letters."""
        for each in settled:
            sent = self._numbered.get(each.number)
            if sent and sent.answer is None:
                sent.answer = answer_to(sent.envelope.id, each)

    async def meanings(self) -> Mapping[int, dict[str, Any]]:
        """Return the meanings that senders stated for their events, by letter number."""
        found = ((number, sent.envelope.meaning) for number, sent in self._numbered.items())
        return {number: meaning for number, meaning in found if meaning is not None}
