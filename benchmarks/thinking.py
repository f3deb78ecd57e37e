"""Measure what thinking costs when it takes time; write a page of the docs.

    python -m benchmarks.thinking

The embedded planner, the scripted model and a pair of planners play four scenarios of level 3
while their answers take effect later and later. The scripted model is also called at every
timestep. That is outside the protocol of the restaurant, whose orchestrator sleeps until a trigger.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import mean
from typing import Any

from benchmarks.page import DOCS, fill, table
from benchmarks.plot import line_plot
from benchmarks.serving import AT_A_TIME, llm, model_server, verdict_of
from cookmas.api import Run, aplay
from cookmas.episodes.trace import PlannerClass, PlanRecord, StepRecord
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.models.openai_model import OpenAIModel
from cookmas.orchestrator.planner import Observation, Plan, Planner
from cookmas.orchestrator.planners.naming import AgilePlanner
from cookmas.scenarios.scenario import scenario_names
from cookmas.solving.restaurant.planners import EmbeddedPlanner, NaivePlanner

PAGE = DOCS / "explanation/time.md"
SCENARIOS = 4
ANSWERS = (0, 1, 2)
"""Prices in timesteps for each answer."""
TOKENS = (0, 500, 250)
"""Prices in tokens for each timestep; 0 stands for answers that take no time."""
COLUMNS = "| | price | success % | makespan | idle % | answers | timesteps an answer |"


class EveryTimestep:
    """A planner that decides on one timestep at each call: the one at which it takes effect."""

    def __init__(self, inner: Planner) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        """The name of the inner planner with a suffix."""
        return f"{self._inner.name}, at every timestep"

    @property
    def planner_class(self) -> PlannerClass:
        """The class of planners that are called at every timestep."""
        return "per-step"

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return the inner planner's schedule up to the timestep at which it is to take effect."""
        plan = await self._inner.plan(observation)
        now = observation.timestep
        return replace(plan, schedule=plan.schedule[: (observation.effect or now) - now + 1])


Maker = Callable[[OpenAIModel], Planner]

MODEL = llm(Prompting())
ARMS: dict[str, tuple[str, Sequence[int], Maker]] = {
    "embedded": ("timesteps", ANSWERS, lambda _: EmbeddedPlanner()),
    "scripted model": ("tokens", TOKENS, MODEL),
    "scripted model at every timestep": ("tokens", TOKENS, lambda m: EveryTimestep(MODEL(m))),
    "agile: naive, then scripted model": (
        "tokens",
        TOKENS,
        lambda m: AgilePlanner(MODEL(m), NaivePlanner()),
    ),
}
"""The unit of the price, the prices and the planner of each arm."""


async def play(url: str, make: Maker, price: str | None) -> list[Run]:
    """Play the scenarios at a price of thinking."""
    model = OpenAIModel("scripted", url)
    turns = asyncio.Semaphore(AT_A_TIME)

    async def one(name: str) -> Run:
        async with turns:
            return await aplay(name, make(model), thinking=price)

    try:
        return await asyncio.gather(*map(one, scenario_names(3)[:SCENARIOS]))
    finally:
        await model.close()


def measure(runs: Sequence[Run]) -> list[float]:
    """Return success in per cent, makespan, idle workers in per cent, answers, and their delay."""
    idle = [
        sum(action == "wait" for _, action in step.commands) / max(1, len(step.commands))
        for run in runs
        for step in run.trace.of(StepRecord)
    ]
    plans = [plan for run in runs for plan in run.trace.of(PlanRecord)]
    delays = [(plan.due or plan.timestep) - plan.timestep for plan in plans]
    return [
        100 * mean(bool(verdict_of(run).success) for run in runs),
        mean(len([*run.trace.of(StepRecord)]) for run in runs),
        100 * mean(idle),
        len(plans) / len(runs),
        mean(delays),
    ]


def main() -> None:
    rows: list[str] = []
    success: dict[str, list[float]] = {}
    with model_server("--seed=1") as url:
        for arm, (unit, prices, make) in ARMS.items():
            for number, amount in enumerate(prices):
                price = f"{amount} {unit}" if amount else None
                figures = measure(asyncio.run(play(url, make, price)))
                success.setdefault(arm, []).append(figures[0])
                cells = " | ".join(f"{figure:.1f}" for figure in figures)
                rows.append(f"| {arm} | {price or 'none'} | {cells} |")
                print(number, rows[-1], flush=True)
    picture = PAGE.parent / "time-success.svg"
    steps = [float(number) for number in range(len(ANSWERS))]
    title = "scenarios served correctly, %"
    picture.write_text(line_plot(steps, success, "price, from none to the highest", title))
    fill(PAGE, "thinking", f"{table(COLUMNS, rows)}\n\n![{title}](time-success.svg)")


if __name__ == "__main__":
    main()
