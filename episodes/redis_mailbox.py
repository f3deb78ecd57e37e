"""The mailbox in Redis: orders as a stream with a consumer group, one kitchen beside another.

Whoever plays the kitchen is the group's only consumer, and stays so over crashes: what was
delivered and not taken off is read again. The fencing number is checked within every script.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from episodes.envelope import Answer, packed
from episodes.mailbox import MOST_LETTERS, Letter, May, Settled, always, answer_to, kind_of
from episodes.redis_entries import Taken, Waiting, read_entry
from episodes.redis_letterbox import keys_of
from episodes.redis_link import RedisLink
from episodes.turns import Turns
from episodes.world import Json

MOST_READ = 500
"""Entries that are read from the stream at once."""

KEPT = 1000
"""Letters that are kept after they were settled: after a power cut a kitchen may go on from an
earlier checkpoint, and takes them again."""

REMEMBERED = 4096
"""Messages taken last that are remembered beside Redis, in case it loses the last it kept."""


Entries = Sequence[tuple[str, Sequence[str] | None]]
"""Entries of the stream with their fields, names and values in turn."""


@dataclass(slots=True, kw_only=True)
class _Read:
    """What has been read of a kitchen, up to the entry `seen`; `number` is the last letter's."""

    seen: str = "0"
    closed: bool = False
    number: int
    letters: dict[int, Taken]
    known: list[tuple[int, dict[str, Any]]]
    turns: Turns[Waiting] = field(default_factory=Turns)

    def left(self, after: int) -> list[Letter]:
        """The letters with a number above `after`, in order."""
        numbers = range(after + 1, self.number + 1)
        return [self.letters[number].letter for number in numbers if number in self.letters]

    def anything(self, after: int) -> bool:
        """Whether anything is still to come beyond letter number `after`."""
        return bool(self.left(after) or self.turns or self.known)


