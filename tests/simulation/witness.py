"""The witness of a simulation: it sees each write to the storage, and notes broken promises.

The promises are those of `docs/explanation/guarantees.md`. Those that only the whole history can
break are judged at its end (`tests.simulation.judge`).
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from cookmas.episodes.world import Json
from cookmas.mailboxes.protocol import Settled
from tests.simulation.event_loop import Process, SimulatedLoop, current_process

SILENCE = 3.4
"""Seconds without a heartbeat after which a takeover is no surprise: PATIENCE, and the checks."""


class PromiseBrokenError(Exception):
    """A promise does not hold; the text says which, and how."""


class Witness:
    """The witness of a simulation, which keeps its log."""

    def __init__(self, loop: SimulatedLoop, trace: Path) -> None:
        self.log: list[str] = []
        self._loop = loop
        self._trace = trace
        self._stamp: object = None
        self._durable: Mapping[str, Any] = {}
        self._promised = (0, _digest(()))
        self._answers: dict[int, Settled] = {}
        self._status = (0, 0)
        self._fence = 0
        self._holder: Process | None = None
        self._ended: set[Process] = set()
        self._beats: dict[Process, list[float]] = defaultdict(list)
        self.broken: str | None = None
        self.closed = False
        """True at the end, when nothing matters any more."""

    def note(self, text: str, process: Process | None = None) -> None:
        """Add a line to the log."""
        who = (process or current_process()).name
        self.log.append(f"{self._loop.time():9.4f} {who:10} {text}")

    def blame(self, text: str) -> None:
        """Note that a promise is broken; the simulation ends after this step."""
        self.note(f"BROKEN: {text}")
        if self.closed:
            return
        self.broken = self.broken or text
        self._loop.failure = PromiseBrokenError(text)

    def see_end(self, process: Process) -> None:
        """See that a process has ended, or gives its lease back."""
        self._ended.add(process)

    def see_beat(self) -> None:
        """See a heartbeat in the folder."""
        self._beats[current_process()].append(self._loop.time())

    def see_takeover(self, fence: int, process: Process) -> None:
        """See that a process gets the lease."""
        self.note(f"takes the lease with number {fence}", process)
        self._fence = fence
        before, self._holder = self._holder, process
        if before is None or before.killed or before in self._ended:
            return
        now = self._loop.time()
        times = [t for t in self._beats[before] if t > now - 2 * SILENCE - 1]
        gaps = [later - earlier for earlier, later in pairwise([*times, now])]
        if gaps and max(gaps) < SILENCE:
            self.blame(f"one process plays a run, but {before.name} was alive")

    def see_fence(self, fence: int, process: Process) -> None:
        """See the last fencing number, which `process` has written if it is new."""
        if fence > self._fence:
            self.see_takeover(fence, process)

    def see_durable(self, values: Mapping[str, Any], process: Process) -> None:
        """See the last checkpoint with what nodes have answered since, as `process` left it."""
        if values != self._durable:
            if process is not self._holder:
                self.blame(f"a superseded orchestrator writes nothing, but {process.name} wrote")
            self.see_checkpoint(values)

    def see_write(self, what: str, fence: int, highest: int) -> None:
        """See a write by an orchestrator whose number is `fence`; `highest` is the last one."""
        if fence < highest:
            self.blame(f"a superseded orchestrator writes nothing, but {fence} wrote {what}")

    def see_work(self, process: Process) -> None:
        """See that a thread of a process has worked: who has changed the trace holds the lease."""
        stamp = self._read_stamp()
        if stamp != self._stamp:
            self._stamp = stamp
            if self._holder is not None and process is not self._holder:
                self.blame(f"a superseded orchestrator writes nothing, but {process.name} a trace")

    def _read_stamp(self) -> object:
        try:
            stat = self._trace.stat()
        except FileNotFoundError:
            return None
        return stat.st_ino, stat.st_size

    def see_checkpoint(self, values: Mapping[str, Any]) -> None:
        """See a durable checkpoint: the trace has its records, and never changes them any more."""
        self._durable = values
        records = values.get("records", 0)
        if not records:
            return
        self.note(f"checkpoint: {records} records, letter {values.get('cursor', 0)}")
        lines = self._trace.read_bytes().split(b"\n")[:-1]
        before, digest = self._promised
        if len(lines) < records:
            self.blame(f"a checkpoint counts {records} records, and the trace has {len(lines)}")
        elif records < before or _digest(lines[:before]) != digest:
            self.blame(f"the trace is extended, but the first {before} records have changed")
        self._promised = (records, _digest(lines[:records]))

    def see_answer_of_node(self, changes: Mapping[str, Any]) -> None:
        """See the durable answer of a node, which is as good as the checkpoint that follows."""
        if "records" in changes:
            self.see_checkpoint({**self._durable, **changes})

    def see_answers(self, settled: Sequence[Settled]) -> None:
        """See answers: a durable checkpoint holds their letters, and no answer ever changes."""
        for each in settled:
            self.note(f"answers letter {each.number}: {each.refused or each.about}")
            if each.number > self._durable.get("cursor", 0):
                self.blame(f"letter {each.number} is answered before its checkpoint is durable")
            if self._answers.setdefault(each.number, each) != each:
                self.blame(f"letter {each.number} is answered twice, and differently")

    def see_status(self, status: Json) -> None:
        """See a status: a durable checkpoint has caused it, and time only passes."""
        now = (status["timestep"], status["letters"])
        durable = (self._durable.get("timestep", 0), self._durable.get("cursor", 0))
        if now > durable or now < self._status:
            self.blame(f"the status {now} is neither after {self._status} nor durable ({durable})")
        self._status = now


def _digest(lines: Sequence[bytes]) -> str:
    return hashlib.sha256(b"\n".join(lines)).hexdigest()
