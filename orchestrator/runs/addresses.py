"""Access to an open episode by its folder or its address in Redis.

A letterbox is the side of an episode on which senders post messages and get answers.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from cookmas.files.errors import InputError, NoOpenEpisodeError
from cookmas.mailboxes.protocol import OPERATOR, SENDER_PATIENCE, Letterbox, read_envelope
from cookmas.mailboxes.redis.address import is_address_of_any, need_redis, split_address
from cookmas.mailboxes.sqlite.letterbox import SqliteLetterbox
from cookmas.orchestrator.runs.folder import RUN
from cookmas.workers.wires import open_wires

if TYPE_CHECKING:
    from cookmas.mailboxes.redis.letterbox import RedisLetterbox


def letterbox(where: str | Path | Letterbox) -> Letterbox:
    """Return the letterbox of the episode `where`: in a folder, or at an address in Redis.

    A letterbox is returned unchanged. Raises InputError for the address of another server, and
    NoOpenEpisodeError if there is no open episode yet. A mailbox without a run is unfinished:
    the process that creates the run replaces it.
    """
    if not isinstance(where, str | Path):
        return where
    if is_address_of_any(where):
        return redis_letterbox(str(where))
    letterbox = SqliteLetterbox(Path(where))
    if not (Path(where) / RUN).exists():
        raise NoOpenEpisodeError(f"{where}: this episode is not open yet; 'cookmas serve' opens it")
    return letterbox


def redis_letterbox(address: str) -> RedisLetterbox:
    """Return the letterbox of the episode at an address."""
    need_redis()
    from cookmas.mailboxes.redis.letterbox import RedisLetterbox
    from cookmas.mailboxes.redis.link import RedisLink

    url, episode = split_address(address)
    return RedisLetterbox(RedisLink(url), episode)


async def add_guest(address: str, name: str) -> str:
    """Register a guest of the episode at an address; return the guest's line for the access list
    (ACL).

    `name` is the name under which the guest sends. Raises InputError if the name is not valid.
    """
    from cookmas.mailboxes.redis.letterbox import guest_rules

    read_envelope({"id": "1", "sender": name, "event": {}})
    if name == OPERATOR:
        raise InputError("guest", f"{OPERATOR!r} is reserved for the owner of the episode")
    box = redis_letterbox(address)
    try:
        await box.admit(name)
    finally:
        await box.leave()
    return guest_rules(split_address(address)[1], name, secrets.token_urlsafe(24))


async def world_at(address: str) -> str | None:
    """Return the world of the episode at an address; None if the episode does not name it.

    Raises NoOpenEpisodeError if there is no open episode yet.
    """
    box = redis_letterbox(address)
    try:
        named = (await box.setup()).get("world")
        return None if named is None else str(named)
    finally:
        await box.leave()


async def empty_seats(where: str | Path, workers: Iterable[str]) -> dict[str, str]:
    """Return those of the remote `workers` that no process plays, each with the reason.

    `where` is the address of an episode in Redis, or the folder of its run.
    """
    async with open_wires(where, workers, SENDER_PATIENCE) as wires:
        return {
            worker: f"no process stands in for {worker}"
            for worker, wire in wires.items()
            if not await wire.is_seated()
        }
