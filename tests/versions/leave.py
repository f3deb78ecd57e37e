"""Begin a run and die before a checkpoint: python -m tests.versions.leave FOLDER NUMBER [DATABASE]

The nodes' answers before that checkpoint are durable; the checkpoint is not.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

from cookmas.api import aresume, create
from cookmas.orchestrator.checkpoints.sqlite import Checkpoints
from cookmas.orchestrator.runs.request import RunRequest

SCENARIO = "corridor/two"
DIES = 79


def die_before(number: int) -> None:
    """Make this process end itself instead of writing a checkpoint."""
    put, left = Checkpoints.aput, number

    async def aput(saver: Checkpoints, *given: Any) -> Any:
        nonlocal left
        left -= 1
        if left == 0:
            async with saver._in_order:
                os._exit(DIES)
        return await put(saver, *given)

    Checkpoints.aput = aput  # type: ignore[method-assign, assignment]


if __name__ == "__main__":
    die_before(int(sys.argv[2]))
    folder = create(
        Path(sys.argv[1]),
        RunRequest(
            scenario=SCENARIO, planner="embedded", checkpoints=next(iter(sys.argv[3:]), None)
        ),
    )
    asyncio.run(aresume(folder))
