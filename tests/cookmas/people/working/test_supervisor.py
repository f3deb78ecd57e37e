"""The supervisor at a terminal: says something while the others cook, leaves, and comes back."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

from rich.console import Console
from typer.testing import CliRunner

import cookmas
from cookmas.commands.cli import app
from cookmas.episodes.trace import EventRecord, PlanRecord
from cookmas.episodes.trace_file import read_trace
from cookmas.people.working.supervisor import Supervisor
from tests.warm import say


def test_a_supervisor_instructs_leaves_and_comes_back(tmp_path: Path) -> None:
    typed = f"state\n{'x' * 501}\nKeep walker 2 away.\nquit\n"
    code, said = say(
        tmp_path, typed, "play", "corridor/two", "--as", "supervisor", "-p", "embedded"
    )
    folder = tmp_path / "runs/corridor-two-embedded"
    assert code == 2
    for told in (
        "supervisor at timestep 0 > ",
        "walker 2  at place 0",
        "expected at most 500 characters",
        "the supervisor says: “Keep walker 2 away.”",
        "instruction is not read by this planner",
        "supervisor at timestep 1 > ",
        f"cookmas: the input has ended; 'cookmas play {Path('runs') / folder.name}' continues",
    ):
        assert told in said
    code, said = say(tmp_path, "2\nNow back.\n\n", "play", str(folder))
    assert code == 0, said
    assert "supervisor at timestep 1 > " not in said, "that was asked before"
    assert "SUCCESS" in said
    trace = read_trace(folder / "trace.jsonl")
    events = [r for r in trace.of(EventRecord) if r.event["kind"] == "instruct"]
    heard = [(r.timestep, r.event["words"]) for r in events]
    assert heard == [(1, "Keep walker 2 away."), (7, "Now back.")]
    assert {r.timestep for r in events} <= {r.timestep for r in trace.of(PlanRecord)}
    assert all(frame.equal for frame in cookmas.replay(trace))


def test_a_supervisor_needs_somebody_to_instruct(tmp_path: Path) -> None:
    arguments = ["play", "corridor/one", "--as", "supervisor", "--runs", str(tmp_path)]
    result = CliRunner().invoke(app, arguments)
    assert (result.exit_code, result.output.count("\n")) == (2, 1)
    assert "--planner: a supervisor needs a planner that reads" in result.output


async def test_a_supervisor_who_says_nothing_in_time_lets_them_cook() -> None:
    class Silent:
        async def next(self) -> str:
            await asyncio.Event().wait()
            return ""

    shown = Console(file=io.StringIO())
    supervisor = Supervisor(shown, Silent(), "corridor", 0, 0.01)  # type: ignore[arg-type]
    assert await supervisor.hear(PlanRecord(timestep=3, reasoning="", schedule=[])) is None
    assert "supervisor at timestep 3 > \nnothing is said\n" in shown.file.getvalue()  # type: ignore[attr-defined]
