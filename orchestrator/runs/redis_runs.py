"""Runs whose kitchen is in Redis: its lease, the mailbox, the remote workers, the recipes."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import NamedTuple

from redis import Redis
from redis.exceptions import ResponseError

from episodes.errors import LeaseLostError, MissingError
from episodes.mailbox import LOST
from episodes.redis_letterbox import create_kitchen, keys_of
from episodes.redis_link import KITCHEN_PATIENCE, RedisLink, source
from episodes.redis_mailbox import RedisMailbox
from episodes.redis_texts import RedisTexts
from episodes.world import Json
from orchestrator.checkpoints.shared_lease import PATIENCE, SharedLease, Standing
from orchestrator.runs.redis_place import RedisPlace
from workers.protocol import Worker
from workers.redis_channel import RedisChannel
from workers.remote import RemoteWorker


class RedisParts(NamedTuple):
    """What of an episode is in Redis."""

    mailbox: RedisMailbox
    workers: Mapping[str, Worker]
    texts: RedisTexts


class RedisKitchen(SharedLease):
    """The kitchen of a run in Redis; made by `opened_kitchen`."""

    def __init__(self, place: RedisPlace, links: Sequence[RedisLink]) -> None:
        self._place = place
        self._links = links
        self._touching = Redis.from_url(place.reachable(), socket_timeout=PATIENCE)

    async def standing(self) -> Standing:
        """Who plays it, as Redis has it."""
        lease, kitchen = keys_of(self._place.kitchen, "lease", "kitchen")
        fence = await self._links[0].run(lambda redis: redis.hget(kitchen, "fence"))
        holder = await self._links[0].run(lambda redis: redis.get(lease))
        return Standing(int(fence or 0), None if holder is None else str(holder))

    async def claim(self, fence: int, holder: str) -> None:
        """Take it over."""
        lease, kitchen = keys_of(self._place.kitchen, "lease", "kitchen")
        link, claim = self._links[0], uuid.uuid4().hex
        if await link.script("claim", [kitchen], fence, claim) != claim:
            raise LeaseLostError(LOST)
        await link.script("touch", [lease, kitchen], fence, holder, int(1000 * PATIENCE))

    def touch(self, fence: int, holder: str) -> None:
        """The holder is alive."""
        keys = keys_of(self._place.kitchen, "lease", "kitchen")
        try:
            self._touching.eval(
                source("touch"), 2, *keys, str(fence), holder, str(int(1000 * PATIENCE))
            )
        except ResponseError as error:
            if str(error).startswith("FENCED"):
                raise LeaseLostError(LOST) from None
            raise

    async def parts(self, fence: int) -> RedisParts:
        """What is played with under this number. Raises MissingError if it is not there."""
        name, link = self._place.kitchen, self._links[0]
        mailbox = await RedisMailbox.open_kitchen(link, name, fence, self._place.remembered)
        channels = {
            worker: RedisChannel(link, name, worker, fence)
            for worker, link in zip(self._place.workers, self._links[1:], strict=True)
        }
        remote = {
            worker: RemoteWorker(channel, self._place.deadline)
            for worker, channel in channels.items()
        }
        return RedisParts(mailbox, remote, RedisTexts(link, name))

    async def leave(self) -> None:
        """Close the connections."""
        self._touching.close()
        for link in self._links:
            await link.close()


@asynccontextmanager
async def opened_kitchen(
    place: RedisPlace, setup: Json, known: Iterable[tuple[int, Json]] | None
) -> AsyncIterator[RedisKitchen]:
    """The kitchen of a run; with `known` events of a new run it is opened first.

    Raises InputError if another run has it, MissingError if it is not there any more.
    """
    links = [_link(place) for _ in range(1 + len(place.workers))]
    there = RedisKitchen(place, links)
    try:
        if known is not None:
            await create_kitchen(links[0], place.kitchen, place.run, known, setup)
        (kitchen,) = keys_of(place.kitchen, "kitchen")
        if await links[0].run(lambda redis: redis.hget(kitchen, "run")) != place.run:
            raise MissingError(
                f"kitchen {place.kitchen}: Redis at {links[0].where} has none of this run"
            )
        yield there
    finally:
        await there.leave()


def _link(place: RedisPlace) -> RedisLink:
    return RedisLink(place.reachable(), KITCHEN_PATIENCE)
