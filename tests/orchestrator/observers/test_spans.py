"""Spans of whole episodes, as a receiver gets them over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import cookmas
from cookmas.episodes.conversation import Message, Usage
from cookmas.episodes.parts import Purpose
from cookmas.episodes.trace import Lookup, ModelCall, PlanRecord, StepRecord, Trace
from cookmas.files.errors import InputError
from cookmas.orchestrator.models.message import CallMeasurements
from cookmas.orchestrator.observers.exporting import CONTENT, ENDPOINTS
from cookmas.orchestrator.planner import Observation, Plan
from tests.orchestrator.observers.receiver import Receiver, attributes, receiving

pytestmark = pytest.mark.usefixtures("least_effort")

SCENARIO = "level1/01"


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (CONTENT, *ENDPOINTS):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as server:
        yield server


class Played(NamedTuple):
    trace: Trace
    receiver: Receiver
    folder: Path


class Talkative:
    """The embedded planner, with two model calls that it claims to have made."""

    name = "talkative"
    planner_class = "hybrid"

    def __init__(self) -> None:
        self._inner: Any = cookmas.load_planner("embedded", cookmas.load_scenario(SCENARIO))

    async def plan(self, observation: Observation[Any]) -> Plan:
        plan = await self._inner.plan(observation)
        purposes: tuple[Purpose, ...] = ("plan", "repair")
        calls = [
            ModelCall(
                timestep=observation.timestep,
                number=number,
                purpose=purpose,
                request="0" * 16,
                model="small",
                messages=(Message(role="user", content="secret recipe"),),
                text="secret answer",
                finish_reason="stop",
                usage=Usage(prompt=10, completion=3, cached=2),
                unusable="unreadable" if number == 1 else None,
            )
            for number, purpose in enumerate(purposes, start=1)
        ]
        measured = [CallMeasurements(seconds=1.5, cost=0.25), CallMeasurements(seconds=0.5)]
        return Plan(schedule=plan.schedule, reasoning="because", calls=calls, measured=measured)


def play(planner: Any = "embedded", **options: Any) -> Trace:
    return cookmas.play(SCENARIO, planner, **options).trace


@pytest.fixture(scope="module")
def played(least_effort: None, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A run of the embedded planner whose spans were sent, and the run's folder."""
    folder = tmp_path_factory.mktemp("runs") / "seen"
    with receiving() as server:
        return Played(play(folder=str(folder), otel=server.url), server, folder)


def test_every_plan_lookup_and_action_is_a_span_of_the_episode(played: Played) -> None:
    trace, receiver, _ = played
    assert receiver.paths == {"/v1/traces"}
    assert receiver.services == {"cookmas"}
    (whole,) = receiver.named("invoke_workflow")
    assert attributes(whole)["gen_ai.operation.name"] == "invoke_workflow"
    assert attributes(whole)["cookmas.termination"] == "finished"
    assert attributes(whole)["cookmas.timesteps"] == trace.end.timestep  # type: ignore[union-attr]
    plans = receiver.named("invoke_agent planner")
    assert len(plans) == len([*trace.of(PlanRecord)])
    assert {span.parent_span_id for span in plans} == {whole.span_id}
    found = receiver.named("execute_tool look_up")
    assert len(found) == len([*trace.of(Lookup)]) > 0
    assert {span.parent_span_id for span in found} <= {span.span_id for span in plans}
    workers = [span for span in receiver.named("invoke_agent") if span not in plans]
    assert {attributes(span)["gen_ai.agent.name"] for span in workers} <= {*trace.header.workers}
    by = {span.span_id for span in workers}
    actions = [span for span in receiver.named("execute_tool") if span not in found]
    assert {span.parent_span_id for span in actions} <= by
    done = [
        (step.timestep, worker)
        for step in trace.of(StepRecord)
        for worker, action in step.commands
        if action != "wait"
    ]
    seen = [attributes(span) for span in actions]
    assert sorted(done) == sorted(
        (each["cookmas.timestep"], each["gen_ai.agent.name"]) for each in seen
    )
    assert len({span.trace_id for span in receiver.spans}) == 1


