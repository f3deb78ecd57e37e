"""A process that begins warm is like any other."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.warm import COOKMAS, ROOT, Warm, running

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
    "PYTHONPATH": str(ROOT),
    "MINE": "1",
}

SHOWS = """
import os, signal, sys
print(__name__, sys.argv, sys.path[0], os.getcwd(), os.environ["MINE"], sys.stdin.read())
print([signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD)])
print([each.line_buffering for each in (sys.stdin, sys.stdout, sys.stderr)])
print([each.encoding + each.errors for each in (sys.stdin, sys.stdout, sys.stderr)])
print([file for file in os.listdir("/proc/self/fd") if int(file) > 3])
print("wrong", file=sys.stderr)
"""


LATE = """
import atexit, threading, time
class Dropped:
    def __del__(self): print("dropped")
held = Dropped()
atexit.register(print, "at exit")
threading.Thread(target=lambda: (time.sleep(0.05), print("thread"))).start()
"""

ENDINGS = ["", "sys.exit(7)", "sys.exit('no')", "os._exit(3)", LATE]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_script_shows_the_same_as_in_a_process_of_its_own(ending: str, tmp_path: Path) -> None:
    handled = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may ignore it
    try:
        processes = [
            kind(
                [*command, SHOWS + ending, "a", "b"],
                cwd=tmp_path,
                env=ENVIRONMENT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            for kind, command in ((subprocess.Popen, [sys.executable, "-c"]), (Warm, []))
        ]
    finally:
        signal.signal(signal.SIGINT, handled)
    own, warm = [(*each.communicate(b"typed"), each.returncode) for each in processes]
    assert warm == own


def test_it_can_be_stopped_and_killed() -> None:
    with Warm[bytes](("import time; time.sleep(600)",)) as process:
        process.send_signal(signal.SIGSTOP)
        process.wait_until_stopped()
        process.send_signal(signal.SIGCONT)
        assert process.poll() is None
        os.kill(process.pid, 0)
        process.kill()
        assert process.wait(60) == -signal.SIGKILL


def test_one_that_ends_instead_of_stopping_is_no_trouble_to_others() -> None:
    process = Warm[bytes](("import sys; sys.exit(5)",))
    with pytest.raises(AssertionError, match="it has ended instead"):
        process.wait_until_stopped()
    assert process not in running()
    assert process.wait(60) == 5


TESTS = """
import time
from tests.warm import Warm
process = Warm[bytes](("import time; time.sleep(600)",))
print(process.pid, flush=True)
time.sleep(600)
"""
"""Tests that have started a process."""


def test_it_ends_with_the_tests_though_they_are_killed() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", TESTS], cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE
    ) as tests:
        assert tests.stdout
        started = int(tests.stdout.readline())
        os.kill(started, 0)
        tests.kill()
    until = time.monotonic() + 30
    while is_running(started):
        assert time.monotonic() < until
        time.sleep(0.01)


def is_running(process: int) -> bool:
    """Return whether a process of other tests runs."""
    try:
        return "(python) Z" not in Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        return False


def test_what_takes_too_long_is_killed() -> None:
    process = Warm[bytes](("import time; time.sleep(600)",))
    with pytest.raises(subprocess.TimeoutExpired):
        process.answered(seconds=0.1)
    assert process.returncode == -signal.SIGKILL


NEW = f"""
import atexit, sys
before = {{*sys.modules}}
atexit.register(lambda: print(*{{*sys.modules}} - before, file=sys.stderr))
{COOKMAS}
"""
"""`cookmas`, which tells at its end what it had to import."""


def test_what_a_run_needs_is_imported_before(tmp_path: Path) -> None:
    process = Warm[str](
        (NEW, "run", "corridor/one", "--quiet"),
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    _, imported = process.answered()
    assert imported.split() == []
