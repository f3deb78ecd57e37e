"""The data of an episode in Redis: what the orchestrator has read, and its access to the rest.

Every write checks the fencing number.

A letter is a message or a known event that was taken, with a permanent number.
"""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, NamedTuple

from cookmas.files.errors import InputError
from cookmas.files.lines import preview
from cookmas.mailboxes.envelope import OPERATOR, proof_of
from cookmas.mailboxes.fairness import Turns
from cookmas.mailboxes.protocol import MOST_QUARANTINED, Quarantined
from cookmas.mailboxes.redis.link import RedisLink
from cookmas.mailboxes.redis.records import (
    StreamEntry,
    TakenLetter,
    Waiting,
    follows,
    key_name,
    keys_of,
    read_known,
)

_log = logging.getLogger(__name__)

READ_AT_ONCE = 500
"""Maximum number of entries in one read of the streams."""

KEPT = 1000
"""Number of settled letters that are retained.

After a power cut an episode may continue from an earlier checkpoint and need them again.
"""


class NewEntries(NamedTuple):
    """The new entries in the stream of one sender."""

    name: str
    """The sender's name as a part of a key."""
    proof: str
    """The proof to which the sender's name is bound."""
    last: str
    """Id of the sender's last entry before the episode was closed; empty if the episode is open."""
    entries: Sequence[StreamEntry]
    """The new entries."""

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
    """The record as JSON."""
    number: int | None = None
    """Number of the message's letter; None if there is no letter."""


class DamagedItem(NamedTuple):
    """An item to quarantine: a stream entry, a letter, or a known event."""

    kind: Literal["entry", "letter", "known"]
    """Where the item is stored."""
    name: str
    """The sender of an entry, or the number of a letter; empty for a known event."""
    entry: str
    """Id of an entry, or the text of a known event; empty for a letter."""
    what: Quarantined
    """The quarantine entry."""


@dataclass(slots=True, kw_only=True)
class EpisodeReading:
    """The data of an episode that the orchestrator has read."""

    seen: dict[str, str] = field(default_factory=dict)
    """Id of the last entry that was read, by sender."""
    names: Sequence[str] = ()
    """Names of all senders, as parts of keys."""
    closed: bool = False
    """True if the episode is closed."""
    number: int
    """Number of the last letter."""
    withdrawn: str
    """Number of messages withdrawn so far."""
    settled: int
    """Number of the last letter that was settled."""
    letters: dict[int, TakenLetter]
    """Letters that are not settled, and the last settled ones."""
    known: list[tuple[int, dict[str, Any]]]
    """Future events that are known beforehand, with their timesteps."""
    turns: Turns[Waiting]
    """The waiting messages in fair order."""
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


def quarantine_damaged(origin: str, error: InputError, text: str) -> Quarantined:
    """Return the quarantine entry for a stored text that cannot be read."""
    return Quarantined(origin=origin, reason=preview(error), preview=preview(text))


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
        taken: dict[int, TakenLetter] = {}
        to_come: list[tuple[int, dict[str, Any]]] = []
        aside: list[DamagedItem] = []
        for name, text in numbered.items():
            try:
                letter = TakenLetter.read(name, text)
                taken[letter.letter.number] = letter
            except InputError as error:
                aside.append(
                    DamagedItem("letter", name, "", quarantine_damaged("letters", error, text))
                )
        for text in events:
            try:
                to_come.append(read_known(text))
            except InputError as error:
                aside.append(
                    DamagedItem("known", "", text, quarantine_damaged("known events", error, text))
                )
        await self.set_aside(aside)
        heard = {sender: int(n) for sender, n in last.items() if n.isdecimal()}
        return EpisodeReading(
            number=int(number or 0),
            withdrawn=str(withdrawn or 0),
            settled=int(settled or 0),
            letters=taken,
            known=to_come,
            turns=Turns(heard),
        )

    async def take_off(self, outcomes: Sequence[EntryDeletion]) -> None:
        """Delete entries from the streams, and store the records for their senders."""
        for place in range(0, len(outcomes), READ_AT_ONCE):
            arguments: list[str | int] = [KEPT, self._most_remembered]
            for name, entry, about, record, number in outcomes[place : place + READ_AT_ONCE]:
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

    async def set_aside(self, found: Sequence[DamagedItem]) -> None:
        """Move items that cannot be read to the quarantine."""
        arguments: list[str | int] = [MOST_QUARANTINED]
        for kind, name, entry, what in found:
            arguments += [kind, name, entry, json.dumps(asdict(what))]
        if found:
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
        found = zip(ids, records, strict=True)
        return {name: record for name, record in found if record is not None}

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
