"""A process that plays the run in a folder; the tests kill it."""

import asyncio
import sys
from pathlib import Path

from cookmas.api import load_planner, load_scenario
from cookmas.orchestrator.runs.folder import RunFolder
from cookmas.orchestrator.runs.opening import open_run


async def play(folder: Path) -> None:
    run = RunFolder(folder)
    scenario = load_scenario(run.file.scenario)
    async with open_run(run, scenario, load_planner(run.file.planner, scenario)) as episode:
        await episode.run()


asyncio.run(play(Path(sys.argv[1])))
