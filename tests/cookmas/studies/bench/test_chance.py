"""Sweeps of a game with chance: each repeat has draws of its own, and a score that is compared."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

import cookmas
from cookmas.api import aresume
from cookmas.commands.cli import app
from cookmas.episodes.trace import EventRecord, Trace
from cookmas.episodes.trace_file import read_trace
from cookmas.evals.columns import SCORE, SUCCESS
from cookmas.evals.judging import Judging
from cookmas.files.errors import InputError
from cookmas.forking import ForkRequest, create_fork
from cookmas.studies.bench.executor import LocalExecutor
from cookmas.studies.bench.folder import RESULTS, read_lines
from cookmas.studies.bench.limits import SweepLimits
from cookmas.studies.bench.rescoring import rescore
from cookmas.studies.bench.spec import EpisodeResult, EpisodeSpec
from cookmas.studies.bench.suite import episodes_of, load_suite
from cookmas.studies.bench.sweep import sweep
from cookmas.studies.report.crossplay import Matrix
from cookmas.studies.report.estimates import cases_of
from cookmas.studies.report.report import report
from cookmas.studies.report.results import ArmResults, primary_of, read_results
from tests.worlds.rolls import SPEC, Chance, RollsDomain

SUITE = f"""
title: Dice
world: {SPEC}
scenarios: [chance, fixed]
repeats: 4
arms: [{{planner: taking}}, {{planner: thrice}}, {{planner: whim}}]
"""

ONCE = f"""
title: Dice
world: {SPEC}
scenarios: [chance, fixed]
arms: [{{planner: taking}}]
"""


async def swept(folder: Path, text: str = SUITE) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "dice.yaml"
    path.write_text(text)
    suite, _ = load_suite(str(path))
    await sweep(
        suite,
        episodes_of(suite, path),
        folder / "sweep",
        LocalExecutor(2),
        SweepLimits(),
        lambda _: None,
    )
    return folder / "sweep"


def by_name(folder: Path) -> Mapping[str, ArmResults]:
    return {arm.name: arm for arm in read_results([folder])}


async def test_each_repeat_draws_anew_and_all_arms_play_the_same_draws(tmp_path: Path) -> None:
    folder = await swept(tmp_path)
    results = read_lines(folder / RESULTS, EpisodeResult)
    rolled: dict[tuple[str, int], set[str]] = {}
    for result in results:
        trace = read_trace(folder / result.trace)
        dice = json.dumps(next(record.event for record in trace.of(EventRecord)))
        rolled.setdefault((result.spec.case, result.spec.repeat), set()).add(dice)
        assert (trace.header.seed == result.spec.seed) == result.drawn
    assert all(len(dice) == 1 for dice in rolled.values())
    assert len(set.union(*(d for (case, _), d in rolled.items() if "chance" in case))) == 4
    assert len(set.union(*(d for (case, _), d in rolled.items() if "fixed" in case))) == 1


async def test_the_truth_is_that_of_what_was_drawn(tmp_path: Path) -> None:
    folder = await swept(tmp_path, SUITE.replace(", fixed", ""))
    for result in read_lines(folder / RESULTS, EpisodeResult):
        assert result.verdict
        assert [check.passed for check in result.verdict.of("rolled")] == [True]
    assert rescore(folder) == (0, 12)
    path = next((folder / "traces").glob("taking*"))
    trace = read_trace(path)
    dice = cookmas.truth_of(trace, path, world=SPEC)["dice"]
    assert dice == Chance(name="chance", seed=trace.header.seed).events()[0][1]["dice"]
    assert trace.header.seed


async def test_repeats_that_are_copies_are_named_and_counted_once(tmp_path: Path) -> None:
    folder = await swept(tmp_path, SUITE.replace("[chance, fixed]", "[fixed]"))
    arms = by_name(folder)
    once = by_name(await swept(tmp_path / "once", SUITE.replace("[chance, fixed]", "[fixed]")
                               .replace("repeats: 4", "repeats: 1")))  # fmt: skip
    for name in ("taking", "thrice"):
        assert cases_of(arms[name].played, SCORE) == cases_of(once[name].played, SCORE)
        assert "3 of 4 episodes are copies" in str(arms[name].copies)
        assert "fixed" in str(arms[name].copies)
    assert arms["whim"].copies is None
    assert len(arms["whim"].played) == 4
    (section,) = report(list(arms.values()))
    assert any("taking: 3 of 4 episodes are copies" in note for note in section.notes)
    first = section.tables[0]
    episodes = {row[0]: row[2] for row in first.rows}
    assert episodes == {"taking": "1", "thrice": "1", "whim": "4"}


async def test_copies_keep_the_weight_of_their_case_beside_cases_with_chance(
    tmp_path: Path,
) -> None:
    arms = by_name(await swept(tmp_path))
    taking = arms["taking"]
    assert "3 of 8" in str(taking.copies)
    assert {case: len(found) for case, found in cases_of(taking.played, SCORE).items()} == {
        "chance": 4,
        "fixed": 4,
    }
    (section,) = report(list(arms.values()))
    assert [row[2] for row in section.tables[0].rows if row[0] == "taking"] == ["5"]
    pair = {("taking", "taking"): taking.played}
    cell = Matrix(seats=("ann", "ben"), at=None, column=SCORE, arms=pair).cell("taking", "taking")
    assert cell
    assert cell.scored == 5


async def test_a_graded_world_is_compared_by_its_score(tmp_path: Path) -> None:
    arms = [arm for arm in read_results([await swept(tmp_path)]) if arm.name != "whim"]
    assert primary_of(arms) is SCORE
    (section,) = report(arms)
    (plot,) = section.plots
    assert plot.title.startswith("score")
    titles = [table.title for table in section.tables]
    assert "Differences in score" in titles
    assert "Noise of a single run in score" in titles
    assert "pass^k" not in titles
    (measured,) = (table for table in section.tables if "optimality" in table.columns)
    assert str(measured.rows[0][measured.columns.index("optimality")]).startswith("0.")
    assert [arm.progress.unjudged for arm in arms] == [0, 0]


async def test_a_result_of_an_older_version_is_refused_in_a_line_and_mended(tmp_path: Path) -> None:
    folder = await swept(tmp_path, SUITE.replace("repeats: 4", "repeats: 1"))
    path = folder / RESULTS
    before = read_lines(path, EpisodeResult)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        line["verdict"]["lines"] = line["verdict"].pop("goals", [])
        line["verdict"]["level"] = 1
        del line["digest"]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    with pytest.raises(InputError, match="of an older version: `cookmas rescore` the sweep"):
        read_results([folder])
    assert rescore(folder) == (6, 6)
    assert read_lines(path, EpisodeResult) == before


def test_what_has_no_chance_is_not_drawn_anew(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text("title: t\nscenarios: [level1/01]\nrepeats: 2\narms: [{}]\n")
    suite, _ = load_suite(str(path))
    specs: list[EpisodeSpec] = episodes_of(suite, path)
    assert len({spec.seed for spec in specs}) == 2
    assert cookmas.load_scenario("level1/01").seed not in {spec.seed for spec in specs}


def rolled(trace: Trace) -> list[int]:
    return list(next(trace.of(EventRecord)).event["dice"])


def test_a_seed_draws_a_run_anew_also_where_it_is_gone_on_with(tmp_path: Path) -> None:
    one, other = (cookmas.play("chance", "taking", world=SPEC, seed=seed) for seed in (1, 2))
    assert rolled(one.trace) != rolled(other.trace)
    assert rolled(cookmas.play("chance", "taking", world=SPEC).trace) != rolled(one.trace)
    kept = cookmas.play("chance", "taking", tmp_path / "run", world=SPEC, seed=1)
    assert list(kept.trace.lines()) == list(one.trace.lines())
    assert kept.verdict == one.verdict
    assert list(asyncio.run(aresume(tmp_path / "run")).trace.lines()) == list(one.trace.lines())
    with pytest.raises(InputError, match="fixed leaves nothing to chance"):
        cookmas.play("fixed", "taking", world=SPEC, seed=1)


def test_the_command_draws_anew_and_tells_of_a_grade(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        app,
        [
            *("run", "chance", "--world", SPEC, "--planner", "taking"),
            *("--draw-seed", "1", "--quiet", "--runs", str(tmp_path)),
        ],
    )
    assert done.exit_code == 0, done.output
    run = cookmas.play("chance", "taking", world=SPEC, seed=1)
    assert run.verdict
    assert f"SCORE {run.verdict.score:g} OF 10  chance, taking (embedded)" in done.output
    trace = str(next(tmp_path.glob("*/trace.jsonl")))
    done = CliRunner().invoke(app, ["eval", trace, "--world", SPEC])
    assert done.exit_code == 0, done.output
    listed = CliRunner().invoke(app, ["runs", "--runs", str(tmp_path), "--json"])
    assert json.loads(listed.output)[0]["outcome"] == run.verdict.outcome


def test_a_sweep_of_graded_episodes_does_not_say_that_none_succeeded(tmp_path: Path) -> None:
    path = tmp_path / "dice.yaml"
    path.write_text(ONCE)
    done = CliRunner().invoke(app, ["bench", str(path), "--folder", str(tmp_path / "sweep")])
    assert done.exit_code == 0, done.output
    assert "2 of 2 episodes: " in done.output


async def test_a_judging_names_the_column_that_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class ByCalls(Judging):
        primary = "planner_calls"
        columns = (replace(SUCCESS, optional=True), *Judging.columns[1:])

    monkeypatch.setattr(RollsDomain, "judging", ByCalls())
    arms = read_results([await swept(tmp_path, ONCE)])
    assert primary_of(arms).name == "planner_calls"
    (section,) = report(arms)
    assert section.plots[0].title.startswith("calls")
    assert "success" not in section.tables[0].columns


def test_a_fork_of_a_run_that_was_drawn_anew_is_of_the_same_draws(tmp_path: Path) -> None:
    first, other = (Chance(name="chance", seed=seed).first for seed in (0, 1))
    assert first != other
    cookmas.play("chance", "taking", tmp_path / "run", world=SPEC, seed=1)
    folder = create_fork(tmp_path / "run", ForkRequest(at=2, planner="thrice", world=SPEC))
    fork = asyncio.run(aresume(folder))
    assert all(frame.equal for frame in cookmas.replay(fork.trace, SPEC))
    assert fork.verdict
    assert [check.passed for check in fork.verdict.of("rolled")] == [True]
    assert [goal.when for goal in fork.verdict.goals] == [0, 1, 2]
