"""People who talk at a terminal: the lines that they type, and what they are told."""

from __future__ import annotations

import asyncio
import os
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from cookmas.episodes.conversation import END
from cookmas.episodes.trace import StepRecord
from cookmas.orchestrator.runs.folder import RunFolder
from cookmas.people.playing import at_terminal
from cookmas.people.working.asked import TalkQuestion
from cookmas.people.working.seat import PersonSeat
from cookmas.people.working.talk import Talk, Utterance
from cookmas.people.working.terminal import SharedTerminal
from cookmas.people.working.view import View
from tests.cookmas.people.working.talking import BOTH, PAIR, PEPPER, WAIT, made, said


async def test_two_people_talk_at_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = made(tmp_path / "run", PAIR, *BOTH, settings={"gamma": "0.07"})
    typed = ["r", "say", "say \x1b[31mpepper?", "say which one?", "say the red one", PEPPER[0]]
    typed += ["end now", "forms", "1", ""]
    reading, writing = os.pipe()
    with os.fdopen(reading) as file:
        with os.fdopen(writing, "w") as keyboard:
            keyboard.write("".join(f"{line}\n" for line in typed))
        monkeypatch.setattr(sys, "stdin", file)
        run = await at_terminal(RunFolder(folder))
    shown = capsys.readouterr().out
    assert "'say' is not what bob can do now" in shown
    assert "You are spoken to. 'say WORDS' speaks (4 times)" in shown
    assert "bob says:  [31mpepper?" in shown
    assert "\x1b[31m" not in shown
    assert "baked_bell_pepper: " in shown, "the texts are known in the first turn"
    assert "deliver(): deliver what you hold" in shown
    assert [text for _, _, text in said(run.trace)] == [
        "\x1b[31mpepper?",
        "which one?",
        "the red one",
        f"now {END}",
    ]
    assert f"You have chosen {PEPPER[0]}; Enter leaves it so." in shown
    assert f"alice has decided on {PEPPER[0]}." in shown
    [step] = run.trace.of(StepRecord)
    assert dict(step.commands) == {"bob": WAIT, "alice": PEPPER[0]}


async def test_words_that_are_refused_are_refused_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    typed = iter(["hm", f"say {'x' * 1501}", "say yes"])

    async def read(*_: Any) -> str:
        return next(typed)

    monkeypatch.setattr("cookmas.people.working.terminal.read_typed", read)
    monkeypatch.setattr("cookmas.people.working.terminal.Keyboard", object)
    shown = StringIO()
    seat = PersonSeat("alice", View("alice"))
    talk = Talk(addressed=True, left=1)
    answer = seat.put(TalkQuestion(worker="alice", timestep=3, talk=talk, until=None))
    sitting = asyncio.create_task(SharedTerminal(Console(file=shown, width=200)).sit(seat))
    assert await asyncio.wait_for(answer, 20) == Utterance("yes", ends=False)
    sitting.cancel()
    first, second = shown.getvalue().splitlines()[-2:]
    assert first.startswith("You are spoken to. 'say WORDS' speaks")
    assert second == "answer: expected words of at most 1500 characters"
