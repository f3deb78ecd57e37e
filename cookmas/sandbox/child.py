"""The calling side of a child process that runs user-supplied code, and its environment."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Any

from cookmas.episodes.failure import FailedError
from cookmas.episodes.secrets import Secrets, harmless, hide, secrets_of
from cookmas.files.errors import EndpointAwayError, InfrastructureError, InputError, MissingError
from cookmas.files.lines import escape
from cookmas.files.options import LONGEST_WAIT, option, refuse_options
from cookmas.sandbox.channel import ChannelError, pack, receive, send
from cookmas.sandbox.kernel import hide_this_process

LONGEST_START = 60.0
"""Maximum number of seconds until a new process runs."""

GRACE = 2.0
"""Seconds after the time limit in which a child may still report where it was interrupted."""

MOST_MEMORY = 2**20
"""Maximum value of the memory limit of a process, in MiB."""

MOST_PRINTED = 1_000_000
"""Maximum number of characters that a child may print."""

_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from cookmas.sandbox.kernel import keep; keep(int(sys.argv[2]), int(sys.argv[4])); "
    "from cookmas.sandbox.host import main; main(*sys.argv[3:])"
)


NEEDED = re.compile(
    r"PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|VIRTUAL_ENV|LD_LIBRARY_PATH"
    r"|PYTHON[A-Z0-9]+|SSL_CERT_(FILE|DIR)|(OMP|OPENBLAS|MKL)_NUM_THREADS|CUDA_VISIBLE_DEVICES"
    r"|OPENAI_BASE_URL"
)
"""Pattern of the variables that every child gets: those of Python and others without secrets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The time, memory and environment variables of a child process."""

    seconds: float = option(
        1800.0,
        "Maximum seconds for a call of a user-supplied planner.",
        least=0.1,
        most=LONGEST_WAIT,
        flag="--planner-timeout",
    )
    memory: int = option(
        4096,
        "Maximum memory of a user-supplied planner, in MiB.",
        least=256,
        most=MOST_MEMORY,
        flag="--planner-memory",
    )
    environment: tuple[str, ...] = option(
        (),
        "An environment variable for user-supplied code; may be repeated.",
        flag="--pass-env",
        metavar="NAME",
    )
    """Every child gets some variables without secrets, besides these."""

    def __post_init__(self) -> None:
        refuse_options(self)
        check_names(self.environment)


Answering = Callable[[Any], Awaitable[Any]]
"""A function that answers a request of the child during a call, such as a look-up."""


async def _no_answer(question: Any) -> Any:
    raise MissingError("there is nothing to look up")


class Child:
    """A child process, which starts at the first call, and again after a failure that ended it.

    `home` is a module, and calls name a coroutine function in it and pass plain data. Or `home` is
    a class, written as `module:Class`: the process makes an object of it, with a function that
    sends requests to this process, and calls name methods of this object. The child's output is
    printed to standard error, with control characters escaped. Secrets of the caller's environment
    are removed from the child's output and answers. `close` ends the child and every process that
    it has started.
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
        """Call a method with plain data, and return its answer.

        The child cannot send requests during this call. The time limit is `seconds`, by default
        that of the child's limits. Raise the same errors as `call`.
        """
        self._ensure_started()
        until, message = self._message(method, data, seconds or self._limits.seconds)
        return self._answer(self._exchange(message, until))

    async def call(self, method: str, data: Any, answering: Answering = _no_answer) -> Any:
        """Call a method with plain data, and return its answer.

        `answering` answers the requests of the child during the call. Raise FailedError if the
        method fails or exceeds its time limit. If the method raises InputError or
        InfrastructureError, raise the same error. Also raise InputError if an environment variable
        for the child is not set.
        """
        try:
            await asyncio.to_thread(self._ensure_started)
            until, message = self._message(method, data, self._limits.seconds)
            while True:
                reply = await asyncio.to_thread(self._exchange, message, until)
                if "ask" not in reply:
                    break
                message = await _answer_question(reply["ask"], answering)
        except BaseException:
            self.close()
            raise
        return self._answer(reply)

    def close(self) -> None:
        """Kill the process and every process that it has started."""
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
        if "away" in reply:
            raise EndpointAwayError(reply["away"], unreachable=reply["unreachable"])
        if "infrastructure" in reply:
            raise InfrastructureError(reply["infrastructure"])
        return reply["done"]

    def _exchange(self, message: Any, until: float) -> Any:
        """Send a message to the child and return its reply. Raise FailedError if there is none."""
        late = f"no answer within {self._limits.seconds:g} s, and it did not stop"
        with self._failing(late), self._exchanging:
            assert self._channel
            send(self._channel, pack(message), until)
            reply = receive(self._channel, until)
            if not isinstance(reply, dict):
                raise ChannelError("a message of an unknown kind")
        return harmless(reply, self._secrets)

    @contextlib.contextmanager
    def _failing(self, late: str) -> Iterator[None]:
        """Raise FailedError for an error of the channel in the block: `late` after a time limit."""
        try:
            yield
        except TimeoutError:
            self.close()
            raise FailedError(late) from None
        except (OSError, EOFError):
            raise FailedError(self._death()) from None
        except ChannelError as error:
            self.close()
            raise FailedError(f"its process sent {error}") from None

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

    def _ensure_started(self) -> None:
        """Start the process if there is none, and wait until it runs.

        So its start does not count towards the time limit of a call; an import of user code does.
        """
        with self._exchanging:
            with self._starting:
                starts = self._process is None
                if starts:
                    self._start()
            if starts:
                assert self._channel
                with self._failing(f"its process did not start within {LONGEST_START:g} s"):
                    receive(self._channel, time.monotonic() + LONGEST_START)

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


async def _answer_question(question: Any, answering: Answering) -> Any:
    try:
        return {"answer": await answering(question)}
    except MissingError as error:
        return {"missing": str(error)}


def _relay(printed: IO[bytes], secrets: Secrets) -> None:
    """Copy a child's output to standard error, without secrets, up to MOST_PRINTED characters."""
    left = MOST_PRINTED
    with printed:
        while chunk := printed.readline(1 << 16):
            text = chunk.decode(errors="backslashreplace").rstrip("\r\n")
            line = escape(hide(text, secrets))
            if left < 0:
                continue
            left -= len(line) + 1
            with contextlib.suppress(OSError, ValueError):
                print(line if left >= 0 else "(more was printed)", file=sys.stderr, flush=True)


def check_names(names: Iterable[str]) -> None:
    """Raise InputError if a text cannot be the name of a variable.

    The error does not repeat the text, because a user may have written a secret as `NAME=VALUE`.
    """
    if not all(name.isidentifier() for name in names):
        raise InputError("--pass-env", "expected a name such as OPENAI_API_KEY, without its value")


def environment(names: Iterable[str] = ()) -> dict[str, str]:
    """Return the variables that every child needs, and those with the given names.

    Raise InputError if one of the given names is not set.
    """
    for name in names:
        if name not in os.environ:
            raise InputError(f"--pass-env {name}", "is not set in the environment")
    passed = {*names, *filter(NEEDED.fullmatch, os.environ)}
    return {name: os.environ[name] for name in passed}
