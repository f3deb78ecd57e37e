"""How commands end: each row of the table of exit codes, signals at every stage, full disks."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import cookmas
from cookmas.commands.cli import app
from cookmas.commands.signals import SIGNALS, Interrupted, heed
from cookmas.orchestrator.planners.calling import ask_planner
from cookmas.orchestrator.runs.folder import create_folder
from tests.warm import ROOT, Warm

FROM_A_TERMINAL = "import signal\nfor each in (1, 2, 15): signal.signal(each, signal.SIG_DFL)\n"
"""A shell may have told this process to ignore interrupts; that would be inherited."""

MAIN = "from cookmas.commands.start import main\nmain()\n"

AT_IMPORT = """
import os, sys
class Sends:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), {number})
sys.meta_path.insert(0, Sends())
"""

AT_CALL = """
import functools, os, {module}
called = {module}.{function}
@functools.wraps(called)
def sends(*args, **named):
    if not hasattr(sends, "sent"):
        sends.sent = os.kill(os.getpid(), {number})
    return called(*args, **named)
{module}.{function} = sends
"""

PLAY = ["run", "corridor/one", "--quiet"]
CONTINUE = "cookmas: interrupted; 'cookmas resume runs/level1-01-embedded' continues it\n"
BEGIN_AGAIN = "cookmas: interrupted; the same command starts again\n"
GO_ON = "cookmas: interrupted; 'cookmas resume runs/corridor-one-embedded' continues it\n"


def start(
    arguments: Sequence[str], cwd: Path, before: str = "", stdout: int = subprocess.PIPE
) -> subprocess.Popen[str]:
    """The command as a person has it, which imports what it needs."""
    return subprocess.Popen(
        [sys.executable, "-c", FROM_A_TERMINAL + before + MAIN, *arguments],
        stdout=stdout,
        **around(cwd),
    )


def start_warm(arguments: Sequence[str], cwd: Path, before: str = "") -> subprocess.Popen[str]:
    """The same where nothing is to be seen of how it begins."""
    script = FROM_A_TERMINAL + before + MAIN
    return Warm[str]((script, *arguments), stdout=subprocess.PIPE, **around(cwd))


def around(cwd: Path) -> dict[str, Any]:
    env = {"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]}
    return {"cwd": cwd, "env": env, "stderr": subprocess.PIPE, "text": True}


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    _, said = process.communicate(timeout=120)
    return process.returncode, said


def test_the_reference_names_every_exit_code() -> None:
    page = (ROOT / "docs/reference/cli.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| (\d+) \|", page, re.MULTILINE)
    assert named == ["0", "1", "2", "3", "129", "130", "141", "143"]


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        (0, PLAY),
        (1, [*PLAY, "--planner", "idle.yaml"]),
        (1, ["check", "idle.yaml", "--world", "corridor"]),
        (1, ["eval", "unfinished.jsonl"]),
        (2, ["run", "corridor/none"]),
        (2, ["fly"]),
        (2, ["eval", "whole.jsonl", "--truth", "missing.yaml"]),
        (2, ["graph", "-o", "/dev/full"]),
        (2, ["run", "listed.yaml"]),
        (1, ["check", "listed.yaml"]),
        (2, ["run", os.fsdecode(b"\xff.yaml")]),
        (1, ["check", os.fsdecode(b"\xff.yaml")]),
    ],
)
def test_an_exit_code_is_true(
    code: int, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("idle.yaml").write_text("- {walker_1: stay}\n")
    Path("listed.yaml").write_text("world: [corridor]\n")
    Path(os.fsdecode(b"\xff.yaml")).write_text("world: corridor\n")
    if arguments[0] == "eval":
        lines = list(cookmas.play("corridor/one").trace.lines())
        Path("whole.jsonl").write_text("".join(f"{line}\n" for line in lines))
        Path("unfinished.jsonl").write_text("".join(f"{line}\n" for line in lines[:-1]))
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == code, done.output
    if code == 2:
        assert (done.stdout, done.stderr.count("\n")) == ("", 1)


def test_a_signal_is_one_line_whenever_it_comes(tmp_path: Path) -> None:
    stages = {
        "cookmas.commands.cli": "cookmas: interrupted before it started\n",
        "cookmas.commands.run": BEGIN_AGAIN,
        "cookmas.worlds.restaurant.domain": BEGIN_AGAIN,
        "langgraph.graph": CONTINUE,
    }
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    for at, (module, expected) in enumerate(stages.items()):
        assert not (tmp_path / "runs").exists()
        number = numbers[at % 3]
        before = AT_IMPORT.format(module=module, number=int(number))
        found = ended(start(["run", "level1/01"], tmp_path, before))
        assert found == (128 + number, expected), module


@pytest.mark.parametrize(
    ("number", "module", "function"),
    [
        (signal.SIGINT, "cookmas.orchestrator.checkpoints.sqlite", "_prepare"),
        (signal.SIGTERM, "cookmas.orchestrator.runs.lease", "lock_file"),
        (signal.SIGHUP, "cookmas.orchestrator.graph.planning", "ask_planner"),
    ],
)
def test_a_signal_in_the_run_says_how_to_go_on(
    number: signal.Signals, module: str, function: str, tmp_path: Path
) -> None:
    before = AT_CALL.format(module=module, function=function, number=int(number))
    assert ended(start_warm(PLAY, tmp_path, before)) == (128 + number, GO_ON)
    if number == signal.SIGHUP:
        resumed = start_warm(["resume", "runs/corridor-one-embedded"], tmp_path)
        assert ended(resumed) == (0, "")


def test_a_signal_that_is_ignored_stays_so() -> None:
    before = [signal.getsignal(each) for each in SIGNALS]
    try:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        heed()
        os.kill(os.getpid(), signal.SIGHUP)
        with pytest.raises(Interrupted):
            os.kill(os.getpid(), signal.SIGTERM)
    finally:
        for each, handler in zip(SIGNALS, before, strict=True):
            signal.signal(each, handler)


CONTROLLED = "import os\nos.setsid()\nos.close(os.open(os.ttyname(0), os.O_RDWR))\n"
"""The terminal is that of the process, which gets a SIGHUP then; else its shell alone does."""


@pytest.mark.parametrize("before", [CONTROLLED, ""], ids=["own terminal", "of a shell"])
def test_a_terminal_that_closes_has_a_code_of_its_own(before: str, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    process = Warm[bytes](
        (FROM_A_TERMINAL + before + MAIN, "play", "corridor/one"),
        cwd=tmp_path,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    said = b""
    while not said.endswith(b" > "):
        said += os.read(ours, 65536)
    os.close(ours)
    process.answered()
    assert process.returncode == 129
    assert (tmp_path / "runs" / "corridor-one-person" / "trace.jsonl").exists()


def test_output_that_cannot_be_written_is_no_success(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        for arguments in (["list", "--json"], ["--version"]):
            found = ended(start(arguments, tmp_path, stdout=full.fileno()))
            assert found == (2, "cookmas: standard output: No space left on device\n")
    reader, writer = os.pipe()
    os.close(reader)
    assert ended(start(["list", "--json"], tmp_path, stdout=writer)) == (141, "")
    os.close(writer)


@contextlib.contextmanager
def full(size: int) -> Iterator[None]:
    """No file can be longer than so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path("runs/corridor-one-embedded/trace.jsonl")
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, PLAY).exit_code == 0
    whole = path.read_bytes()
    for size in (100, len(whole) // 2, 30_000):
        folder = tmp_path / str(size)
        folder.mkdir()
        monkeypatch.chdir(folder)
        with full(size):
            done = CliRunner().invoke(app, PLAY)
        assert done.exit_code == 2, done.output
        said = r"cookmas: runs/corridor-one-embedded/[^\n]+\n"
        assert re.fullmatch(said, done.stderr), done.stderr
        if size > 100:
            assert f"'cookmas resume {path.parent}' continues it" in done.stderr
            assert CliRunner().invoke(app, ["resume", str(path.parent)]).exit_code == 0
            assert path.read_bytes() == whole


def test_a_lost_folder_and_one_without_rights_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def lost(*arguments: Any) -> Any:
        shutil.rmtree("runs/corridor-one-embedded")
        return await ask_planner(*arguments)

    monkeypatch.setattr("cookmas.orchestrator.graph.planning.ask_planner", lost)
    done = CliRunner().invoke(app, PLAY)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1), done.output
    assert "runs/corridor-one-embedded" in done.stderr
    assert "resume" not in done.stderr
    done = CliRunner().invoke(app, [*PLAY, "--runs", "/sys/runs"])
    assert done.exit_code == 2
    assert re.fullmatch(r"cookmas: /sys/runs[^\n]*: [A-Z][a-z -]+\n", done.stderr), done.stderr


def test_runs_that_begin_at_the_same_time_each_get_a_folder(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda _: create_folder(tmp_path, "level1/01", "a (b)"), range(16)))
    assert len(set(made)) == 16
    assert tmp_path / "level1-01-a-b" in made
