"""Checkpointers of runs: they say when a checkpoint is durable, and are bound to a fencing number.

The number stands in the same database. It is checked by a trigger, and so in the very transaction
that writes: whoever has a lower one than has been minted since writes nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
)
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from episodes.errors import LeaseLostError

Kept = Callable[[Mapping[str, Any]], Awaitable[None]]
"""Is told the values of the state in a checkpoint that is durable now."""

FENCED = "another process plays this run now"


class Checkpoints(BaseCheckpointSaver[Any]):
    """Mixed into a checkpointer, before it among the bases.

    `thread` is the name under which the run's checkpoints stand in the database. Writing raises
    LeaseLostError once a higher fencing number has been minted.
    """

    thread: str
    _kept: Kept | None = None

    async def fence(self) -> int:
        """The fencing number that was minted last."""
        raise NotImplementedError

    async def mint(self, seen: int) -> int | None:
        """The next fencing number, to which this checkpointer is bound; None if `seen` is old."""
        raise NotImplementedError

    def is_fenced(self, error: Exception) -> bool:
        """Whether the database has refused to write for the sake of a higher number."""
        raise NotImplementedError

    def watch(self, kept: Kept) -> None:
        """Tell `kept` of each checkpoint from now on."""
        self._kept = kept

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Write a checkpoint."""
        try:
            written = await super().aput(config, checkpoint, metadata, new_versions)
        except Exception as error:
            raise self._translated(error) from error
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
            await super().aput_writes(config, writes, task_id, task_path)
        except Exception as error:
            raise self._translated(error) from error

    def _translated(self, error: Exception) -> Exception:
        return LeaseLostError(FENCED) if self.is_fenced(error) else error


class SqliteCheckpoints(Checkpoints, AsyncSqliteSaver):
    """Checkpoints in a SQLite file of the run's own."""

    thread = "episode"

    async def prepare(self) -> None:
        """Make the tables, where they are not there yet."""
        await self.setup()
        await self.conn.execute("PRAGMA synchronous=NORMAL")
        await self.conn.executescript(
            "CREATE TABLE IF NOT EXISTS lease (one INTEGER PRIMARY KEY, fence INTEGER NOT NULL);"
            "INSERT OR IGNORE INTO lease VALUES (1, 0);"
        )
        await self.conn.commit()

    async def fence(self) -> int:
        """The fencing number that was minted last."""
        async with self.conn.execute("SELECT fence FROM lease") as cursor:
            row = await cursor.fetchone()
        assert row
        return int(row[0])

    async def mint(self, seen: int) -> int | None:
        """The next fencing number, which a trigger of this connection compares."""
        query = "UPDATE lease SET fence = fence + 1 WHERE fence = ?"
        async with self.conn.execute(query, (seen,)) as cursor:
            minted = cursor.rowcount
        await self.conn.commit()
        if not minted:
            return None
        for table in ("checkpoints", "writes"):
            await self.conn.execute(
                f"CREATE TEMP TRIGGER fenced_{table} BEFORE INSERT ON main.{table} "
                f"WHEN (SELECT fence FROM main.lease) <> {seen + 1} "
                f"BEGIN SELECT RAISE(ABORT, '{FENCED}'); END"
            )
        return seen + 1

    def is_fenced(self, error: Exception) -> bool:
        """Whether the trigger has refused."""
        return isinstance(error, sqlite3.IntegrityError) and FENCED in str(error)
