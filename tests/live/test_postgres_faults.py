"""PostgreSQL goes away at the start and under way, and a kitchen waits for it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from psycopg_pool import PoolClosed, PoolTimeout

from cookmas.client import Client
from cookmas.files.errors import InfrastructureError
from cookmas.orchestrator.checkpoints import postgres as checkpoints
from tests.live.conftest import FAULTS, PLAY
from tests.warm import hurried

if TYPE_CHECKING:
    from tests.live.conftest import OpenRun

ATTEMPT = 1 if FAULTS == 1 else 10
"""Seconds of one attempt to reach the server."""

AWAY = 1.2 * ATTEMPT
"""Seconds for which the server is away."""

BRIEFLY = hurried(PLAY, {"cookmas.orchestrator.checkpoints.postgres:SECONDS": ATTEMPT})


def order_one(run: OpenRun, name: str) -> None:
    """Order a dish, and wait until the kitchen has taken the order."""
    with Client(run.folder, "anna", patience=60) as anna:
        answer = anna.order("1 Garden Salad", id=name)
    assert answer is not None
    assert answer.status == "taken"


def test_a_kitchen_waits_for_a_database_that_is_away(postgres_run: OpenRun, postgres: Any) -> None:
    postgres.halt()
    process = postgres_run.play(BRIEFLY)
    assert process.stderr is not None
    assert b"does not answer; waiting" in process.stderr.readline()
    postgres.start()
    order_one(postgres_run, "a")
    postgres.halt()
    time.sleep(AWAY)
    assert process.poll() is None
    postgres.start()
    order_one(postgres_run, "b")
    assert process.poll() is None
    with Client(postgres_run.folder, "anna", patience=60) as anna:
        anna.close()
    assert process.wait(60) == 0


async def test_a_refusal_is_not_waited_for(postgres: Any) -> None:
    began = time.monotonic()
    with pytest.raises(InfrastructureError, match="does not exist"):
        async with checkpoints.postgres_checkpoints(
            postgres.url.replace("/postgres?", "/nowhere?"), "run"
        ):
            pass
    assert time.monotonic() - began < checkpoints.PATIENCE / 4


async def test_closed_checkpoints_are_not_waited_for(postgres: Any) -> None:
    async with checkpoints.postgres_checkpoints(postgres.url, "run") as closed:
        pass
    began = time.monotonic()
    with pytest.raises(Exception, match="closed"):
        await closed.aget_tuple({"configurable": {"thread_id": "run", "checkpoint_ns": ""}})
    with pytest.raises(InfrastructureError, match="closed"):
        await closed.aput_writes(
            {
                "configurable": {
                    "thread_id": "run",
                    "checkpoint_ns": "",
                    "checkpoint_id": "1",
                }
            },
            [("a", 1)],
            "task",
        )
    assert time.monotonic() - began < checkpoints.PATIENCE / 4


@pytest.mark.parametrize(
    ("error", "away"),
    [
        (psycopg.errors.AdminShutdown(), True),
        (psycopg.errors.CannotConnectNow(), True),
        (psycopg.errors.ReadOnlySqlTransaction(), True),
        (psycopg.errors.TooManyConnections(), True),
        (psycopg.errors.DiskFull(), True),
        (psycopg.errors.SerializationFailure(), True),
        (psycopg.errors.ConnectionFailure(), True),
        (psycopg.OperationalError("connection refused"), True),
        (PoolTimeout("couldn't get a connection"), True),
        (PoolClosed("the pool 'pool-1' is closed"), False),
        (psycopg.OperationalError("FATAL: password authentication failed"), False),
        (psycopg.errors.InvalidPassword(), False),
        (psycopg.errors.UndefinedTable(), False),
        (psycopg.errors.RaiseException(), False),
        (ValueError(), False),
    ],
)
def test_what_may_pass(error: Exception, *, away: bool) -> None:
    assert checkpoints._is_away(error) is away
