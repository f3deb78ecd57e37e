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

LAST = f"({2**64 - 1}-{2**64 - 1}"
"""The range start after the highest possible entry id; Redis would reject such a range."""


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
    """Withdraw all waiting messages, or only those of a sender or id; return their number."""
    (guests,) = keys_of(episode, "guests")
    known: Any = await link.run(lambda redis: redis.hkeys(guests))
    names = [name for name in known if sender is None or name == key_name(sender)]
    count = 0
    for name in names:
        (stream,) = keys_of(episode, f"in:{name}")
        async for sent in _messages(link, stream, unquote(name)):
            arguments = [unquote(name), name]
            for entry, envelope in sent:
                if id in (None, envelope.id):
                    arguments += [entry, envelope.id, _withdrawal_of(envelope)]
            keys = keys_of(episode, "letters", "bell", "episode")
            if len(arguments) > 2:
                count += int(await link.script("withdraw", keys, *arguments))
    return count


async def _messages(
    link: RedisLink, stream: str, sender: str
) -> AsyncIterator[list[tuple[str, Envelope]]]:
    """Yield batches of a stream's readable messages, with their entry ids."""
    first = "-"
    while entries := await _entries(link, stream, first):
        messages: list[tuple[str, Envelope]] = []
        for entry, fields in entries:
            texts = [text for pair in fields.items() for text in pair]
            size = sum(map(len, texts))
            if size <= MOST_BYTES:
                with suppress(InputError):
                    messages.append(
                        (entry, read_entry(sender, StreamEntry(entry, size, texts)).envelope)
                    )
        yield messages
        first = f"({entries[-1][0]}"


async def _entries(link: RedisLink, stream: str, first: str) -> Any:
    """Return the next entries of a stream, from the range start `first` on."""
    if first == LAST:
        return []
    return await link.run(lambda redis: redis.xrange(stream, first, count=WITHDRAWN_AT_ONCE))


def _withdrawal_of(envelope: Envelope) -> str:
    answer = Answer(id=envelope.id, status="withdrawn")
    return StoredAnswer(digest=digest(envelope.event), answer=answer).text()
