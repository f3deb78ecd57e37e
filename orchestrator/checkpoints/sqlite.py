"""Checkpoints of runs: the common base of all checkpointers, and checkpoints in SQLite.

A checkpointer reports each checkpoint that has become durable. It writes under a fencing number.
The database stores the last fencing number of the run, and a trigger compares this number with the
checkpointer's in each transaction that writes. So a process with an outdated number cannot write.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, TypeVar, get_args

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_id,
)
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from cookmas.files.errors import (
    FENCED,
    RESTORE,
    CookMASError,
    DamagedError,
    LeaseLostError,
    sqlite_error,
)
from cookmas.files.opening import create_file
from cookmas.files.retrying import Patience
from cookmas.mailboxes.sqlite.file import PATIENCE
from cookmas.orchestrator.checkpoints.serializer import ForgedCheckpointError, PlainSerializer
from cookmas.orchestrator.checkpoints.statements import (
    SQLITE,
    Strategy,
    ThreadStatements,
    build_sqlite_trigger,
)

T = TypeVar("T")

Kept = Callable[[Mapping[str, Any]], Awaitable[None]]
"""A function that is called for each checkpoint that becomes durable.

Its argument has the values of the graph's state in the checkpoint.
"""


class Checkpoints(BaseCheckpointSaver[Any]):
    """The base of all checkpointers: a mixin, which must come first among the bases.

    `thread` is the name of the run's checkpoints in the database; `where` names the database in
    errors. Writing raises LeaseLostError after another process has stored a higher fencing number.

    The last checkpoint is the one that was written last. LangGraph takes the one with the highest
    id instead; ids come from a clock, which may go back, or be another machine's.

    The answer of a node of the graph becomes durable before the checkpoint that follows from this
    answer. LangGraph only starts the two writes in that order, so this class makes the second wait
    for the first.
    """

    thread: str
    where: str
    statements: ThreadStatements
    _kept: Kept | None = None

    def __init__(self, *args: Any, where: str, **more: Any) -> None:
        super().__init__(*args, serde=PlainSerializer(where), **more)
        self.where = where
        self._in_order = asyncio.Lock()

    async def fence(self) -> int:
        """Return the last fencing number."""
        raise NotImplementedError

    async def mint(self, seen: int, least: int = 0) -> int | None:
        """Store and return a new fencing number, under which this checkpointer writes from now on.

        `seen` is the last number when the caller read it; the new one is above `seen` and `least`.
        Return None, and store nothing, if `seen` is not the last number any more.
        """
        raise NotImplementedError

    async def find_last(self, thread: str, space: str) -> str | None:
        """Return the id of the checkpoint of a thread that was written last; None if there is none.

        `space` is the namespace of the checkpoints: "" for the graph itself, else that of a
        subgraph.
        """
        raise NotImplementedError

    async def execute(self, statements: Sequence[str], given: Mapping[str, str]) -> None:
        """Execute statements in one transaction, with these parameters."""
        raise NotImplementedError

    def translate(self, error: Exception) -> Exception:
        """Return a database error as an error for users; return any other error unchanged.

        An error for users is LeaseLostError, InfrastructureError or DamagedError.
        """
        raise NotImplementedError

    async def attempt(self, call: Callable[[], Awaitable[T]]) -> T:
        """Return what `call` returns, which uses the database; a subclass may repeat the call."""
        return await call()

    def call_when_durable(self, kept: Kept) -> None:
        """Call `kept` for each checkpoint that becomes durable from now on."""
        self._kept = kept

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return the checkpoint that `config` names, or else the last one; None if there is none.

        Raise ForgedCheckpointError if CookMAS did not write the checkpoint.
        """
        read = super().aget_tuple

        async def read_named() -> CheckpointTuple | None:
            if get_checkpoint_id(config):
                return await read(config)
            named = config["configurable"]
            last = await self.find_last(str(named["thread_id"]), named.get("checkpoint_ns", ""))
            return await read(_name_checkpoint(config, last)) if last else None

        try:
            return await self.attempt(read_named)
        except Exception as error:
            known = self.translate(error)
            forged = ForgedCheckpointError(self.where)
            raise (known if isinstance(known, CookMASError) else forged) from error

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Write a checkpoint, and report that it is durable."""
        try:
            async with self._in_order:
                write = partial(super().aput, config, checkpoint, metadata, new_versions)
                written = await self.attempt(write)
        except Exception as error:
            raise self.translate(error) from error
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
        """Write the answer of a node of the graph."""
        try:
            async with self._in_order:
                write = partial(super().aput_writes, config, writes, task_id, task_path)
                await self.attempt(write)
        except Exception as error:
            raise self.translate(error) from error

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Leave the latest checkpoint of each namespace of these threads, or delete the threads.

        `strategy` is a `Strategy`; raise ValueError for any other.
        """
        if strategy not in get_args(Strategy):
            raise ValueError(f"expected one of {get_args(Strategy)}, not {strategy!r}")
        statements = self.statements.delete if strategy == "delete" else self.statements.prune
        for thread in thread_ids:
            await self._change(statements, {"thread": thread})

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy all checkpoints of a thread, and the answers of nodes, to another thread."""
        given = {"source": source_thread_id, "target": target_thread_id}
        await self._change(self.statements.copy, given)

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Delete the checkpoints whose metadata name one of these runs of LangGraph."""
        for run in run_ids:
            await self._change(self.statements.forget, {"run": run})

    async def _change(self, statements: Sequence[str], given: Mapping[str, str]) -> None:
        try:
            async with self._in_order:
                await self.attempt(partial(self.execute, statements, given))
        except Exception as error:
            raise self.translate(error) from error


