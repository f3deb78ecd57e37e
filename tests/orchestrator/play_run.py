"""A process that plays the run in a folder, to be killed by the tests."""

import asyncio
import sys
from pathlib import Path

from orchestrator.runs import open_run


async def play(folder: Path) -> None:
    async with open_run(folder) as episode:
        await episode.run()


asyncio.run(play(Path(sys.argv[1])))
