"""Play a hundred concurrent episodes that call a slow model at every timestep.

    python -m benchmarks.slow_model [PRESET]

The scripted server answers each call after one second, with prepared answers. In the ideal an
episode takes one second for each call and no other time. The command also prints the CPU time of a
call and of a timestep in this process, which has the prompt, the client, the graph, the simulator
and the trace. The exit code is 1 if the throughput is less than `SHARE` of the ideal.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.serving import llm, model_server, total
from cookmas.api import Run, aplay
from cookmas.episodes.trace import StepRecord
from cookmas.orchestrator.dialogue.prompting import preset
from cookmas.orchestrator.models.openai_model import OpenAIModel
from cookmas.orchestrator.planners.fixed import FixedPlanner
from cookmas.scenarios.scenario import load_scenario

EPISODES = 100
LATENCY = 1.0
SCENARIO = "level2/01"
SHARE = 0.8
"""Minimum share of the ideal throughput."""


async def play_together(url: str, way: str, episodes: int) -> list[Run]:
    """Play a number of episodes of the same scenario at the same time, through one client.

    `way` is the preset.
    """
    model, scenario = OpenAIModel("scripted", url), load_scenario(SCENARIO)
    make = llm(preset(way), way)
    try:
        return await asyncio.gather(*(aplay(scenario, make(model)) for _ in range(episodes)))
    finally:
        await model.close()


def cpu_of_a_timestep(run: Run) -> float:
    """Play the actions of a run again without a model; return the CPU seconds of a timestep."""
    schedule = [record.commands for record in run.trace.of(StepRecord)]
    scenario = load_scenario(SCENARIO)
    asyncio.run(aplay(scenario, FixedPlanner(schedule)))
    begun, times = time.process_time(), 5
    for _ in range(times):
        asyncio.run(aplay(scenario, FixedPlanner(schedule)))
    return (time.process_time() - begun) / times / len(schedule)


def main() -> int:
    way = (sys.argv[1:] or ["react"])[0]
    with tempfile.TemporaryDirectory() as folder:
        answers = f"--answers={Path(folder) / 'answers.jsonl'}"
        with model_server(answers) as url:
            (run,) = asyncio.run(play_together(url, way, 1))
        with model_server(answers, f"--latency={LATENCY}", "--processes=1") as url:
            wall, cpu = time.perf_counter(), time.process_time()
            runs = asyncio.run(play_together(url, way, EPISODES))
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    calls = total(runs, "model_calls")
    ideal = EPISODES / LATENCY
    share = calls / wall / ideal
    assert all(one.success for one in runs)
    step = cpu_of_a_timestep(run)
    print(f"preset {way}, {EPISODES} episodes of {SCENARIO}, {LATENCY:g} s latency")
    print(f"calls             {calls} in {wall:.1f} s: {calls / wall:.1f} a second")
    print(f"of the ideal      {share:.0%} of {ideal:g} a second")
    print(f"CPU per call      {1000 * (cpu / calls - step):.1f} ms, beside its timestep")
    print(f"CPU per timestep  {1000 * step:.1f} ms, without a call")
    return int(share < SHARE)


if __name__ == "__main__":
    sys.exit(main())
