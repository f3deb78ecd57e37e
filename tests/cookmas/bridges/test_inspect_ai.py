"""CookMAS inside Inspect AI: the command of Inspect plays, and its log has all that there is."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageTool,
    ModelOutput,
)
from inspect_ai.scorer import Target
from inspect_ai.tool import ToolCall as InspectCall

import cookmas
from cookmas.bridges.inspect_ai.messages import (
    answer_of,
    from_inspect,
    output_of,
    to_inspect,
    trace_of,
    write_traces,
)
from cookmas.bridges.inspect_ai.provider import BUSY, BusyError, ScriptedAPI
from cookmas.bridges.inspect_ai.registry import scenarios
from cookmas.bridges.inspect_ai.scorer import figures
from cookmas.episodes.conversation import Message, ToolCall, Usage
from cookmas.episodes.trace import EventRecord, Lookup, ModelCall, Trace
from cookmas.evals.verdict import Verdict
from cookmas.kitchen.simulator import RULES
from cookmas.modelserver.faults import Faults
from cookmas.orchestrator.models.message import ModelAnswer, Request, Schema, ToolSpec
from cookmas.worlds.restaurant.judging import JUDGING
from tests.worlds.rolls import LIMIT, SPEC

ROOT = Path(__file__).parents[3]


def played(sample: EvalSample) -> Trace:
    trace = trace_of(sample)
    assert trace
    return trace


def how_it_ended(sample: EvalSample) -> str:
    end = played(sample).end
    assert end
    return end.termination


Logs = Mapping[str, EvalLog]


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Logs:
    """The logs of all evaluations read back, by name."""
    folder = tmp_path_factory.mktemp("logs")
    done = subprocess.run(
        [sys.executable, "-m", "tests.cookmas.bridges.inspect_runs", str(folder)],
        cwd=ROOT,
        env=os.environ | {"INSPECT_LOG_LEVEL": "warning"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return {
        path.parent.name: read_eval_log(str(path), resolve_attachments=True)
        for path in folder.glob("*/*.eval")
    }


@pytest.fixture(scope="module")
def log(logs: Logs) -> EvalLog:
    """What the command has left."""
    return logs["command"]


def samples(log: EvalLog) -> Iterator[EvalSample]:
    assert log.status == "success", log.error
    assert log.samples
    yield from log.samples


def test_the_command_of_inspect_plays_and_judges(log: EvalLog) -> None:
    assert [(sample.id, sample.epoch) for sample in samples(log)] == [
        (f"level1/{number:02}", epoch) for epoch in (1, 2) for number in (1, 2)
    ]
    assert log.eval.task_args == {"planner": "llm", "look_ahead": 2}
    for sample in samples(log):
        trace = played(sample)
        assert trace.header.planner == "llm:look-ahead=2 (cookmas/scripted)"
        assert all(frame.equal for frame in cookmas.replay(trace))
        assert sample.scores
        truth = cookmas.truth_of(trace, Path("level1.jsonl"))
        verdict = cookmas.judge(trace, truth)
        assert sample.scores["verdict"].metadata == verdict.model_dump(mode="json")
        assert sample.scores["verdict"].value == ("C" if verdict.success else "I")
        assert verdict.why in (sample.scores["verdict"].explanation or "")


def test_the_error_is_clustered_by_scenario(log: EvalLog) -> None:
    assert log.results
    for scored in log.results.scores:
        assert scored.metrics["stderr"].params == {"cluster": "scenario"}
    assert all((sample.metadata or {})["scenario"] == sample.id for sample in samples(log))


def test_the_log_says_what_was_played_and_what_was_wanted(log: EvalLog) -> None:
    assert log.eval.dataset.name == "level1"
    assert log.eval.task_version == f"restaurant: rules {RULES}, judges {JUDGING.version}"
    for sample in samples(log):
        assert sample.target == "SUCCESS"
        assert sample.scores
        verdict = sample.scores["verdict"]
        assert verdict.answer == {"C": "SUCCESS", "I": "FAILED"}[str(verdict.value)]


def test_each_epoch_has_a_seed_of_its_own(log: EvalLog) -> None:
    asked = {
        sample.epoch: {
            event.config.seed for event in sample.events if isinstance(event, ModelEvent)
        }
        for sample in samples(log)
    }
    assert asked == {1: {5}, 2: {6}}
    answers = [
        [event.output.completion for event in sample.events if isinstance(event, ModelEvent)]
        for sample in samples(log)
    ]
    assert answers[:2] != answers[2:]


def test_the_columns_of_a_suite_are_scored_beside_the_verdict(log: EvalLog) -> None:
    assert log.results
    means = {
        scored.name: scored.metrics["mean"].value
        for scored in log.results.scores
        if scored.scorer == "figures" and scored.reducer == "mean"
    }
    assert {"dishes", "gap", "makespan", "fails"} <= means.keys()
    tokens = [sum(c.usage.total for c in played(each).of(ModelCall)) for each in samples(log)]
    assert means["tokens"] == pytest.approx(sum(tokens) / len(tokens))


def test_all_of_several_epochs_are_judged_by_inspect(log: EvalLog) -> None:
    assert log.results
    [found] = [
        scored.metrics["accuracy"].value
        for scored in log.results.scores
        if scored.name == "verdict" and scored.reducer == "pass_k_2"
    ]
    right: dict[object, list[bool]] = {}
    for sample in samples(log):
        assert sample.scores
        right.setdefault(sample.id, []).append(sample.scores["verdict"].value == "C")
    assert found == sum(map(all, right.values())) / len(right)


def test_the_prices_that_inspect_is_told_count(log: EvalLog) -> None:
    for sample in samples(log):
        usages = [call.usage for call in played(sample).of(ModelCall)]
        cost = sum(2 * (u.prompt - u.cached) + 8 * u.completion for u in usages) / 10**6
        assert sample.model_usage["cookmas/scripted"].total_cost == pytest.approx(cost)


def test_inspect_asks_again_and_counts_what_the_trace_counts(log: EvalLog) -> None:
    failed: list[str] = []
    for sample in samples(log):
        calls = list(played(sample).of(ModelCall))
        events = [event for event in sample.events if isinstance(event, ModelEvent)]
        failed += [event.error for event in events if event.error]
        asked = [event for event in events if not event.error]
        assert len(calls) == len(asked) > 0
        tokens = sum(call.usage.total for call in calls)
        assert sample.model_usage["cookmas/scripted"].total_tokens == tokens
        for call, event in zip(calls, asked, strict=True):
            assert [message.content for message in call.messages] == [m.text for m in event.input]
            assert call.text == event.output.completion
    assert any("Too many requests" in error for error in failed)


def test_the_traces_are_got_out_of_the_log(log: EvalLog, tmp_path: Path) -> None:
    written = write_traces(log.location, tmp_path)
    assert [path.name for path in written][:2] == ["level1-01-1.jsonl", "level1-02-1.jsonl"]
    for path, sample in zip(written, samples(log), strict=True):
        assert cookmas.read_trace(path) == played(sample)


def test_a_model_that_looks_recipes_up_does_so_through_inspect(logs: Logs) -> None:
    [sample] = samples(logs["tool"])
    assert sample.scores
    assert sample.scores["verdict"].value == "C"
    assert list(played(sample).of(Lookup))
    assert any(isinstance(message, ChatMessageTool) for message in sample.messages)


def test_other_worlds_and_planners_without_a_model_are_scored_as_well(logs: Logs) -> None:
    found = list(samples(logs["worlds"]))
    assert [sample.id for sample in found] == [
        "corridor/one",
        "level1/01",
        "robotouille/two-robots/1",
    ]
    assert [sample.scores["verdict"].value for sample in found if sample.scores] == ["C"] * 3
    assert not any(sample.model_usage for sample in found)


def test_a_player_of_cards_is_asked_through_inspect_and_its_score_counts(logs: Logs) -> None:
    [sample] = samples(logs["seats"])
    assert sample.id == "hanabi/small"
    trace = played(sample)
    assert trace.end
    assert trace.end.tally.score is not None
    assert {call.agent for call in trace.of(ModelCall)} == {"alice"}
    assert sample.scores
    share = "I" if trace.end.termination == "lost" else trace.end.tally.score / 6
    assert sample.scores["verdict"].value == share


def test_questions_of_a_suite_are_asked_through_inspect(logs: Logs) -> None:
    found = list(samples(logs["questions"]))
    assert [str(sample.id).startswith("questions/ours/") for sample in found] == [True] * 3
    assert [sample.scores["verdict"].value for sample in found if sample.scores] == ["C"] * 3
    assert all(sample.model_usage for sample in found)


@pytest.mark.parametrize(
    ("name", "kind", "why"), [("tokens", "token", "budget"), ("time", "time", "")]
)
def test_a_limit_ends_the_episode_and_its_trace_where_it_was(
    logs: Logs, name: str, kind: str, why: str
) -> None:
    [sample] = samples(logs[name])
    assert sample.limit
    assert sample.limit.type == kind
    assert how_it_ended(sample) == "budget"
    assert sample.scores
    assert sample.scores["verdict"].value == "I"
    assert why in (sample.scores["verdict"].explanation or "")


def test_an_error_of_the_endpoint_is_an_error_and_no_score(logs: Logs) -> None:
    [sample] = samples(logs["broken"])
    assert sample.error
    assert "no such deployment" in sample.error.message
    assert not sample.scores
    assert how_it_ended(sample) == "infrastructure_error"


def test_a_request_is_the_same_on_the_other_side() -> None:
    parameters = {"type": "object", "properties": {"key": {"type": "string"}}, "required": ["key"]}
    request = Request(
        messages=(
            Message(role="system", content="You plan."),
            Message(role="user", content="An order."),
            Message(
                role="assistant",
                content="",
                tool_calls=(ToolCall(id="1", name="look_up", arguments='{"key": "Toast"}'),),
            ),
            Message(role="tool", content="Toast it.", tool_call_id="1"),
        ),
        schema=Schema(name="schedule", schema={"type": "object", "additionalProperties": False}),
        tools=(
            ToolSpec(
                name="look_up",
                description="Looks up.",
                parameters={**parameters, "additionalProperties": False},
            ),
        ),
        temperature=0.5,
        max_tokens=100,
        seed=3,
    )
    assert from_inspect(*to_inspect(request)) == request


REQUEST = Request(messages=(Message(role="user", content="An order."),))


@pytest.mark.parametrize(
    ("text", "reason", "refusal"),
    [
        ("{}", "stop", None),
        ("{", "length", None),
        ("", "context_length", None),
        ("", "refusal", "I would rather not."),
    ],
)
def test_an_answer_is_the_same_on_the_other_side(
    text: str, reason: str, refusal: str | None
) -> None:
    usage = Usage(prompt=10, completion=5, cached=4, reasoning=2)
    answer = ModelAnswer(text=text, finish_reason=reason, refusal=refusal, model="m", usage=usage)
    found = answer_of(output_of(answer), REQUEST, "m")
    assert (found.finish_reason, found.refusal, found.usage) == (reason, refusal, usage)
    assert found.text == (refusal or text)


async def test_a_provider_without_a_seed_errs_as_the_model_server_does() -> None:
    rate = f"{BUSY}=0.5"

    async def find_busy(api: ScriptedAPI) -> list[int]:
        busy = []
        for number in range(20):
            asked = Request(messages=(Message(role="user", content=f"Order {number}."),))
            messages, tools, config = to_inspect(asked)
            try:
                await api.generate(messages, tools, "auto", config)
            except BusyError:
                busy.append(number)
        return busy

    by_server = await find_busy(ScriptedAPI("scripted", faults=rate, seed=Faults().seed))
    assert await find_busy(ScriptedAPI("scripted", faults=rate)) == by_server
    assert await find_busy(ScriptedAPI("scripted", faults=rate, seed=1)) != by_server


def test_arguments_that_nobody_could_read_are_none_for_cookmas_either() -> None:
    broken = InspectCall(id="1", function="look_up", arguments={}, parse_error="no JSON: {key")
    message = ChatMessageAssistant(content="", tool_calls=[broken])
    found = answer_of(ModelOutput.from_message(message, "tool_calls"), REQUEST, "m")
    assert found.finish_reason == "tool_calls"
    assert found.tool_calls == (ToolCall(id="1", name="look_up", arguments="no JSON: {key"),)
    assert found.usage.estimated


async def test_figures_of_other_evaluators_are_unscored() -> None:
    verdict = (await cookmas.aplay("fixed", "thrice", world=SPEC)).verdict
    assert verdict
    for judges in (verdict.judges, "0"):
        kept = SimpleNamespace(metadata=verdict.model_dump(mode="json") | {"judges": judges})
        state: Any = SimpleNamespace(scores={"verdict": kept}, metadata={"world": SPEC})
        found = await figures(["score"])(state, Target(""))
        assert found is not None
        if judges == "0":
            assert (found.explanation or "").startswith("evaluators of version 0 judged it")
        else:
            assert found.value == {"score": verdict.score}


def test_a_graded_world_gets_the_share_of_the_best_and_draws_anew_in_each_epoch(
    logs: Logs,
) -> None:
    rolled: dict[str, list[str]] = {}
    for sample in samples(logs["dice"]):
        trace = played(sample)
        assert trace.end
        assert trace.end.tally.score is not None
        assert sample.scores
        verdict, figures = sample.scores["verdict"], sample.scores["figures"]
        assert verdict.value == trace.end.tally.score / LIMIT
        assert verdict.answer == f"SCORE {trace.end.tally.score:g} OF {LIMIT}"
        assert isinstance(figures.value, dict)
        assert figures.value["score"] == trace.end.tally.score
        found = Verdict.model_validate(verdict.metadata)
        assert [check.passed for check in found.of("rolled")] == [True]
        dice = next(trace.of(EventRecord)).event["dice"]
        rolled.setdefault(trace.header.scenario_name, []).append(str(dice))
    assert {name: len(set(dice)) for name, dice in rolled.items()} == {"chance": 2, "fixed": 1}


def test_a_line_up_may_come_in_the_parts_that_inspect_makes_of_it() -> None:
    line = ["walker_1=team", "walker_2=llm"]
    task = scenarios("corridor/halves", planner=line)
    assert [sample.id for sample in task.dataset] == ["corridor/halves"]
    with pytest.raises(PrerequisiteError, match="seat 'walker_2' has no planner"):
        scenarios("corridor/halves", planner=line[:1])
