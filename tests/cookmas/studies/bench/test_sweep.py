"""Sweeps: what is played, kept, gone on with and refused."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
from pathlib import Path

import pytest

from cookmas.episodes.trace import ModelCall
from cookmas.episodes.trace_file import read_trace
from cookmas.files.errors import CookMASError
from cookmas.studies.bench.arms import Arm
from cookmas.studies.bench.executor import Processes
from cookmas.studies.bench.folder import (
    ANSWERS,
    MEASUREMENTS,
    RESULTS,
    SWEEP,
    TRACES,
    read_lines,
)
from cookmas.studies.bench.limits import SweepLimits
from cookmas.studies.bench.rescoring import rescore
from cookmas.studies.bench.spec import (
    EpisodeJob,
    EpisodeMeasurements,
    EpisodeResult,
    EpisodeSpec,
    JobResult,
)
from cookmas.worlds.corridor.judging import JUDGING
from tests.cookmas.studies.bench.conftest import Counting, Sweeping


async def test_every_episode_is_played_and_can_be_reproduced(
    sweeping: Sweeping, tmp_path: Path
) -> None:
    folder = tmp_path / "sweep"
    swept = await sweeping.run(folder)
    assert not swept.unplayed
    results = read_lines(folder / RESULTS, EpisodeResult)
    assert [result.spec for result in results] == list(sweeping.specs)
    assert [swept.finished[result.spec.name] for result in results] == [
        result.verdict and result.verdict.success for result in results
    ]
    for result in results:
        assert result.verdict
        assert result.verdict.measured is None
        assert (
            read_trace(folder / result.trace).header.scenario_digest == result.spec.scenario_digest
        )
        assert {"cookmas", "code", "rules of corridor"} <= result.versions.keys()
    assert sweeping.told[-1].done == sweeping.told[-1].total == 8
    assert sweeping.told[-1].spent.calls == sum(
        1 for result in results for _ in read_trace(folder / result.trace).of(ModelCall)
    )
    assert not list((folder / ANSWERS).iterdir())
    measured = [x.episode for x in read_lines(folder / MEASUREMENTS, EpisodeMeasurements)]
    assert sorted(measured) == sorted(spec.name for spec in sweeping.specs)


async def test_processes_give_the_same_bytes_also_if_one_is_killed(
    sweeping: Sweeping, finished: Path, tmp_path: Path
) -> None:
    killed = False

    class Killing(Processes):
        """Kills a process while it has work."""

        async def play(self, job: EpisodeJob) -> JobResult:
            nonlocal killed
            if not killed and sum(1 for _ in (tmp_path / "two" / TRACES).iterdir()) > 1:
                killed = True
                os.kill(self.pids[0], signal.SIGKILL)
            return await super().play(job)

    processes = Killing(2, at_a_time=2)
    swept = await sweeping.run(tmp_path / "two", processes)
    assert killed
    assert not swept.unplayed
    one, two = finished, tmp_path / "two"
    traces = [str(path.relative_to(one)) for path in (one / TRACES).iterdir()]
    for name in [RESULTS, *traces]:
        assert (one / name).read_bytes() == (two / name).read_bytes()
    assert not processes.pids


async def test_a_job_that_meets_a_process_just_killed_is_played_by_a_new_one(
    sweeping: Sweeping,
) -> None:
    job = EpisodeJob(spec=sweeping.specs[0])
    async with Processes(1) as processes:
        first = await processes.play(job)
        (pid,) = processes.pids
        os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        second = await processes.play(job)
        assert processes.pids != [pid]
    assert first.failed is None
    assert second.failed is None


async def test_a_process_that_has_nothing_to_play_is_not_started() -> None:
    async with Processes(9) as processes:
        assert not processes.pids


async def test_what_is_finished_is_not_played_again_also_after_a_torn_line(
    sweeping: Sweeping, finished: Path, tmp_path: Path
) -> None:
    shutil.copytree(finished, tmp_path / "sweep")
    results = tmp_path / "sweep" / RESULTS
    whole = results.read_bytes()
    lines = whole.splitlines(keepends=True)
    results.write_bytes(b"".join(lines[:5]) + lines[5][:40])
    again = Counting()
    await sweeping.run(tmp_path / "sweep", again)
    assert again.asked == [spec.name for spec in sweeping.specs[5:]]
    assert results.read_bytes() == whole
    nothing = Counting()
    await sweeping.run(tmp_path / "sweep", nothing)
    assert not nothing.asked


async def test_a_finished_sweep_takes_more_repeats_and_plays_only_the_new_ones(
    sweeping: Sweeping, finished: Path, tmp_path: Path
) -> None:
    sweeping.suite = sweeping.suite.model_copy(update={"repeats": 1})
    await sweeping.run(tmp_path / "sweep")
    played = (tmp_path / "sweep" / RESULTS).read_bytes().splitlines()
    sweeping.suite = sweeping.suite.model_copy(update={"repeats": 2})
    again = Counting()
    await sweeping.run(tmp_path / "sweep", again)
    assert again.asked == [spec.name for spec in sweeping.specs if spec.repeat == 2]
    assert len(again.asked) == len(played)
    await sweeping.run(tmp_path / "sweep")
    whole = (finished / RESULTS).read_bytes().splitlines()
    lines = (tmp_path / "sweep" / RESULTS).read_bytes().splitlines()
    pairs = [(json.loads(one), json.loads(other)) for one, other in zip(lines, whole, strict=True)]
    for one, other in pairs:  # Each result names the suite with which it was played.
        assert {**one, "suite": ""} == {**other, "suite": ""}
    sweeping.suite = sweeping.suite.model_copy(update={"repeats": 1})
    with pytest.raises(CookMASError, match=r"suite\.repeats is 2 there, 1 here"):
        await sweeping.run(tmp_path / "sweep")


async def test_another_suite_model_or_version_is_refused_and_named(
    sweeping: Sweeping, finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(finished, tmp_path / "sweep")
    suite = sweeping.suite
    sweeping.suite = suite.model_copy(update={"repeats": 1})
    with pytest.raises(CookMASError, match=r"suite\.repeats is 2 there, 1 here"):
        await sweeping.run(tmp_path / "sweep")
    other = Arm(name="asked", planner="llm", scripted={"illegal": 0.3})
    sweeping.suite = suite.model_copy(update={"arms": [suite.arms[0], other]})
    with pytest.raises(CookMASError, match=r"illegal is 0\.2 there, 0\.3 here"):
        await sweeping.run(tmp_path / "sweep")
    sweeping.suite = suite
    monkeypatch.setattr("cookmas.studies.bench.origin.code_digest", lambda: "other")
    with pytest.raises(CookMASError, match=r"versions\.code is \w+ there, other here"):
        await sweeping.run(tmp_path / "sweep")
    assert (tmp_path / "sweep" / SWEEP).exists()


async def test_an_infrastructure_error_is_tried_again_and_never_scored(
    sweeping: Sweeping, tmp_path: Path
) -> None:
    never = sweeping.specs[0].name
    once = sweeping.specs[1].name

    def fails(spec: EpisodeSpec, time: int) -> str | None:
        return "no power" if spec.name == never or (spec.name == once and time == 1) else None

    executor = Counting(fails)
    swept = await sweeping.run(tmp_path / "sweep", executor)
    assert swept.unplayed == {never: "no power"}
    assert executor.asked.count(never) == 3
    assert executor.asked.count(once) == 2
    assert never not in swept.finished
    assert never not in (tmp_path / "sweep" / RESULTS).read_text()
    later = Counting()
    assert not (await sweeping.run(tmp_path / "sweep", later)).unplayed
    assert later.asked == [never]


async def test_a_budget_holds_for_the_whole_sweep_and_nothing_is_paid_twice(
    sweeping: Sweeping, tmp_path: Path
) -> None:
    await sweeping.run(tmp_path / "free")
    total = sweeping.told[-1].spent
    limit = total.calls // 2
    short = await sweeping.run(tmp_path / "sweep", limits=SweepLimits(calls=limit))
    assert sweeping.told[-1].spent.calls <= limit
    assert all("calls of the whole sweep are spent" in why for why in short.unplayed.values())
    assert {spec.name for spec in sweeping.specs if spec.arm == "embedded"} <= set(short.finished)
    assert any(name.startswith("asked/") for name in short.finished)
    assert not (await sweeping.run(tmp_path / "sweep")).unplayed
    assert sweeping.told[-1].spent == total
    assert (tmp_path / "sweep" / RESULTS).read_bytes() == (tmp_path / "free" / RESULTS).read_bytes()


async def test_two_at_one_sweep_do_not_get_in_each_others_way(
    sweeping: Sweeping, tmp_path: Path
) -> None:
    class Second(Counting):
        refused = ""

        async def play(self, job: EpisodeJob) -> JobResult:
            if not Second.refused:
                with pytest.raises(CookMASError, match="another process") as caught:
                    await sweeping.run(tmp_path / "sweep")
                Second.refused = str(caught.value)
            return await super().play(job)

    assert not (await sweeping.run(tmp_path / "sweep", Second())).unplayed
    assert Second.refused


def test_stored_traces_are_judged_again_after_an_evaluator_changed(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(finished, tmp_path / "sweep")
    before = (folder / RESULTS).read_bytes()
    traces = {path.name: path.read_bytes() for path in (folder / TRACES).iterdir()}
    assert rescore(folder) == (0, 8)
    assert (folder / RESULTS).read_bytes() == before
    monkeypatch.setitem(JUDGING.evaluators, "ringing", lambda evidence: [])
    assert rescore(folder) == (8, 8)
    verdicts = [result.verdict for result in read_lines(folder / RESULTS, EpisodeResult)]
    assert not any(check.name == "rung" for v in verdicts if v for check in v.checks)
    assert {path.name: path.read_bytes() for path in (folder / TRACES).iterdir()} == traces
    monkeypatch.undo()
    assert rescore(folder) == (8, 8)
    assert (folder / RESULTS).read_bytes() == before
    next((folder / TRACES).iterdir()).unlink()
    with pytest.raises(CookMASError, match="no such trace"):
        rescore(folder)
    assert (folder / RESULTS).read_bytes() == before
