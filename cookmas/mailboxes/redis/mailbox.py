"""The mailbox in Redis: one stream of messages for each sender of an episode.

The orchestrator reads all streams, limits the number of waiting messages, and deletes settled
messages. Every script checks the fencing number. Entries that cannot be read are quarantined. A
letter is a message or a known event that was taken, with a permanent number.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, NamedTuple
from urllib.parse import unquote

from cookmas.episodes.world import Json
from cookmas.files.errors import InputError
from cookmas.files.lines import preview
from cookmas.files.plain import pack
from cookmas.mailboxes.fairness import Turns
from cookmas.mailboxes.protocol import (
    CLOSED,
    FORGOTTEN,
    MOST_LETTERS,
    MOST_QUARANTINED,
    MOST_WAITING,
    OPERATOR,
    Answer,
    Letter,
    May,
    Quarantined,
    Settled,
    allow_all,
    answer_to,
    find_refusal,
    kind_of,
    meanings_by_number,
    proof_of,
    refusal,
    waiting_answer,
)
from cookmas.mailboxes.redis.address import REMEMBERED
from cookmas.mailboxes.redis.letterbox import UNBOUND
from cookmas.mailboxes.redis.link import RedisLink
from cookmas.mailboxes.redis.records import (
    MOST_BYTES,
    KnownEvent,
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

_log = logging.getLogger(__name__)

READS = 4
"""Maximum number of reads before messages are taken."""

READ_AT_ONCE = 500
"""Maximum number of entries in one read of the streams."""

KEPT = 1000
"""Number of settled letters that are retained.

After a power cut an episode may continue from an earlier checkpoint and need them again.
"""

LATELY = 4096
"""Number of recently taken messages that stay in memory, in case Redis loses its latest writes."""


class NewEntries(NamedTuple):
    """The new entries in the stream of one sender."""

    name: str
    """The sender's name as a part of a key."""
    proof: str
    """The proof to which the sender's name is bound."""
    last: str
    """Id of the sender's last entry before the episode was closed; empty if the episode is open."""
    entries: Sequence[StreamEntry]

    def is_late(self) -> bool:
        """Return whether all entries came after the episode was closed."""
        return follows(self.entries[0].id, self.last)


class EntryDeletion(NamedTuple):
    """The deletion of a stream entry, and the record that its sender gets in return."""

    name: str
    """The sender's name as a part of a key."""
    entry: str
    """Id of the entry; empty to delete none."""
    field: str = ""
    """Field in which the record is stored; empty if there is no record."""
    record: str = ""
    number: int | None = None
    """Number of the message's letter; None if there is no letter."""


class DamagedItem(NamedTuple):
    """An item to quarantine: a stream entry, a letter, or a known event."""

    kind: Literal["entry", "letter", "known"]
    name: str
    """The sender of an entry, or the number of a letter; empty for a known event."""
    entry: str
    """Id of an entry, or the text of a known event; empty for a letter."""
    what: Quarantined


@dataclass(slots=True, kw_only=True)
class EpisodeReading:
    """The data of an episode that the orchestrator has read."""

    seen: dict[str, str] = field(default_factory=dict)
    """Id of the last entry that was read, by sender."""
    names: Sequence[str] = ()
    """Names of all senders, as parts of keys."""
    closed: bool = False
    number: int
    """Number of the last letter."""
    withdrawn: str
    """Number of messages withdrawn so far."""
    settled: int
    """Number of the last letter that was settled."""
    letters: dict[int, TakenLetter]
    """Letters that are not settled, and the last settled ones."""
    known: list[KnownEvent]
    turns: Turns[Waiting]
    waiting: set[str] = field(default_factory=set)
    """Keys of the waiting messages."""
    told: set[str] = field(default_factory=set)
    """Keys of the waiting messages whose senders have been told their place."""
    more: bool = False
    """True if there may be more entries to read."""

    def letters_after(self, after: int) -> list[TakenLetter]:
        """Return the letters with a number above `after`, in order."""
        numbers = range(after + 1, self.number + 1)
        return [self.letters[number] for number in numbers if number in self.letters]

    def has_more(self, after: int) -> bool:
        """Return whether a letter, message or known event comes after letter number `after`."""
        return bool(self.more or self.letters_after(after) or self.turns or self.known)


