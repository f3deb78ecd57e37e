"""The waiting messages of an episode in Redis: the operator can count and withdraw them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any
from urllib.parse import unquote

from cookmas.episodes.world import digest
from cookmas.files.errors import InputError
from cookmas.mailboxes.envelope import Answer, Envelope
from cookmas.mailboxes.protocol import Backlog
from cookmas.mailboxes.redis.keys import key_name, keys_of
from cookmas.mailboxes.redis.link import RedisLink
from cookmas.mailboxes.redis.records import (
    MOST_BYTES,
    StoredAnswer,
    StreamEntry,
    TakenLetter,
    read_entry,
)

WITHDRAWN_AT_ONCE = 100
"""Maximum number of messages that one script withdraws, and of entries in one read."""


async def count_backlog(link: RedisLink, episode: str) -> Backlog:
    """Return the number of waiting messages, and the age of the oldest in seconds."""
    letters, *keys = keys_of(episode, "letters", "guests", "episode")
    numbered: Any = await link.run(lambda redis: redis.hgetall(letters))
    taken: list[str] = []
    for number, text in numbered.items():
        with suppress(InputError):
            letter = TakenLetter.read(number, text)
            taken += [letter.name, letter.entry]
    waiting, oldest = await link.script("backlog", keys, *taken)
    return Backlog(int(waiting), float(oldest) if oldest else None)


async def withdraw(link: RedisLink, episode: str, sender: str | None, id: str | None) -> int:  # noqa: A002
    """Withdraw all waiting messages, or only those of a sender or id; return their number.

    An entry that cannot be read is a message without an id: it is deleted unless `id` is given.
    """
    (guests,) = keys_of(episode, "guests")
    known: Any = await link.run(lambda redis: redis.hkeys(guests))
    names = [name for name in known if sender is None or name == key_name(sender)]
    keys = keys_of(episode, "letters", "bell", "episode")
    count = 0
    for name in names:
        (stream,) = keys_of(episode, f"in:{name}")
        async for entries in _entries(link, stream):
            arguments = [unquote(name), name]
            for entry in entries:
                envelope = _envelope_of(unquote(name), entry)
                if id is None or (envelope and id == envelope.id):
                    answered = (envelope.id, _withdrawal_of(envelope)) if envelope else ("", "")
                    arguments += [entry.id, *answered]
            if len(arguments) > 2:
                count += int(await link.script("withdraw", keys, *arguments))
    return count


async def _entries(link: RedisLink, stream: str) -> AsyncIterator[list[StreamEntry]]:
    """Yield the entries of a stream in parts of bounded size."""
    last = "0-0"
    while found := await link.script("waiting", [stream], last, WITHDRAWN_AT_ONCE, MOST_BYTES):
        yield [StreamEntry(*entry) for entry in found]
        last = found[-1][0]


def _envelope_of(sender: str, entry: StreamEntry) -> Envelope | None:
    """Return the message of an entry; None if it cannot be read."""
    try:
        return read_entry(sender, entry).envelope
    except InputError:
        return None


def _withdrawal_of(envelope: Envelope) -> str:
    answer = Answer(id=envelope.id, status="withdrawn")
    return StoredAnswer(digest=digest(envelope.event), answer=answer).text()
