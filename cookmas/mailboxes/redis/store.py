"""Access to the data of an episode in Redis; every write checks the fencing number.

A letter is a message or a known event that was taken, with a permanent number.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from cookmas.files.errors import InputError
from cookmas.mailboxes.fairness import Turns
from cookmas.mailboxes.protocol import MOST_QUARANTINED
from cookmas.mailboxes.redis.entries import TakenLetter, Waiting, read_known
from cookmas.mailboxes.redis.keys import keys_of
from cookmas.mailboxes.redis.link import RedisLink
from cookmas.mailboxes.redis.reading import Aside, EntryDeletion, EpisodeReading, quarantine_damaged

MOST_READ = 500
"""Maximum number of entries in one read of the streams."""

KEPT = 1000
"""Number of settled letters that are retained.

After a power cut an episode may continue from an earlier checkpoint and need them again.
"""


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
        fields = ["number", "withdrawn"]
        number, withdrawn = await self._link.run(lambda redis: redis.hmget(episode, fields))
        taken: dict[int, TakenLetter] = {}
        to_come: list[tuple[int, dict[str, Any]]] = []
        aside: list[Aside] = []
        for name, text in numbered.items():
            try:
                letter = TakenLetter.read(name, text)
                taken[letter.letter.number] = letter
            except InputError as error:
                aside.append(Aside("letter", name, "", quarantine_damaged("letters", error, text)))
        for text in events:
            try:
                to_come.append(read_known(text))
            except InputError as error:
                aside.append(
                    Aside("known", "", text, quarantine_damaged("known events", error, text))
                )
        await self.set_aside(aside)
        heard = {sender: int(n) for sender, n in last.items() if n.isdecimal()}
        return EpisodeReading(
            number=int(number or 0),
            withdrawn=str(withdrawn or 0),
            letters=taken,
            known=to_come,
            turns=Turns(heard),
        )

    async def take_off(self, outcomes: Sequence[EntryDeletion]) -> None:
        """Delete entries from the streams, and store the records for their senders."""
        for place in range(0, len(outcomes), MOST_READ):
            arguments: list[str | int] = [KEPT, self._most_remembered]
            for name, entry, about, record, number in outcomes[place : place + MOST_READ]:
                arguments += ["" if number is None else number, name, entry, about, record]
            await self.write("settle", ["letters"], *arguments)

    async def set_aside(self, found: Sequence[Aside]) -> None:
        """Move items that cannot be read to the quarantine."""
        arguments: list[str | int] = [MOST_QUARANTINED]
        for kind, name, entry, what in found:
            arguments += [kind, name, entry, json.dumps(asdict(what))]
        if found:
            await self.write("quarantine", ["quarantine", "letters", "known"], *arguments)

    async def find_answered(self, name: str, messages: Sequence[Waiting]) -> set[str]:
        """Return the ids of those messages of a sender that have an answer already."""
        if not messages:
            return set()
        (out,) = keys_of(self._episode, f"out:{name}")
        ids = [message.envelope.id for message in messages]
        records = await self._link.run(lambda redis: redis.hmget(out, ids))
        return {name for name, record in zip(ids, records, strict=True) if record}

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
