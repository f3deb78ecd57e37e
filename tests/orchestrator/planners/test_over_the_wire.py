"""Planners with the real client against the model server, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cookmas.api import play
from episodes.trace import ModelCall, PlanRecord, Trace
from evals.verdict import Verdict
from orchestrator.dialogue.options import AskingOptions
from orchestrator.dialogue.prompting import PRESETS
from orchestrator.models.options import ModelOptions

ROOT = Path(__file__).parents[3]
SERVE = [sys.executable, "-c", "from cookmas.cli import main; main()", "model-server"]

pytest.importorskip("uvicorn")


@pytest.fixture(scope="module", params=["exact", "illegal"])
def server(request: pytest.FixtureRequest) -> Iterator[tuple[str, str]]:
    faults = ["--fault", "illegal=0.1", "--fault", "prose=0.3"] if request.param != "exact" else []
    process = subprocess.Popen(
        [*SERVE, "--port", "0", "--seed", "1", *faults],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout
    yield request.param, process.stdout.readline().strip()
    process.terminate()
    process.communicate(timeout=30)


def _play(name: str, planner: str, url: str, **asking: Any) -> tuple[Trace, Verdict]:
    options = ModelOptions(model="scripted", base_url=url)
    run = play(name, planner, model=options, asking=AskingOptions(**asking))
    assert run.verdict is not None
    return run.trace, run.verdict


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_serves(preset: str, server: tuple[str, str]) -> None:
    kind, url = server
    ways: dict[str, Any] = {} if kind == "exact" else {"look_ahead": 3}
    trace, verdict = _play("level1/03", "llm", url, preset=preset, **ways)
    assert verdict.success, verdict.why
    if kind == "exact" and not PRESETS[preset].per_step:
        embedded = play("level1/03").verdict
        assert embedded is not None
        assert embedded.summary["makespan"]
        assert verdict.summary["makespan"] == embedded.summary["makespan"]
    assert all(call.usage.prompt > 500 for call in trace.of(ModelCall))


@pytest.mark.parametrize("recipes", ["given", "tool"])
@pytest.mark.parametrize("spec", ["llm", "hybrid"])
def test_recipes_are_given_or_looked_up(spec: str, recipes: str, server: tuple[str, str]) -> None:
    trace, verdict = _play("adversarial/06", spec, server[1], recipes=recipes)
    assert verdict.success, verdict.why
    looked_up = [call for call in trace.of(ModelCall) if call.purpose == "lookup"]
    assert bool(looked_up) is (recipes == "tool")
    assert all(plan.refused is None for plan in trace.of(PlanRecord))
