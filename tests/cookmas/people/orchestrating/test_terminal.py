"""The orchestrator's place at a terminal: a schedule in lines, killed and gone on with."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import cookmas
from cookmas.api import aresume, create
from cookmas.commands.cli import app
from cookmas.episodes.trace import Lookup, PlanRecord
from cookmas.episodes.trace_file import read_trace
from cookmas.files.errors import InputError, NobodyThereError
from cookmas.orchestrator.planner import Observation
from cookmas.orchestrator.planners.seats import PersonPlanner
from cookmas.orchestrator.runs.folder import read_run
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.people.playing import planner_of
from cookmas.worlds.corridor.world import CorridorLevel, CorridorWorld
from tests.warm import COOKMAS, ROOT, Warm, say


def on_a_terminal(folder: Path, lines: str, *arguments: str, **more: str) -> tuple[int, str]:
    """The same where a person sits at a terminal, who types line after line."""
    ours, theirs = pty.openpty()
    process = Warm[bytes](
        (COOKMAS, *arguments),
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "dumb", "COLUMNS": "100", **more},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    os.write(ours, lines.encode())
    said = b""
    while part := _read(ours):
        said += part
    os.close(ours)
    return process.wait(timeout=60), said.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


LINES = """
help
legal
sing
7 walker_9: left
1: left
do
1: hop
do
1: right; right; ring(red)
check
edit
show
do
"""
"""What a person types who makes every mistake; the bell hangs three steps away."""


def test_a_person_schedules_at_a_terminal(tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\necho '0 walker_1: right*3; ring(red)' > $1\n")
    editor.chmod(0o755)
    (tmp_path / "after.yaml").write_text(
        "questions: [{name: hard, kind: scale, ask: How hard was it?}]"
    )
    asked = ("--consent", "I take part of my own will.", "--questionnaire", "after.yaml")
    arguments = ("play", "corridor/one", "--as", "orchestrator", *asked)
    lines = f"maybe\nyes\n{LINES}6\n4\n"
    code, said = on_a_terminal(tmp_path, lines, *arguments, EDITOR=str(editor), VISUAL="")
    assert code == 0, said
    for told in (
        "I take part of my own will.",
        "expected yes or no",
        "How hard was it?",
        "red  bell",
        "walker_1: stay, right, ring(red)",
        "expected a command; 'help' says which there are",
        "expected one of walker_1, walker_2, not 'walker_9'",
        "0, walker_1 would FAIL: walker_1 stands at the wall.",
        "'do' again carries it out all the same.",
        "0, walker_1 cannot be read: walker_1: 'hop' is no action",
        "Nothing of a schedule that cannot be read is carried out.",
        "Nothing of it would FAIL, as far as can be known now.",
        "SUCCESS",
    ):
        assert told in said
    shown = [line.replace("│", " ").split() for line in said.splitlines()]
    rows = [line[0] for line in shown if line[1:] in (["right"], ["ring(red)"])]
    assert rows == [*"0123", *"0123"], "once after it was edited, and once as it was asked for"
    path = tmp_path / "runs/corridor-one-person/trace.jsonl"
    study = json.loads(path.with_name("people.json").read_text())
    assert study["people"] == {"orchestrator": {"agreed": True, "answers": {"hard": 4}}}
    assert b"own will" not in path.read_bytes()
    trace = read_trace(path)
    assert trace.header.planner_class == "human"
    [plan] = trace.of(PlanRecord)
    assert [dict(entry)["walker_1"] for entry in plan.schedule] == [*["right"] * 3, "ring(red)"]
    assert all(frame.equal for frame in cookmas.replay(trace))
    assert [record.key for record in trace.of(Lookup)] == ["red"]


class TakesTheDraft:
    """Somebody who is content with whatever is suggested."""

    async def schedule(self, observation: Any, draft: Any, limit: Any) -> Any:
        return draft


def test_a_kill_while_the_person_thinks_asks_the_same_again(tmp_path: Path) -> None:
    process = Warm[bytes](
        (COOKMAS, "play", "corridor/one", "--draft"),
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    folder = tmp_path / "runs/corridor-one-person-draft"
    trace = folder / "trace.jsonl"
    until = time.monotonic() + 60
    while not (trace.exists() and b'"lookup"' in trace.read_bytes()):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    resumed = CliRunner().invoke(app, ["resume", str(folder), "--quiet"])
    assert (resumed.exit_code, resumed.output.count("\n")) == (2, 1)
    assert f"nobody sits there; 'cookmas play {folder}' continues it" in resumed.output
    code, said = say(tmp_path, "", "play", str(folder))
    assert code == 2
    assert f"nobody sits there; 'cookmas play {folder}' continues" in said
    code, said = say(tmp_path, "do\n", "play", str(folder))
    assert (code, "SUCCESS" in said) == (0, True), said
    other = create(tmp_path / "other", RunRequest(scenario="corridor/one", planner="person-draft"))
    asyncio.run(aresume(other, planner=planner_of(read_run(other), TakesTheDraft())))
    assert trace.read_bytes() == (other / "trace.jsonl").read_bytes()
    assert CliRunner().invoke(app, ["resume", str(folder)]).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("corridor/one", "--as", "waiter"), "--as: expected"),
        (("corridor/one", "--limit", "soon"), "expected a time such as"),
        (("corridor/one", "corridor/two"), "expected one scenario"),
    ],
)
def test_mistakes_are_said_in_one_line(
    arguments: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    result = CliRunner().invoke(app, ["play", *arguments, "--runs", str(tmp_path)])
    assert result.exit_code == 2
    assert told in result.output
    assert result.output.count("\n") == 1


async def test_who_takes_too_long_has_the_old_schedule_go_on() -> None:
    class Slow:
        async def schedule(self, *asked: Any) -> Any:
            await asyncio.Event().wait()

    world = CorridorWorld(CorridorLevel())
    more: dict[str, Any] = {"triggers": (), "texts": {}, "fails": {}}
    old = ((("walker_1", "right"),),)
    seen = Observation(
        timestep=0,
        world=world,
        state=world.start(),
        underway=old,  # type: ignore[arg-type]
        **more,
    )
    plan = await PersonPlanner(Slow(), 0.01).plan(seen)
    assert plan.schedule == old
    assert "no schedule within 0.01 seconds" in plan.reasoning


def test_nobody_may_be_there() -> None:
    assert issubclass(NobodyThereError, InputError)
    with pytest.raises(NobodyThereError):
        cookmas.play("corridor/one", "person")
