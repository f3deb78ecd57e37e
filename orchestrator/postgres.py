"""Checkpoints in PostgreSQL, for many runs in one database: the extra `postgres`.

A connection is asked whether it still lives before it is used, and one that is half open is given
up after some seconds. The password is taken from PGPASSWORD or a password file, never from a URL.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import psycopg
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from episodes.errors import InfrastructureError, InputError, LeaseLostError
from orchestrator.checkpoints import FENCED, Checkpoints

Pool = AsyncConnectionPool[AsyncConnection[DictRow]]

SECONDS = 10
"""Seconds after which a connection that cannot be made, or does not answer, is given up."""

_FENCED = "CM001"

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

_TABLES = (
    "CREATE TABLE IF NOT EXISTS cookmas_leases (thread_id text PRIMARY KEY, fence bigint NOT NULL)",
    _CHECK,
    *(
        f"CREATE OR REPLACE TRIGGER cookmas_fenced BEFORE INSERT OR UPDATE ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION cookmas_fenced()"
        for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes")
    ),
)


class PostgresCheckpoints(Checkpoints, AsyncPostgresSaver):
    """The checkpoints of one run, its `thread`, in a database that others use too."""

    def __init__(self, pool: Pool, thread: str) -> None:
        super().__init__(pool)
        self._pool = pool
        self.thread = thread
        self.minted = 0

    async def fence(self) -> int:
        """The fencing number that was minted last."""
        async with self._pool.connection() as connection:
            query = "INSERT INTO cookmas_leases VALUES (%s, 0) ON CONFLICT DO NOTHING"
            await connection.execute(query, (self.thread,))
            query = "SELECT fence FROM cookmas_leases WHERE thread_id = %s"
            row = await (await connection.execute(query, (self.thread,))).fetchone()
        assert row
        return int(row["fence"])

    async def mint(self, seen: int) -> int | None:
        """The next fencing number, which a trigger compares with that of the connection."""
        async with self._pool.connection() as connection:
            query = (
                "UPDATE cookmas_leases SET fence = fence + 1 WHERE thread_id = %s AND fence = %s"
            )
            minted = (await connection.execute(query, (self.thread, seen))).rowcount
            if not minted:
                return None
            self.minted = seen + 1
            await self.bind(connection)
        return self.minted

    async def bind(self, connection: AsyncConnection[Any]) -> None:
        """Let a connection write under the number that was minted here."""
        query = "SELECT set_config('cookmas.fence', %s, false)"
        await connection.execute(query, (str(self.minted),))

    def translated(self, error: Exception) -> Exception:
        """The same error for people, where it is the database's."""
        if isinstance(error, psycopg.Error) and error.sqlstate == _FENCED:
            return LeaseLostError(FENCED)
        if isinstance(error, psycopg.Error | PoolTimeout):
            said = " ".join(str(error).split())
            return InfrastructureError(f"the database of the checkpoints: {said}")
        return error


@asynccontextmanager
async def postgres_checkpoints(url: str, thread: str) -> AsyncIterator[PostgresCheckpoints]:
    """The checkpoints of a run in the database of a URL; its tables are made where missing.

    Raises InfrastructureError if the database does not answer.
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
            "connect_timeout": SECONDS,
            "tcp_user_timeout": 1000 * SECONDS,
        },
    )
    saver = PostgresCheckpoints(pool, thread)
    try:
        await pool.open(wait=True, timeout=SECONDS)
        await saver.setup()
        async with pool.connection() as connection, connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock(hashtext('cookmas_leases'))")
            for statement in _TABLES:
                await connection.execute(statement.encode())
        yield saver
    except (psycopg.Error, PoolTimeout) as error:
        raise saver.translated(error) from error
    finally:
        await pool.close()


def check_url(url: str) -> None:
    """Raises InputError for what is no URL of a database, or has a password in it."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        raise InputError("--checkpoints", f"is no PostgreSQL URL: {error}") from None
    if parts.get("password"):
        raise InputError("--checkpoints", "a password belongs into PGPASSWORD or a password file")
