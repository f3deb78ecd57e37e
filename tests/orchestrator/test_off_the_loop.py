"""Nothing in the graph touches a file on the event loop, also in a run that is gone on with."""

from __future__ import annotations

from pathlib import Path

from blockbuster import BlockBuster

from cookmas.episodes.trace import PlanRecord
from cookmas.orchestrator.checkpoints.sqlite import sqlite_checkpoints
from cookmas.orchestrator.episode import episode_of
from cookmas.orchestrator.graph.recorder import Recorder
from cookmas.orchestrator.planners.naming import FixedPlanner
from cookmas.scenarios.scenario import load_scenario
from cookmas.scenarios.schedule import load_schedule
from cookmas.solving.restaurant.proof import schedule_path

SCENARIO = load_scenario("level3/01")
SCHEDULE = load_schedule(schedule_path(SCENARIO), SCENARIO)


async def test_a_run_with_its_trace_in_a_file_and_checkpoints(tmp_path: Path) -> None:
    async def play(name: str, timesteps: int | None, guard: BlockBuster | None) -> list[str]:
        path = tmp_path / f"{name}.jsonl"
        async with sqlite_checkpoints(tmp_path / f"{name}.sqlite") as saver:
            planner = FixedPlanner(SCHEDULE)
            episode = episode_of(SCENARIO, planner, horizon=400, path=path, checkpointer=saver)
            if guard:
                guard.activate()
            try:
                records = 0
                async for _ in episode.stream():
                    records += 1
                    if records == timesteps:
                        break
            finally:
                if guard:
                    guard.deactivate()
        return path.read_text().splitlines()

    whole = await play("first", None, None)
    guard = BlockBuster(scanned_modules=["cookmas"])
    assert await play("again", None, guard) == whole
    assert len(await play("killed", 40, guard)) < len(whole)
    assert await play("killed", None, guard) == whole


async def test_what_was_let_go_is_at_hand_once_it_is_held(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    recorder = Recorder(path)
    for timestep in range(199):
        recorder.append(PlanRecord(timestep=timestep, reasoning="", schedule=[]))
    await recorder.write()
    recorder.append(PlanRecord(timestep=199, reasoning="", schedule=[]))
    await recorder.write()
    assert recorder.find_referred(7) is None
    await recorder.hold([7, 3])
    assert [record and record.timestep for record in map(recorder.find_referred, (7, 3))] == [7, 3]
    assert len(path.read_text().splitlines()) == 200
    many = range(0, 200, 2)
    await recorder.hold(many)
    recorder.append(PlanRecord(timestep=200, reasoning="", schedule=[]))
    assert None not in map(recorder.find_referred, many)
    recorder.close()
