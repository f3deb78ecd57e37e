"""The lease of a run in PostgreSQL, beside its checkpoints."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from psycopg import AsyncConnection

from cookmas.files.errors import FENCED, LeaseLostError
from cookmas.orchestrator.checkpoints.postgres import PostgresCheckpoints
from cookmas.orchestrator.runs.lease import LeasePlace, LeaseState, Renew


class PostgresLease(LeasePlace):
    """The lease of the run whose checkpoints `saver` writes."""

    def __init__(self, saver: PostgresCheckpoints) -> None:
        self._saver = saver

    async def read_lease(self) -> LeaseState:
        """Return the state of the lease; `beat` is the version of the lease's row in the database.

        Each heartbeat changes this version.
        """
        query = "SELECT fence, holder, xmin::text AS beat FROM cookmas_leases WHERE thread_id = %s"
        async with self._saver.pool.connection() as connection:
            row = await (await connection.execute(query, (self._saver.thread,))).fetchone()
        assert row
        return LeaseState(**row)

    async def claim(self, fence: int, holder: str) -> None:
        async with self._saver.pool.connection() as connection:
            await self._renew(connection, fence, holder)

    @asynccontextmanager
    async def start_renewing(self, fence: int, holder: str) -> AsyncIterator[Renew]:
        connection: AsyncConnection[Any] | None = None

        async def renew() -> None:
            nonlocal connection
            if connection is None or connection.closed:
                connection = await AsyncConnection.connect(self._saver.url, autocommit=True)
            await self._renew(connection, fence, holder)

        try:
            yield renew
        finally:
            if connection is not None:
                await connection.close()

    async def _renew(self, connection: AsyncConnection[Any], fence: int, holder: str) -> None:
        query = (
            "UPDATE cookmas_leases SET holder = %s, touched = now() "
            "WHERE thread_id = %s AND fence = %s"
        )
        renewed = await connection.execute(query, (holder, self._saver.thread, fence))
        if not renewed.rowcount:
            raise LeaseLostError(FENCED)