class EpisodeStore:
    """The access of the orchestrator that holds the lease to the data of an episode in Redis.

    `fence` is the fencing number of the lease. Redis keeps `remembered` answers for each sender.
    `memory` has the data that have been read; after any failure they are dropped and read again.
    """

    def __init__(self, link: RedisLink, episode: str, fence: int, remembered: int) -> None:
        self._link = link
        self._episode = episode
        self._fence = fence
        self._most_remembered = remembered
        self.memory: EpisodeReading | None = None

    async def load(self) -> EpisodeReading:
        """Take over the episode, and read its letters, known events and last turns."""
        await self.write("settle", ["letters"], KEPT, self._most_remembered)
        letters, turns, known, episode = keys_of(
            self._episode, "letters", "turns", "known", "episode"
        )
        numbered: Any = await self._link.run(lambda redis: redis.hgetall(letters))
        last: Any = await self._link.run(lambda redis: redis.hgetall(turns))
        events: Any = await self._link.run(lambda redis: redis.lrange(known, 0, -1))
        fields = ["number", "withdrawn", "settled"]
        number, withdrawn, settled = await self._link.run(
            lambda redis: redis.hmget(episode, fields)
        )
        taken: list[TakenLetter] = []
        to_come: list[KnownEvent] = []
        aside: list[DamagedItem] = []
        for name, text in numbered.items():
            try:
                taken.append(TakenLetter.read(name, text))
            except InputError as error:
                what = Quarantined(origin="letters", reason=preview(error), preview=preview(text))
                aside.append(DamagedItem("letter", name, "", what))
        for text in events:
            try:
                to_come.append(KnownEvent.read(text))
            except InputError as error:
                what = Quarantined(
                    origin="known events", reason=preview(error), preview=preview(text)
                )
                aside.append(DamagedItem("known", "", text, what))
        await self.set_aside(aside)
        heard = {sender: int(n) for sender, n in last.items() if n.isdecimal()}
        return EpisodeReading(
            number=int(number or 0),
            withdrawn=str(withdrawn or 0),
            settled=int(settled or 0),
            letters={letter.number: letter for letter in taken},
            known=to_come,
            turns=Turns(heard),
        )

    async def delete_entries(self, deletions: Sequence[EntryDeletion]) -> None:
        """Delete entries of the streams, store the records for their senders, settle their letters.

        `EntryDeletion` says which of the three a deletion leaves out. Raise LeaseLostError if
        another process has a higher fencing number.
        """
        for place in range(0, len(deletions), READ_AT_ONCE):
            arguments: list[str | int] = [KEPT, self._most_remembered]
            for name, entry, about, record, number in deletions[place : place + READ_AT_ONCE]:
                arguments += ["" if number is None else number, name, entry, about, record]
            await self.write("settle", ["letters"], *arguments)

    async def repair(self, read: EpisodeReading, lost: Sequence[str]) -> None:
        """Make the keys again that senders need and that the server has lost, and warn of it."""
        _log.warning(
            "Redis at %s has lost %s, and messages or answers with it; the settings of a server "
            "that loses nothing are 'maxmemory-policy noeviction' and 'appendonly yes'",
            self._link.where,
            ", ".join(lost),
        )
        (house,) = keys_of(self._episode, OPERATOR)
        stored = await self._link.run(lambda redis: redis.get(house))
        token = str(stored or secrets.token_urlsafe(24))
        known = {*read.names, *map(key_name, read.turns.senders)}
        parts = ["guests", OPERATOR, "registered"]
        await self.write("repair", parts, token, proof_of(token), *sorted(known))

    async def set_aside(self, damaged: Sequence[DamagedItem]) -> None:
        """Move items that cannot be read to the quarantine."""
        arguments: list[str | int] = [MOST_QUARANTINED]
        for kind, name, entry, what in damaged:
            arguments += [kind, name, entry, json.dumps(asdict(what))]
        if damaged:
            await self.write("quarantine", ["quarantine", "letters", "known"], *arguments)

    async def find_answered(self, name: str, messages: Sequence[Waiting]) -> dict[str, str]:
        """Return the records of those messages of a sender that were answered, by their ids.

        A record is empty if Redis has lost it.
        """
        if not messages:
            return {}
        (out,) = keys_of(self._episode, f"out:{name}")
        ids = [message.envelope.id for message in messages]
        records: Any = await self._link.run(lambda redis: redis.hmget(out, ids))
        by_id = zip(ids, records, strict=True)
        return {id_: record for id_, record in by_id if record is not None}

    async def write(self, script: str, parts: Sequence[str], *arguments: str | int) -> Any:
        """Run a script under this store's fencing number, and return its result.

        `parts` names the keys that the script uses. Raise LeaseLostError if a higher number exists.
        """
        keys = keys_of(self._episode, *parts, "episode")
        try:
            return await self._link.script(script, keys, self._fence, *arguments)
        except BaseException:
            self.memory = None
            raise


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
        async with self._lock:
            while True:
                read = await self._read()
                if left := read.letters_after(after):
                    return await self._measure(left)
                first = max(read.number, after) + 1
                due = [known.event for known in read.known if known.due <= timestep]
                known = [
                    TakenLetter.of_known(event, number, timestep)
                    for number, event in enumerate(due, start=first)
                ]
                taken = known or _next_letters(read, timestep, first, may)
                if await self._number(read, taken, len(due)):
                    return await self._measure(read.letters_after(after))

    async def _measure(self, taken: Sequence[TakenLetter]) -> list[Letter]:
        """Return letters with the seconds that their messages have waited, by Redis' clock."""
        added = [time_of(each.entry) for each in taken]
        if not any(added):
            return [each.letter() for each in taken]
        seconds, microseconds = await self._link.run(lambda redis: redis.time())
        now = seconds + microseconds / 1e6
        return [
            each.letter(waited=None if since is None else max(0.0, now - since))
            for each, since in zip(taken, added, strict=True)
        ]

    async def tell_places(self) -> None:
        async with self._lock:
            read = await self._read()
            places: list[EntryDeletion] = []
            for message, place in read.turns.places(lambda each: each.key not in read.told):
                envelope = message.envelope
                record = StoredAnswer.to(envelope, waiting_answer(envelope.id, place)).text()
                name = key_name(envelope.sender)
                places.append(EntryDeletion(name, "", waits(envelope.id), record))
                read.told.add(message.key)
            if places:
                await self._store.delete_entries(places)

    async def empty(self, after: int) -> bool:
        async with self._lock:
            read = await self._read()
            return read.closed and not read.has_more(after)

    async def due(self, after: int) -> int | None:
        """Return None: a sender may post a message at any time."""
        return None

    async def idle(self, after: int) -> bool:
        return await self._last_entries_if_idle(after) is not None

    async def wait(self, after: int) -> None:
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
            lately = {taken.number: taken for taken, _ in self._remembered.values()}
            answered: list[tuple[TakenLetter, Answer]] = []
            for ruling in settled:
                taken = read.letters.get(ruling.number) or lately.get(ruling.number)
                if taken and taken.sender is not None:
                    answered.append((taken, answer_to(taken.id, ruling)))
            await self._tell(read, answered)

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
        (meanings,) = keys_of(self._episode, "meanings")
        found: Any = await self._link.run(lambda redis: redis.hgetall(meanings))
        return meanings_by_number(found.items())

    async def publish(self, status: Json) -> None:
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
            arguments += [taken.number, taken.sender or "", taken.text(), taken.meaning]
        parts = ["letters", "turns", "meanings", "known"]
        if await self._store.write("number", parts, *arguments) == "STALE":
            self._store.memory = None
            return False
        del read.known[:known]
        for taken in letters:
            read.number = max(read.number, taken.number)
            read.letters[taken.number] = taken
            read.waiting.discard(taken.key)
            read.told.discard(taken.key)
            if taken.sender is not None:
                self._remember(taken, None)
        return True

    async def _tell(
        self, read: EpisodeReading, answered: Sequence[tuple[TakenLetter, Answer]]
    ) -> None:
        """Store the final answers to messages, and delete the messages from the streams."""
        outcomes: list[EntryDeletion] = []
        for taken, answer in answered:
            record = StoredAnswer(digest=taken.digest, answer=answer, number=taken.number).text()
            outcomes.append(EntryDeletion(taken.name, taken.entry, taken.id, record, taken.number))
            self._remember(taken, answer)
        await self._store.delete_entries(outcomes)
        for taken, _ in answered:
            read.settled = max(read.settled, taken.number)
            read.letters.pop(taken.number - KEPT, None)

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
            answer = await self._store.write("take", ["guests", "ends", OPERATOR], *arguments)
            closed, number, withdrawn, names, sent, lost = answer
            if lost:
                await self._store.repair(read, lost)
                continue
            if int(number) < read.number or withdrawn != read.withdrawn:
                read = await self._store.load()
                continue
            read.closed, read.names = closed == "1", names
            news = [
                NewEntries(name, proof, last, [StreamEntry(*entry) for entry in entries])
                for name, proof, last, entries in sent
            ]
            read.more = any(not (read.closed and of_sender.is_late()) for of_sender in news)
            if not news:
                break
            self._store.memory = None
            for of_sender in news:
                await self._receive(read, of_sender)
        self._store.memory = read
        return read

    async def _receive(self, read: EpisodeReading, sent: NewEntries) -> None:
        """Put the new messages of a sender into the queue.

        Delete duplicates, messages beyond the limit and messages without a valid proof. If a
        message is in memory as taken, Redis has lost it and the sender has sent it again; then
        store its letter or its answer again. If the answer is lost for good, say so.
        """
        sender = unquote(sent.name)
        letters = {t.key: t for t in read.letters.values() if t.sender == sender}
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
                await self._tell(read, [(taken.moved_to(message.entry), answer)])
            elif envelope.id in answered or _is_settled(read, letters.get(message.key)):
                record = StoredAnswer.to(envelope, refusal(envelope, FORGOTTEN))
                off.append(again._replace(field=envelope.id, record=record.text()))
            elif message.key in letters or message.key in read.waiting:
                off.append(again)
            elif taken:
                await self._number(read, [taken.moved_to(message.entry)])
            elif why := self._find_refusal(read, sent, message):
                kept = why == CLOSED
                entry_id = None if kept else message.entry
                record = StoredAnswer.to(envelope, refusal(envelope, why), entry_id)
                about = envelope.id if kept else not_kept(envelope.id)
                off.append(again._replace(field=about, record=record.text()))
            else:
                read.waiting.add(message.key)
                read.turns.add(sender, kind_of(envelope.event), message)
        if off:
            await self._store.delete_entries(off)

    def _find_refusal(self, read: EpisodeReading, sent: NewEntries, message: Waiting) -> str | None:
        return find_refusal(
            proved=(message.envelope.proof or "") == sent.proof,
            over=CLOSED if read.closed and follows(message.entry, sent.last) else None,
            waiting=read.turns.count_waiting(message.envelope.sender),
            most_waiting=self._most_waiting,
        )


def _is_settled(read: EpisodeReading, taken: TakenLetter | None) -> bool:
    return taken is not None and taken.number <= read.settled


def _next_letters(read: EpisodeReading, timestep: int, first: int, may: May) -> list[TakenLetter]:
    turns = read.turns.take(MOST_LETTERS, first, lambda message: may(message.envelope.event))
    return [
        TakenLetter.of(turn.item, number, timestep)
        for number, turn in enumerate(turns, start=first)
    ]
