"""Checkpoints in PostgreSQL, for many runs in one database: the extra `postgres`.

The pool checks that a connection is alive before each use, and closes a half-open connection after
SECONDS. The password comes from PGPASSWORD or a password file, never from a URL. An orchestrator
that is paused in a transaction keeps its database locks, so an orchestrator that takes over the run
ends the database session of the paused one.

A database that is away, as during a restart or a failover, is waited for: at the start and under
way, PATIENCE seconds each time. Every write may be repeated: it writes the same rows again.

The connection sets UTF-8 as its encoding. Otherwise a database without an encoding (SQL_ASCII)
returns bytes instead of text, and LangGraph would write under a wrong thread name.
"""

from __future__ import annotations

import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeVar

import psycopg
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout

from cookmas.files.errors import FENCED, InfrastructureError, InputError, LeaseLostError
from cookmas.files.retrying import Patience
from cookmas.orchestrator.checkpoints.sqlite import Checkpoints
from cookmas.orchestrator.checkpoints.statements import KEEP, POSTGRES, POSTGRES_RETENTION

Pool = AsyncConnectionPool[AsyncConnection[DictRow]]

SECONDS = 10
"""Timeout in seconds, both for a connection and for an answer."""

PATIENCE = 60.0
"""Seconds for which a database that is away is waited for, enough to restart a server."""

_FENCED = "CM001"
_REFUSALS = re.compile(r"authentication failed|does not exist|pg_hba|permission denied|password")
"""Words of refusals that no wait ends; an error of a connection has no code."""

_PASSING_STATES = ("08", "25006", "40", "53", "55P03", "57")
"""Beginnings of the codes of errors that may pass, such as of a restart or of a replica."""

_log = logging.getLogger(__name__)

T = TypeVar("T")

_CHECK = f"""
CREATE OR REPLACE FUNCTION cookmas_fenced() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE minted bigint;
BEGIN
    SELECT fence INTO minted FROM cookmas_leases WHERE thread_id = NEW.thread_id FOR SHARE;
    IF minted <> coalesce(nullif(current_setting('cookmas.fence', true), ''), '0')::bigint THEN
        RAISE EXCEPTION '{FENCED}' USING ERRCODE = '{_FENCED}';
    END IF;
    RETURN NEW;
END $$
"""

_FENCED_TABLES = ("checkpoints", "checkpoint_blobs", "checkpoint_writes")

_MAKE = (
    "CREATE TABLE IF NOT EXISTS cookmas_leases (thread_id text PRIMARY KEY, "
    "fence bigint NOT NULL, holder text, touched timestamptz)",
    _CHECK,
    *(
        f"CREATE OR REPLACE TRIGGER cookmas_fenced BEFORE INSERT OR UPDATE ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION cookmas_fenced()"
        for table in _FENCED_TABLES
    ),
    *POSTGRES_RETENTION,
)


async def _wait_for(call: Callable[[], Awaitable[T]]) -> T:
    """Return what `call` returns; repeat it for PATIENCE seconds while the database is away."""
    return await Patience(PATIENCE, _is_away, _tell_wait, first=0.1, most=1).attempt(call)


def _is_away(error: Exception) -> bool:
    """Return whether an error is of a database that may soon answer again."""
    if isinstance(error, PoolTimeout):
        return True
    if isinstance(error, PoolClosed) or not isinstance(error, psycopg.Error):
        return False
    if error.sqlstate is None:
        return isinstance(error, psycopg.OperationalError) and not _REFUSALS.search(str(error))
    return error.sqlstate.startswith(_PASSING_STATES)


def _tell_wait(error: Exception) -> None:
    said = " ".join(str(error).split())
    _log.warning("the database of the checkpoints does not answer; waiting: %s", said)


