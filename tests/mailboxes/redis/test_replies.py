"""Error replies of a Redis server that will soon answer are waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis
from redis.exceptions import ResponseError

from cookmas.files.errors import InfrastructureError
from cookmas.mailboxes.redis.link import RedisLink
from tests.redis_process import RedisProcess

Cause = Callable[[Any], Awaitable[Any]]

WRITE = "return redis.call('SET', KEYS[1], 'x')"

ENDLESS = "while true do end"

_scripts: set[asyncio.Task[Any]] = set()


async def replicate_nobody(redis: Any) -> None:
    await redis.replicaof("127.0.0.1", 1)


async def replicate_without_data(redis: Any) -> None:
    await redis.config_set("replica-serve-stale-data", "no")
    await redis.replicaof("127.0.0.1", 1)


async def lead_again(redis: Any) -> None:
    await redis.replicaof("NO", "ONE")


async def need_replicas(redis: Any) -> None:
    await redis.config_set("min-replicas-to-write", 1)


async def need_none(redis: Any) -> None:
    await redis.config_set("min-replicas-to-write", 0)


async def run_long_script(redis: Any) -> None:
    await redis.config_set("lua-time-limit", 1)
    _scripts.add(asyncio.create_task(redis.eval(ENDLESS, 0)))
    while not await is_busy(redis):
        await asyncio.sleep(0.01)


async def is_busy(redis: Any) -> bool:
    try:
        await redis.ping()
    except ResponseError as error:
        return str(error).startswith("BUSY")
    return False


async def kill_script(redis: Any) -> None:
    await redis.script_kill()


async def fail_to_save(redis: Any) -> None:
    await redis.config_set("save", "3600 1")
    await redis.config_set("dbfilename", "dump")
    await redis.bgsave()
    while (await redis.info("persistence"))["rdb_last_bgsave_status"] == "ok":
        await asyncio.sleep(0.02)


async def allow_writes(redis: Any) -> None:
    await redis.config_set("stop-writes-on-bgsave-error", "no")


TROUBLES: dict[str, tuple[Cause, Cause]] = {
    "READONLY": (replicate_nobody, lead_again),
    "MASTERDOWN": (replicate_without_data, lead_again),
    "NOREPLICAS": (need_replicas, need_none),
    "BUSY": (run_long_script, kill_script),
    "MISCONF": (fail_to_save, allow_writes),
}
"""For each error reply, what causes it, and what ends it."""


@pytest.mark.parametrize("reply", TROUBLES)
@pytest.mark.parametrize("by_script", [True, False])
async def test_a_reply_that_will_pass_is_waited_for(
    reply: str, tmp_path: Path, *, by_script: bool
) -> None:
    begin, end = TROUBLES[reply]
    (tmp_path / "dump").mkdir()
    server = RedisProcess(tmp_path)
    redis = Redis(unix_socket_path=str(server.socket))
    told: list[str] = []
    link = RedisLink(server.url, patience=20, tell=told.append)
    await begin(redis)
    hurried = RedisLink(server.url, patience=0)
    with pytest.raises(InfrastructureError):
        await hurried.evaluate(WRITE, ["k"])
    await hurried.close()
    call = (
        link.evaluate(WRITE, ["k"]) if by_script else link.run(lambda client: client.set("k", "x"))
    )
    waiting = asyncio.create_task(call)
    await asyncio.sleep(0.5)
    assert not waiting.done()
    await end(redis)
    assert await asyncio.wait_for(waiting, 20)
    assert told == [f"Redis at {tmp_path / 'redis.sock'} does not answer; waiting until it does"]
    await asyncio.gather(*_scripts, return_exceptions=True)
    _scripts.clear()
    assert await redis.get("k") == b"x"
    await redis.aclose()
    await link.close()
    server.kill()


async def test_a_cancelled_command_never_answers(tmp_path: Path) -> None:
    server = RedisProcess(tmp_path)
    for turns in range(200):
        link = RedisLink(server.url)
        answering = asyncio.create_task(link.newest("stream"))
        for _ in range(turns % 40):
            await asyncio.sleep(0)
        cancelled = answering.cancel()
        await asyncio.wait({answering})
        assert answering.cancelled() == cancelled
        await link.close()
    server.kill()


async def test_a_mistake_of_a_script_is_not_waited_for(tmp_path: Path) -> None:
    server = RedisProcess(tmp_path)
    link = RedisLink(server.url, patience=20)
    with pytest.raises(InfrastructureError, match="refuses"):
        await asyncio.wait_for(link.evaluate("return redis.call('BUSYBODY')", []), 5)
    await link.close()
    server.kill()
