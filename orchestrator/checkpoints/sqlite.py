"""Checkpointers of runs: they say when a checkpoint is durable, and are bound to a fencing number.

The number stands in the same database. It is checked by a trigger, and so in the very transaction
that writes: whoever has a lower one than has been minted since writes nothing.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from files.errors import CookMASError, LeaseLostError
from files.sqlite import sqlite_error
from orchestrator.checkpoints.retention import build_sqlite_trigger
from orchestrator.checkpoints.serializer import ForgedCheckpointError, PlainSerializer

Kept = Callable[[Mapping[str, Any]], Awaitable[None]]
"""Is told the values of the state in a checkpoint that is durable now."""

FENCED = "another process plays this run now"


class Checkpoints(BaseCheckpointSaver[Any]):
    """Mixed into a checkpointer, before it among the bases.

    `thread` is the name under which the run's checkpoints stand in the database, `where` names the
    database in errors. Writing raises LeaseLostError once a higher fencing number has been minted.

    What a node answered becomes durable before the checkpoint that follows from it: LangGraph
    starts both writes in that order, and leaves it to chance which one ends first.
    """

    thread: str
    where: str
    _kept: Kept | None = None

    def __init__(self, *args: Any, where: str, **more: Any) -> None:
        super().__init__(*args, serde=PlainSerializer(where), **more)
        self.where = where
        self._in_order = asyncio.Lock()

    async def fence(self) -> int:
        """The fencing number that was minted last."""
        raise NotImplementedError

    async def mint(self, seen: int, least: int = 0) -> int | None:
        """A fencing number above `seen` and `least`, to which this checkpointer is bound.

        None if `seen` is not the last one any more.
        """
        raise NotImplementedError

    def translated(self, error: Exception) -> Exception:
        """The same error for people: LeaseLostError, or InfrastructureError of the database."""
        raise NotImplementedError

    def watch(self, kept: Kept) -> None:
        """Tell `kept` of each checkpoint from now on."""
        self._kept = kept

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return a checkpoint, the last one unless `config` says which; None if there is none.

        Raises ForgedCheckpointError if CookMAS did not write it.
        """
        try:
            return await super().aget_tuple(config)
        except Exception as error:
            known = self.translated(error)
            forged = ForgedCheckpointError(self.where)
            raise (known if isinstance(known, CookMASError) else forged) from error

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Write a checkpoint."""
        try:
            async with self._in_order:
                written = await super().aput(config, checkpoint, metadata, new_versions)
        except Exception as error:
            raise self.translated(error) from error
        if self._kept:
            await self._kept(checkpoint["channel_values"])
        return written

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Write down what a node has answered."""
        try:
            async with self._in_order:
                await super().aput_writes(config, writes, task_id, task_path)
        except Exception as error:
            raise self.translated(error) from error


class SqliteCheckpoints(Checkpoints, AsyncSqliteSaver):
    """Checkpoints in a SQLite file of the run's own, as small as they can be."""

    thread = "episode"

    def get_next_version(self, current: Any, channel: None) -> Any:
        """The versions of a channel are numbers, which are shorter than the library's.

        Its own are unlike each other in forks too, which matters only where values are stored by
        their version; here they are in the checkpoint itself.
        """
        return 1 if current is None else current + 1

    async def fence(self) -> int:
        """Return the fencing number that was minted last. Raises ForgedCheckpointError."""
        async with self.conn.execute("SELECT fence FROM lease") as cursor:
            row = await cursor.fetchone()
        if row is None or type(row[0]) is not int:
            raise ForgedCheckpointError(self.where)
        return row[0]

    async def mint(self, seen: int, least: int = 0) -> int | None:
        """The next fencing number, which a trigger of this connection compares."""
        number = max(seen, least) + 1
        query = "UPDATE lease SET fence = ? WHERE fence = ?"
        async with self.conn.execute(query, (number, seen)) as cursor:
            minted = cursor.rowcount
        await self.conn.commit()
        if not minted:
            return None
        for table in ("checkpoints", "writes"):
            await self.conn.execute(
                f"CREATE TEMP TRIGGER fenced_{table} BEFORE INSERT ON main.{table} "
                f"WHEN (SELECT fence FROM main.lease) <> {number} "
                f"BEGIN SELECT RAISE(ROLLBACK, '{FENCED}'); END"
            )
        return number

    def translated(self, error: Exception) -> Exception:
        """The same error for people, where it is the database's."""
        if isinstance(error, sqlite3.IntegrityError) and FENCED in str(error):
            return LeaseLostError(FENCED)
        if isinstance(error, sqlite3.Error):
            return sqlite_error("the database of the checkpoints", error)
        return error


@asynccontextmanager
async def sqlite_checkpoints(
    path: Path, keep: int | None = None
) -> AsyncIterator[SqliteCheckpoints]:
    """Open the checkpoints in a file, which is made if it is not there.

    The last `keep` checkpoints are kept, or all. Raises InfrastructureError, within the block too,
    where the database cannot be used.
    """
    try:
        async with aiosqlite.connect(path) as connection:
            try:
                yield await _prepared(connection, path, keep)
            finally:
                await _let_go(connection)
    except sqlite3.Error as error:
        raise sqlite_error(path, error) from error


async def _let_go(connection: aiosqlite.Connection) -> None:
    """Give up what was being written, and let nothing be written any more.

    A task that was cancelled a moment ago may still write, and its cursor outlives closing: the
    file would stay locked until somebody collects it.
    """
    with suppress(sqlite3.Error):
        await connection.execute("PRAGMA query_only = ON")
        await connection.rollback()


async def _prepared(
    connection: aiosqlite.Connection, path: Path, keep: int | None
) -> SqliteCheckpoints:
    await connection.execute("PRAGMA page_size=8192")
    saver = SqliteCheckpoints(connection, where=str(path))
    await saver.setup()
    await connection.execute("PRAGMA synchronous=NORMAL")
    await connection.executescript(
        "CREATE TABLE IF NOT EXISTS lease (one INTEGER PRIMARY KEY, fence INTEGER NOT NULL);"
        "INSERT OR IGNORE INTO lease VALUES (1, 0);"
    )
    if keep is not None:
        await connection.execute(build_sqlite_trigger(keep))
    await connection.commit()
    return saver
