"""A person at the terminal: asked in plain words, killed while thinking, and gone on with."""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml

from cookmas.episodes.trace import StepRecord
from cookmas.episodes.trace_file import read_trace
from cookmas.orchestrator.runs.folder import RunFolder
from cookmas.people.playing import at_terminal
from cookmas.people.working import terminal
from tests.cookmas.people.working.conftest import follow, play, prepared
from tests.cookmas.people.working.test_playing import ANSWERS, ASKED
from tests.warm import COOKMAS, ROOT, Warm
from tests.worlds.rolls import SPEC

RUN = Path("runs") / "corridor-one-embedded"


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """`cookmas play` in a folder, which is killed if it is still there in the end."""
    process = Warm[str](
        (COOKMAS, "play", *arguments),
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def read_until(process: subprocess.Popen[str], words: str) -> str:
    """What it says up to these words, at most for a minute."""
    assert process.stdout
    said, until = "", time.monotonic() + 60
    while words not in said:
        assert select.select([process.stdout], [], [], until - time.monotonic())[0], said
        part = os.read(process.stdout.fileno(), 4096).decode()
        assert part, said
        said += part
    return said


def type_in(process: subprocess.Popen[str], *lines: str) -> None:
    assert process.stdin
    process.stdin.write("".join(f"{line}\n" for line in lines))
    process.stdin.flush()


async def test_a_kill_while_somebody_thinks_goes_on_with_the_same_question(tmp_path: Path) -> None:
    undisturbed = await play(
        prepared(tmp_path / "run", "corridor/one", "walker_1"), walker_1=follow
    )
    (tmp_path / "after.yaml").write_text(yaml.safe_dump(ASKED))
    agreed = ["--consent", "I take part of my own will.", "--questionnaire", "after.yaml"]
    with started(tmp_path, "corridor/one", "--as", "walker_1", *agreed) as process:
        type_in(process, "maybe", "yes", "")
        said = read_until(process, "walker_1 at timestep 1 >")
        assert "expected yes or no" in said
        assert "The schedule suggests: right" in said
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    with started(tmp_path, str(RUN)) as process:
        said = read_until(process, "walker_1 at timestep 1 >")
        assert "own will" not in said
        type_in(process, "jump", "r", "3", "right", "", "9", "5", "1", "")
        said, wrong = process.communicate(timeout=60)
        assert (process.returncode, wrong) == (0, "")
    assert "'jump' is not what walker_1 can do now" in said
    assert "The red bell hangs three steps" in said
    assert "SUCCESS" in said
    assert (tmp_path / RUN / "trace.jsonl").read_bytes() == undisturbed
    file = json.loads((tmp_path / RUN / "people.json").read_text())
    assert file["consent"] == "I take part of my own will."
    assert file["people"] == {"walker_1": {"agreed": True, "answers": ANSWERS}}
    assert b"own will" not in undisturbed


def test_who_says_no_more_or_interrupts_is_told_how_to_go_on(tmp_path: Path) -> None:
    (tmp_path / "consent.txt").write_text("Mine.\n")
    with started(
        tmp_path, "corridor/one", "--as", "walker_1", "--consent", "consent.txt"
    ) as process:
        said, wrong = process.communicate(timeout=60)
    assert "Mine." in said
    assert process.returncode == 2
    assert wrong == f"cookmas: the input has ended; 'cookmas play {RUN}' continues it\n"
    assert not (tmp_path / RUN / "trace.jsonl").exists()
    with started(tmp_path, str(RUN)) as process:
        type_in(process, "yes", "")
        read_until(process, "walker_1 at timestep 1 >")
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)
        said, wrong = process.communicate(timeout=60)
    assert process.returncode == 130
    assert wrong == f"cookmas: interrupted; 'cookmas play {RUN}' continues it\n"


async def test_who_is_too_late_is_told_so_and_asked_the_next_timestep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = ""

    async def until_shown(words: str) -> None:
        nonlocal shown
        async with asyncio.timeout(60):
            while words not in (shown := shown + capsys.readouterr().out):
                await asyncio.sleep(0.05)

    reading, writing = os.pipe()
    with os.fdopen(reading) as file, os.fdopen(writing, "w") as keyboard:
        monkeypatch.setattr(sys, "stdin", file)
        monkeypatch.setattr(terminal, "STRAY", 3600.0)
        folder = prepared(tmp_path / "run", "corridor/one", "walker_1", limit=2.0)
        playing = asyncio.create_task(at_terminal(RunFolder(folder)))
        await until_shown("walker_1 at timestep 1 >")
        assert "That was too late." in shown
        monkeypatch.setattr(terminal, "STRAY", 0.0)
        print("2" * 5000, file=keyboard, flush=True)
        await until_shown("came too late for the timestep before")
        await until_shown("walker_1 at timestep 2 >")
        print("2" * 5000, "\n" * 12, file=keyboard, flush=True)
        await playing
    shown += capsys.readouterr().out
    assert "You have 2 seconds." in shown
    assert "is not what walker_1 can do now" in shown
    first = next(read_trace(folder / "trace.jsonl").of(StepRecord))
    assert first.fails["walker_1"].why == "walker_1 did not answer within 2 s."


def test_who_plays_a_game_that_is_only_graded_has_not_failed(tmp_path: Path) -> None:
    told = ("fixed", "--world", SPEC, "--planner", "taking", "--as", "ann")
    with started(tmp_path, *told) as process:
        said, _ = process.communicate("pass\n" * 12, timeout=60)
        assert "SCORE" in said
        assert process.returncode == 0
