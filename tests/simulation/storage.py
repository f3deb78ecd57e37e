"""The storage of a simulated kitchen, in memory behind the real interfaces.

A storage outlives the processes that use it. Each access is the work of a thread, so a process can
be killed or paused before and after it. An access can also fail with an
InfrastructureError, before its effect or after it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar

from langgraph.checkpoint.base import CheckpointTuple
from langgraph.checkpoint.memory import InMemorySaver

from cookmas.episodes.world import Json
from cookmas.files.errors import FENCED, InfrastructureError, LeaseLostError
from cookmas.mailboxes.protocol import Answer, Envelope, Letter, May, Settled, allow_all
from cookmas.orchestrator.checkpoints.sqlite import Checkpoints
from cookmas.orchestrator.runs.folder import RunFolder
from tests.mailboxes.open_memory import FencedMailbox, MemoryOpenMailbox
from tests.simulation.event_loop import Process, SimulatedLoop, current_process
from tests.simulation.witness import Witness

T = TypeVar("T")


class KitchenLetterbox(Protocol):
    """The part of a letterbox that senders and the house use in a simulation."""

    async def post(self, envelope: Envelope) -> Answer | None: ...

    async def answer(self, envelope: Envelope) -> Answer | None: ...

    async def close(self) -> None: ...

    async def withdraw(self, sender: str | None = None, id: str | None = None) -> int: ...  # noqa: A002


class KitchenStorage(Protocol):
    """The storage of a kitchen."""

    @property
    def letterbox(self) -> KitchenLetterbox:
        """The side of the senders and of the house."""
        ...

    def open_checkpoints(self, run: RunFolder) -> Any:
        """Return a context manager that yields the checkpoints and the shared leases of a run."""

    def open_mailbox(self, folder: Path, fence: int) -> Any:
        """Return the mailbox for the orchestrator with a fencing number."""

    def see_work(self, process: Process) -> None:
        """Show the witness what a thread of a process has written."""

    async def run(self, work: Callable[[], T]) -> T:
        """Return the result of an access, which a thread carries out."""
        ...

    def close(self) -> None:
        """Close what is open."""

    def numbers(self) -> Mapping[tuple[str, str], int]:
        """Return the number of each letter by its sender and id."""


def drive(work: Coroutine[Any, Any, T]) -> T:
    """Return the result of a coroutine that waits for nothing."""
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    raise AssertionError("a storage in memory waits for nothing")


class MemoryStorage:
    """A broker and a saver in memory. `failing` decides whether an access fails."""

    def __init__(
        self,
        loop: SimulatedLoop,
        witness: Witness,
        most_waiting: int,
        failing: Callable[[], bool],
    ) -> None:
        self.broker = MemoryOpenMailbox((), most_waiting, loop.time)
        self.letterbox = _RemoteLetterbox(self)
        self.saver = InMemorySaver()
        self.fence = 0
        self.witness = witness
        self._loop = loop
        self._failing = failing

    async def run(self, work: Callable[[], T]) -> T:
        """Return the result of an access, which a thread carries out."""

        def attempt() -> T:
            if self._failing():
                raise InfrastructureError("the storage does not answer")
            result = work()
            if self._failing():
                raise InfrastructureError("the storage has answered nothing")
            return result

        result: T = await self._loop.run_in_executor(None, attempt)
        return result

    @asynccontextmanager
    async def open_checkpoints(
        self, run: RunFolder
    ) -> AsyncIterator[tuple[Checkpoints, list[Any]]]:
        yield MemoryCheckpoints(self), []

    def open_mailbox(self, folder: Path, fence: int) -> RemoteMailbox:
        return RemoteMailbox(self, fence)

    def see_work(self, process: Process) -> None:
        """Do nothing: each access shows the witness what it does."""

    def close(self) -> None:
        """Do nothing: nothing is open."""

    def numbers(self) -> Mapping[tuple[str, str], int]:
        return self.broker.numbers()


class _MemorySaver(InMemorySaver):
    """LangGraph's saver in memory, whose accesses are those of a storage."""

    def __init__(self, *, disk: MemoryStorage, serde: Any) -> None:
        super().__init__(serde=serde)
        self.disk = disk
        self.number = 0
        self.storage, self.writes, self.blobs = (
            disk.saver.storage,
            disk.saver.writes,
            disk.saver.blobs,
        )

    def check(self) -> None:
        """Raise LeaseLostError if another process has stored a higher fencing number."""
        if self.disk.fence != self.number:
            raise LeaseLostError(FENCED)

    async def aget_tuple(self, config: Any) -> CheckpointTuple | None:
        return await self.disk.run(lambda: self.get_tuple(config))

    async def aput(self, config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> Any:
        def put() -> Any:
            self.check()
            self.disk.witness.see_write("a checkpoint", self.number, self.disk.fence)
            written = self.put(config, checkpoint, metadata, new_versions)
            self.disk.witness.see_checkpoint(checkpoint["channel_values"])
            return written

        return await self.disk.run(put)

    async def aput_writes(
        self, config: Any, writes: Sequence[Any], task_id: str, task_path: str = ""
    ) -> None:
        def put() -> None:
            self.check()
            self.disk.witness.see_write("the answer of a node", self.number, self.disk.fence)
            self.put_writes(config, writes, task_id, task_path)
            self.disk.witness.see_answer_of_node(dict(writes))

        await self.disk.run(put)

    def get_next_version(self, current: Any, channel: None) -> Any:
        return 1 if current is None else current + 1


class MemoryCheckpoints(Checkpoints, _MemorySaver):
    """Checkpoints in memory that know the fencing number."""

    thread = "episode"

    def __init__(self, disk: MemoryStorage) -> None:
        super().__init__(disk=disk, where="the memory")

    async def fence(self) -> int:
        return await self.disk.run(lambda: self.disk.fence)

    async def mint(self, seen: int, least: int = 0) -> int | None:
        def mint() -> int | None:
            if self.disk.fence != seen:
                return None
            self.disk.fence = self.number = max(seen, least) + 1
            self.disk.witness.see_takeover(self.number, current_process())
            return self.number

        return await self.disk.run(mint)

    async def find_last(self, thread: str, space: str) -> str | None:
        kept = self.disk.saver.storage[thread][space]
        return await self.disk.run(lambda: next(reversed(kept), None))

    def translate(self, error: Exception) -> Exception:
        return error


class RemoteMailbox:
    """The mailbox of the broker of a storage, for one orchestrator."""

    def __init__(self, storage: MemoryStorage, fence: int) -> None:
        self._storage = storage
        self._fence = fence
        self._mailbox = FencedMailbox(storage.broker, fence)

    async def _run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        return await self._storage.run(lambda: drive(work()))

    async def open(self, timestep: int, after: int, may: May = allow_all) -> Sequence[Letter]:
        async def take() -> Sequence[Letter]:
            letters = await self._mailbox.open(timestep, after, may)
            self._storage.witness.see_write("the mailbox", self._fence, self._storage.broker.fence)
            return letters

        return await self._run(take)

    async def settle(self, settled: Sequence[Settled]) -> None:
        async def settle() -> None:
            await self._mailbox.settle(settled)
            self._storage.witness.see_write("answers", self._fence, self._storage.broker.fence)
            self._storage.witness.see_answers(settled)

        await self._run(settle)

    async def end(self) -> int:
        async def end() -> int:
            refused = await self._mailbox.end()
            self._storage.witness.see_write("the end", self._fence, self._storage.broker.fence)
            return refused

        return await self._run(end)

    async def publish(self, status: Json) -> None:
        async def publish() -> None:
            await self._mailbox.publish(status)
            self._storage.witness.see_write("the status", self._fence, self._storage.broker.fence)
            self._storage.witness.see_status(status)

        await self._run(publish)

    async def tell_places(self) -> None:
        await self._run(self._mailbox.tell_places)

    async def empty(self, after: int) -> bool:
        return await self._run(lambda: self._mailbox.empty(after))

    async def due(self, after: int) -> int | None:
        return await self._mailbox.due(after)

    async def idle(self, after: int) -> bool:
        return await self._run(lambda: self._mailbox.idle(after))

    async def wait(self, after: int) -> None:
        await self._mailbox.wait(after)

    def restore(self, letters: Sequence[Letter]) -> None:
        self._mailbox.restore(letters)

    def close(self) -> None:
        """Do nothing: the broker outlives its orchestrators."""


class _RemoteLetterbox:
    """The letterbox of a storage in memory."""

    def __init__(self, storage: MemoryStorage) -> None:
        self._storage = storage

    async def post(self, envelope: Envelope) -> Answer | None:
        return await self._run(lambda: self._storage.broker.post(envelope))

    async def answer(self, envelope: Envelope) -> Answer | None:
        return await self._run(lambda: self._storage.broker.answer(envelope))

    async def close(self) -> None:
        await self._run(self._storage.broker.close)

    async def withdraw(self, sender: str | None = None, id: str | None = None) -> int:  # noqa: A002
        return await self._run(lambda: self._storage.broker.withdraw(sender, id))

    async def _run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        return await self._storage.run(lambda: drive(work()))
