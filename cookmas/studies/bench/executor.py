"""Executors: where the episodes of a sweep are played.

Another process gets a job as plain data, and gives its result so. A process on this machine, which
runs this module, reads jobs from its standard input and writes answers to its standard output, as
lines of JSON. It ends when its input ends, which happens even if the parent is killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, Self

from cookmas.files.errors import CookMASError
from cookmas.studies.bench.spec import EpisodeJob, JobResult

JobData = dict[str, Any]
"""Plain data: a job or its result."""

LINE_BUFFER = 2**30
"""Number of bytes in a line that a pipe may hold; no job and no answer is nearly as long."""


class EpisodeError(CookMASError):
    """An error of an episode, reported as text by the process that played it."""


def _import_play() -> Callable[[EpisodeJob], Awaitable[JobResult]]:
    """Import the graph and all else that plays an episode, which a process may never need."""
    from cookmas.studies.bench.play import play

    return play


class Executor(Protocol):
    """An object that plays episodes, `capacity` of them at a time.

    The sweep enters the executor, as a context manager, before the first job, and leaves it after
    the last. The result of a job must depend on the job alone.
    """

    async def __aenter__(self) -> Self:
        """Prepare to play."""
        ...

    async def __aexit__(self, *error: object) -> None:
        """Release everything and cancel the jobs in progress."""
        ...

    @property
    def capacity(self) -> int:
        """Number of jobs that should be in progress at a time."""
        ...

    async def play(self, job: EpisodeJob) -> JobResult:
        """Play an episode and return its result.

        If the infrastructure fails, for example because the process that plays the episode dies,
        the result has the reason as `failed`. Raise CookMASError if another attempt cannot help.
        """
        ...


class LocalExecutor:
    """An executor in this process that plays `at_a_time` episodes together."""

    def __init__(self, at_a_time: int = 1) -> None:
        self.capacity = at_a_time

    async def __aenter__(self) -> Self:
        """Import the modules that play episodes, before the first episode is timed."""
        _import_play()
        return self

    async def __aexit__(self, *error: object) -> None:
        """Do nothing."""

    async def play(self, job: EpisodeJob) -> JobResult:
        """Play an episode. Raise CookMASError."""
        return await _import_play()(job)


def question(job: EpisodeJob) -> JobData:
    """Return a job as plain data for another process."""
    return job.model_dump(mode="json", exclude_unset=True)


async def answer_job(question: JobData) -> JobData:
    """Play a job for another process; return the result or the error as plain data."""
    try:
        played = await _import_play()(EpisodeJob.model_validate(question))
    except CookMASError as error:
        return {"error": str(error)}
    return {"played": played.model_dump(mode="json")}


def result_of(answer: JobData) -> JobResult:
    """Return the result of a job. Raise EpisodeError if the other process reports an error."""
    if "error" in answer:
        raise EpisodeError(answer["error"])
    return JobResult.model_validate(answer["played"])


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
            "cookmas.studies.bench.executor",
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


async def work(jobs: int, answers: int) -> None:
    """Play the jobs from the file descriptor `jobs`, and write the results to `answers`.

    Return when `jobs` ends.
    """
    loop = asyncio.get_running_loop()
    under_way: set[asyncio.Task[None]] = set()
    with os.fdopen(jobs, "rb") as source, os.fdopen(answers, "wb") as sink:

        def say(message: JobData) -> None:
            sink.write(json.dumps(message).encode() + b"\n")
            sink.flush()

        async def play_one(number: int, job: JobData) -> None:
            say({"number": number, "answer": await answer_job(job)})

        while line := await loop.run_in_executor(None, source.readline):
            message = json.loads(line)
            task = asyncio.create_task(play_one(message["number"], message["job"]))
            under_way.add(task)
            task.add_done_callback(under_way.discard)


def main() -> None:
    """Read jobs from stdin and answer on stdout. All other output goes to stderr."""
    _import_play()
    jobs, answers = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    asyncio.run(work(jobs, answers))


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        sys.exit(1)