def test_each_span_lies_within_the_span_above_it_in_wall_time(played: Played) -> None:
    spans = played.receiver.spans
    by = {span.span_id: span for span in spans}
    below = [span for span in spans if span.parent_span_id]
    assert below
    for span in below:
        above = by[span.parent_span_id]
        assert above.start_time_unix_nano <= span.start_time_unix_nano
        assert span.start_time_unix_nano <= span.end_time_unix_nano <= above.end_time_unix_nano


def test_model_calls_have_tokens_durations_and_faults(receiver: Receiver) -> None:
    trace = play(Talkative(), otel=receiver.url)
    chats = receiver.named("chat small")
    assert len(chats) == len([*trace.of(ModelCall)]) > 0
    first, second = sorted(chats, key=lambda span: span.start_time_unix_nano)[:2]
    assert first.end_time_unix_nano - first.start_time_unix_nano == 1_500_000_000
    assert second.end_time_unix_nano - second.start_time_unix_nano == 500_000_000
    assert first.end_time_unix_nano == second.start_time_unix_nano
    told = attributes(first)
    assert told["gen_ai.operation.name"] == "chat"
    assert told["gen_ai.usage.input_tokens"] == 10
    assert told["gen_ai.usage.output_tokens"] == 3
    assert told["gen_ai.usage.cache_read.input_tokens"] == 2
    assert told["cookmas.cost"] == 0.25
    assert told["error.type"] == "unreadable"
    assert first.status.code == 2
    assert attributes(second)["cookmas.purpose"] == "repair"


@pytest.mark.parametrize("asked", [None, "false", "NO_CONTENT"])
def test_no_content_unless_it_is_asked_for(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, asked: str | None
) -> None:
    if asked:
        monkeypatch.setenv(CONTENT, asked)
    trace = play(Talkative(), otel=receiver.url)
    sent = " ".join(str(span) for span in receiver.spans)
    assert "secret" not in sent
    assert "because" not in sent
    assert next(trace.of(Lookup)).text[:40] not in sent


def test_content_by_the_standard_variable(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CONTENT, "SPAN_ONLY")
    trace = play(Talkative(), otel=receiver.url)
    told = attributes(receiver.named("chat")[0])
    assert json.loads(told["gen_ai.input.messages"]) == [
        {"role": "user", "parts": [{"type": "text", "content": "secret recipe"}]}
    ]
    assert "secret answer" in told["gen_ai.output.messages"]
    found = attributes(receiver.named("execute_tool look_up")[0])
    assert found["gen_ai.tool.call.result"] == next(trace.of(Lookup)).text


@pytest.mark.parametrize("name", ENDPOINTS)
def test_a_standard_variable_names_the_receiver(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path = "/v1/traces" if "TRACES" in name else ""
    monkeypatch.setenv(name, receiver.url + path)
    play()
    assert receiver.named("invoke_workflow")


def test_the_trace_is_the_same_with_and_without(played: Played, tmp_path: Path) -> None:
    play(folder=str(tmp_path))
    seen, unseen = (each / "trace.jsonl" for each in (played.folder, tmp_path))
    assert seen.read_bytes() == unseen.read_bytes()
    (whole,) = played.receiver.named("invoke_workflow")
    assert attributes(whole)["gen_ai.conversation.id"] == "seen"


def test_a_receiver_that_is_away_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "0.1")
    with receiving() as server:
        url = server.url
    assert play(otel=url).end


def test_another_address_is_refused() -> None:
    with pytest.raises(InputError, match="4318"):
        play(otel="localhost:4318")


class Broken:
    def begin(self, header: object, idle: str) -> None:
        pass

    def note(self, record: object, measured: object) -> None:
        raise RuntimeError("broken")

    def end(self) -> None:
        raise AssertionError("a dropped observer is told nothing")


async def test_an_observer_that_fails_is_dropped(caplog: pytest.LogCaptureFixture) -> None:
    scenario = cookmas.load_scenario(SCENARIO)
    planner: Any = cookmas.load_planner("embedded", cookmas.load_scenario(SCENARIO))
    trace = await cookmas.episode_of(scenario, planner, observers=(Broken(),)).run()
    assert trace.end
    assert [each.getMessage() for each in caplog.records] == ["Broken failed, and observes no more"]
