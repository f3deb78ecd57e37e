"""Common parts of the experiments with models: the scripted server, and concurrent episodes."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from cookmas.api import Run, aplay
from episodes.trace import Termination
from evals.verdict import Verdict
from orchestrator.dialogue.prompting import PRESETS, Prompting
from orchestrator.models.message import Model
from orchestrator.models.openai_model import OpenAIModel
from orchestrator.planner import Planner
from worlds.restaurant.planners.embedded import EmbeddedPlanner
from worlds.restaurant.planners.hybrid import HybridPlanner
from worlds.restaurant.planners.llm import LLMPlanner

Maker = Callable[[Model], Planner]
"""Makes the planner of one episode."""

AT_A_TIME = 6
"""Number of concurrent episodes; enough for the server to plan on every core."""


@contextmanager
def model_server(*options: str) -> Iterator[str]:
    """Yield the URL of a scripted model server in its own process."""
    command = [sys.executable, "-m", "cookmas", "model-server"]
    process = subprocess.Popen([*command, "--port", "0", *options], stdout=subprocess.PIPE)
    assert process.stdout
    url = process.stdout.readline().decode().strip()
    try:
        if not url:
            raise SystemExit("the model server did not start")
        yield url
    finally:
        process.terminate()
        process.communicate()


def faults(seed: int = 0, **rates: float) -> list[str]:
    """Return the options of a server with these faults."""
    given = [f"--fault={name}={rate:g}" for name, rate in rates.items() if rate]
    return [f"--seed={seed}", *given]


def llm(prompting: Prompting, name: str = "llm") -> Maker:
    """Return a maker of the LLM planner with these prompting options."""
    return lambda model: LLMPlanner(model, prompting, name=name)


def planners() -> dict[str, Maker]:
    """Return every planner that calls a model, with every preset."""
    presets = {name: llm(ways, name) for name, ways in PRESETS.items()}
    return {
        **presets,
        "recipes looked up": llm(Prompting(recipes="tool")),
        "hybrid": HybridPlanner,
        "hybrid, looked up": lambda model: HybridPlanner(model, Prompting(recipes="tool")),
    }


async def play(
    url: str, names: Sequence[str], make: Maker, at_a_time: int = AT_A_TIME
) -> list[Run]:
    """Play scenarios with one client; each has its own planner."""
    model = OpenAIModel("scripted", url)
    turns = asyncio.Semaphore(at_a_time)

    async def one(name: str) -> Run:
        async with turns:
            return await aplay(name, make(model))

    try:
        return await asyncio.gather(*map(one, names))
    finally:
        await model.close()


def play_with(options: Sequence[str], names: Sequence[str], make: Maker) -> list[Run]:
    """Play scenarios against their own server."""
    with model_server(*options) as url:
        return asyncio.run(play(url, names, make))


def embedded(names: Sequence[str]) -> list[Run]:
    """Play the same scenarios with the embedded planner."""

    async def all_of_them() -> list[Run]:
        return [await aplay(name, EmbeddedPlanner()) for name in names]

    return asyncio.run(all_of_them())


def verdict_of(run: Run) -> Verdict:
    """Return the verdict of a run; every shipped scenario has its truth."""
    assert run.verdict
    return run.verdict


DISHES = ("served", "complete", "customization")
"""The checks for the content of the served dishes, without those for speed."""


def judged(run: Run) -> tuple[bool | None, Termination | None, Mapping[tuple[str, str], bool]]:
    """Return a verdict on the dishes: success, the termination, and each check."""
    verdict = verdict_of(run)
    checks = {
        (check.name, check.subject): check.passed
        for check in verdict.checks
        if check.passed is not None and check.name in DISHES
    }
    return verdict.success, verdict.termination, checks


def total(runs: Sequence[Run], field: str) -> int:
    """Return the sum of a figure of the summaries over all runs."""
    return sum(int(verdict_of(run).summary[field] or 0) for run in runs)
