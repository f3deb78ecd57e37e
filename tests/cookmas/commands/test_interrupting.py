"""A signal stops what a command plays, also while its event loop is built or closed."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator

import pytest

from cookmas.commands.playing import run_interruptibly
from cookmas.commands.signals import SIGNALS, Interrupted, heed


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
