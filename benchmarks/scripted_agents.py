"""Tables of agents that ask the scripted model: their results, calls and tokens.

The scripted model does what a planner without a model does, and errs at a given rate. So such a
table tests the commands, and shows what an agent costs. It says nothing about how well a model
plays.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from statistics import mean
from typing import Any, NamedTuple

from benchmarks.serving import faults, model_server
from cookmas.api import Run, aplay, load_scenario
from cookmas.episodes.parts import mark_scripted
from cookmas.episodes.trace import ModelCall
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.models.options import ModelOptions

AT_A_TIME = 3
"""Number of concurrent episodes."""

FAULTS = ("illegal", "prose", "wrong_inference", "false_alarm", "overlooked")
"""The faults of the scripted model, all at the same rate."""

COST = "calls | tokens in | tokens out |"
"""The last columns of a row."""


class AskedAgent(NamedTuple):
    """An agent in all seats: a preset, perhaps with options that differ from it."""

    name: str
    preset: str
    asking: Mapping[str, Any] = {}


def play(
    agents: Sequence[AskedAgent], scenario: str, seeds: Sequence[int], rates: Sequence[float]
) -> dict[tuple[str, float], list[Run]]:
    """Return the runs of each agent at each rate of faults, one for each seed.

    The seed decides the draws of the world and of the faults.
    """
    played: dict[tuple[str, float], list[Run]] = {}
    for rate in rates:
        with model_server(*faults(1, **dict.fromkeys(FAULTS, rate))) as url:
            for agent in agents:
                runs = asyncio.run(play_seeds(agent, scenario, seeds, url))
                played[agent.name, rate] = runs
                print(f"{scenario}: {agent.name} at {rate:g}: played", flush=True)
    return played


async def play_seeds(agent: AskedAgent, scenario: str, seeds: Sequence[int], url: str) -> list[Run]:
    """Return the runs of an agent in all seats, one for each seed, with the model at a URL."""
    turns = asyncio.Semaphore(AT_A_TIME)
    world = load_scenario(scenario).world()
    planner = ",".join(f"{worker}=llm" for worker in world.workers)
    model = ModelOptions(model="scripted", base_url=url)
    drawn = bool(getattr(world, "drawn", ""))

    async def one(seed: int) -> Run:
        async with turns:
            asking = AskingOptions(preset=agent.preset, model_seed=seed, **agent.asking)
            options: dict[str, Any] = {"model": model, "asking": asking}
            if drawn:
                options["seed"] = seed
            return await aplay(scenario, planner, **options)

    return list(await asyncio.gather(*map(one, seeds)))


def write_rows(
    played: Mapping[tuple[str, float], Sequence[Run]], describe: Callable[[Sequence[Run]], str]
) -> list[str]:
    """Return a row for each agent and rate: `describe` gives the cells of its results.

    The cost is the mean over episodes of the calls and tokens of all seats.
    """
    rows = []
    for (name, rate), runs in played.items():
        calls = [list(run.trace.of(ModelCall)) for run in runs]
        cost = [
            mean(map(len, calls)),
            mean(sum(call.usage.prompt for call in each) for each in calls),
            mean(sum(call.usage.completion for call in each) for each in calls),
        ]
        cells = " | ".join(f"{each:,.0f}" for each in cost)
        rows.append(f"| {mark_scripted(name)} | {rate:.0%} | {describe(runs)} | {cells} |")
    return rows
