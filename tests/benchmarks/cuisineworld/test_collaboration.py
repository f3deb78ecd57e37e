"""The collaboration score of episodes that were played in the house, read off their traces."""

from __future__ import annotations

from pathlib import Path

import pytest

import cookmas
from benchmarks.cuisineworld.collaboration import by_interval, main
from benchmarks.cuisineworld.tables import run as played
from cookmas.solving.cuisineworld.planners import noop
from cookmas.worlds.cuisineworld.judging import collaboration_score, tally_of
from cookmas.worlds.cuisineworld.rules.kitchen import TAUS
from cookmas.worlds.cuisineworld.scenario import build_task


def traces(tmp_path: Path, planner: str) -> list[str]:
    paths = []
    for tau in TAUS:
        for episode in (1, 2, 3):
            path = tmp_path / f"{planner}-{tau}-{episode}.jsonl"
            said = {"tau": tau, "episode": episode}
            trace = cookmas.play("cuisineworld/level_3", planner, settings=said).trace
            path.write_text("".join(f"{line}\n" for line in trace.lines()))
            paths.append(str(path))
    return paths


def test_the_score_of_traces_is_that_of_the_engine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = traces(tmp_path, "noop")
    assert main(paths) == 0
    said = capsys.readouterr().out
    assert said.startswith("level_3, 2 agents, noop: CoS 0.000 (tau 1.0 0/24, tau 1.5 0/15,")
    (tallies,) = by_interval(map(cookmas.read_trace, map(Path, paths))).values()
    for tau in TAUS:
        states = [played(build_task("level_3", tau, 2, episode=n), noop) for n in (1, 2, 3)]
        assert tallies[tau].completed.total() == sum(len(state.completed) for state in states)
        assert tallies[tau].failures == sum(tally_of(state).failures for state in states)
    assert collaboration_score({"1.0": tallies["1.0"]}) is None
    assert main(paths[:3]) == 0
    assert "unscored" in capsys.readouterr().out


def test_other_traces_are_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "other.jsonl"
    trace = cookmas.play("corridor/one").trace
    path.write_text("".join(f"{line}\n" for line in trace.lines()))
    assert main([str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert main([]) == 2
