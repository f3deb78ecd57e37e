"""A process that plays the run in a folder; the tests kill it."""

import asyncio
import sys
from pathlib import Path

from cookmas.api import load_planner, load_scenario
from orchestrator.runs.folder import read_run
from orchestrator.runs.opening import open_run


async def play(folder: Path) -> None:
    file = read_run(folder)
    scenario = load_scenario(file.scenario)
    async with open_run(folder, scenario, load_planner(file.planner, scenario)) as episode:
        await episode.run()


asyncio.run(play(Path(sys.argv[1])))