class RedisMailbox:
    """The mailbox of a kitchen in Redis, for whoever plays it; made by `open_kitchen`.

    What has been read is kept in memory too; if anything fails it is forgotten and read again.
    """

    def __init__(self, link: RedisLink, kitchen: str, fence: int) -> None:
        self._link = link
        self._kitchen = kitchen
        self._fence = fence
        self._memory: _Read | None = None
        self._remembered: dict[str, tuple[Taken, Answer | None]] = {}
        self._lock = asyncio.Lock()

    @classmethod
    async def open_kitchen(cls, link: RedisLink, kitchen: str, fence: int = 1) -> RedisMailbox:
        """Take over a kitchen under a fencing number; those with a lower one write nothing more.

        Raises LeaseLostError if somebody has a higher one, MissingError if there is no kitchen.
        """
        mailbox = cls(link, kitchen, fence)
        await mailbox._read()
        return mailbox

    async def open(self, timestep: int, after: int, may: May = always) -> Sequence[Letter]:
        """The letters due by `timestep` with a number above `after`, in order."""
        async with self._lock:
            read = await self._read()
            if not read.left(after):
                first = max(read.number, after) + 1
                due = [event for due, event in read.known if due <= timestep]
                known = [
                    Taken(letter=Letter(number=n, timestep=timestep, event=event, injected=False))
                    for n, event in enumerate(due, start=first)
                ]
                await self._number(read, known or _next(read, timestep, first, may), len(due))
            return read.left(after)

    async def empty(self, after: int) -> bool:
        """Whether it is closed and nothing is left beyond letter number `after`."""
        async with self._lock:
            read = await self._read()
            return read.closed and not read.anything(after)

    async def due(self, after: int) -> int | None:
        """None: somebody may send one at any time."""
        return None

    async def idle(self, after: int) -> bool:
        """Whether beyond letter number `after` nothing comes unless somebody sends it."""
        return await self._quiet_since(after) is not None

    async def wait(self, after: int) -> None:
        """Return as soon as the mailbox is not idle any more, without using the processor."""
        (orders,) = keys_of(self._kitchen, "orders")
        while seen := await self._quiet_since(after):
            await self._link.wait(orders, seen)

    async def _quiet_since(self, after: int) -> str | None:
        """The last entry seen if the mailbox is idle."""
        async with self._lock:
            read = await self._read()
            return None if read.closed or read.anything(after) else read.seen

    async def settle(self, settled: Sequence[Settled]) -> None:
        """Tell the senders what came of their letters, and take these off the orders."""
        if not settled:
            return
        async with self._lock:
            read = await self._read()
            told: list[tuple[Taken, Answer]] = []
            for each in settled:
                taken = read.letters.get(each.number)
                if taken and taken.letter.sender is not None:
                    told.append((taken, answer_to(taken.id, each)))
            for place in range(0, len(told), MOST_READ):
                await self._tell(read, told[place : place + MOST_READ])

    def restore(self, letters: Sequence[Letter]) -> None:
        """Nothing to do: letters once numbered are in Redis."""

    async def meanings(self) -> Mapping[int, dict[str, Any]]:
        """What senders said their events mean, by the number of the letter; for the judge."""
        (meanings,) = keys_of(self._kitchen, "meanings")
        found = await self._link.run(lambda redis: redis.hgetall(meanings))
        return {int(number): json.loads(meaning) for number, meaning in found.items()}

    async def publish(self, status: Json) -> None:
        """Let everybody know how the episode stands."""
        async with self._lock:
            over = int(status.get("ended") is not None)
            await self._write("publish", ["status"], packed(dict(status)).decode(), over)

    async def _number(self, read: _Read, letters: Sequence[Taken], known: int = 0) -> None:
        """Number these for good; the first `known` events known beforehand have come."""
        if not letters:
            return
        arguments: list[str | int] = [len(read.known) - known]
        for taken in letters:
            letter = taken.letter
            arguments += [letter.number, letter.sender or "", taken.text(), taken.meaning]
        parts = ["letters", "senders", "turns", "meanings", "known"]
        await self._write("number", parts, *arguments)
        del read.known[:known]
        for taken in letters:
            read.number = max(read.number, taken.letter.number)
            read.letters[taken.letter.number] = taken
            if taken.letter.sender is not None:
                self._remember(taken, None)

    async def _tell(self, read: _Read, told: Sequence[tuple[Taken, Answer]]) -> None:
        """Answer messages for good, and take them off the orders."""
        arguments: list[str | int] = [KEPT]
        for taken, answer in told:
            letter, text = taken.letter, answer.model_dump_json(exclude_none=True)
            sender = letter.sender or ""
            arguments += [letter.number, taken.entry, taken.key, taken.digest, sender, text]
            self._remember(taken, answer)
        await self._write("settle", ["orders", "messages", "letters", "results"], *arguments)
        for taken, _ in told:
            read.letters.pop(taken.letter.number - KEPT, None)

    def _remember(self, taken: Taken, answer: Answer | None) -> None:
        self._remembered.pop(taken.key, None)
        self._remembered[taken.key] = taken, answer
        if len(self._remembered) > REMEMBERED:
            del self._remembered[next(iter(self._remembered))]

    async def _read(self) -> _Read:
        """Read what has come since the last entry seen; at first, all that has been left."""
        read = self._memory or await self._load()
        while True:
            closed, number, entries = await self._write("take", ["orders"], read.seen, MOST_READ)
            if int(number) < read.number:
                read = await self._load()
                continue
            read.closed = closed == "1"
            if not entries:
                self._memory = read
                return read
            self._memory = None
            await self._receive(read, entries)

    async def _load(self) -> _Read:
        """Take the kitchen over, and read what has been numbered and is not settled."""
        await self._write("drop", ["orders"])
        letters, turns, known, kitchen = keys_of(
            self._kitchen, "letters", "turns", "known", "kitchen"
        )
        numbered = await self._link.run(lambda redis: redis.hgetall(letters))
        last = await self._link.run(lambda redis: redis.hgetall(turns))
        events = await self._link.run(lambda redis: redis.lrange(known, 0, -1))
        number = await self._link.run(lambda redis: redis.hget(kitchen, "number"))
        to_come = [json.loads(text) for text in events]
        return _Read(
            number=int(number or 0),
            letters={int(n): Taken.read(int(n), str(text)) for n, text in numbered.items()},
            known=[(event["due"], event["event"]) for event in to_come],
            turns=Turns({str(sender): int(number) for sender, number in last.items()}),
        )

    async def _receive(self, read: _Read, entries: Entries) -> None:
        """Put messages in the queue; what is none is taken off.

        A message that was taken before is one that Redis has forgotten, and its sender sent again.
        """
        numbered = {taken.entry for taken in read.letters.values()}
        messages = await self._messages(entries)
        for entry, _ in entries:
            message = messages.get(entry)
            read.seen = entry
            if entry in numbered:
                continue
            if message is None:
                await self._write("drop", ["orders"], entry)
            elif message.key in self._remembered:
                taken, answer = self._remembered[message.key]
                taken = replace(taken, entry=entry)
                if answer:
                    await self._tell(read, [(taken, answer)])
                else:
                    await self._number(read, [taken])
            else:
                envelope = message.envelope
                read.turns.add(envelope.sender, kind_of(envelope.event), message)

    async def _messages(self, entries: Entries) -> dict[str, Waiting]:
        """The messages that were posted, by their entries."""
        read = [message for entry in entries if (message := read_entry(*entry))]
        if not read:
            return {}
        (messages,) = keys_of(self._kitchen, "messages")
        keys = [message.key for message in read]
        noted = await self._link.run(lambda redis: redis.hmget(messages, keys))
        return {
            message.entry: message
            for message, text in zip(read, noted, strict=True)
            if text and json.loads(text).get("entry") == message.entry
        }

    async def _write(self, script: str, parts: Sequence[str], *arguments: str | int) -> Any:
        keys = keys_of(self._kitchen, *parts, "kitchen")
        try:
            return await self._link.script(script, keys, self._fence, *arguments)
        except BaseException:
            self._memory = None
            raise


def _next(read: _Read, timestep: int, first: int, may: May) -> list[Taken]:
    """Whose turn it is, as letters."""
    turns = read.turns.take(MOST_LETTERS, first, lambda message: may(message.envelope.event))
    return [Taken.of(turn.item, number, timestep) for number, turn in enumerate(turns, start=first)]