class PostgresCheckpoints(Checkpoints, AsyncPostgresSaver):
    """The checkpoints of one run in a shared database, under the run's name `thread`.

    `keep` is the number of last checkpoints to keep; None keeps all.
    """

    statements = POSTGRES

    def __init__(self, pool: Pool, url: str, thread: str, keep: int | None = None) -> None:
        super().__init__(pool, where="the database of the checkpoints")
        self.pool = pool
        self.url = url
        self._keep = "" if keep is None else str(keep)
        self.thread = thread
        self.minted = 0

    async def fence(self) -> int:
        async with self.pool.connection() as connection:
            query = "INSERT INTO cookmas_leases VALUES (%s, 0) ON CONFLICT DO NOTHING"
            await connection.execute(query, (self.thread,))
            query = "SELECT fence FROM cookmas_leases WHERE thread_id = %s"
            row = await (await connection.execute(query, (self.thread,))).fetchone()
        assert row
        return int(row["fence"])

    async def mint(self, seen: int, least: int = 0) -> int | None:
        """Store and return a new fencing number; None if `seen` is no longer the last number.

        `seen` is the last number when the caller read it; the new one is above `seen` and `least`.
        The database sessions that write under the number `seen` are ended. From then on a trigger
        rejects writes of each connection that has another number than the new one.
        """
        async with self.pool.connection() as connection:
            query = (
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name = %s AND usename = current_user"
            )
            await connection.execute(query, (_name_session(seen, self.thread),))
            query = "UPDATE cookmas_leases SET fence = %s WHERE thread_id = %s AND fence = %s"
            number = max(seen, least) + 1
            minted = (await connection.execute(query, (number, self.thread, seen))).rowcount
            if not minted:
                return None
            self.minted = number
            await self.bind(connection)
        return self.minted

    async def find_last(self, thread: str, space: str) -> str | None:
        """Return the id of the checkpoint of a thread that was written last; None if there is none.

        `space` is the namespace of the checkpoints. Of two checkpoints of the same superstep, the
        one with the higher id was written last.
        """
        query = (
            "SELECT checkpoint_id FROM checkpoints WHERE thread_id = %s AND checkpoint_ns = %s "
            "ORDER BY (metadata->>'step')::bigint DESC NULLS LAST, checkpoint_id DESC LIMIT 1"
        )
        async with self.pool.connection() as connection:
            row = await (await connection.execute(query, (thread, space))).fetchone()
        return str(row["checkpoint_id"]) if row else None

    async def execute(self, statements: Sequence[str], given: Mapping[str, str]) -> None:
        async with self.pool.connection() as connection, connection.transaction():
            for statement in statements:
                await connection.execute(statement.encode(), given)

    async def bind(self, connection: AsyncConnection[Any]) -> None:
        """Store this object's fencing number in the settings of a connection.

        A trigger lets only connections with the last number write. Do nothing before `mint`.
        """
        if not self.minted:
            return
        name = _name_session(self.minted, self.thread)
        settings = {"cookmas.fence": str(self.minted), "application_name": name, KEEP: self._keep}
        for setting, value in settings.items():
            await connection.execute("SELECT set_config(%s, %s, false)", (setting, value))

    async def attempt(self, call: Callable[[], Awaitable[T]]) -> T:
        return await _wait_for(call)

    def translate(self, error: Exception) -> Exception:
        if isinstance(error, psycopg.Error) and error.sqlstate == _FENCED:
            return LeaseLostError(FENCED)
        if isinstance(error, psycopg.Error | PoolTimeout):
            said = " ".join(str(error).split())
            return InfrastructureError(f"{self.where}: {said}")
        return error


def _name_session(fence: int, thread: str) -> str:
    """Return the name of sessions that write under a fencing number, at most 63 characters."""
    return f"cookmas {fence} {thread}"[:63]


@asynccontextmanager
async def postgres_checkpoints(
    url: str, thread: str, keep: int | None = None
) -> AsyncIterator[PostgresCheckpoints]:
    """Open the checkpoints of a run in the database of a URL; create missing tables.

    The database keeps the last `keep` checkpoints, or all if that is None. Raise
    InfrastructureError if the database does not answer.
    """
    pool: Pool = AsyncConnectionPool(
        url,
        min_size=1,
        max_size=1,
        open=False,
        timeout=SECONDS,
        reconnect_timeout=SECONDS,
        check=AsyncConnectionPool.check_connection,
        configure=lambda connection: saver.bind(connection),
        kwargs={
            "autocommit": True,
            "prepare_threshold": 0,
            "row_factory": dict_row,
            "client_encoding": "UTF8",
            "connect_timeout": SECONDS,
            "tcp_user_timeout": 1000 * SECONDS,
        },
    )
    saver = PostgresCheckpoints(pool, url, thread, keep)
    try:
        await _wait_for(partial(_reach, url))
        await pool.open(wait=True, timeout=SECONDS)
        await saver.setup()
        await _prepare(pool)
        yield saver
    except (psycopg.Error, PoolTimeout) as error:
        raise saver.translate(error) from error
    finally:
        await pool.close()


async def _reach(url: str) -> None:
    """Raise psycopg.Error with the reason if the database does not answer.

    The pool would try again until its timeout, and then not say the reason.
    """
    connection = await AsyncConnection.connect(url, connect_timeout=SECONDS)
    await connection.close()


async def _prepare(pool: Pool) -> None:
    """Create the tables and triggers if they are missing; take no lock if they exist."""
    query = (
        "SELECT count(*) AS made FROM pg_trigger "
        "WHERE tgname IN ('cookmas_fenced', 'cookmas_retention')"
    )
    async with pool.connection() as connection:
        found = await (await connection.execute(query)).fetchone()
        if found and found["made"] == len(_FENCED_TABLES) + 1:
            return
        async with connection.transaction():
            idle = f"SET LOCAL idle_in_transaction_session_timeout = '{SECONDS}s'"
            await connection.execute(idle.encode())
            await connection.execute("SELECT pg_advisory_xact_lock(hashtext('cookmas_leases'))")
            for statement in _MAKE:
                await connection.execute(statement.encode())


def check_url(url: str) -> None:
    """Raise InputError if a text is not a database URL, or if the URL has a password."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        raise InputError("--checkpoints", f"is not a PostgreSQL URL: {error}") from None
    if parts.get("password"):
        raise InputError("--checkpoints", "put the password into PGPASSWORD or a password file")
