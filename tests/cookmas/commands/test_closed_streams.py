"""Closed streams: the exit codes of docs/reference/cli.md, and nothing in the wrong place."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cookmas.commands.calling import ALONE
from tests.cookmas.commands.streams import call
from tests.warm import ROOT

FAILING = ["run", "no-such-scenario", "--json"]
PRINTING = ["run", "corridor/one", "--json"]

IN_SHELL = {**ALONE, "PATH": "/usr/bin:/bin"}


def shell(line: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run `line` in a shell, in which $@ is the command `cookmas` with its arguments."""
    command = ["bash", "-c", line, "bash", sys.executable, "-m", "cookmas", *arguments]
    return subprocess.run(
        command, cwd=cwd, env=IN_SHELL, capture_output=True, text=True, check=False
    )


def test_what_is_meant_for_a_closed_stderr_is_lost(tmp_path: Path) -> None:
    done = shell('"$@" 2>&- > out.json', *FAILING, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, "")
    assert (tmp_path / "out.json").read_text() == ""


def test_a_closed_stderr_changes_nothing_else(tmp_path: Path) -> None:
    done = shell('"$@" 2>&- 0<&- > out.json', *PRINTING, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads((tmp_path / "out.json").read_text())["scenario"] == "one"


def test_processes_inherit_a_stderr_instead_of_a_closed_one(tmp_path: Path) -> None:
    script = (
        "import subprocess, sys\n"
        "from cookmas.commands.start import open_closed_streams\n"
        "open_closed_streams()\n"
        "sys.exit(subprocess.run(['sh', '-c', 'echo lost >&2']).returncode)\n"
    )
    line = f'exec {sys.executable} -c "$0" 2>&-'
    done = subprocess.run(["bash", "-c", line, script], cwd=ROOT, env=IN_SHELL, check=False)
    assert done.returncode == 0


def test_a_closed_stdout_is_one_line_and_2_and_no_file_of_a_run_gets_its_number(
    tmp_path: Path,
) -> None:
    done = shell('"$@" >&-', *PRINTING, cwd=tmp_path)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert done.stderr.startswith("cookmas: standard output: ")
    (trace,) = tmp_path.rglob("trace.jsonl")
    assert all(line.startswith('{"kind":') for line in trace.read_text().splitlines())


def test_a_closed_pipe_is_silence_and_141(tmp_path: Path) -> None:
    done = shell('( sleep 0.3; "$@"; echo "$?" > code ) | true', "-h", cwd=tmp_path)
    assert (tmp_path / "code").read_text().strip() == "141"
    assert done.stderr == ""


def test_runs_that_a_closed_pipe_cuts_say_how_many_were_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = call("run", "corridor/one", "corridor/two", stdout="read by nobody")
    gone = "cookmas: the reader of standard output is gone; "
    assert (done.code, done.errors) == (141, f"{gone}scenarios that were not begun: 1\n")
