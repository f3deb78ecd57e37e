"""What going on with a run reads: its folder once, and its scenario once."""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cookmas.api import RunRequest, aresume, create
from cookmas.client import Client
from cookmas.commands.cli import app
from cookmas.episodes import trace_file
from cookmas.episodes.trace import AnyRecord, StepRecord
from cookmas.episodes.trace_file import read_trace
from cookmas.forking import ForkRequest, create_fork
from cookmas.orchestrator.runs.folder import RUN, TRACE, RunFolder
from cookmas.worlds.corridor.domain import DOMAIN

ONCE = {RUN: 1}

_watched: list[Counter[str]] = []


_truths: list[list[str]] = []


def _hear(event: str, details: tuple[Any, ...]) -> None:
    """Count a file that is opened for reading alone; the lease locks `run.json` for writing.

    Also note the truths that are opened.
    """
    if event == "open" and _truths and "/truth/" in str(details[0]):
        _truths[-1].append(str(details[0]))
    if event == "open" and _watched and isinstance(details[0], str):
        name, reads = Path(details[0]).name, details[2] & os.O_ACCMODE == os.O_RDONLY
        if reads and name in ONCE:
            _watched[-1][name] += 1


sys.addaudithook(_hear)


@contextmanager
def counted() -> Iterator[Counter[str]]:
    """Count how often the file of a run is read, and how many lines of its trace."""
    _watched.append(Counter())
    read_record = trace_file.read_record

    def read_and_count(line: str, where: str) -> AnyRecord:
        _watched[-1]["lines"] += 1
        return read_record(line, where)

    trace_file.read_record = read_and_count
    try:
        yield _watched[-1]
    finally:
        trace_file.read_record = read_record
        _watched.pop()


def lines_of(folder: Path) -> int:
    """Return the number of lines of the trace in a folder."""
    return len((folder / TRACE).read_bytes().splitlines())


def killed(folder: Path, scenario: str = "corridor/two") -> Path:
    """Return a run that was left after its fourth timestep."""

    def stop(record: AnyRecord) -> None:
        if isinstance(record, StepRecord) and record.timestep == 3:
            raise KeyboardInterrupt

    create(folder, RunRequest(scenario=scenario))
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(aresume(folder, stop))
    return folder


@pytest.mark.parametrize("scenario", ["corridor/two", "level1/01"])
def test_no_truth_is_read_before_a_continued_run_is_over(scenario: str, tmp_path: Path) -> None:
    folder = killed(tmp_path / "run", scenario)
    _truths.append([])
    early: list[str] = []

    def listen(record: AnyRecord) -> None:
        early.extend(_truths[-1])

    run = asyncio.run(aresume(folder, listen))
    assert run.success
    assert early == []
    assert _truths.pop()


@pytest.mark.parametrize("what", ["killed", "fork", "over"])
def test_a_folder_is_read_once(what: str, tmp_path: Path) -> None:
    """Of a trace the last line is read first, and a fork is rewound to where it began."""
    folder = killed(tmp_path / "run")
    more = 1
    if what != "killed":
        asyncio.run(aresume(folder))
    if what == "fork":
        folder = create_fork(folder, ForkRequest(at=3))
        more += lines_of(folder) + 1
    written = lines_of(folder)
    with counted() as reads:
        run = asyncio.run(aresume(folder))
    assert reads == {**ONCE, "lines": written + more}
    assert run.success
    assert run.trace == read_trace(folder / TRACE)


@pytest.mark.usefixtures("least_effort")
def test_an_open_run_that_is_over_is_read_once(tmp_path: Path) -> None:
    folder = create(tmp_path / "run", RunRequest(scenario="open", pace=0.0))
    with Client(folder) as client:
        client.close()
    whole = asyncio.run(aresume(folder))
    with counted() as reads:
        again = asyncio.run(aresume(folder))
    assert reads == {**ONCE, "lines": lines_of(folder) + 2}
    assert again.trace == whole.trace


def test_the_command_that_forks_reads_the_parent_once(tmp_path: Path) -> None:
    folder = killed(tmp_path / "run")
    with counted() as reads:
        done = CliRunner().invoke(app, ["fork", str(folder), "--at", "3"])
    assert done.exit_code == 0, done.output
    assert reads[RUN] == 2, "the parent and the fork"
    assert reads["lines"] <= 3 * lines_of(folder), "the parent, the fork, and to rewind the fork"


@pytest.mark.parametrize("what", ["killed", "over"])
def test_the_command_reads_a_folder_once(what: str, tmp_path: Path) -> None:
    folder = killed(tmp_path / "run")
    if what == "over":
        asyncio.run(aresume(folder))
    written = lines_of(folder)
    with counted() as reads:
        done = CliRunner().invoke(app, ["resume", str(folder)])
    assert done.exit_code == 0, done.output
    assert reads == {**ONCE, "lines": written + 2}


def test_the_scenario_is_loaded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, load, names = killed(tmp_path / "run"), type(DOMAIN).scenario, []

    def loaded(domain: Any, name: str, *more: Any) -> Any:
        names.append(name)
        return load(domain, name, *more)

    monkeypatch.setattr(type(DOMAIN), "scenario", loaded)
    asyncio.run(aresume(folder))
    assert names == ["two"]


def test_what_was_read_before_somebody_else_went_on_is_not_used(tmp_path: Path) -> None:
    folder = killed(tmp_path / "run")
    run = RunFolder(folder)
    assert not run.over
    whole = asyncio.run(aresume(folder))
    assert asyncio.run(aresume(run)).trace == whole.trace
    assert run.over


def test_a_restart_prints_what_is_new(tmp_path: Path) -> None:
    whole = CliRunner().invoke(app, ["run", "corridor/two", "--runs", str(tmp_path / "whole")])
    folder = killed(tmp_path / "run")
    left = len((folder / TRACE).read_text().splitlines())
    result = CliRunner().invoke(app, ["resume", str(folder)])
    assert result.exit_code == 0
    steps = [line.split()[0] for line in result.output.splitlines() if line[:4].strip().isdigit()]
    before = [line.split()[0] for line in whole.output.splitlines() if line[:4].strip().isdigit()]
    assert "      * it goes on at timestep 4" in result.output.splitlines()
    assert steps == [step for step in before if int(step) > 3]
    assert left > 10
