"""The command `cookmas bench`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cookmas.commands import bench as command
from cookmas.commands.cli import app
from cookmas.studies.bench.executor import LocalExecutor
from cookmas.studies.bench.folder import RESULTS
from tests.warm import COOKMAS, ROOT, Warm


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def bench(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["bench", *map(str, arguments)])


def test_it_plays_a_suite_and_says_how_it_stands(suite_file: Path) -> None:
    done = bench(suite_file)
    assert done.exit_code == 0, done.output
    assert "8 of 8 episodes" in done.stdout
    assert "8 of 8 episodes" in done.stderr
    assert "left" in done.stderr
    assert "tokens" in done.stderr
    assert len(Path("sweeps/small", RESULTS).read_text().splitlines()) == 8


def test_a_planner_of_the_command_line_takes_the_place_of_the_arms(suite_file: Path) -> None:
    done = bench(suite_file, "--planner", "team", "--repeats", 1, "--folder", "there")
    assert done.exit_code == 0, done.output
    lines = Path("there", RESULTS).read_text().splitlines()
    assert len(lines) == 2
    assert all('"arm":"team"' in line for line in lines)


def test_a_planner_that_exits_fails_its_episodes_and_not_the_sweep(
    suite_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planner = """
import os
class Exits:
    name, planner_class = "exits", "assisted"
    def __init__(self, model):
        self.model = model
    async def plan(self, observation):
        os._exit(0)
"""
    (tmp_path / "exiting_planner.py").write_text(planner)
    monkeypatch.syspath_prepend(str(tmp_path))
    suite_file.write_text(
        "{title: Exits, scenarios: [corridor/two],"
        " arms: [{planner: 'exiting_planner:Exits', scripted: {}}]}"
    )
    done = bench(suite_file)
    assert "1 of 1 episodes, 0 succeeded" in done.stdout, done.output
    line = Path("sweeps/small", RESULTS).read_text()
    assert "planner failed: its process ended with exit code 0" in line


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--model", "gpt"], "--model: expected --planner"),
        (["--planner", "nobody"], "planner 'nobody': expected "),
        (["--sweep-money", 1], "price_in"),
        (["--planner", "llm", "--memory", 2], "expected the name of a model"),
        (["--planner", "embedded", "--memory", 2], "leave out --memory"),
        (["--repeats", 10**12], "has 4000000000000 episodes; expected at most 100000"),
        (["--repeats", 99, "--jobs", 999], "--jobs: expected at most 4 processes here"),
    ],
)
def test_bad_options_end_in_one_line(
    suite_file: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[object], said: str
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    done = bench(suite_file, *arguments)
    assert done.exit_code == 2, done.output
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        (["--jobs", 3], 3),
        (["--jobs", 24, "--oversubscribe"], 8),
        (["--jobs", 24, "--oversubscribe", "--planner", "team", "--repeats", 1], 2),
        (["--jobs", 0, "--planner", "team", "--repeats", 1], 1),
    ],
)
def test_no_more_processes_play_than_there_are_episodes(
    suite_file: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[object], count: int
) -> None:
    asked: list[int] = []

    def executor(count: int, at_a_time: int, cluster: str | None) -> LocalExecutor:
        asked.append(count)
        return LocalExecutor()

    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    monkeypatch.setattr(command, "_make_executor", executor)
    assert bench(suite_file, *arguments).exit_code == 0
    assert asked == [count]


def test_a_cluster_takes_the_place_of_processes(
    suite_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def cluster(*arguments: object) -> LocalExecutor:
        asked.extend(arguments)
        return LocalExecutor()

    monkeypatch.setattr("cookmas.studies.bench.dask_cluster.DaskCluster", cluster)
    options = ["--cluster", "tcp://here:1", "--jobs", 3, "--at-a-time", 2]
    assert "8 of 8" in bench(suite_file, *options).stdout
    assert asked == ["tcp://here:1", 3, 2]


def test_a_missing_extra_is_told_in_one_line(
    suite_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "cookmas.studies.bench.dask_cluster", raising=False)
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = bench(suite_file, "--cluster", "local")
    assert done.exit_code == 2
    assert done.stderr == "cookmas: --cluster needs distributed; install the extra 'dask'\n"


KILLED = f"""
import os, signal
from cookmas.studies.bench import folder
append = folder._append
def append_and_die(path, line):
    append(path, line)
    if path.name == folder.RESULTS:
        os.kill(os.getpid(), signal.SIGKILL)
folder._append = append_and_die
{COOKMAS}
"""
"""`cookmas`, which is killed as soon as an episode of a sweep has its result."""


def test_a_sweep_that_is_killed_whole_goes_on_and_leaves_no_process(
    suite_file: Path, tmp_path: Path
) -> None:
    suite_file.write_text(suite_file.read_text().replace("repeats: 2", "repeats: 4"))
    environment = {"PYTHONPATH": str(ROOT), "PATH": ""}
    results = tmp_path / "sweeps/small" / RESULTS
    finished = 0
    for processes in ("2", "1"):
        killed = Warm[bytes](
            (KILLED, "bench", str(suite_file), "--jobs", processes),
            cwd=tmp_path,
            env=environment,
            stderr=subprocess.DEVNULL,
        )
        assert killed.wait(180) == -signal.SIGKILL
        finished += 1
        assert _lines(results) == finished
    kept = results.read_bytes().splitlines()[:finished]
    rest = bench(suite_file)
    assert rest.exit_code == 0, rest.output
    assert set(kept) <= set(results.read_bytes().splitlines())
    assert _lines(results) == 16
    deadline = time.monotonic() + 60
    while [pid for pid in _workers(tmp_path) if pid != os.getpid()]:
        assert time.monotonic() < deadline, "a worker has outlived its sweep"
        time.sleep(0.05)


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def _workers(folder: Path) -> list[int]:
    """Processes that still play in a folder."""
    found: list[int] = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            here = (entry / "cwd").resolve() == folder
            if here and b"cookmas.studies.bench.executor" in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found
