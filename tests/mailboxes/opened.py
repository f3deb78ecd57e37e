"""Each mailbox, opened for a test: the side that plays and the side that sends."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from cookmas.mailboxes.protocol import (
    Answer,
    Envelope,
    Letter,
    Letterbox,
    OpenMailbox,
)
from cookmas.mailboxes.redis.letterbox import RedisLetterbox, create_episode
from cookmas.mailboxes.redis.link import RedisLink
from cookmas.mailboxes.redis.mailbox import RedisMailbox
from cookmas.mailboxes.sqlite.file import create_mailbox
from cookmas.mailboxes.sqlite.letterbox import SqliteLetterbox
from cookmas.mailboxes.sqlite.mailbox import SqliteMailbox
from tests.mailboxes.open_memory import FencedMailbox, MemoryOpenMailbox
from tests.redis_process import RedisProcess

QUOTA = 40

Known = Sequence[tuple[int, dict[str, Any]]]


class Opened(NamedTuple):
    """A kitchen's side and a sender's side of one mailbox.

    A sender may have QUOTA messages waiting. `again` opens the kitchen's side anew, as after a
    crash.
    """

    mailbox: OpenMailbox
    letterbox: Letterbox
    again: Callable[[], Awaitable[OpenMailbox]]


@asynccontextmanager
async def memory(folder: Path, known: Known) -> AsyncIterator[Opened]:
    broker, fences = MemoryOpenMailbox(known, QUOTA), count(1)

    async def again() -> FencedMailbox:
        return FencedMailbox(broker, next(fences))

    yield Opened(await again(), broker, again)


@asynccontextmanager
async def sqlite(folder: Path, known: Known) -> AsyncIterator[Opened]:
    create_mailbox(folder, known)
    opened: list[SqliteMailbox] = []

    async def again() -> SqliteMailbox:
        opened.append(SqliteMailbox(folder, fence=len(opened) + 1))
        return opened[-1]

    yield Opened(await again(), SqliteLetterbox(folder, QUOTA), again)
    for each in opened:
        each.close()


@asynccontextmanager
async def redis(folder: Path, known: Known) -> AsyncIterator[Opened]:
    server = RedisProcess(folder)
    link, other = RedisLink(server.url), RedisLink(server.url)
    fences = count(1)

    async def again() -> RedisMailbox:
        return await RedisMailbox.open_episode(link, "corner", next(fences), most_waiting=QUOTA)

    try:
        await create_episode(link, "corner", "run", known)
        yield Opened(await again(), RedisLetterbox(other, "corner"), again)
    finally:
        for each in (link, other):
            await each.close()
        server.kill()


Open = Callable[[Path, Known], AbstractAsyncContextManager[Opened]]

MAILBOXES: dict[str, Open] = {"memory": memory, "redis": redis, "sqlite": sqlite}


def said(word: str) -> dict[str, Any]:
    return {"kind": "word", "word": word}


def message(word: str, sender: str = "anna", **more: Any) -> Envelope:
    return Envelope(id=f"{sender}-{word}", sender=sender, event=said(word), **more)


async def told(opened: Opened, envelope: Envelope) -> Answer | None:
    """What a sender is told of a message, at once or as soon as the kitchen has looked."""
    mailbox, letterbox, _ = opened
    if answer := await letterbox.post(envelope):
        return answer
    await mailbox.idle(0)
    return await letterbox.answer(envelope)


async def take(mailbox: OpenMailbox, timestep: int = 1, after: int = 0) -> list[Letter]:
    """All letters, as an episode takes them at a timestep."""
    letters: list[Letter] = []
    while new := await mailbox.open(timestep, letters[-1].number if letters else after):
        letters += new
    return letters


def words(letters: Sequence[Letter]) -> list[str]:
    return [letter.event["word"] for letter in letters]
