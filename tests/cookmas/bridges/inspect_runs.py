"""Evaluations of Inspect, each in its own folder and process.

Inspect leaves streams to the garbage collector, for which a test would get the blame.
"""

from __future__ import annotations

import asyncio
import functools
import importlib.metadata
import runpy
import sys
from pathlib import Path
from unittest.mock import patch

from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, get_model
from inspect_ai.tool import ToolChoice, ToolInfo

from cookmas.bridges.inspect_ai.registry import level1, scenarios
from tests.worlds.rolls import SPEC

COMMAND = [
    *("eval", "cookmas/level1", "--model", "cookmas/scripted"),
    *("-M", "faults=illegal=0.1,status_429=0.4", "-M", "seed=1", "-T", "look_ahead=2"),
    *("--limit", "2", "--epochs", "2", "--epochs-reducer", "mean,pass_k_2", "--seed", "5"),
    *("--display", "plain"),
]
PRICES = "cookmas/scripted: {input: 2, output: 8, input_cache_write: 0, input_cache_read: 0}"
"""The prices of the scripted model, in dollars per million tokens."""


async def sleeps(
    messages: list[ChatMessage], tools: list[ToolInfo], choice: ToolChoice, config: GenerateConfig
) -> ModelOutput:
    """Return a model that never answers."""
    await asyncio.sleep(600)
    raise AssertionError


async def breaks(
    messages: list[ChatMessage], tools: list[ToolInfo], choice: ToolChoice, config: GenerateConfig
) -> ModelOutput:
    """Return a model whose endpoint does not exist."""
    raise ValueError("no such deployment")


def run(log_dir: Path, task: Task, model: str | Model, **limits: int) -> None:
    """Run one evaluation, whether or not it succeeds."""
    evaluate(
        task,
        model=model,
        log_dir=str(log_dir),
        display="none",
        fail_on_error=False,
        token_limit=limits.get("token_limit"),
        time_limit=limits.get("time_limit"),
        limit=limits.get("limit"),
    )


def main(folder: Path) -> None:
    """Run all evaluations, then the command itself; list the installed packages only once."""
    listed = functools.cache(importlib.metadata.packages_distributions)
    with patch("inspect_ai._util.package.packages_distributions", listed):
        run(folder / "tool", level1(recipes="tool"), "cookmas/scripted", limit=1)
        worlds = scenarios("corridor/one,level1/01,robotouille/two-robots/1", planner="embedded")
        run(folder / "worlds", worlds, "none")
        seats = scenarios("hanabi/small", planner="alice=llm,bob=random")
        run(folder / "seats", seats, "cookmas/scripted")
        asked = scenarios("questions/ours", planner="llm")
        run(folder / "questions", asked, "cookmas/scripted", limit=3)
        dice = scenarios("chance,fixed", planner="taking", world=SPEC)
        dice.epochs = 2
        run(folder / "dice", dice, "none")
        run(folder / "tokens", level1(), "cookmas/scripted", limit=1, token_limit=100)
        slow = get_model("mockllm/model", custom_outputs=sleeps, memoize=False)
        run(folder / "time", level1(), slow, limit=1, time_limit=1)
        broken = get_model("mockllm/model", custom_outputs=breaks, memoize=False)
        run(folder / "broken", level1(), broken, limit=1)
        prices = folder / "prices.yaml"
        prices.write_text(PRICES, encoding="utf-8")
        sys.argv = ["inspect", *COMMAND, "--log-dir", str(folder / "command")]
        sys.argv += ["--model-cost-config", str(prices)]
        runpy.run_module("inspect_ai", run_name="__main__")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
