"""The pairs of cooks of the results, and how they play."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from benchmarks.serving import faults, model_server
from cookmas.api import aplay
from cookmas.episodes.parts import mark_scripted
from cookmas.evals.verdict import Verdict
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.models.options import ModelOptions

AT_A_TIME = 3
"""Number of concurrent episodes."""

FAULTS = ("illegal", "wrong_item", "off_by_one", "missing_worker")
"""The faults that strike each action of the scripted model, all at the same rate."""


class Pairing(NamedTuple):
    """A pair of cooks, or one planner for both."""

    name: str
    planner: str
    """The planner of each seat, or of all seats."""
    rate: float | None = None
    """Rate of each fault of the scripted model; None if no model is asked."""
    asking: Mapping[str, Any] = {}

    @property
    def label(self) -> str:
        """The name in tables, which says so if the scripted model answers."""
        return self.name if self.rate is None else mark_scripted(self.name)

    @property
    def command(self) -> str:
        """The options of `cookmas run` that play a task with the pair."""
        ways = [
            f"--{name.replace('_', '-')}" + ("" if value is True else f" {value}")
            for name, value in self.asking.items()
        ]
        model = [] if self.rate is None else ["--model scripted --base-url URL"]
        return " ".join([f"--planner {self.planner}", *ways, *model])


MODEL = "bob=collab,alice=collab"
ORCHESTRATED: Mapping[str, Any] = {"look_ahead": 1}
SHARED: Mapping[str, Any] = {"look_ahead": 1, "queue": True}

ARMS = (
    Pairing("reference, reference", "bob=reference,alice=reference"),
    Pairing("asking, reference", "bob=asking,alice=reference"),
    Pairing("asking, obedient", "bob=asking,alice=obedient"),
    Pairing("asking, reserved", "bob=asking,alice=reserved"),
    Pairing("asking, erring", "bob=asking,alice=erring"),
    Pairing("erring, reference", "bob=erring,alice=reference"),
    Pairing("reference, erring", "bob=reference,alice=erring"),
    Pairing("reference, erring at 5%", "bob=reference,alice=erring@0.05"),
    Pairing("reference, erring at 50%", "bob=reference,alice=erring@0.5"),
    Pairing("sharing, sharing", "sharing"),
    Pairing("oracle for both", "oracle"),
    Pairing("orchestrator", "llm", 0.0, ORCHESTRATED),
    Pairing("orchestrator; faults 15%", "llm", 0.15, ORCHESTRATED),
    Pairing("shared schedules", "bob=llm,alice=llm", 0.0, SHARED),
    Pairing("shared schedules; faults 15%", "bob=llm,alice=llm", 0.15, SHARED),
    Pairing("two scripted models", MODEL, 0.0),
    Pairing("scripted model, obedient", "bob=collab,alice=obedient", 0.0),
    Pairing("scripted model, reserved", "bob=collab,alice=reserved", 0.0),
    Pairing("asking, scripted model", "bob=asking,alice=collab", 0.0),
    Pairing("sharing, scripted model", "bob=sharing,alice=collab", 0.0),
    Pairing("two scripted models; faults 5%", MODEL, 0.05),
    Pairing("two scripted models; faults 15%", MODEL, 0.15),
    Pairing("two scripted models; faults 30%", MODEL, 0.3),
    Pairing(
        "two scripted models; faults 15%, no error handling",
        MODEL,
        0.15,
        {"look_ahead": 0, "retries": 0},
    ),
    Pairing("two scripted models; faults 15%, no talk", MODEL, 0.15, {"talk": 0}),
)
"""The pairs; the chef plays the first seat."""


async def play(arm: Pairing, names: Sequence[str]) -> list[Verdict]:
    """Play tasks with a pair; return the verdicts. The n-th task has the planner seed n."""
    if arm.rate is None:
        return await _play(arm, names, None)
    rates = dict.fromkeys(FAULTS, arm.rate)
    with model_server(*faults(1, **rates)) as url:
        return await _play(arm, names, ModelOptions(model="scripted", base_url=url))


async def _play(arm: Pairing, names: Sequence[str], model: ModelOptions | None) -> list[Verdict]:
    turns = asyncio.Semaphore(AT_A_TIME)
    asking = AskingOptions(**arm.asking) if arm.asking else None

    async def one(number: int, name: str) -> Verdict:
        async with turns:
            run = await aplay(
                f"collab-overcooked/{name}",
                arm.planner,
                model=model,
                asking=asking,
                planner_seed=number,
            )
            assert run.verdict
            return run.verdict

    return list(await asyncio.gather(*(one(n, name) for n, name in enumerate(names, start=1))))
