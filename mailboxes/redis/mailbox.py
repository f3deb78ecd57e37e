"""The mailbox in Redis: a stream of messages from each sender, one episode beside another.

Whoever plays the episode reads them all, counts what waits and takes off what is settled. The
fencing number is checked within every script. What cannot be read goes to the quarantine.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any
from urllib.parse import unquote

from episodes.world import Json, digest
from files.errors import InputError
from files.lines import preview
from mailboxes.envelope import MOST_WAITING, Answer, meanings_by_number, packed
from mailboxes.fairness import Turns
from mailboxes.protocol import (
    CLOSED,
    FLOODED,
    MOST_LETTERS,
    MOST_QUARANTINED,
    UNPROVED,
    Letter,
    May,
    Quarantined,
    Settled,
    always,
    answer_to,
    kind_of,
    refusal,
    waiting,
)
from mailboxes.redis.address import REMEMBERED
from mailboxes.redis.entries import (
    MOST_BYTES,
    Entry,
    Taken,
    Waiting,
    follows,
    read_entry,
    read_known,
)
from mailboxes.redis.keys import key_name, keys_of
from mailboxes.redis.letterbox import UNBOUND, quarantined
from mailboxes.redis.link import RedisLink
from mailboxes.redis.reading import Aside, Outcome, Read, Sent, damaged
from mailboxes.redis.records import Record, not_kept, waits

MOST_READ = 500
"""Entries that are read from the streams at once."""

MOST_ROUNDS = 4
"""How often they are read before what has come is taken."""

KEPT = 1000
"""Letters that are kept after they were settled: after a power cut an episode may go on from an
earlier checkpoint, and takes them again."""

LATELY = 4096
"""Messages taken last that are remembered beside Redis, in case it loses the last it kept."""


class RedisMailbox:
    """The mailbox of an episode in Redis, for whoever plays it; made by `open_episode`.

    What has been read is kept in memory too; if anything fails it is forgotten and read again.
    """

    def __init__(
        self,
        link: RedisLink,
        episode: str,
        fence: int,
        remembered: int = REMEMBERED,
        most_waiting: int = MOST_WAITING,
    ) -> None:
        self._link = link
        self._episode = episode
        self._fence = fence
        self._most_remembered = remembered
        self._most_waiting = most_waiting
        self._memory: Read | None = None
        self._remembered: dict[str, tuple[Taken, Answer | None]] = {}
        self._lock = asyncio.Lock()

    @classmethod
    async def open_episode(
        cls,
        link: RedisLink,
        episode: str,
        fence: int = 1,
        remembered: int = REMEMBERED,
        most_waiting: int = MOST_WAITING,
    ) -> RedisMailbox:
        """Take over an episode under a fencing number; those with a lower one write nothing more.

        Of each sender so many answers are `remembered`, and at most `most_waiting` messages wait.
        Raises LeaseLostError if somebody has a higher one, MissingError if there is no episode.
        """
        mailbox = cls(link, episode, fence, remembered, most_waiting)
        await mailbox._read()
        return mailbox

    async def open(self, timestep: int, after: int, may: May = always) -> Sequence[Letter]:
        """The letters due by `timestep` with a number above `after`, in order."""
        async with self._lock:
            while True:
                read = await self._read()
                if left := read.left(after):
                    return left
                first = max(read.number, after) + 1
                due = [event for due, event in read.known if due <= timestep]
                known = [
                    Taken(letter=Letter(number=n, timestep=timestep, event=event, injected=False))
                    for n, event in enumerate(due, start=first)
                ]
                taken = known or _next(read, timestep, first, may)
                if await self._number(read, taken, len(due)):
                    return read.left(after)

    async def tell_places(self) -> None:
        """Tell the senders of messages that wait how many are taken before, each once."""
        async with self._lock:
            read = await self._read()
            told: list[Outcome] = []
            for message, place in read.turns.places(lambda each: each.key not in read.told):
                envelope = message.envelope
                answer = waiting(envelope.id, place)
                record = Record(digest=digest(envelope.event), answer=answer).text()
                name = key_name(envelope.sender)
                told.append(Outcome(name, "", waits(envelope.id), record))
                read.told.add(message.key)
            if told:
                await self._take_off(told)

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
        (bell,) = keys_of(self._episode, "bell")
        while True:
            rung = await self._link.newest(bell)
            seen = await self._quiet_since(after)
            if seen is None:
                return
            streams = zip(
                keys_of(self._episode, *(f"in:{n}" for n in seen)), seen.values(), strict=True
            )
            await self._link.wait_for_any({bell: rung, **dict(streams)})

    async def _quiet_since(self, after: int) -> Mapping[str, str] | None:
        """The last entry seen of each sender, if the mailbox is idle."""
        async with self._lock:
            read = await self._read()
            if read.closed or read.anything(after):
                return None
            return {name: read.seen.get(name, "0-0") for name in read.names}

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
            await self._tell(read, told)

    def restore(self, letters: Sequence[Letter]) -> None:
        """Nothing to do: letters once numbered are in Redis."""

    async def meanings(self) -> Mapping[int, dict[str, Any]]:
        """What senders said their events mean, by the number of the letter; for the judge."""
        (meanings,) = keys_of(self._episode, "meanings")
        found: Any = await self._link.run(lambda redis: redis.hgetall(meanings))
        return meanings_by_number(found.items())

    async def publish(self, status: Json) -> None:
        """Let everybody know how the episode stands."""
        async with self._lock:
            over = int(status.get("ended") is not None)
            await self._write("publish", ["status", "guests"], packed(dict(status)).decode(), over)

    async def quarantined(self) -> int:
        """Return how much came into the quarantine since it was emptied last."""
        return await quarantined(self._link, self._episode)

    async def _number(self, read: Read, letters: Sequence[Taken], known: int = 0) -> bool:
        """Number these for good; the first `known` events known beforehand have come.

        Returns False if one was withdrawn meanwhile: none is numbered, and all is read again.
        """
        if not letters:
            return True
        arguments: list[str | int] = [len(read.known) - known, read.withdrawn]
        for taken in letters:
            letter = taken.letter
            arguments += [letter.number, letter.sender or "", taken.text(), taken.meaning]
        parts = ["letters", "turns", "meanings", "known"]
        if await self._write("number", parts, *arguments) == "STALE":
            self._memory = None
            return False
        del read.known[:known]
        for taken in letters:
            read.number = max(read.number, taken.letter.number)
            read.letters[taken.letter.number] = taken
            read.waiting.discard(taken.key)
            read.told.discard(taken.key)
            if taken.letter.sender is not None:
                self._remember(taken, None)
        return True

    async def _tell(self, read: Read, told: Sequence[tuple[Taken, Answer]]) -> None:
        """Answer messages for good, and take them off the streams."""
        outcomes: list[Outcome] = []
        for taken, answer in told:
            number = taken.letter.number
            record = Record(digest=taken.digest, answer=answer, number=number).text()
            outcomes.append(Outcome(taken.name, taken.entry, taken.id, record, number))
            self._remember(taken, answer)
        await self._take_off(outcomes)
        for taken, _ in told:
            read.letters.pop(taken.letter.number - KEPT, None)

    async def _take_off(self, outcomes: Sequence[Outcome]) -> None:
        for place in range(0, len(outcomes), MOST_READ):
            arguments: list[str | int] = [KEPT, self._most_remembered]
            for name, entry, about, record, number in outcomes[place : place + MOST_READ]:
                arguments += ["" if number is None else number, name, entry, about, record]
            await self._write("settle", ["letters"], *arguments)

    async def _set_aside(self, found: Sequence[Aside]) -> None:
        """Put into the quarantine what cannot be read."""
        arguments: list[str | int] = [MOST_QUARANTINED]
        for kind, name, entry, what in found:
            arguments += [kind, name, entry, json.dumps(asdict(what))]
        if found:
            await self._write("quarantine", ["quarantine", "letters", "known"], *arguments)

    def _remember(self, taken: Taken, answer: Answer | None) -> None:
        self._remembered.pop(taken.key, None)
        self._remembered[taken.key] = taken, answer
        if len(self._remembered) > LATELY:
            del self._remembered[next(iter(self._remembered))]

    async def _read(self) -> Read:
        """Read what has come since the last entries seen, in so many rounds at most.

        So whoever sends faster than this reads does not keep a timestep open.
        """
        read = self._memory or await self._load()
        for _ in range(MOST_ROUNDS):
            seen = [word for pair in read.seen.items() for word in pair]
            arguments: list[str | int] = [MOST_READ, MOST_BYTES, *seen]
            found = await self._write("take", ["guests", "ends"], *arguments)
            closed, number, withdrawn, names, sent = found
            if int(number) < read.number or withdrawn != read.withdrawn:
                read = await self._load()
                continue
            read.closed, read.names = closed == "1", names
            found = [Sent(n, p, last, [Entry(*e) for e in entries]) for n, p, last, entries in sent]
            read.more = any(not (read.closed and each.is_late()) for each in found)
            if not found:
                break
            self._memory = None
            for each in found:
                await self._receive(read, each)
        self._memory = read
        return read

    async def _load(self) -> Read:
        """Take the episode over, and read what has been numbered and is not settled."""
        await self._write("settle", ["letters"], KEPT, self._most_remembered)
        letters, turns, known, episode = keys_of(
            self._episode, "letters", "turns", "known", "kitchen"
        )
        numbered: Any = await self._link.run(lambda redis: redis.hgetall(letters))
        last: Any = await self._link.run(lambda redis: redis.hgetall(turns))
        events: Any = await self._link.run(lambda redis: redis.lrange(known, 0, -1))
        fields = ["number", "withdrawn"]
        number, withdrawn = await self._link.run(lambda redis: redis.hmget(episode, fields))
        taken: dict[int, Taken] = {}
        to_come: list[tuple[int, dict[str, Any]]] = []
        aside: list[Aside] = []
        for name, text in numbered.items():
            try:
                letter = Taken.read(name, text)
                taken[letter.letter.number] = letter
            except InputError as error:
                aside.append(Aside("letter", name, "", damaged("letters", error, text)))
        for text in events:
            try:
                to_come.append(read_known(text))
            except InputError as error:
                aside.append(Aside("known", "", text, damaged("known events", error, text)))
        await self._set_aside(aside)
        heard = {sender: int(n) for sender, n in last.items() if n.isdecimal()}
        return Read(
            number=int(number or 0),
            withdrawn=str(withdrawn or 0),
            letters=taken,
            known=to_come,
            turns=Turns(heard),
        )

    async def _receive(self, read: Read, sent: Sent) -> None:
        """Put messages of a sender in the queue.

        What counts already, is one too much, or does not prove its name is taken off. A message
        that was taken before is one that Redis has forgotten, and its sender sent again.
        """
        sender = unquote(sent.name)
        letters = {t.key: t for t in read.letters.values() if t.letter.sender == sender}
        numbered = {taken.entry for taken in letters.values()}
        messages: list[Waiting] = []
        aside: list[Aside] = []
        for entry in sent.entries:
            read.seen[sent.name] = entry.id
            if entry.id in numbered:
                continue
            try:
                messages.append(read_entry(sender, entry))
            except InputError as error:
                what = Quarantined(
                    origin=f"{preview(sender)}, entry {entry.id}",
                    reason=preview(error),
                    preview=entry.preview(),
                )
                aside.append(Aside("entry", sent.name, entry.id, what))
        await self._set_aside(aside)
        if sent.proof == UNBOUND and messages:
            proof = messages[0].envelope.proof or ""
            sent = sent._replace(proof=await self._write("bind", ["guests"], sent.name, proof))
        answered = await self._answered(sent.name, messages)
        off: list[Outcome] = []
        for message in messages:
            again, envelope = Outcome(sent.name, message.entry), message.envelope
            if envelope.id in answered or message.key in letters or message.key in read.waiting:
                off.append(again)
            elif message.key in self._remembered:
                taken, answer = self._remembered[message.key]
                taken = replace(taken, entry=message.entry)
                await (
                    self._tell(read, [(taken, answer)]) if answer else self._number(read, [taken])
                )
            elif why := self._refused(read, sent, message):
                kept = why == CLOSED
                record = Record(
                    digest=digest(envelope.event),
                    answer=refusal(envelope, why),
                    entry=None if kept else message.entry,
                )
                about = envelope.id if kept else not_kept(envelope.id)
                off.append(again._replace(field=about, record=record.text()))
            else:
                read.waiting.add(message.key)
                read.turns.add(sender, kind_of(envelope.event), message)
        if off:
            await self._take_off(off)

    def _refused(self, read: Read, sent: Sent, message: Waiting) -> str | None:
        """Why a message does not come into the queue."""
        if (message.envelope.proof or "") != sent.proof:
            return UNPROVED
        if read.closed and follows(message.entry, sent.last):
            return CLOSED
        waiting = read.turns.waiting(message.envelope.sender)
        return FLOODED if waiting >= self._most_waiting else None

    async def _answered(self, name: str, messages: Sequence[Waiting]) -> set[str]:
        """The ids of those messages that have an answer already."""
        if not messages:
            return set()
        (out,) = keys_of(self._episode, f"out:{name}")
        ids = [message.envelope.id for message in messages]
        records = await self._link.run(lambda redis: redis.hmget(out, ids))
        return {name for name, record in zip(ids, records, strict=True) if record}

    async def _write(self, script: str, parts: Sequence[str], *arguments: str | int) -> Any:
        keys = keys_of(self._episode, *parts, "kitchen")
        try:
            return await self._link.script(script, keys, self._fence, *arguments)
        except BaseException:
            self._memory = None
            raise


def _next(read: Read, timestep: int, first: int, may: May) -> list[Taken]:
    """Whose turn it is, as letters."""
    turns = read.turns.take(MOST_LETTERS, first, lambda message: may(message.envelope.event))
    return [Taken.of(turn.item, number, timestep) for number, turn in enumerate(turns, start=first)]
