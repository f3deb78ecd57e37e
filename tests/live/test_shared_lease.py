"""Leases in Redis and PostgreSQL: what jumps or stands still there takes none from who is alive."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from redis import Redis

from cookmas.files.errors import InfrastructureError, LeaseLostError
from cookmas.orchestrator.checkpoints.postgres import postgres_checkpoints
from cookmas.orchestrator.checkpoints.sqlite import sqlite_checkpoints
from cookmas.orchestrator.runs import lease
from cookmas.orchestrator.runs.folder import RUN, RunError
from cookmas.orchestrator.runs.lease import LOCK, LeasePlace, take_lease
from cookmas.orchestrator.runs.postgres_lease import PostgresLease
from cookmas.orchestrator.runs.redis_runs import open_redis_episode
from cookmas.orchestrator.runs.request import RedisPlace
from tests.flaky_proxy import FlakyProxy
from tests.redis_process import RedisProcess

BEAT = 0.3

HOUR = 3600


@dataclass(frozen=True)
class Place:
    """A server behind a proxy where the lease of a run stands beside that in its folder.

    `play` leases the run in a folder; `jump` does to what stands on the server all that a jump of
    its clock by so many seconds does.
    """

    proxy: FlakyProxy
    play: Callable[[Path], AbstractAsyncContextManager[LeasePlace]]
    jump: Callable[[int], object]


@pytest.fixture
def redis_lease(tmp_path: Path) -> Iterator[Place]:
    server = RedisProcess(tmp_path)
    proxy = FlakyProxy(server.socket, seed=31)
    where = RedisPlace.at(f"{proxy.url}#corner")

    @asynccontextmanager
    async def play(folder: Path) -> AsyncIterator[LeasePlace]:
        async with (
            sqlite_checkpoints(folder / "checkpoints.sqlite") as saver,
            open_redis_episode(where, {}, ()) as kitchen,
            take_lease(folder, saver, [kitchen]),
        ):
            yield kitchen

    def jump(seconds: int) -> None:
        client: Any = Redis(unix_socket_path=str(server.socket), decode_responses=True)
        for key in client.scan_iter():
            if (left := client.pttl(key)) > 0:
                client.pexpire(key, left - 1000 * seconds)
        last = json.loads(client.get("cookmas:corner:lease") or "{}")
        if "time" in last:
            last["time"] -= seconds
            client.set("cookmas:corner:lease", json.dumps(last))
        client.close()

    yield Place(proxy, play, jump)
    proxy.close()
    server.kill()


@pytest.fixture
def postgres_lease(postgres: Any, tmp_path: Path) -> Iterator[Place]:
    proxy = FlakyProxy(postgres.socket, seed=32)
    url = f"postgresql://cook@{proxy.address}/postgres"
    thread = str(tmp_path)

    @asynccontextmanager
    async def play(folder: Path) -> AsyncIterator[LeasePlace]:
        async with postgres_checkpoints(url, thread) as saver:
            there = PostgresLease(saver)
            async with take_lease(folder, saver, [there]):
                yield there

    def jump(seconds: int) -> None:
        with psycopg.connect(postgres.url) as connection:
            query = (
                "UPDATE cookmas_leases SET touched = touched - make_interval(secs => %s) "
                "WHERE thread_id = %s"
            )
            connection.execute(query, (seconds, thread))

    yield Place(proxy, play, jump)
    proxy.close()


@pytest.fixture(params=["redis_lease", "postgres_lease"])
def place(request: pytest.FixtureRequest) -> Place:
    found: Place = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """The folder of a run, and a copy of it."""
    folder, copy = tmp_path / "run", tmp_path / "copy"
    for each in (folder, copy):
        each.mkdir()
        (each / RUN).touch()
    return folder, copy


async def test_a_clock_that_jumps_ahead_takes_no_lease_from_who_is_alive(
    place: Place, folders: tuple[Path, Path]
) -> None:
    folder, copy = folders

    async def follow() -> None:
        async with place.play(copy):
            raise AssertionError("it followed one that is alive")

    async with place.play(folder):
        following = asyncio.create_task(follow())
        while not (copy / LOCK).exists():
            await asyncio.sleep(0.01)
        place.jump(HOUR)
        with pytest.raises(RunError, match="under way in another process"):
            await following


async def test_a_clock_that_jumps_back_keeps_nobody_from_following(
    place: Place, folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, copy = folders
    monkeypatch.setattr(lease, "BEAT", HOUR)
    monkeypatch.setattr(lease, "PATIENCE", 1.0)

    async def play_until_followed() -> None:
        async with place.play(folder):
            place.jump(-HOUR)
            async with asyncio.timeout(30), place.play(copy):
                pass
            raise InfrastructureError("the connection was closed")

    with pytest.raises(LeaseLostError):
        await play_until_followed()


async def test_a_server_that_stands_still_holds_up_no_other_heartbeat(
    place: Place, folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, _ = folders
    monkeypatch.setattr(lease, "BEAT", BEAT)
    async with place.play(folder) as shared:
        await until_renewed(shared)
        place.proxy.delay = 1e6
        for _ in range(6):
            await until_touched(folder / LOCK)
        place.proxy.delay = 0.0
        await until_renewed(shared)


async def until_renewed(shared: LeasePlace) -> None:
    """Wait until the lease has been renewed once more, which soon it must."""
    before = await shared.read_lease()
    for _ in range(turns(10 * BEAT)):
        if await shared.read_lease() != before:
            return
        await asyncio.sleep(TURN)
    raise AssertionError("the lease is not renewed")


async def until_touched(lock: Path) -> None:
    """Wait until the lock has been touched once more, which soon it must."""
    before = lock.stat().st_mtime_ns
    for _ in range(turns(5 * BEAT)):
        if lock.stat().st_mtime_ns != before:
            return
        await asyncio.sleep(TURN)
    raise AssertionError("the lock is not touched")


TURN = 0.01
"""Seconds between two looks."""


def turns(seconds: float) -> int:
    """Return the number of looks in so many seconds; a process that stands still takes none."""
    return round(seconds / TURN)
