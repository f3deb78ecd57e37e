"""A signal stops what a command plays, also while its event loop is built or closed."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from types import CodeType, FrameType
from typing import Any

import pytest
import typer

from cookmas.commands import cli
from cookmas.commands.signals import SIGNALS, Interrupted, code, heed, run_interruptibly


@pytest.fixture(autouse=True)
def heeded() -> Iterator[None]:
    before = {each: signal.getsignal(each) for each in SIGNALS}
    heed()
    yield
    for each, handler in before.items():
        signal.signal(each, handler)


async def play(done: list[str]) -> str:
    done.append("begun")
    await asyncio.sleep(0)
    done.append("ended")
    return "result"


def raise_in(monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    """Let a signal come while an event loop is built or closed."""
    make = asyncio.new_event_loop

    def build() -> asyncio.AbstractEventLoop:
        loop = make()
        if moment == "building":
            signal.raise_signal(signal.SIGTERM)
        close = loop.close

        def close_later() -> None:
            if moment == "closing":
                signal.raise_signal(signal.SIGTERM)
            close()

        monkeypatch.setattr(loop, "close", close_later)
        return loop

    monkeypatch.setattr("asyncio.runners.events.new_event_loop", build)


def test_a_signal_while_the_loop_is_built_stops_the_coroutine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []
    raise_in(monkeypatch, "building")
    with pytest.raises(Interrupted) as stopped:
        run_interruptibly(play(done))
    assert (stopped.value.number, done) == (signal.SIGTERM, ["begun"])


def test_a_signal_while_the_loop_is_closed_leaves_the_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []
    raise_in(monkeypatch, "closing")
    assert run_interruptibly(play(done)) == "result"
    assert done == ["begun", "ended"]


def test_a_second_signal_does_not_wait_for_the_first() -> None:
    async def ask_twice() -> None:
        for _ in range(2):
            signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(60)

    with pytest.raises(Interrupted):
        run_interruptibly(ask_twice())


def test_afterwards_signals_raise_as_before() -> None:
    run_interruptibly(play([]))
    with pytest.raises(Interrupted):
        signal.raise_signal(signal.SIGTERM)


def is_of_command_line(ran: CodeType) -> bool:
    """Return whether code is of the command line, or of Typer's loop around a command."""
    of_typer = ran.co_filename == typer.core.__file__ and ran.co_name in ("main", "_main")
    return of_typer or ran.co_filename == cli.__file__


def run_with_signal_at(line: int, arguments: Sequence[str]) -> tuple[int, bool]:
    """Run a command and let a signal come before the line with this number, of those that run.

    Return the exit code, and whether there was such a line.
    """
    left = line

    def at_line(frame: FrameType, event: str, _: object) -> Callable[..., Any] | None:
        nonlocal left
        if not is_of_command_line(frame.f_code):
            return None
        if event == "line":
            left -= 1
            if left == 0:
                sys.settrace(None)
                signal.raise_signal(signal.SIGTERM)
        return at_line

    before = sys.gettrace()
    sys.settrace(at_line)
    try:
        cli.app(arguments)
    except SystemExit as ended:
        return int(ended.code or 0), left <= 0
    except KeyboardInterrupt as error:
        return code(error), left <= 0
    finally:
        sys.settrace(before)
    raise AssertionError("a command ends with SystemExit")


@pytest.mark.parametrize(
    "arguments", [["resume", "nothing"], ["resume", "--nothing"]], ids=" ".join
)
def test_the_exit_code_is_the_signal_s_at_each_line_of_the_command_line(
    arguments: list[str],
) -> None:
    usual, _ = run_with_signal_at(0, arguments)
    line, there_is = 1, True
    while there_is:
        found, there_is = run_with_signal_at(line, arguments)
        assert found == (143 if there_is else usual), line
        line += 1
    assert line > 20


@pytest.mark.parametrize(
    ("raised", "ended"),
    [(Interrupted(signal.SIGTERM), 143), (EOFError(), 1)],
    ids=["signal", "end"],
)
def test_a_question_ends_with_the_signal_s_code_or_at_the_end_of_the_input(
    raised: BaseException, ended: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Input:
        def readline(self) -> str:
            raise raised

    monkeypatch.setattr("sys.stdin", Input())
    monkeypatch.setattr(cli._Commands, "invoke", lambda *_: typer.confirm("Remove them?"))
    with pytest.raises(SystemExit) as stopped:
        cli.app(["runs"])
    assert stopped.value.code == ended
