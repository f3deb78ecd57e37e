"""The storage of a simulated kitchen in SQLite's files, through the code of CookMAS alone.

The witness reads the files after each access: what it sees there is durable.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import patch

from langgraph.checkpoint.sqlite import SqliteSaver

from cookmas.episodes.world import Json
from cookmas.mailboxes.protocol import Settled
from cookmas.mailboxes.sqlite.file import MAILBOX
from cookmas.mailboxes.sqlite.letterbox import SqliteLetterbox
from cookmas.mailboxes.sqlite.mailbox import SqliteMailbox
from cookmas.orchestrator.checkpoints.serializer import PlainSerializer
from cookmas.orchestrator.runs import opening
from cookmas.orchestrator.runs.folder import CHECKPOINTS
from tests.simulation.event_loop import Process, SimulatedLoop, current_process
from tests.simulation.witness import Witness

_connect = sqlite3.connect

T = TypeVar("T")


class SqliteStorage:
    """The files of a run."""

    def __init__(
        self, loop: SimulatedLoop, folder: Path, witness: Witness, most_waiting: int
    ) -> None:
        self.letterbox = SqliteLetterbox(folder, most_waiting)
        self.open_checkpoints = opening._checkpoints
        self._folder = folder
        self._loop = loop
        self._witness = witness
        self._reader: sqlite3.Connection | None = None
        self._version: object = None

    def open_mailbox(self, folder: Path, fence: int) -> WatchedMailbox:
        """Return the mailbox for the orchestrator with a fencing number."""
        return WatchedMailbox(folder, fence, self._witness)

    def numbers(self) -> Mapping[tuple[str, str], int]:
        """Return the number of each letter from a sender, by the sender's name and the id."""
        query = "SELECT sender, id, number FROM messages WHERE number > 0 AND sender IS NOT NULL"
        with closing(_connect(self._folder / MAILBOX)) as database:
            return {(sender, name): number for sender, name, number in database.execute(query)}

    async def run(self, work: Callable[[], T]) -> T:
        """Return the result of an access, which a thread carries out."""
        result: T = await self._loop.run_in_executor(None, work)
        return result

    def see_work(self, process: Process) -> None:
        """Show the witness the last checkpoint, if a thread of `process` has written one."""
        path = self._folder / CHECKPOINTS
        if not path.exists():
            return
        with suppress(sqlite3.OperationalError):
            self._reader = self._reader or _connect(path, timeout=0, check_same_thread=False)
            version = self._reader.execute("PRAGMA data_version").fetchone()
            if version != self._version:
                self._show_last(process, self._reader)
                self._version = version

    def _show_last(self, process: Process, reader: sqlite3.Connection) -> None:
        (fence,) = reader.execute("SELECT fence FROM lease").fetchone()
        self._witness.see_fence(fence, process)
        query = "SELECT checkpoint_id FROM checkpoints ORDER BY rowid DESC LIMIT 1"
        if (row := reader.execute(query).fetchone()) is None:
            return
        named = {"thread_id": "episode", "checkpoint_ns": "", "checkpoint_id": row[0]}
        saver = SqliteSaver(reader, serde=PlainSerializer("the checkpoints"))
        saver.is_setup = True
        last = saver.get_tuple({"configurable": named})
        assert last
        writes = {channel: value for _, channel, value in last.pending_writes or ()}
        self._witness.see_durable({**last.checkpoint["channel_values"], **writes}, process)

    def close(self) -> None:
        """Close the connection with which the witness reads."""
        if self._reader:
            self._reader.close()

    @contextmanager
    def patch_threads(self) -> Iterator[None]:
        """Let the threads of connections run in the simulation within the block."""
        with ExitStack() as stack:
            for name, new in {
                "aiosqlite.core.Thread": _NoThread,
                "aiosqlite.core.SimpleQueue": partial(_Calls, self._loop),
                "sqlite3.connect": _connect_in_process,
            }.items():
                stack.enter_context(patch(name, new))
            yield


class WatchedMailbox(SqliteMailbox):
    """The mailbox of SQLite, which shows the witness each write."""

    def __init__(self, folder: Path, fence: int, witness: Witness) -> None:
        super().__init__(folder, fence)
        self._witness = witness

    @contextmanager
    def _in_fence(self) -> Iterator[None]:
        with super()._in_fence():
            yield
        (fence,) = self._database.execute("SELECT fence FROM episode").fetchone()
        self._witness.see_write("the mailbox", self._fence, fence)

    def _settle(self, settled: Sequence[Settled]) -> None:
        super()._settle(settled)
        self._witness.see_answers(settled)

    async def publish(self, status: Json) -> None:
        """Publish the status of the episode."""
        await super().publish(status)
        self._witness.see_status(status)


class _NoThread:
    """The thread of a connection, whose work `_Calls` does instead."""

    def __init__(self, target: object, args: object) -> None:
        pass

    def start(self) -> None:
        """Do nothing."""

    def is_alive(self) -> bool:
        """Return True: the connection can be used."""
        return True


class _Calls:
    """The calls of a connection of `aiosqlite`, in order, each as the work of a thread."""

    def __init__(self, loop: SimulatedLoop) -> None:
        self._loop = loop
        self._calls: deque[tuple[asyncio.Future[Any] | None, Callable[[], Any]]] = deque()
        self._busy = False

    def put_nowait(self, call: tuple[asyncio.Future[Any] | None, Callable[[], Any]]) -> None:
        """Add a call, with the future of its result."""
        self._calls.append(call)
        if not self._busy:
            self._start()

    def _start(self) -> None:
        self._busy = bool(self._calls)
        if self._busy:
            future, function = self._calls.popleft()
            self._loop.run_in_executor(None, function).add_done_callback(partial(self._end, future))

    def _end(self, future: asyncio.Future[Any] | None, ran: asyncio.Future[Any]) -> None:
        error = ran.exception()
        if future and not future.done():
            if error:
                future.set_exception(error)
            else:
                future.set_result(ran.result())
        self._start()


def _connect_in_process(*given: Any, **options: Any) -> sqlite3.Connection:
    """Connect the current process, which waits for no lock: nobody else goes on meanwhile."""
    connection: sqlite3.Connection = _connect(
        *given, **{**options, "timeout": 0, "check_same_thread": False}
    )
    current_process().files.append(connection)
    return connection
