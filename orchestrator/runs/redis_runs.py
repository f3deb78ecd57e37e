"""Runs whose episode is in Redis: its lease, its mailbox and its texts."""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from itertools import count
from typing import Any, Protocol, runtime_checkable

from cookmas.episodes.scenario import Scenario
from cookmas.episodes.world import Json
from cookmas.files.errors import RESTORE, LeaseLostError, MissingError, NotAllowedError
from cookmas.mailboxes.protocol import EPISODE_PATIENCE, LOST
from cookmas.mailboxes.redis.address import split_address
from cookmas.mailboxes.redis.letterbox import create_episode
from cookmas.mailboxes.redis.link import RedisLink
from cookmas.mailboxes.redis.mailbox import RedisMailbox
from cookmas.mailboxes.redis.records import keys_of
from cookmas.orchestrator.library import Fetch
from cookmas.orchestrator.runs.lease import BEAT, LeasePlace, LeaseState, Renew
from cookmas.orchestrator.runs.request import RedisPlace

_log = logging.getLogger(__name__)


@runtime_checkable
class TextsInRedis(Protocol):
    """A scenario whose texts can be edited in Redis while an episode plays it."""

    def look_up_in(self, link: RedisLink, episode: str) -> Fetch:
        """Return a function that looks up a text first in Redis, then in the scenario."""
        ...


class RedisEpisode(LeasePlace):
    """The episode of a run in Redis; `open_redis_episode` constructs it."""

    def __init__(self, place: RedisPlace, link: RedisLink) -> None:
        self._place = place
        self._link = link

    async def read_lease(self) -> LeaseState:
        (episode,) = keys_of(self._place.episode, "episode")
        fence = await self._link.run(lambda redis: redis.hget(episode, "fence"))
        last = await _last_heartbeat(self._link, self._place.episode)
        return LeaseState(int(fence or 0), last.get("holder"), last.get("beat", ""))

    async def claim(self, fence: int, holder: str) -> None:
        keys = keys_of(self._place.episode, "episode", "status")
        link, claim = self._link, uuid.uuid4().hex
        if await link.script("claim", keys, fence, claim) != claim:
            raise LeaseLostError(LOST)
        await self._renew(link, fence, holder, 0)

    @asynccontextmanager
    async def start_renewing(self, fence: int, holder: str) -> AsyncIterator[Renew]:
        link, beats = _link(self._place, BEAT), count(1)
        try:
            yield lambda: self._renew(link, fence, holder, next(beats))
        finally:
            await link.close()

    async def _renew(self, link: RedisLink, fence: int, holder: str, beat: int) -> None:
        keys = keys_of(self._place.episode, "lease", "episode")
        await link.script("touch", keys, fence, holder, beat)

    async def mailbox(self, fence: int) -> RedisMailbox:
        """Return the mailbox, which acts under a fencing number.

        Raise MissingError if the episode does not exist.
        """
        name, link = self._place.episode, self._link
        return await RedisMailbox.open_episode(link, name, fence, self._place.remembered)

    def fetch(self, scenario: Scenario) -> Fetch | None:
        """Return a function that looks up texts in Redis; None if the scenario keeps none there."""
        if not isinstance(scenario, TextsInRedis):
            return None
        return scenario.look_up_in(self._link, self._place.episode)

    async def leave(self) -> None:
        """Close the connections."""
        await self._link.close()


@asynccontextmanager
async def open_redis_episode(
    place: RedisPlace, setup: Json, known: Iterable[tuple[int, Json]] | None
) -> AsyncIterator[RedisEpisode]:
    """Yield the episode of a run in Redis.

    `known` has the events of a new run: then create the episode first, with `setup`, the setup of
    the world. For a resumed run it is None. Raise InputError if the episode belongs to another run,
    MissingError if it no longer exists.
    """
    link = _link(place)
    there = RedisEpisode(place, link)
    try:
        if known is not None:
            await create_episode(link, place.episode, place.run, known, setup)
        for doubt in await doubt_settings(link):
            _log.warning("Redis at %s %s", link.where, doubt)
        (episode,) = keys_of(place.episode, "episode")
        if await link.run(lambda redis: redis.hget(episode, "run")) != place.run:
            raise MissingError(
                f"episode {place.episode}: Redis at {link.where} has none of this run (any "
                f"more); {RESTORE}"
            )
        yield there
    finally:
        await there.leave()


async def doubt_settings(link: RedisLink) -> list[str]:
    """Return why a server may lose messages of an episode, a phrase for each setting."""
    try:
        told = await link.run(lambda redis: redis.info())
    except NotAllowedError:
        return ["does not tell its settings to this user: see that they keep every message"]
    doubts = []
    if str(told.get("maxmemory_policy", "noeviction")) != "noeviction":
        doubts.append("drops messages when it is full: set maxmemory-policy to noeviction")
    if not told.get("aof_enabled", 1):
        doubts.append("loses messages when it is restarted: set appendonly to yes")
    return doubts


async def heartbeat_age_in_redis(address: str) -> float | None:
    """Return the seconds since the last heartbeat by the server's clock; None if there is none."""
    url, episode = split_address(address)
    link = RedisLink(url, BEAT)
    try:
        last = await _last_heartbeat(link, episode)
        seconds, microseconds = await link.run(lambda redis: redis.time())
    finally:
        await link.close()
    return max(0.0, seconds + microseconds / 1e6 - last["time"]) if last else None


async def _last_heartbeat(link: RedisLink, episode: str) -> dict[str, Any]:
    """Return `holder`, `beat` and `time` of the last heartbeat; an empty dict if there is none."""
    (lease,) = keys_of(episode, "lease")
    text = await link.run(lambda redis: redis.get(lease))
    return dict(json.loads(text)) if text else {}


def _link(place: RedisPlace, patience: float = EPISODE_PATIENCE) -> RedisLink:
    return RedisLink(place.reachable(), patience)
