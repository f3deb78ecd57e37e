"""Probes: single decisions in states out of a trace."""

from __future__ import annotations

from pathlib import Path

from cookmas.episodes.trace import PlanRecord
from cookmas.episodes.trace_file import read_trace
from cookmas.studies.bench.folder import RESULTS, read_lines
from cookmas.studies.bench.rescoring import rescore
from cookmas.studies.bench.spec import EpisodeResult
from tests.cookmas.studies.bench.conftest import Sweeping

SUITE = """
title: Probes
scenarios: [level1/01]
probe: {states: 3}
arms:
  - planner: embedded
  - planner: random
  - {name: wrong, planner: llm, scripted: {illegal: 1.0}}
"""


async def test_a_planner_is_asked_once_in_every_state(tmp_path: Path) -> None:
    path = tmp_path / "probes.yaml"
    path.write_text(SUITE)
    sweeping = Sweeping(path)
    swept = await sweeping.run(tmp_path / "sweep")
    assert not swept.unplayed
    states: dict[str, list[int]] = {}
    right: dict[str, list[bool | None]] = {}
    results = read_lines(tmp_path / "sweep" / RESULTS, EpisodeResult)
    for result in results:
        assert result.verdict
        assert result.asked_at is not None
        states.setdefault(result.spec.arm, []).append(result.asked_at)
        right.setdefault(result.spec.arm, []).append(result.verdict.success)
        trace = read_trace(tmp_path / "sweep" / result.trace)
        assert result.asked_at in [plan.timestep for plan in trace.of(PlanRecord)]
    assert states["embedded"] == states["random"] == states["wrong"]
    assert sorted(set(states["embedded"])) == states["embedded"]
    assert right["embedded"] == [True, True, True]
    assert right["wrong"] == [False, False, False]
    assert sum(map(bool, right["random"])) < 3
    wrong = [result for result in results if result.spec.arm == "wrong"]
    for result in wrong:
        assert result.verdict
        assert [c.subject for c in result.verdict.of("mistake")] == ["rule violation"]
    before = (tmp_path / "sweep" / RESULTS).read_bytes()
    assert rescore(tmp_path / "sweep") == (0, 9)
    assert (tmp_path / "sweep" / RESULTS).read_bytes() == before
