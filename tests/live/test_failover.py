"""Another server takes over behind the same address, or one direction of the network is silent."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from redis import Redis

from tests.flaky_proxy import Direction, FlakyProxy
from tests.live.conftest import HURRY, let_pass
from tests.live.test_redis_faults import SENDERS, begin, finish
from tests.redis_process import PERSISTENT, RedisProcess

if TYPE_CHECKING:
    from cookmas.episodes.trace import EventRecord
    from tests.live.conftest import OpenRun, ProxiedRun, RedisRun

    ServedOnce = Callable[[OpenRun], list[EventRecord]]
    Verified = Callable[[OpenRun, Sequence[str]], None]

PATIENCE = 5.0 * HURRY
"""Seconds after which a sender sends a message again that has no answer."""


@contextmanager
def replica_of(run: RedisRun, folder: Path) -> Iterator[tuple[RedisProcess, FlakyProxy]]:
    """Yield a replica that has all data of a kitchen's server, and the proxy between the two."""
    folder.mkdir()
    way = FlakyProxy(run.server.socket, seed=0)
    host, _, port = way.address.partition(":")
    replica = RedisProcess(folder, *PERSISTENT, "--replicaof", host, port)
    with closing(Redis(unix_socket_path=str(replica.socket), decode_responses=True)) as client:
        until = time.monotonic() + 60
        while client.info("replication")["master_link_status"] != "up":
            assert time.monotonic() < until
            time.sleep(0.05)
    yield replica, way
    way.close()


def promote(run: RedisRun, replica: RedisProcess) -> None:
    """Let the replica take the address of the kitchen's server, which dies."""
    run.server.kill()
    with closing(Redis(unix_socket_path=str(replica.socket))) as client:
        client.replicaof("NO", "ONE")
    run.server, run.proxy.target = replica, replica.socket
    run.proxy.cut_all()


def test_a_replica_that_has_everything_is_promoted(
    redis_run: RedisRun, verified: Verified, faults: int, tmp_path: Path
) -> None:
    chance = random.Random(31)
    playing, senders = begin(redis_run, faults, PATIENCE)
    for number in range(faults):
        with replica_of(redis_run, tmp_path / f"replica{number}") as (replica, _):
            let_pass(chance)
            with closing(Redis(unix_socket_path=str(redis_run.server.socket))) as client:
                client.client_pause(100_000, all=False)
                assert client.wait(1, 100_000) == 1
            promote(redis_run, replica)
    finish(redis_run, playing, senders)
    verified(redis_run, SENDERS)


def test_a_replica_that_lacks_the_last_moments_is_promoted(
    redis_run: RedisRun, served_once: ServedOnce, faults: int, tmp_path: Path
) -> None:
    chance = random.Random(32)
    playing, senders = begin(redis_run, faults, PATIENCE)
    for number in range(faults):
        with replica_of(redis_run, tmp_path / f"replica{number}") as (replica, way):
            let_pass(chance)
            way.silent = frozenset({"answers"})
            let_pass(chance)
            promote(redis_run, replica)
    finish(redis_run, playing, senders)
    events = served_once(redis_run)
    logs = [redis_run.log(name).read_text(encoding="utf-8").splitlines() for name in SENDERS]
    answered = [json.loads(line) for log in logs for line in log]
    told = [
        each["answer"]["about"] for each in answered if is_new(each) and not each["answer"]["why"]
    ]
    orders = [
        each.event["order"] for each in events if is_new(each.model_dump()) and not each.refused
    ]
    assert sorted(told) == sorted(orders)


def is_new(entry: Mapping[str, Any]) -> bool:
    """Return whether an entry of a log or a record of a trace is about a new order."""
    return bool(entry["event"]["kind"] == "new_order")


def test_a_standby_is_promoted(proxied_run: ProxiedRun, verified: Verified, faults: int) -> None:
    chance = random.Random(33)
    playing, senders = begin(proxied_run, faults)
    for _ in range(faults):
        standby = proxied_run.add_standby()
        let_pass(chance)
        proxied_run.database.halt()
        standby.promote()
        proxied_run.database, proxied_run.proxy.target = standby, standby.socket
        proxied_run.proxy.cut_all()
    finish(proxied_run, playing, senders)
    verified(proxied_run, SENDERS)


@pytest.mark.parametrize(
    ("kind", "direction"),
    [
        ("redis_run", "answers"),
        ("proxied_run", "requests"),
        pytest.param("redis_run", "requests", marks=pytest.mark.conformance),
        pytest.param("proxied_run", "answers", marks=pytest.mark.conformance),
    ],
)
def test_one_direction_is_silent(
    kind: str,
    direction: Direction,
    request: pytest.FixtureRequest,
    verified: Verified,
    faults: int,
) -> None:
    run: RedisRun | ProxiedRun = request.getfixturevalue(kind)
    chance = random.Random(34)
    playing, senders = begin(run, faults)
    for number in range(faults):
        let_pass(chance)
        run.proxy.silent = frozenset({direction})
        let_pass(chance, 4)
        if number % 2 == 0:
            run.proxy.cut_all()
        run.proxy.silent = frozenset()
    finish(run, playing, senders)
    verified(run, SENDERS)
