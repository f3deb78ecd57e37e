"""Signals: SIGINT, SIGTERM and SIGHUP stop a command in the same way."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(KeyboardInterrupt):
    """A signal that stops the command; `number` is its number."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


def code(error: KeyboardInterrupt) -> int:
    """Return the exit code of an interrupted command: 128 plus the number of the signal."""
    return 128 + (error.number if isinstance(error, Interrupted) else signal.SIGINT)


def heed() -> None:
    """Make the signals raise Interrupted from now on, except ignored ones."""
    for each in SIGNALS:
        if signal.getsignal(each) is not signal.SIG_IGN:
            signal.signal(each, interrupt)


def disregard() -> None:
    """Ignore the signals from now on, since the command is over."""
    for each in SIGNALS:
        signal.signal(each, signal.SIG_IGN)


@contextlib.contextmanager
def turn_hangup_into_end() -> Iterator[None]:
    """Deliver SIGHUP as SIGTERM within a block, for servers that handle only SIGTERM.

    The Interrupted that leaves the block has the number of the original signal.
    """
    came: list[int] = []

    def ask(number: int, frame: FrameType | None) -> None:
        came.append(number)
        signal.raise_signal(signal.SIGTERM)

    before = signal.getsignal(signal.SIGHUP)
    if before is interrupt:
        signal.signal(signal.SIGHUP, ask)
    try:
        yield
    except Interrupted as error:
        raise Interrupted(came[0] if came else error.number) from None
    finally:
        if before is interrupt:
            signal.signal(signal.SIGHUP, before)


def interrupt(number: int, frame: FrameType | None) -> None:
    """Raise Interrupted; the handler of the signals."""
    raise Interrupted(number)
