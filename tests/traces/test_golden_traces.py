"""The golden traces replay, and a fresh run writes them again byte for byte.

`python tests/traces/renew.py` makes them anew.
"""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

import cookmas
from cookmas.episodes.trace import StepRecord, Trace

HERE = Path(__file__).parent
RENEW: dict[str, Any] = runpy.run_path(str(HERE / "renew.py"))
SCENARIOS: tuple[str, ...] = RENEW["SCENARIOS"]


def golden(scenario: str) -> Trace:
    return cookmas.read_trace(RENEW["file_of"](scenario))


def test_every_golden_trace_belongs_to_a_scenario() -> None:
    files = {RENEW["file_of"](scenario) for scenario in SCENARIOS}
    assert {path.name for path in HERE.glob("*.jsonl")} == {path.name for path in files}
    assert sorted(golden(scenario).header.scenario_name for scenario in SCENARIOS) == sorted(
        SCENARIOS
    )


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_golden_trace_replays_equal(scenario: str) -> None:
    trace = golden(scenario)
    frames = list(cookmas.replay(trace))
    assert len(frames) == len(list(trace.of(StepRecord))) > 10
    assert [frame.timestep for frame in frames if not frame.equal] == []


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_fresh_run_writes_the_same_bytes(scenario: str) -> None:
    recorded = RENEW["file_of"](scenario).read_bytes()
    assert RENEW["record"](scenario).encode() == recorded, "see tests/traces/renew.py"


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_golden_trace_is_judged_a_success(scenario: str) -> None:
    path = RENEW["file_of"](scenario)
    trace = golden(scenario)
    assert cookmas.judge(trace, cookmas.truth_of(trace, path)).success is True
