"""The host: the side of a child process that answers calls, by running user-supplied code."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from typing import Any

from cookmas.episodes.failure import failure_of
from cookmas.files.errors import EndpointAwayError, InfrastructureError, InputError, MissingError
from cookmas.sandbox.channel import pack, receive, send
from cookmas.sandbox.importing import import_named
from cookmas.sandbox.kernel import leave_others_alone

MIB = 1024 * 1024

Ask = Callable[[Any], Any]
"""A function that sends a request to the calling side and returns the answer.

It raises MissingError if there is no answer.
"""


class TimeLimitError(BaseException):
    """A call has reached its time limit.

    This error is no Exception, so that user code does not catch it by accident.
    """


def main(home: str, channel: str, memory: str) -> None:
    """Import `home` and answer the calls in a channel until the channel is closed."""
    leave_others_alone()
    _limit(int(memory))
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(  # type: ignore[union-attr]
            encoding="utf-8", errors="backslashreplace", line_buffering=True
        )
    with socket.socket(fileno=int(channel)) as messages:
        messages.set_inheritable(False)
        _serve(messages, home)


def _serve(messages: socket.socket, home: str) -> None:
    def ask(question: Any) -> Any:
        send(messages, pack({"ask": question}))
        reply = receive(messages)
        if "missing" in reply:
            raise MissingError(reply["missing"])
        return reply["answer"]

    send(messages, pack({"started": True}))
    made = import_named(home, home)(ask) if ":" in home else importlib.import_module(home)
    with asyncio.Runner() as runner:
        while True:
            try:
                reply = _reply(runner, made, receive(messages))
                with contextlib.suppress(AttributeError, ValueError):
                    sys.stdout.flush()
                send(messages, reply)
            except (EOFError, OSError):
                os._exit(0)


def _reply(runner: asyncio.Runner, made: Any, message: Any) -> bytes:
    try:
        with _limit_time(message["seconds"]):
            answering = getattr(made, message["call"])(message["data"])
            return pack({"done": runner.run(answering)})
    except InputError as error:
        return pack({"refused": [error.where, error.problem]})
    except EndpointAwayError as error:
        return pack({"away": str(error), "unreachable": error.unreachable})
    except InfrastructureError as error:
        return pack({"infrastructure": str(error)})
    except BaseException as error:
        failure = failure_of(error)
        cause = error.__cause__ or error
        fit = isinstance(cause, Exception) and not isinstance(cause, MemoryError)
        return pack({"failed": str(failure), "traceback": failure.traceback, "fit": fit})


@contextlib.contextmanager
def _limit_time(seconds: float) -> Iterator[None]:

    def raise_timeout(*_: object) -> None:
        raise TimeLimitError(f"no answer within {seconds:g} s")

    signal.signal(signal.SIGALRM, raise_timeout)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _limit(memory: int) -> None:
    """Limit the address space to `memory` MiB."""
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory * MIB, memory * MIB))
