"""Settings of a Redis server by which it may lose messages are warned of at the start."""

from __future__ import annotations

from pathlib import Path

import pytest
from redis import Redis

from cookmas.mailboxes.redis.link import RedisLink
from cookmas.orchestrator.runs.redis_runs import doubt_settings, open_redis_episode
from cookmas.orchestrator.runs.request import RedisPlace
from tests.redis_process import PERSISTENT, RedisProcess


@pytest.mark.parametrize(
    ("options", "doubted"),
    [
        (PERSISTENT, []),
        ((), ["appendonly"]),
        ((*PERSISTENT, "--maxmemory-policy", "allkeys-lru"), ["maxmemory-policy"]),
        (("--maxmemory-policy", "volatile-ttl"), ["maxmemory-policy", "appendonly"]),
    ],
)
async def test_settings_that_lose_messages_are_doubted(
    options: tuple[str, ...], doubted: list[str], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server = RedisProcess(tmp_path, *options)
    async with open_redis_episode(RedisPlace.at(f"{server.url}#corner"), {}, ()):
        pass
    said = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert len(said) == len(doubted)
    for line, setting in zip(said, doubted, strict=True):
        assert setting in line
    server.kill()


async def test_a_server_that_does_not_tell_its_settings_is_doubted(tmp_path: Path) -> None:
    server = RedisProcess(tmp_path, *PERSISTENT)
    with Redis(unix_socket_path=str(server.socket)) as client:
        client.execute_command("ACL SETUSER cook on >pass ~* &* +@all -info")
    link = RedisLink(f"unix://cook:pass@{server.socket}")
    (doubt,) = await doubt_settings(link)
    assert "does not tell its settings" in doubt
    await link.close()
    server.kill()
