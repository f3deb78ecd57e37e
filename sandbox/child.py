"""A child: the process in which something that a person wrote runs, and how it is asked."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import IO, Any

from episodes.failure import FailedError
from episodes.secrets import Secrets, harmless, hide, secrets_of
from files.errors import InfrastructureError, InputError, MissingError
from files.lines import escaped
from sandbox.channel import ChannelError, packed, receive, send
from sandbox.environment import check_names, environment
from sandbox.hiding import hide_this_process

GRACE = 2.0
"""Seconds after its time limit in which a child may still say where it was."""

LONGEST_CALL = 1e6
"""Seconds that a call may take at most."""

MOST_PRINTED = 1_000_000
"""Characters that a child may print."""

_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from sandbox.keeper import keep; keep(int(sys.argv[2]), int(sys.argv[4])); "
    "from sandbox.host import main; main(*sys.argv[3:])"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a child may take and know.

    It has `seconds` for each call, and `memory` in MiB of address space. It gets the variables of
    the `environment` with these names, beside those that each child needs.
    """

    seconds: float = 1800.0
    memory: int = 4096
    environment: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 < self.seconds <= LONGEST_CALL:
            raise InputError("--planner-timeout", f"expected at most {LONGEST_CALL:.0f} seconds")
        check_names(self.environment)


Answering = Callable[[Any], Awaitable[Any]]
"""Answers what a child asks for while it is being asked, such as a text."""


async def _no_answer(question: Any) -> Any:
    raise MissingError("there is nothing that could be asked for")


class Child:
    """A process, started when it is first asked, and again after something has failed in it.

    `home` is the class there, as `module:Class`, whose methods are called by name with plain data.
    What it prints comes out on standard error, control characters escaped. The secrets of our
    environment are hidden in what it prints and answers. `close` ends it, and all that was started
    in it, of which its keeper knows.
    """

    def __init__(self, home: str, limits: Limits) -> None:
        self._home = home
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: socket.socket | None = None
        self._relay: threading.Thread | None = None
        self._secrets: Secrets = {}
        self._starting = threading.Lock()
        self._exchanging = threading.RLock()

    def ask(self, method: str, data: Any, seconds: float | None = None) -> Any:
        """What a method answers to plain data, if it asks for nothing meanwhile.

        It may take so many `seconds`, or as the limits say. Raises as `call` does.
        """
        until, message = self._message(method, data, seconds or self._limits.seconds)
        return self._answer(self._exchange(message, until))

    async def call(self, method: str, data: Any, answering: Answering = _no_answer) -> Any:
        """What a method answers to plain data; what it asks for meanwhile is answered.

        Raises FailedError if it fails or takes too long, InputError or InfrastructureError if it
        does, and InputError if a variable that it should get is not set.
        """
        until, message = self._message(method, data, self._limits.seconds)
        try:
            while True:
                reply = await asyncio.to_thread(self._exchange, message, until)
                if "ask" not in reply:
                    break
                message = await _answered(reply["ask"], answering)
        except BaseException:
            self.close()
            raise
        return self._answer(reply)

    def close(self) -> None:
        """End the process and whatever it has started, whatever they are doing."""
        with self._starting:
            process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        process.wait()
        assert self._channel
        assert self._relay
        with self._exchanging:
            self._channel.close()
        self._relay.join(timeout=1)

    def _message(self, method: str, data: Any, seconds: float) -> tuple[float, Any]:
        until = time.monotonic() + seconds + GRACE
        return until, {"call": method, "data": data, "seconds": seconds}

    def _answer(self, reply: Any) -> Any:
        if "failed" in reply:
            if not reply["fit"]:
                self.close()
            raise FailedError(reply["failed"], reply["traceback"])
        if "refused" in reply:
            raise InputError(*reply["refused"])
        if "infrastructure" in reply:
            raise InfrastructureError(reply["infrastructure"])
        return reply["done"]

    def _exchange(self, message: Any, until: float) -> Any:
        """Send a message and wait for the next one. Raises FailedError if none comes."""
        channel = self._started()
        try:
            with self._exchanging:
                send(channel, packed(message), until)
                reply = receive(channel, until)
            if not isinstance(reply, dict):
                raise ChannelError("a message of an unknown kind")
        except TimeoutError:
            self.close()
            seconds = f"{self._limits.seconds:g}"
            raise FailedError(f"no answer within {seconds} s, and no end of it") from None
        except (OSError, EOFError):
            raise FailedError(self._death()) from None
        except ChannelError as error:
            self.close()
            raise FailedError(f"its process sent {error}") from None
        return harmless(reply, self._secrets)

    def _death(self) -> str:
        process = self._process
        if process is None:
            return "its process was ended"
        try:
            code = process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            code = None
        self.close()
        if code is None:
            return "its process closed the channel"
        if code < 0:
            return f"its process was killed by {signal.Signals(-code).name}"
        return f"its process ended with exit code {code}"

    def _started(self) -> socket.socket:
        with self._starting:
            if self._process is None:
                self._start()
            assert self._channel
            return self._channel

    def _start(self) -> None:
        passed = environment(self._limits.environment)
        self._secrets = secrets_of(os.environ)
        hide_this_process()
        ours, theirs = socket.socketpair()
        with theirs:
            arguments = [json.dumps(sys.path), str(os.getpid()), self._home, str(theirs.fileno())]
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _START, *arguments, str(self._limits.memory)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=[theirs.fileno()],
                env=passed,
                start_new_session=True,
            )
        self._channel = ours
        printed = (self._process.stdout, self._secrets)
        self._relay = threading.Thread(target=_relay, args=printed, daemon=True)
        self._relay.start()


async def _answered(question: Any, answering: Answering) -> Any:
    try:
        return {"answer": await answering(question)}
    except MissingError as error:
        return {"missing": str(error)}


def _relay(printed: IO[bytes], secrets: Secrets) -> None:
    """Print what a child prints to standard error, without secrets, up to MOST_PRINTED."""
    left = MOST_PRINTED
    with printed:
        while chunk := printed.readline(1 << 16):
            text = chunk.decode(errors="backslashreplace").rstrip("\r\n")
            line = escaped(hide(text, secrets))
            if left <= 0:
                continue
            left -= len(line) + 1
            with contextlib.suppress(OSError, ValueError):
                print(line if left > 0 else "(more was printed)", file=sys.stderr, flush=True)
