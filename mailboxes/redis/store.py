"""What an episode has in Redis: reading it, and writes that check the fencing number."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from files.errors import InputError
from mailboxes.fairness import Turns
from mailboxes.protocol import MOST_QUARANTINED
from mailboxes.redis.entries import TakenLetter, Waiting, read_known
from mailboxes.redis.keys import keys_of
from mailboxes.redis.link import RedisLink
from mailboxes.redis.reading import Aside, EntryDeletion, EpisodeReading, quarantine_damaged

MOST_READ = 500
"""Maximum number of entries in one read of the streams."""

KEPT = 1000
"""Number of settled letters that are retained. After a power cut an episode may continue from an
earlier checkpoint and take them again."""


class EpisodeStore:
    """An episode in Redis, for the orchestrator that holds its lease.

    `memory` is what has been read of it. After any failure it is dropped and read again.
    """

    def __init__(self, link: RedisLink, episode: str, fence: int, remembered: int) -> None:
        self._link = link
        self._episode = episode
        self._fence = fence
        self._most_remembered = remembered
        self.memory: EpisodeReading | None = None

    async def load(self) -> EpisodeReading:
        """Take over the episode, and read its numbered letters that are not settled."""
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
        """Delete entries from the streams, and store what their senders are told."""
        for place in range(0, len(outcomes), MOST_READ):
            arguments: list[str | int] = [KEPT, self._most_remembered]
            for name, entry, about, record, number in outcomes[place : place + MOST_READ]:
                arguments += ["" if number is None else number, name, entry, about, record]
            await self.write("settle", ["letters"], *arguments)

    async def set_aside(self, found: Sequence[Aside]) -> None:
        """Quarantine entries that cannot be read."""
        arguments: list[str | int] = [MOST_QUARANTINED]
        for kind, name, entry, what in found:
            arguments += [kind, name, entry, json.dumps(asdict(what))]
        if found:
            await self.write("quarantine", ["quarantine", "letters", "known"], *arguments)

    async def find_answered(self, name: str, messages: Sequence[Waiting]) -> set[str]:
        """Return the ids of the messages that have an answer already."""
        if not messages:
            return set()
        (out,) = keys_of(self._episode, f"out:{name}")
        ids = [message.envelope.id for message in messages]
        records = await self._link.run(lambda redis: redis.hmget(out, ids))
        return {name for name, record in zip(ids, records, strict=True) if record}

    async def write(self, script: str, parts: Sequence[str], *arguments: str | int) -> Any:
        """Return what a script returns, which runs only under the latest fencing number.

        Raise LeaseLostError if the number is an older one.
        """
        keys = keys_of(self._episode, *parts, "episode")
        try:
            return await self._link.script(script, keys, self._fence, *arguments)
        except BaseException:
            self.memory = None
            raise
