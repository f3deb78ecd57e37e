"""A model that nobody here made, behind a server that nobody here wrote.

It serves nothing. What is tried is that asking, bounds, counts, limits and errors work.
"""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest

import cookmas
from cookmas import Run, load_planner, load_scenario
from cookmas.episodes.conversation import Message
from cookmas.episodes.trace import ModelCall
from cookmas.modelserver.local import NAME
from cookmas.orchestrator.dialogue.answers import LONGEST_REASONING, ScheduleAnswer
from cookmas.orchestrator.dialogue.layouts import object_schema, text_schema
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.dialogue.reading import read_reply
from cookmas.orchestrator.models.message import ModelAnswer, Request, Schema
from cookmas.orchestrator.models.openai_model import OpenAIModel
from cookmas.orchestrator.models.options import ModelOptions
from tests.orchestrator.dialogue.layouts import rows_layout

pytestmark = pytest.mark.local_model

SCENARIO = "level1/03"
PATIENCE = 3600.0
"""Seconds for a call: the prompt is long for a machine that is busy."""


def play(url: str, asking: dict[str, Any], **limits: Any) -> tuple[Run, list[ModelCall]]:
    options = ModelOptions(model=NAME, base_url=url, **{"deadline": PATIENCE, **limits})
    ways = AskingOptions(temperature=0.0, model_seed=1, **asking)
    scenario = load_scenario(SCENARIO)
    run = cookmas.play(scenario, load_planner("llm", scenario, options, ways))
    return run, list(run.trace.of(ModelCall))


def ask(url: str, request: Request, deadline: float = PATIENCE) -> ModelAnswer:
    model = OpenAIModel(NAME, url, deadline=deadline)
    return asyncio.run(model.answer(request))[0]


def test_a_schedule_comes_in_the_form_that_was_asked_for(local_model: str) -> None:
    """The schema is enforced and its bounds are kept; the budget ends it before a second call."""
    run, calls = play(local_model, {"max_tokens": 900, "retries": 1}, budget_calls=1)
    assert run.trace.end
    assert run.trace.end.termination == "budget"
    assert run.success is False
    assert [call.purpose for call in calls] == ["plan"]
    for call in calls:
        assert call.finish_reason == "stop"
        assert call.unusable in (None, "outside_schema"), (
            "it may be empty, or name what there is not"
        )
        data = json.loads(call.text)
        assert list(data) == ["reasoning", "schedule"]
        assert 0 < len(data["reasoning"]) <= LONGEST_REASONING
        workers = {"t", *run.trace.header.workers}
        assert all(set(row) in (workers, {"think"}) for row in data["schedule"])
        assert not call.usage.estimated
        assert 2000 < call.usage.prompt < 5000
        assert 0 < call.usage.completion < 900
        assert ScheduleAnswer.model_validate(data)


def test_an_answer_that_is_cut_off_is_told_and_costs_what_the_server_counts(
    local_model: str,
) -> None:
    limits = {"budget_tokens": 100}
    run, calls = play(local_model, {"max_tokens": 40, "retries": 1}, **limits)
    (call,) = calls
    assert (call.finish_reason, call.unusable) == ("length", "truncated")
    assert call.usage.completion == 40
    assert run.trace.end
    assert run.trace.end.termination == "budget"
    again, calls = play(local_model, {"max_tokens": 40, "retries": 0})
    assert calls[0].usage.cached > 1000, "the server has met this prompt before, and says so"
    assert again.trace.end
    assert again.trace.end.termination == "gave_up"


def test_a_cut_off_answer_whose_schedule_is_whole_is_used(local_model: str) -> None:
    row = object_schema({"t": {"type": "integer"}, "worker_1": {"const": "wait"}})
    rows = {"type": "array", "items": row, "minItems": 1, "maxItems": 1}
    lesson = {**text_schema(300), "minLength": 250}
    schema = Schema(name="short", schema=object_schema({"schedule": rows, "lesson": lesson}))
    said = "Write a schedule, and then a long lesson about cooking soup."
    request = Request(
        messages=(Message(role="user", content=said),), schema=schema, max_tokens=60, temperature=0
    )
    answer = ask(local_model, request)
    assert answer.finish_reason == "length"
    read = read_reply(answer, rows_layout())
    assert isinstance(read, ScheduleAnswer), answer.text
    assert read.rows[0].actions == {"worker_1": "wait"}


def test_a_prompt_that_is_too_long_is_known_as_such(local_model: str) -> None:
    request = Request(messages=(Message(role="user", content="egg " * 9000),))
    assert ask(local_model, request).finish_reason == "context_length"


def test_a_deadline_is_kept_and_leaves_the_episode_unscored(local_model: str) -> None:
    """Another prompt than before, so that it takes the server a while to read it."""
    began = time.monotonic()
    limits: dict[str, Any] = {"deadline": 2.0}
    run, calls = play(local_model, {"preset": "io", "max_tokens": 2000}, **limits)
    assert time.monotonic() - began < 30
    assert calls == []
    assert run.trace.end
    assert run.trace.end.termination == "infrastructure_error"
    assert "gave no answer within 2 seconds" in run.trace.end.why
    assert run.success is None
