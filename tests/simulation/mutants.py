"""Bugs that are put back into CookMAS, or into a storage, so that the simulation has to find them.

Each mutant is a list of replacements: the name of what is replaced, and what replaces it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any

from cookmas.files.errors import InfrastructureError, LeaseLostError
from cookmas.mailboxes.fairness import Turns
from cookmas.mailboxes.protocol import Answer, Envelope, May, allow_all
from cookmas.orchestrator.checkpoints.sqlite import Checkpoints
from cookmas.orchestrator.graph import workers
from cookmas.orchestrator.graph.recorder import Recorder
from cookmas.orchestrator.runs.lease import LeasePlace, _FolderLease
from cookmas.workers import carrying_out
from cookmas.workers.protocol import Report, Worker
from tests.mailboxes.open_memory import MemoryOpenMailbox, SentMessage
from tests.simulation.simulation import Mutant

_BROKER = "tests.mailboxes.open_memory.MemoryOpenMailbox"


async def _tell_before_writing(self: Checkpoints, *given: Any) -> Any:
    if self._kept:
        await self._kept(given[1]["channel_values"])
    async with self._in_order:
        return await super(Checkpoints, self).aput(*given)


_write_recorder = Recorder.write


async def _write_late(self: Recorder) -> None:
    if len(self._unwritten) > 4:
        await _write_recorder(self)


async def _await_nobody(place: LeasePlace, holder: str, refused: Exception) -> int:
    return (await place.read_lease()).fence


_post = MemoryOpenMailbox.post


async def _post_again(self: MemoryOpenMailbox, envelope: Envelope) -> Answer | None:
    key = (envelope.sender, envelope.id)
    if (sent := self._sent.get(key)) and sent.answer is None:
        self._sent[(*key, len(self._sent))] = SentMessage(envelope, 0.0)  # type: ignore[index]
        return None
    return await _post(self, envelope)


_open = MemoryOpenMailbox.open


async def _open_without_the_taken(
    self: MemoryOpenMailbox, timestep: int, after: int, may: May = allow_all
) -> Any:
    return await _open(self, timestep, len(self._letters), may)


async def _wait_without_looking(self: MemoryOpenMailbox, after: int) -> None:
    bell = asyncio.Event()
    await self.idle(after)
    await asyncio.sleep(0.01)
    self.bells.append(bell)
    await bell.wait()


async def _find_highest(self: Any, thread: str, space: str) -> str | None:
    return max(self.disk.saver.storage[self.thread][""], default=None)


def _add_first(self: Turns[Any], sender: str, kind: str, item: Any) -> None:
    self._added += 1
    kinds = self._waiting.setdefault(sender, {})
    kinds.setdefault(kind, deque()).appendleft((self._added, item))


def _guard_nothing(self: _FolderLease) -> Any:
    return nullcontext()


_go_on = workers._go_on


def _begin_at_once(given: Any, assigned: Any, context: Any) -> Any:
    context.jobs.begin(given["timestep"], given["worker"], assigned)
    return _go_on(given, assigned, context)


async def _fail_for_the_way(worker: Worker, timestep: int, name: str, assignment: Any) -> Report:
    try:
        return Report.of(await worker.act(timestep, name, assignment))
    except LeaseLostError:
        raise
    except InfrastructureError as error:
        return Report.failed(str(error))


_act_there = carrying_out._Work.act


async def _fail_for_the_device(self: Any, *given: Any) -> Report:
    return await _act_there(self, *given) or Report.failed("The device was away.")


_CHECKPOINTS = "cookmas.orchestrator.checkpoints.sqlite.Checkpoints"
_LEASE = "cookmas.orchestrator.runs.lease"

MUTANTS: Mapping[str, Mutant] = {
    "answers before the checkpoint is durable": [(f"{_CHECKPOINTS}.aput", _tell_before_writing)],
    "a trace that is written late": [
        ("cookmas.orchestrator.graph.recorder.Recorder.write", _write_late)
    ],
    "no wait for the heartbeat of the holder": [(f"{_LEASE}._await_end", _await_nobody)],
    "less patience than a late heartbeat needs": [(f"{_LEASE}.PATIENCE", 1.0)],
    "no fence of the mailbox": [
        ("tests.mailboxes.open_memory.FencedMailbox.check", lambda self: None)
    ],
    "no fence of the checkpoints": [
        ("tests.simulation.storage._MemorySaver.check", lambda self: None)
    ],
    "no guard of files": [(f"{_LEASE}._FolderLease.prevent_takeover", _guard_nothing)],
    "ids that were seen are forgotten": [(f"{_BROKER}.post", _post_again)],
    "letters that were taken are forgotten": [(f"{_BROKER}.open", _open_without_the_taken)],
    "a wait that looks before it listens": [(f"{_BROKER}.wait", _wait_without_looking)],
    "the last checkpoint by its clock": [
        ("tests.simulation.storage.MemoryCheckpoints.find_last", _find_highest)
    ],
    "long work that begins before the world has taken its command": [
        ("cookmas.orchestrator.graph.workers._go_on", _begin_at_once)
    ],
    "a fault of the way is a failure of the worker": [
        ("cookmas.orchestrator.graph.underway.call_worker", _fail_for_the_way)
    ],
    "a device that is away has failed": [
        ("cookmas.workers.carrying_out._Work.act", _fail_for_the_device)
    ],
    "the newest message first": [("cookmas.mailboxes.fairness.Turns.add", _add_first)],
}
"""The mutants by name."""
