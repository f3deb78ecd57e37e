"""A process that plays episodes for another: `python -m cookmas.studies.bench.worker`."""

from __future__ import annotations

import asyncio
import json
import os
import sys

from cookmas.studies.bench.exchange import Said, answer_job


async def work(jobs: int, answers: int) -> None:
    """Play the jobs from one descriptor and answer on the other, until the first one ends."""
    loop = asyncio.get_running_loop()
    under_way: set[asyncio.Task[None]] = set()
    with os.fdopen(jobs, "rb") as source, os.fdopen(answers, "wb") as sink:

        def say(message: Said) -> None:
            sink.write(json.dumps(message).encode() + b"\n")
            sink.flush()

        async def play_one(number: int, job: Said) -> None:
            say({"number": number, "answer": await answer_job(job)})

        while line := await loop.run_in_executor(None, source.readline):
            message = json.loads(line)
            task = asyncio.create_task(play_one(message["number"], message["job"]))
            under_way.add(task)
            task.add_done_callback(under_way.discard)


def main() -> None:
    """Work with stdin and stdout; other output goes to stderr, because stdout has the answers."""
    jobs, answers = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    asyncio.run(work(jobs, answers))


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        sys.exit(1)