def _name_checkpoint(config: RunnableConfig, name: str) -> RunnableConfig:
    named = {"checkpoint_ns": "", **config["configurable"], "checkpoint_id": name}
    return {**config, "configurable": named}


class SqliteCheckpoints(Checkpoints, AsyncSqliteSaver):
    """Checkpoints in the run's own SQLite file, stored in as few bytes as possible."""

    thread = "episode"
    statements = SQLITE

    def get_next_version(self, current: Any, channel: None) -> Any:
        """Return the next version of a channel (a part of the state), as an integer.

        LangGraph's own versions are longer, because they also differ between forks. Such versions
        are needed only if values are stored by their version; here the values are in the checkpoint
        itself.
        """
        return 1 if current is None else current + 1

    async def fence(self) -> int:
        """Return the last fencing number of the run.

        Raise ForgedCheckpointError if the stored value is not an integer.
        """
        async with self.conn.execute("SELECT fence FROM lease") as cursor:
            row = await cursor.fetchone()
        if row is None or type(row[0]) is not int:
            raise ForgedCheckpointError(self.where)
        return row[0]

    async def mint(self, seen: int, least: int = 0) -> int | None:
        """Store and return a new fencing number; None if `seen` is no longer the last number.

        `seen` is the last number when the caller read it; the new one is above `seen` and `least`.
        From then on triggers of this connection compare the stored number with the new one before
        each write.
        """
        number = max(seen, least) + 1
        query = "UPDATE lease SET fence = ? WHERE fence = ?"
        async with self.conn.execute(query, (number, seen)) as cursor:
            minted = cursor.rowcount
        await self.conn.commit()
        if not minted:
            return None
        for table, change in product(("checkpoints", "writes"), ("INSERT", "DELETE")):
            await self.conn.execute(
                f"CREATE TEMP TRIGGER fenced_{table}_{change} BEFORE {change} ON main.{table} "
                f"WHEN (SELECT fence FROM main.lease) <> {number} "
                f"BEGIN SELECT RAISE(ROLLBACK, '{FENCED}'); END"
            )
        return number

    async def find_last(self, thread: str, space: str) -> str | None:
        """Return the id of the checkpoint of a thread that was written last; None if there is none.

        `space` is the namespace of the checkpoints.
        """
        query = (
            "SELECT checkpoint_id FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ? "
            "ORDER BY rowid DESC LIMIT 1"
        )
        async with self.conn.execute(query, (thread, space)) as cursor:
            row = await cursor.fetchone()
        return row[0] if row else None

    async def execute(self, statements: Sequence[str], given: Mapping[str, str]) -> None:
        async with self.lock:
            try:
                for statement in statements:
                    await self.conn.execute(statement, given)
                await self.conn.commit()
            except BaseException:
                await self.conn.rollback()
                raise

    def translate(self, error: Exception) -> Exception:
        if isinstance(error, sqlite3.IntegrityError) and FENCED in str(error):
            return LeaseLostError(FENCED)
        if isinstance(error, sqlite3.Error):
            return sqlite_error("the database of the checkpoints", error)
        return error


@asynccontextmanager
async def sqlite_checkpoints(
    path: Path, keep: int | None = None, *, durable: bool = False
) -> AsyncIterator[SqliteCheckpoints]:
    """Open the checkpoints in a file; create the file if it is missing.

    The file keeps the last `keep` checkpoints, or all if that is None. If `durable`, a checkpoint
    is on the disk as soon as it is written; else it survives a kill but no loss of power.

    Raise InfrastructureError if the database cannot be used, even for an error inside the `async
    with` block, and DamagedError if it is broken or was not written by CookMAS.
    """
    if path.is_dir():
        raise DamagedError(f"{path}: is a folder, not a database; {RESTORE}")
    try:
        with suppress(OSError):  # SQLite names the cause.
            create_file(path)
        async with aiosqlite.connect(path, timeout=PATIENCE) as connection:
            try:
                yield await _prepare(connection, path, keep, durable=durable)
            finally:
                await _let_go(connection)
    except sqlite3.Error as error:
        raise sqlite_error(path, error) from error


async def _let_go(connection: aiosqlite.Connection) -> None:
    """Roll back the open transaction, and forbid further writes.

    Otherwise a cancelled task could still write: its cursor outlives the connection, and would keep
    the file locked until the cursor is garbage-collected.
    """
    with suppress(sqlite3.Error):
        await connection.execute("PRAGMA query_only = ON")
        await connection.rollback()


async def _set_up(saver: SqliteCheckpoints) -> None:
    """Create the tables, and let the database write ahead to a log.

    SQLite does not wait for the lock that this takes, and processes may open a new file together.
    """
    await Patience(PATIENCE, _is_locked, first=0.01, most=0.05).attempt(saver.setup)


def _is_locked(error: Exception) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


async def _prepare(
    connection: aiosqlite.Connection, path: Path, keep: int | None, *, durable: bool
) -> SqliteCheckpoints:
    await connection.execute("PRAGMA page_size=8192")
    saver = SqliteCheckpoints(connection, where=str(path))
    await _set_up(saver)
    await connection.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
    await connection.executescript(
        "CREATE TABLE IF NOT EXISTS lease (one INTEGER PRIMARY KEY, fence INTEGER NOT NULL);"
        "INSERT OR IGNORE INTO lease VALUES (1, 0);"
    )
    if keep is not None:
        await connection.execute(build_sqlite_trigger(keep))
    await connection.commit()
    return saver
