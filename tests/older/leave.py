"""Leave folders and Redis keys as an older checkout of CookMAS makes them.

    python -m tests.older.leave CHECKOUT

writes tests/older/COMMIT.tar.xz. The packages of the present environment have to do for the
checkout. An archive has up to four parts:

- `closed`: a run of a scenario, killed at about its half;
- `open`: an open kitchen with its mailbox, killed while lines are open, with a message that waits;
- `keys.json`: the keys of such a kitchen in Redis, as DUMP returns them;
- `sweep`: the folder of a suite's sweep, with the suite.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redis import Redis

from tests.redis_process import RedisProcess

HERE = Path(__file__).parent
ORDER, WAITING = "1 French Fries; 1 Garden Salad", "1 Lemonade"
SUITE = "title: two\nscenarios: [level1/01, level1/02]\narms: [{name: naive, planner: naive}]\n"

_START = """
import importlib, sys
for name in ("cookmas.commands.start", "cookmas.start", "cookmas.cli"):
    try:
        main = importlib.import_module(name).main
    except ImportError:
        continue
    main()
    break
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkout:
    """An older version, whose commands run in a folder of their own."""

    root: Path
    within: Path

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a command."""
        command = [sys.executable, "-c", _START, *arguments]
        environment = {**os.environ, "PYTHONPATH": str(self.root), "USER": "anna"}
        return subprocess.Popen(command, cwd=self.within, env=environment)

    def say(self, *arguments: str) -> None:
        """Carry out a command."""
        if code := self.start(*arguments).wait():
            raise SystemExit(f"{arguments} ended with {code}")


def wait_until(holds: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    """Wait until something holds while a process lives."""
    deadline = time.monotonic() + 120
    while not holds():
        if process.poll() is not None or time.monotonic() > deadline:
            raise SystemExit("the command ended too early, or nothing happened for two minutes")
        time.sleep(0.002)


def lines_of(folder: Path) -> int:
    """Return the number of lines of the only trace in a folder of runs."""
    return sum(len(trace.read_bytes().splitlines()) for trace in folder.glob("*/trace.jsonl"))


def leave_closed(checkout: Checkout) -> None:
    """Leave a run of a scenario in `closed`."""
    runs = checkout.within / "runs"
    process = checkout.start("run", "level2/06", "--runs", "runs", "--quiet")
    wait_until(lambda: lines_of(runs) > 15, process)
    process.kill()
    process.wait()
    next(runs.iterdir()).rename(checkout.within / "closed")
    runs.rmdir()


def leave_open(checkout: Checkout) -> None:
    """Leave an open kitchen in `open`."""
    with _played(checkout, "serve", "small", "--pace", "500ms", "--runs", "runs"):
        checkout.say("order", ORDER, "--sender", "anna", "--runs", "runs", "--id", "o1")
        time.sleep(2)
    waiting = checkout.start("order", WAITING, "--runs", "runs", "--id", "o2", "--patience", "0.5")
    waiting.wait()
    next((checkout.within / "runs").iterdir()).rename(checkout.within / "open")
    shutil.rmtree(checkout.within / "runs")


def leave_redis(checkout: Checkout) -> None:
    """Leave the keys of an open kitchen in Redis in `keys.json`, and its folder in `redis`."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        server = RedisProcess(Path(folder))
        stack.callback(server.kill)
        where = ["--redis", f"{server.url}?db=0#corner"]
        with _played(checkout, "serve", "small", "--pace", "500ms", "--runs", "runs", *where):
            checkout.say("order", ORDER, "--sender", "anna", *where, "--id", "o1")
            time.sleep(2)
        checkout.start("order", WAITING, *where, "--id", "o2", "--patience", "0.5").wait()
        redis: Redis = Redis(unix_socket_path=str(server.socket))
        names = sorted(map(os.fsdecode, redis.keys("*")))
        dumped = {name: base64.b64encode(redis.dump(name) or b"").decode() for name in names}
        (checkout.within / "keys.json").write_text(json.dumps(dumped, indent=0), encoding="utf-8")
    next((checkout.within / "runs").iterdir()).rename(checkout.within / "redis")
    shutil.rmtree(checkout.within / "runs")


def leave_sweep(checkout: Checkout) -> None:
    """Leave the folder of a sweep, whose last episode is missing, in `sweep`."""
    (checkout.within / "suite.yaml").write_text(SUITE, encoding="utf-8")
    checkout.say("bench", "suite.yaml", "--folder", "sweep")
    (checkout.within / "suite.yaml").rename(checkout.within / "sweep" / "suite.yaml")


@contextmanager
def _played(checkout: Checkout, *arguments: str) -> Iterator[None]:
    process = checkout.start(*arguments)
    try:
        wait_until(lambda: lines_of(checkout.within / "runs") > 0, process)
        yield
    finally:
        process.kill()
        process.wait()


def main() -> None:
    """Leave all that a checkout can make in an archive."""
    root = Path(sys.argv[1]).resolve()
    commit = subprocess.check_output(
        ["git", "-C", root, "rev-parse", "--short=8", "HEAD"], text=True
    )
    with tempfile.TemporaryDirectory() as within:
        checkout = Checkout(root=root, within=Path(within))
        parts: list[Callable[[Checkout], Any]] = [
            leave_closed,
            leave_open,
            leave_redis,
            leave_sweep,
        ]
        for part in parts:
            try:
                part(checkout)
            except SystemExit as error:
                print(f"{part.__name__}: {error}")
        with tarfile.open(HERE / f"{commit.strip()}.tar.xz", "w:xz", preset=9) as archive:
            for path in sorted(Path(within).iterdir()):
                archive.add(path, path.name)


if __name__ == "__main__":
    main()
