"""The mailbox in Redis: one stream of messages for each sender of an episode.

The orchestrator reads all streams, limits the number of waiting messages, and deletes settled
messages. Every script checks the fencing number. Entries that cannot be read are quarantined. A
letter is a message or a known event that was taken, with a permanent number.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from cookmas.episodes.world import Json, digest
from cookmas.files.errors import InputError
from cookmas.files.lines import preview
from cookmas.files.plain import pack
from cookmas.mailboxes.envelope import MOST_WAITING, OPERATOR, Answer, meanings_by_number
from cookmas.mailboxes.protocol import (
    CLOSED,
    FORGOTTEN,
    MOST_LETTERS,
    Letter,
    May,
    Quarantined,
    Settled,
    allow_all,
    answer_to,
    find_refusal,
    kind_of,
    refusal,
    waiting_answer,
)
from cookmas.mailboxes.redis.address import REMEMBERED
from cookmas.mailboxes.redis.letterbox import UNBOUND
from cookmas.mailboxes.redis.link import RedisLink
from cookmas.mailboxes.redis.records import (
    MOST_BYTES,
    StoredAnswer,
    StreamEntry,
    TakenLetter,
    Waiting,
    follows,
    key_name,
    keys_of,
    not_kept,
    read_entry,
    time_of,
    waits,
)
from cookmas.mailboxes.redis.store import (
    KEPT,
    READ_AT_ONCE,
    DamagedItem,
    EntryDeletion,
    EpisodeReading,
    EpisodeStore,
    NewEntries,
)

READS = 4
"""Maximum number of reads before messages are taken."""

LATELY = 4096
"""Number of recently taken messages that stay in memory, in case Redis loses its latest writes."""


class RedisMailbox:
    """The mailbox of an episode in Redis, for the orchestrator; `open_episode` constructs it.

    Data that it has read stay in memory, and are read again after any failure.
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
        self._store = EpisodeStore(link, episode, fence, remembered)
        self._most_waiting = most_waiting
        self._remembered: dict[str, tuple[TakenLetter, Answer | None]] = {}
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
        """Take over an episode under a fencing number, and return its mailbox.

        Holders of a lower number can no longer write. Redis keeps `remembered` answers for each
        sender. At most `most_waiting` messages of each sender may wait. Raise LeaseLostError if
        another process has a higher number, MissingError if there is no such episode.
        """
        mailbox = cls(link, episode, fence, remembered, most_waiting)
        await mailbox._read()
        return mailbox

    async def open(self, timestep: int, after: int, may: May = allow_all) -> Sequence[Letter]:
        """Return the letters due by `timestep` with a number above `after`, in order.

        If there is no such letter, first turn the known events that are due into letters. If no
        known event is due, turn the next messages that `may` allows into letters.
        """
        async with self._lock:
            while True:
                read = await self._read()
                if left := read.letters_after(after):
                    return await self._measure(left)
                first = max(read.number, after) + 1
                due = [event for due, event in read.known if due <= timestep]
                known = [
                    TakenLetter(
                        letter=Letter(number=n, timestep=timestep, event=event, injected=False)
                    )
                    for n, event in enumerate(due, start=first)
                ]
                taken = known or _next_letters(read, timestep, first, may)
                if await self._number(read, taken, len(due)):
                    return await self._measure(read.letters_after(after))

    async def _measure(self, taken: Sequence[TakenLetter]) -> list[Letter]:
        """Return letters with the seconds that their messages have waited, by Redis' clock."""
        added = [time_of(each.entry) for each in taken]
        if not any(added):
            return [each.letter for each in taken]
        seconds, microseconds = await self._link.run(lambda redis: redis.time())
        now = seconds + microseconds / 1e6
        return [
            replace(each.letter, waited=None if since is None else max(0.0, now - since))
            for each, since in zip(taken, added, strict=True)
        ]

    async def tell_places(self) -> None:
        """Tell the sender of each waiting message, once, how many messages are taken before it."""
        async with self._lock:
            read = await self._read()
            told: list[EntryDeletion] = []
            for message, place in read.turns.places(lambda each: each.key not in read.told):
                envelope = message.envelope
                answer = waiting_answer(envelope.id, place)
                record = StoredAnswer(digest=digest(envelope.event), answer=answer).text()
                name = key_name(envelope.sender)
                told.append(EntryDeletion(name, "", waits(envelope.id), record))
                read.told.add(message.key)
            if told:
                await self._store.take_off(told)

    async def empty(self, after: int) -> bool:
        """Return whether the mailbox is closed and nothing is left after letter number `after`."""
        async with self._lock:
            read = await self._read()
            return read.closed and not read.has_more(after)

    async def due(self, after: int) -> int | None:
        """Return None: a sender may post a message at any time."""
        return None

    async def idle(self, after: int) -> bool:
        """Return whether nothing is left after letter number `after`, but senders may post."""
        return await self._last_entries_if_idle(after) is not None

    async def wait(self, after: int) -> None:
        """Wait, without busy waiting, until the mailbox is no longer idle."""
        (bell,) = keys_of(self._episode, "bell")
        while True:
            rung = await self._link.newest(bell)
            seen = await self._last_entries_if_idle(after)
            if seen is None:
                return
            streams = zip(
                keys_of(self._episode, *(f"in:{n}" for n in seen)), seen.values(), strict=True
            )
            await self._link.wait_for_any({bell: rung, **dict(streams)})

    async def _last_entries_if_idle(self, after: int) -> Mapping[str, str] | None:
        """Return the id of the last entry read, by sender; None if the mailbox is not idle."""
        async with self._lock:
            read = await self._read()
            if read.closed or read.has_more(after):
                return None
            return {name: read.seen.get(name, "0-0") for name in read.names}

    async def settle(self, settled: Sequence[Settled]) -> None:
        """Tell senders the results of their letters, and delete the messages from the streams.

        A letter that Redis has lost is found in memory: its result is not told a second time.
        """
        if not settled:
            return
        async with self._lock:
            read = await self._read()
            lately = {taken.letter.number: taken for taken, _ in self._remembered.values()}
            told: list[tuple[TakenLetter, Answer]] = []
            for each in settled:
                taken = read.letters.get(each.number) or lately.get(each.number)
                if taken and taken.letter.sender is not None:
                    told.append((taken, answer_to(taken.id, each)))
            await self._tell(read, told)

    async def end(self) -> int:
        """Refuse every message that has no answer, now and later, since the episode has ended.

        The senders' clients tell the refusal, as they see that the episode has ended. The name of
        the episode can be used again.
        """
        async with self._lock:
            return int(await self._store.write("end", ["guests"]))

    def restore(self, letters: Sequence[Letter]) -> None:
        """Do nothing: the letters are in Redis."""

    async def meanings(self) -> Mapping[int, dict[str, Any]]:
        """Return the meanings that senders stated for their events, by letter number."""
        (meanings,) = keys_of(self._episode, "meanings")
        found: Any = await self._link.run(lambda redis: redis.hgetall(meanings))
        return meanings_by_number(found.items())

    async def publish(self, status: Json) -> None:
        """Publish the status of the episode."""
        async with self._lock:
            await self._store.write("publish", ["status"], pack(dict(status)).decode())

    async def _number(
        self, read: EpisodeReading, letters: Sequence[TakenLetter], known: int = 0
    ) -> bool:
        """Store letters under their permanent numbers; the first `known` ones are known events.

        Return False if a message has been withdrawn since the last read. Then store no letter, and
        drop the data in memory, so that they are read again.
        """
        if not letters:
            return True
        arguments: list[str | int] = [len(read.known) - known, read.withdrawn]
        for taken in letters:
            letter = taken.letter
            arguments += [letter.number, letter.sender or "", taken.text(), taken.meaning]
        parts = ["letters", "turns", "meanings", "known"]
        if await self._store.write("number", parts, *arguments) == "STALE":
            self._store.memory = None
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

    async def _tell(self, read: EpisodeReading, told: Sequence[tuple[TakenLetter, Answer]]) -> None:
        """Store the final answers to messages, and delete the messages from the streams."""
        outcomes: list[EntryDeletion] = []
        for taken, answer in told:
            number = taken.letter.number
            record = StoredAnswer(digest=taken.digest, answer=answer, number=number).text()
            outcomes.append(EntryDeletion(taken.name, taken.entry, taken.id, record, number))
            self._remember(taken, answer)
        await self._store.take_off(outcomes)
        for taken, _ in told:
            read.settled = max(read.settled, taken.letter.number)
            read.letters.pop(taken.letter.number - KEPT, None)

    def _remember(self, taken: TakenLetter, answer: Answer | None) -> None:
        self._remembered.pop(taken.key, None)
        self._remembered[taken.key] = taken, answer
        if len(self._remembered) > LATELY:
            del self._remembered[next(iter(self._remembered))]

    async def _read(self) -> EpisodeReading:
        """Read the entries that have come since the last read, in at most READS rounds.

        Without this limit a sender that is faster than this reader could delay a timestep forever.
        """
        read = self._store.memory or await self._store.load()
        for _ in range(READS):
            seen = [word for pair in read.seen.items() for word in pair]
            arguments: list[str | int] = [READ_AT_ONCE, MOST_BYTES, *seen]
            found = await self._store.write("take", ["guests", "ends", OPERATOR], *arguments)
            closed, number, withdrawn, names, sent, lost = found
            if lost:
                await self._store.repair(read, lost)
                continue
            if int(number) < read.number or withdrawn != read.withdrawn:
                read = await self._store.load()
                continue
            read.closed, read.names = closed == "1", names
            found = [
                NewEntries(n, p, last, [StreamEntry(*e) for e in entries])
                for n, p, last, entries in sent
            ]
            read.more = any(not (read.closed and each.is_late()) for each in found)
            if not found:
                break
            self._store.memory = None
            for each in found:
                await self._receive(read, each)
        self._store.memory = read
        return read

    async def _receive(self, read: EpisodeReading, sent: NewEntries) -> None:
        """Put the new messages of a sender into the queue.

        Delete duplicates, messages beyond the limit and messages without a valid proof. If a
        message is in memory as taken, Redis has lost it and the sender has sent it again; then
        store its letter or its answer again. If the answer is lost for good, say so.
        """
        sender = unquote(sent.name)
        letters = {t.key: t for t in read.letters.values() if t.letter.sender == sender}
        numbered = {taken.entry for taken in letters.values()}
        messages: list[Waiting] = []
        aside: list[DamagedItem] = []
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
                aside.append(DamagedItem("entry", sent.name, entry.id, what))
        await self._store.set_aside(aside)
        if sent.proof == UNBOUND and messages:
            proof = messages[0].envelope.proof or ""
            bound = await self._store.write("bind", ["guests"], sent.name, proof)
            sent = sent._replace(proof=bound)
        answered = await self._store.find_answered(sent.name, messages)
        off: list[EntryDeletion] = []
        for message in messages:
            again, envelope = EntryDeletion(sent.name, message.entry), message.envelope
            taken, answer = self._remembered.get(message.key, (None, None))
            if answered.get(envelope.id):
                off.append(again)
            elif taken and answer:
                await self._tell(read, [(replace(taken, entry=message.entry), answer)])
            elif envelope.id in answered or _is_settled(read, letters.get(message.key)):
                record = StoredAnswer(
                    digest=digest(envelope.event), answer=refusal(envelope, FORGOTTEN)
                )
                off.append(again._replace(field=envelope.id, record=record.text()))
            elif message.key in letters or message.key in read.waiting:
                off.append(again)
            elif taken:
                await self._number(read, [replace(taken, entry=message.entry)])
            elif why := self._find_refusal(read, sent, message):
                kept = why == CLOSED
                record = StoredAnswer(
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
            await self._store.take_off(off)

    def _find_refusal(self, read: EpisodeReading, sent: NewEntries, message: Waiting) -> str | None:
        """Return why a message is refused; None if it may join the queue."""
        return find_refusal(
            proved=(message.envelope.proof or "") == sent.proof,
            over=CLOSED if read.closed and follows(message.entry, sent.last) else None,
            waiting=read.turns.count_waiting(message.envelope.sender),
            most_waiting=self._most_waiting,
        )


def _is_settled(read: EpisodeReading, taken: TakenLetter | None) -> bool:
    return taken is not None and taken.letter.number <= read.settled


def _next_letters(read: EpisodeReading, timestep: int, first: int, may: May) -> list[TakenLetter]:
    """Return letters for the next messages in fair order, at most MOST_LETTERS."""
    turns = read.turns.take(MOST_LETTERS, first, lambda message: may(message.envelope.event))
    return [
        TakenLetter.of(turn.item, number, timestep)
        for number, turn in enumerate(turns, start=first)
    ]
