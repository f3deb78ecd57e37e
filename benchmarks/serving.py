"""Common parts of experiments with models: starting the scripted server and playing episodes."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from cookmas.api import Run, aplay
from cookmas.episodes.trace import Termination
from cookmas.evals.verdict import Verdict
from cookmas.orchestrator.dialogue.prompting import PRESETS, Prompting
from cookmas.orchestrator.models.message import Model
from cookmas.orchestrator.models.openai_model import OpenAIModel
from cookmas.orchestrator.planner import Planner
from cookmas.orchestrator.planners.llm import SchedulingPlanner
from cookmas.solving.restaurant.asking import HybridPlanner
from cookmas.solving.restaurant.planners import EmbeddedPlanner
from cookmas.worlds.restaurant.voice import VOICE

Maker = Callable[[Model], Planner]
"""Function that makes the planner of one episode for a model."""

AT_A_TIME = 6
"""Number of episodes at the same time, which keeps every core of the server busy."""


@contextmanager
def model_server(*options: str) -> Iterator[str]:
    """Start a scripted model server; yield its URL, and end the server afterwards.

    `options` are those of `cookmas model-server`.
    """
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
    """Return the options of a scripted server with faults at these rates."""
    given = [f"--fault={name}={rate:g}" for name, rate in rates.items() if rate]
    return [f"--seed={seed}", *given]


def llm(prompting: Prompting, name: str = "llm") -> Maker:
    """Return a function that makes LLM planners with these prompting options."""
    return lambda model: SchedulingPlanner(model, prompting, name=name, voice=VOICE)


def planners() -> dict[str, Maker]:
    """Return makers of all planners that call a model, including one for each preset."""
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
    """Play scenarios at the same time, each with a planner of its own, through one client."""
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
    """Start a server with these options, and play scenarios with it."""
    with model_server(*options) as url:
        return asyncio.run(play(url, names, make))


def play_embedded(names: Sequence[str]) -> list[Run]:
    """Play scenarios with the embedded planner."""

    async def all_of_them() -> list[Run]:
        return [await aplay(name, EmbeddedPlanner()) for name in names]

    return asyncio.run(all_of_them())


def verdict_of(run: Run) -> Verdict:
    """Return the verdict of a run, which exists because every shipped scenario has a truth."""
    assert run.verdict
    return run.verdict


DISHES = ("served", "complete", "customization")
"""Names of the checks on served dishes; the checks on speed are not among them."""


def verdict_part(
    run: Run,
) -> tuple[bool | None, Termination | None, Mapping[tuple[str, str], bool]]:
    """Return the part of a verdict that does not depend on speed.

    It is the success, the termination, and the result of each check in DISHES.
    """
    verdict = verdict_of(run)
    checks = {
        (check.name, check.subject): check.passed
        for check in verdict.checks
        if check.passed is not None and check.name in DISHES
    }
    return verdict.success, verdict.termination, checks


def total(runs: Sequence[Run], field: str) -> int:
    """Return the sum of a field of the verdict's summary over all runs."""
    return sum(int(verdict_of(run).summary[field] or 0) for run in runs)
