"""Signals: an interrupt, a request to end and a lost terminal stop a command in the same way."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(KeyboardInterrupt):
    """One of the signals came."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


def code(error: KeyboardInterrupt) -> int:
    """The exit code of a command that was interrupted: 128 and the number of the signal."""
    return 128 + (error.number if isinstance(error, Interrupted) else signal.SIGINT)


def heed() -> None:
    """Have the signals raise Interrupted from now on, but for those that are to be ignored."""
    for each in SIGNALS:
        if signal.getsignal(each) is not signal.SIG_IGN:
            signal.signal(each, interrupt)


def disregard() -> None:
    """Have the signals do nothing any more: the command is over."""
    for each in SIGNALS:
        signal.signal(each, signal.SIG_IGN)


@contextlib.contextmanager
def lost_terminal_asks_to_end() -> Iterator[None]:
    """Within a block SIGHUP comes as SIGTERM, for servers that know that alone."""
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
    """Raise Interrupted."""
    raise Interrupted(number)
