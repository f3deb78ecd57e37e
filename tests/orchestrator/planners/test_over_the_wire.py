"""Planners with the real client against the model server."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cookmas
from cookmas.api import RunRequest, aresume, create
from cookmas.episodes.trace import AnyRecord, MessageRecord, ModelCall, PlanRecord, StepRecord
from cookmas.files.errors import InputError
from cookmas.orchestrator.dialogue.answers import ScheduleAnswer
from cookmas.orchestrator.dialogue.conversation import Proposal
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.dialogue.prompting import PRESETS
from cookmas.orchestrator.dialogue.reading import UsableAnswer
from cookmas.orchestrator.models.message import ModelAnswer
from cookmas.orchestrator.models.options import ModelOptions
from tests.docs.walking import assert_walked, passing
from tests.modelserver.hosting import Hosted

pytest.importorskip("uvicorn")


@pytest.fixture(scope="module", params=["exact", "illegal"])
def server(request: pytest.FixtureRequest, least_effort: None) -> Iterator[tuple[str, str]]:
    faults = ["--fault", "illegal=0.1", "--fault", "prose=0.3"] if request.param != "exact" else []
    server = Hosted("--seed", "1", *faults)
    yield request.param, server.url
    server.stop()


def _play(name: str, planner: str, url: str, **asking: Any) -> cookmas.Run:
    options = ModelOptions(model="scripted", base_url=url)
    return cookmas.play(name, planner, model=options, asking=AskingOptions(**asking))


def _verdict(run: cookmas.Run) -> Any:
    assert run.verdict
    return run.verdict


@pytest.fixture(scope="module")
def embedded_makespan(least_effort: None) -> int:
    makespan: int = _verdict(cookmas.play("level1/03")).summary["makespan"]
    return makespan


def rare(*case: str) -> Any:
    """Return a case that `make conformance` adds."""
    return pytest.param(*case, marks=pytest.mark.conformance)


def of(server: tuple[str, str]) -> dict[str, Any]:
    """Return the options with which a planner copes with the faults of a server."""
    return {} if server[0] == "exact" else {"look_ahead": 3}


@pytest.mark.parametrize(
    ("server", "preset"),
    [
        *(("exact", preset) for preset in PRESETS),
        ("illegal", "default"),
        ("illegal", "collab-overcooked"),
        rare("illegal", "cac"),
    ],
    indirect=["server"],
)
def test_every_preset_serves(preset: str, server: tuple[str, str], embedded_makespan: int) -> None:
    kind, url = server
    run = _play("level1/03", "llm", url, preset=preset, **of(server))
    assert run.success, _verdict(run).why
    if kind == "exact" and not PRESETS[preset].per_step:
        assert _verdict(run).summary["makespan"] == embedded_makespan
    assert all(call.usage.prompt > 500 for call in run.trace.of(ModelCall))


@pytest.mark.parametrize(
    ("server", "preset"),
    [
        *(("illegal", preset) for preset in PRESETS),
        *(rare("exact", preset) for preset in PRESETS),
    ],
    indirect=["server"],
)
def test_every_preset_rings_every_bell(preset: str, server: tuple[str, str]) -> None:
    run = _play("corridor/two", "llm", server[1], preset=preset, **of(server))
    assert run.success, _verdict(run).why


@pytest.mark.parametrize(
    ("server", "preset"),
    [
        ("exact", "mindagent"),
        rare("exact", "default"),
        rare("illegal", "io-cot"),
        rare("illegal", "cac"),
    ],
    indirect=["server"],
)
def test_presets_dispatch_in_cuisineworld(preset: str, server: tuple[str, str]) -> None:
    kind, url = server
    verdict = _verdict(_play("cuisineworld/level_0", "llm", url, preset=preset))
    assert verdict.termination == "horizon"
    assert verdict.summary["completed"] > 0
    calls = verdict.summary["model_calls"]
    assert calls >= 50 if PRESETS[preset].per_step else calls > 0
    if kind == "exact":
        assert verdict.summary["fails"] == 0


@pytest.mark.parametrize(
    ("server", "scenario"),
    [
        ("illegal", "corridor/halves"),
        rare("exact", "corridor/halves"),
        rare("illegal", "cuisineworld/level_0"),
    ],
    indirect=["server"],
)
def test_a_team_of_models_plays(scenario: str, server: tuple[str, str]) -> None:
    run = _play(scenario, "llm-team", server[1])
    agents = {call.agent for call in run.trace.of(ModelCall)}
    assert agents == set(run.trace.header.workers)
    assert _verdict(run).termination in ("finished", "horizon")
    tally = run.trace.end and run.trace.end.tally
    assert tally
    assert tally.done > 0
    if scenario == "corridor/halves":
        assert {record.agent for record in run.trace.of(MessageRecord)} == agents


@pytest.mark.parametrize("server", ["exact"], indirect=True)
def test_each_agent_of_a_team_may_be_another_model(server: tuple[str, str]) -> None:
    options = ModelOptions(model="first,second", base_url=server[1])
    run = cookmas.play("corridor/halves", "llm-team", model=options)
    called = {(call.agent, call.model) for call in run.trace.of(ModelCall)}
    assert called == {("walker_1", "first"), ("walker_2", "second")}
    three = ModelOptions(model="a,b,c", base_url=server[1])
    with pytest.raises(InputError, match="expected one model or 2, not 3"):
        cookmas.play("corridor/halves", "llm-team", model=three)


@pytest.mark.parametrize(
    ("server", "spec", "recipes", "scenario"),
    [
        ("exact", "llm", "tool", "level1/03"),
        ("illegal", "hybrid", "given", "level1/03"),
        rare("exact", "llm", "given", "adversarial/06"),
        rare("exact", "hybrid", "tool", "adversarial/06"),
        rare("illegal", "llm", "tool", "adversarial/06"),
        rare("illegal", "hybrid", "given", "adversarial/06"),
    ],
    indirect=["server"],
)
def test_recipes_are_given_or_looked_up(
    spec: str, recipes: str, scenario: str, server: tuple[str, str]
) -> None:
    run = _play(scenario, spec, server[1], recipes=recipes)
    assert run.success, _verdict(run).why
    looked_up = [call for call in run.trace.of(ModelCall) if call.purpose == "lookup"]
    assert bool(looked_up) is (recipes == "tool")
    assert all(plan.refused is None for plan in run.trace.of(PlanRecord))


@pytest.mark.parametrize("server", ["illegal"], indirect=True)
def test_calls_around_decisions_are_recorded_replayed_and_resumed(
    server: tuple[str, str], tmp_path: Path
) -> None:
    tape = tmp_path / "tape.jsonl"
    line_up = "walker_1=cac,walker_2=llm-co"
    wired = ModelOptions(
        model="scripted", base_url=server[1], price_in=1.0, price_out=1.0, record=tape
    )
    request = RunRequest(scenario="corridor/two", planner=line_up, model=wired)
    whole = asyncio.run(aresume(create(tmp_path / "whole", request)))
    assert whole.success, _verdict(whole).why
    purposes = Counter((call.agent, call.purpose) for call in whole.trace.of(ModelCall))
    assert purposes["walker_1", "infer"] == purposes["walker_1", "turn"] - 1
    assert purposes["walker_1", "verify"] >= purposes["walker_1", "turn"]
    assert {purpose for agent, purpose in purposes if agent == "walker_2"} <= {"turn", "repair"}
    summary = _verdict(whole).summary
    assert summary["model_calls"] == sum(purposes.values())
    tokens = sum(call.usage.total for call in whole.trace.of(ModelCall))
    measured = _verdict(whole).measured
    assert measured.cost == pytest.approx(tokens / 1_000_000)
    assert all(frame.equal for frame in cookmas.replay(whole.trace))

    def stop(record: AnyRecord) -> None:
        if isinstance(record, ModelCall) and record.purpose == "verify" and record.timestep == 3:
            raise KeyboardInterrupt

    taped = ModelOptions(model="scripted", replay=tape, price_in=1.0, price_out=1.0)
    folder = create(tmp_path / "killed", request.model_copy(update={"model": taped}))
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(aresume(folder, stop))
    resumed = asyncio.run(aresume(folder))
    for kind in (ModelCall, StepRecord):
        assert list(whole.trace.of(kind)) == list(resumed.trace.of(kind))


@pytest.mark.parametrize("server", ["exact"], indirect=True)
def test_an_answer_walks_as_the_architecture_says(server: tuple[str, str]) -> None:
    carried = {ModelAnswer, UsableAnswer, ScheduleAnswer, Proposal}
    with passing(["model's answer"], carried) as passed:
        options = ModelOptions(model="scripted", base_url=server[1], budget_calls=99)
        asking = AskingOptions(look_ahead=1)
        cookmas.play("level1/01", "llm", model=options, asking=asking)
    assert_walked("model's answer", passed)
