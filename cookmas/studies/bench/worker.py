"""A process that plays episodes for another: `python -m cookmas.studies.bench.worker`."""

from __future__ import annotations

import asyncio
import json
import os
import sys

from cookmas.studies.bench.exchange import JobData, answer_job


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
    jobs, answers = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    asyncio.run(work(jobs, answers))


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        sys.exit(1)
