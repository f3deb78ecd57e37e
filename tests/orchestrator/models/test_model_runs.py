"""Runs with a model: what they leave in their folder, and that they go on and replay."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from cookmas.api import aplay, aresume, load_planner
from cookmas.episodes.trace import ModelCall
from cookmas.evals.report import verdict_report
from cookmas.evals.suite import aggregate
from cookmas.files.errors import InputError, MissingError
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.models.cassette import CassetteError
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.orchestrator.runs.folder import read_run
from cookmas.sandbox.child import Limits
from cookmas.scenarios.scenario import load_scenario
from cookmas.worlds.restaurant.judging import JUDGING
from cookmas.worlds.restaurant.judging.report import details
from tests.orchestrator.models.endpoint import Server, fails, says

MARKER = "sk-marker-c0ffee"
SCENARIO = "level1/01"
CORRIDOR = "corridor/one"


@pytest.fixture(autouse=True)
def polite(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    monkeypatch.setenv("COOKMAS_API_KEY", MARKER)
    return "polite_planner:Polite"


def options(server: Server, **more: Any) -> ModelOptions:
    return ModelOptions(model="stub", base_url=server.url, **more)


async def test_a_run_leaves_calls_in_the_trace_and_measurements_beside_it(
    server: Server, polite: Any, tmp_path: Any, monkeypatch: Any
) -> None:
    monkeypatch.setenv("COOKMAS_API_KEY", MARKER)
    chosen = options(server, price_in=10.0, price_out=100.0, budget_calls=5)
    limits = Limits(environment=("COOKMAS_API_KEY",))
    run = await aplay(SCENARIO, polite, tmp_path / "run", model=chosen, limits=limits)
    assert server.seen[0].headers["authorization"] == f"Bearer {MARKER}"
    assert run.verdict is not None
    summary, measured = run.verdict.summary, run.verdict.measured
    assert (run.success, summary["model_calls"], summary["tokens"]) == (True, 1, 120)
    (by_purpose,) = run.verdict.of("model_calls_by_purpose")
    assert (by_purpose.subject, by_purpose.value) == ("read", 1)
    assert measured is not None
    assert measured.cost == pytest.approx(0.003)
    assert measured.model_seconds > 0
    session = json.loads((tmp_path / "run" / "measurements.json").read_text())["sessions"][0]
    assert session["model_calls"][0]["retries"] == 0
    assert read_run(tmp_path / "run").model == chosen
    files = [path for path in (tmp_path / "run").iterdir() if path.is_file()]
    assert len(files) >= 3
    assert not [path.name for path in files if MARKER.encode() in path.read_bytes()]
    again = await aresume(tmp_path / "run")
    assert again.verdict is not None
    assert again.verdict.measured is not None
    assert (again.verdict.summary, again.verdict.measured.cost) == (summary, measured.cost)
    assert len(server.seen) == 1


async def test_what_a_verdict_reports(server: Server, polite: Any) -> None:
    from rich.console import Console

    run = await aplay(SCENARIO, polite, model=options(server, price_in=10.0, price_out=100.0))
    assert run.verdict is not None
    page = StringIO()
    Console(file=page, width=100).print(verdict_report(run.verdict, JUDGING.measures, details))
    text = page.getvalue()
    for words in ("model calls", "100 in (0 cached), 20 out (0 reasoning)", "0.0030", "retries"):
        assert words in text
    ((row,),) = aggregate([run.verdict], JUDGING.columns).values()
    of = row.figures
    assert (of["model_calls"].value, of["tokens"].value, of["cost"].value) == (1, 120, 0.003)


async def test_a_planner_without_a_model_has_no_such_measures(server: Server) -> None:
    run = await aplay(SCENARIO, "embedded")
    assert run.verdict is not None
    assert run.verdict.measured is None
    assert run.verdict.summary["model_calls"] is None
    assert not list(run.verdict.of("tokens"))


async def test_a_run_is_recorded_and_replayed_without_a_model(
    server: Server, tmp_path: Path
) -> None:
    way = ("right", "right", "right", "ring(red)")
    rows = [{"t": now, "walker_1": act} for now, act in enumerate(way)]
    server.default = says(json.dumps({"reasoning": "hm", "schedule": rows}))
    tape, trace = tmp_path / "tape.jsonl", tmp_path / "a" / "trace.jsonl"
    record, replay = options(server, record=tape), ModelOptions(replay=tape)
    first = await aplay(CORRIDOR, "llm", tmp_path / "a", model=record)
    assert first.success
    asked = len(server.seen)
    again = await aplay(CORRIDOR, "llm", tmp_path / "b", model=replay)
    third = await aplay(CORRIDOR, "llm", tmp_path / "c", model=ModelOptions(replay=trace))
    assert first.trace == again.trace == third.trace
    assert len(server.seen) == asked
    assert len(list(first.trace.of(ModelCall))) == asked
    other = AskingOptions(chain_of_thought=False)
    with pytest.raises(CassetteError, match=r"was '.*', is '"):
        await aplay(CORRIDOR, "llm", tmp_path / "d", model=replay, asking=other)


async def test_a_run_whose_budget_is_used_up_has_failed(server: Server) -> None:
    run = await aplay(CORRIDOR, "llm", model=options(server, budget_calls=0))
    assert run.trace.end is not None
    assert run.trace.end.termination == "budget"
    assert run.success is False


async def test_an_endpoint_that_is_down_leaves_the_run_unscored(server: Server) -> None:
    server.default = fails(401)
    run = await aplay(CORRIDOR, "llm", model=options(server))
    assert run.trace.end is not None
    assert run.trace.end.termination == "infrastructure_error"
    assert run.success is None


@pytest.mark.parametrize("name", ["", "x" * 151, "two\nlines"])
def test_a_name_that_no_table_can_show_is_refused(name: str) -> None:
    assert ModelOptions(model="x" * 150).model
    with pytest.raises(InputError, match=r"^--model: expected a name of 1 to 150 printable"):
        ModelOptions(model=name)


def test_planners_and_the_options_they_take(server: Server, polite: Any) -> None:
    scenario = load_scenario(SCENARIO)
    with pytest.raises(InputError, match="--model"):
        load_planner(polite, scenario)
    with pytest.raises(InputError, match="calls no model: leave out --budget-calls"):
        load_planner("embedded", scenario, ModelOptions(budget_calls=1))
    with pytest.raises(MissingError, match="no such cassette"):
        load_planner(polite, scenario, ModelOptions(replay=Path("nowhere")))
    assert load_planner(polite, scenario, options(server)).name == "polite"
