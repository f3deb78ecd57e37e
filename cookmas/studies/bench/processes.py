"""An executor with processes on this machine, each of which plays many episodes.

A process reads jobs from its standard input and writes answers to its standard output, as lines of
JSON. It ends when its input ends, which happens even if the parent is killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from typing import Self

from cookmas.studies.bench.exchange import JobData, question, result_of
from cookmas.studies.bench.spec import EpisodeJob, JobResult

LINE_BUFFER = 2**30
"""Number of bytes in a line that a pipe may hold; no job and no answer is nearly as long."""


class Processes:
    """An executor with `count` processes, each of which plays `at_a_time` episodes together.

    If a process dies, its episodes in progress are returned as failed. The next job starts a new
    process in its place, also if the death is noticed only when this job is sent.
    """

    def __init__(self, count: int, at_a_time: int = 1) -> None:
        self.capacity = count * at_a_time
        self._players = [_Player() for _ in range(count)]

    async def __aenter__(self) -> Self:
        """Return the executor. Each process is started later, by its first job."""
        return self

    async def __aexit__(self, *error: object) -> None:
        """Kill all processes."""
        for player in self._players:
            await player.end()

    @property
    def pids(self) -> list[int]:
        """Ids of the running processes."""
        return [player.pid for player in self._players if player.pid]

    async def play(self, job: EpisodeJob) -> JobResult:
        """Play an episode in the process with the fewest jobs. Raise CookMASError."""
        return await min(self._players, key=lambda player: player.load).play(job)


class _Player:
    """One process, and the futures of its answers by the number of the job."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._waiting: dict[int, asyncio.Future[JobData]] = {}
        self._listening: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._number = 0
        self._load = 0

    @property
    def load(self) -> int:
        return self._load

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    async def start(self) -> None:
        if self._process is not None:
            return
        path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "cookmas.studies.bench.worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
            limit=LINE_BUFFER,
            start_new_session=True,
        )
        self._listening = asyncio.create_task(self._listen(self._process))

    async def end(self) -> None:
        process, listening = self._process, self._listening
        if process is None:
            return
        if process.returncode is None:
            process.kill()
        await process.wait()
        if listening:
            await listening

    async def play(self, job: EpisodeJob) -> JobResult:
        self._load += 1
        try:
            answer = await self._send(job) or await self._send(job)
            return result_of(await answer) if answer else JobResult(failed="its process has died")
        finally:
            self._load -= 1

    async def _send(self, job: EpisodeJob) -> asyncio.Future[JobData] | None:
        """Send a job to the process, which is started if there is none; return the future of the
        answer. If the process has died, wait until nothing is left of it, and return None.
        """
        async with self._starting:
            await self.start()
        process, listening = self._process, self._listening
        assert process is not None
        assert process.stdin is not None
        assert listening is not None
        self._number += 1
        message = {"number": self._number, "job": question(job)}
        process.stdin.write(json.dumps(message).encode() + b"\n")
        if process.stdin.is_closing():
            await listening
            return None
        answer = self._waiting[self._number] = asyncio.get_running_loop().create_future()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            await process.stdin.drain()
        return answer

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        async for line in process.stdout:
            message = json.loads(line)
            answer = self._waiting.pop(message["number"], None)
            if answer is not None and not answer.done():
                answer.set_result(message["answer"])
        await process.wait()
        self._process = None
        waiting, self._waiting = self._waiting, {}
        for answer in waiting.values():
            if not answer.done():
                why = f"its process has died ({process.returncode})"
                answer.set_result({"played": {"failed": why}})
