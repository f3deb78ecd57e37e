"""Runs of the embedded planner in processes of their own: same bytes, also after a kill."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cookmas.episodes.trace import TriggerRecord
from cookmas.episodes.trace_file import read_trace
from tests.sampling import CONFORMANCE, sampled
from tests.warm import COOKMAS, QUICKLY, ROOT, Warm, ran

SCENARIO = """
title: A change, an addition and a fault
level: 3
kitchen: standard
events:
  - {at: 0, kind: new_order, order: o1, lines: [{item: Buttered Toast}, {item: French Fries}]}
  - {at: 4, kind: new_order, order: o2, lines: [{item: Buttered Toast}]}
  - {at: 6, kind: fault, worker: worker_2, timesteps: 5}
  - {at: 9, kind: add_line, order: o1, item: Garden Salad}
  - {at: 12, kind: remove_line, line: o1.2}
"""


COMMAND = COOKMAS if CONFORMANCE else QUICKLY
"""`cookmas`, which plans at full effort only in `make conformance`."""

KILLED = f"""
import os, signal, sys
from cookmas.orchestrator.graph.recorder import Recorder
write, lines = Recorder._write, int(sys.argv.pop(1))
def write_and_die(recorder):
    write(recorder)
    if recorder._path.read_bytes().count(b"\\n") >= lines:
        os.kill(os.getpid(), signal.SIGKILL)
Recorder._write = write_and_die
{COMMAND}
"""
"""`cookmas`, which is killed as soon as the trace has so many lines."""


ARGUMENTS = ("run", "busy.yaml", "--quiet")
TRACE = Path("runs/busy-embedded/trace.jsonl")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The trace of a warm process, which has drawn its hashes."""
    folder = tmp_path_factory.mktemp("undisturbed")
    (folder / "busy.yaml").write_text(SCENARIO)
    done = ran(COMMAND, *ARGUMENTS, cwd=folder)
    assert done.returncode in (0, 1), done.stderr
    return (folder / TRACE).read_bytes()


@pytest.fixture(autouse=True)
def busy(tmp_path: Path) -> None:
    """The scenario lies in the folder in which commands run."""
    (tmp_path / "busy.yaml").write_text(SCENARIO)


def test_the_same_run_in_two_processes_gives_the_same_bytes(
    tmp_path: Path, undisturbed: bytes
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *ARGUMENTS],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "2"},
        capture_output=True,
    )
    assert done.returncode in (0, 1), done.stderr.decode()
    assert (tmp_path / TRACE).read_bytes() == undisturbed
    trace = read_trace(tmp_path / TRACE)
    assert [record.timestep for record in trace.of(TriggerRecord)][:5] == [0, 4, 6, 9, 12]


@pytest.mark.parametrize("lines", sampled([60, 3], 2))
def test_a_killed_run_is_resumed_to_the_same_bytes(
    tmp_path: Path, undisturbed: bytes, lines: int
) -> None:
    trace = tmp_path / TRACE
    process = Warm[bytes]((KILLED, str(lines), *ARGUMENTS), cwd=tmp_path, stdout=subprocess.DEVNULL)
    assert process.wait(600) == -signal.SIGKILL
    assert lines <= trace.read_bytes().count(b"\n") < undisturbed.count(b"\n")
    done = ran(COMMAND, "resume", "runs/busy-embedded", cwd=tmp_path)
    assert done.returncode in (0, 1), done.stderr
    assert trace.read_bytes() == undisturbed
