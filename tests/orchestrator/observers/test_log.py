"""What an episode logs, and its figures."""

from __future__ import annotations

import logging
import re
from typing import Any

import pytest

import cookmas
from cookmas.episodes.conversation import Usage
from cookmas.episodes.trace import (
    End,
    ModelCall,
    PlanRecord,
    StepRecord,
    Superstep,
    TriggerRecord,
)
from cookmas.orchestrator.models.message import CallMeasurements
from cookmas.orchestrator.observers.figures import Figures
from cookmas.orchestrator.observers.log import LOGGER, RecordLog

FAILING: Any = {
    "timestep": 4,
    "commands": [["ann", "chop\n(onion)"], ["ben", "wait"]],
    "fails": {"ann": {"fail": "missing", "why": "There is no onion."}},
    "digest": "0",
}


def test_one_line_for_each_trigger_plan_and_the_end(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, LOGGER)
    trace = cookmas.play("level1/01").trace
    assert trace.end
    told = [each.getMessage() for each in caplog.records if each.name == LOGGER]
    logged = [each for each in trace.records if isinstance(each, TriggerRecord | PlanRecord | End)]
    assert len(told) == 1 + len(logged)
    assert told[0] == f"{trace.header.scenario_name}: embedded plans"
    for line, record in zip(told[1:], logged, strict=True):
        assert line.startswith(f"timestep {record.timestep}: ")
    assert told[-1] == f"timestep {trace.end.timestep}: end, finished: {trace.end.why}"


def test_a_fail_is_one_line_whatever_its_action_says(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, LOGGER)
    RecordLog().note(StepRecord(**FAILING), None)
    (line,) = [each.getMessage() for each in caplog.records]
    assert line == "timestep 4: FAIL of ann, chop (onion): missing, There is no onion."


def test_a_report_is_one_line_with_its_reason(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, LOGGER)
    reports: Any = {
        "ann": {"status": "failed", "why": "tip\njam"},
        "ben": {"status": "running", "action": "bake", "since": 2},
    }
    RecordLog().note(StepRecord(**{**FAILING, "fails": {}, "reports": reports}), None)
    assert [each.getMessage() for each in caplog.records] == [
        "timestep 4: report of ann, chop (onion): failed: tip jam",
        "timestep 4: report of ben, bake: running",
    ]


@pytest.mark.parametrize("field", ["refused", "gave_up"])
def test_a_plan_that_is_none_says_why(caplog: pytest.LogCaptureFixture, field: str) -> None:
    caplog.set_level(logging.INFO, LOGGER)
    plan: Any = {"timestep": 2, "reasoning": "", "schedule": [], field: "too long"}
    RecordLog().note(PlanRecord(**plan), None)
    (line,) = [each.getMessage() for each in caplog.records]
    assert re.fullmatch(r"timestep 2: plan of planner, (refused|gave up): too long", line)


def test_nothing_is_logged_unless_the_process_shows_it(caplog: pytest.LogCaptureFixture) -> None:
    RecordLog().note(StepRecord(**FAILING), None)
    assert not caplog.records


def test_figures_count_records() -> None:
    figures = Figures()
    call: Any = {"timestep": 1, "number": 1, "request": "0", "model": "m", "messages": ()}
    call |= {"text": "", "finish_reason": "stop", "usage": Usage(prompt=7, completion=2)}
    first = ModelCall(**call, purpose="plan")
    figures.note(first, CallMeasurements(seconds=1.0, cost=0.5))
    figures.note(ModelCall(**call, purpose="repair"), CallMeasurements(seconds=1.0))
    figures.note(PlanRecord(timestep=1, reasoning="", schedule=[]), None)
    figures.note(PlanRecord(timestep=1, reasoning="", schedule=[], refused="no"), None)
    figures.note(StepRecord(**FAILING), None)
    figures.note(Superstep(timestep=1, nodes=["world"]), None)
    counted = figures.data()
    assert counted.pop("fails_by_worker") == {"ann": {"chop": 1}}
    assert counted.pop("job_durations") == {}
    assert sum(counted.pop("plan_durations")["counts"]) == 0
    assert sum(counted.pop("message_waits")["counts"]) == 0
    assert counted == {
        "plans": 2,
        "refused": 1,
        "fails": 1,
        "calls": 2,
        "repairs": 1,
        "tokens_in": 14,
        "tokens_out": 4,
        "money": 0.5,
    }
