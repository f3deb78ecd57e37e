"""Runs whose kitchen is in Redis: the mailbox, the remote workers, the recipes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import NamedTuple

from episodes.errors import MissingError
from episodes.redis_letterbox import create_kitchen, keys_of
from episodes.redis_link import KITCHEN_PATIENCE, RedisLink
from episodes.redis_mailbox import RedisMailbox
from episodes.redis_texts import RedisTexts
from episodes.world import Json
from orchestrator.redis_place import RedisPlace
from workers.protocol import Worker
from workers.redis_channel import RedisChannel
from workers.remote import RemoteWorker


class RedisParts(NamedTuple):
    """What of an episode is in Redis."""

    mailbox: RedisMailbox
    workers: Mapping[str, Worker]
    texts: RedisTexts


@asynccontextmanager
async def opened_place(
    place: RedisPlace, fence: int, setup: Json, known: Iterable[tuple[int, Json]] | None
) -> AsyncIterator[RedisParts]:
    """Take the kitchen of a run over; with `known` events of a new run it is opened first.

    Raises InputError if another run has it, MissingError if it is not there any more.
    """
    links = [_link(place) for _ in range(1 + len(place.workers))]
    try:
        if known is not None:
            await create_kitchen(links[0], place.kitchen, place.run, known, setup)
        (kitchen,) = keys_of(place.kitchen, "kitchen")
        if await links[0].run(lambda redis: redis.hget(kitchen, "run")) != place.run:
            raise MissingError(
                f"kitchen {place.kitchen}: Redis at {links[0].where} has none of this run"
            )
        mailbox = await RedisMailbox.open_kitchen(links[0], place.kitchen, fence)
        channels = {
            name: RedisChannel(link, place.kitchen, name, fence)
            for name, link in zip(place.workers, links[1:], strict=True)
        }
        remote = {name: RemoteWorker(c, place.deadline) for name, c in channels.items()}
        yield RedisParts(mailbox, remote, RedisTexts(links[0], place.kitchen))
    finally:
        for link in links:
            await link.close()


def _link(place: RedisPlace) -> RedisLink:
    return RedisLink(place.reachable(), KITCHEN_PATIENCE)
