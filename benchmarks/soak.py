"""Play an open kitchen for a simulated day: python -m benchmarks.soak [TIMESTEPS] [SESSIONS]

The small kitchen gets orders from a sender all the time, and does not pause between timesteps. It
is killed and restarted SESSIONS times in the course of TIMESTEPS, by default 24 times in 86,400, a
second each. `cookmas live` runs beside it all the time. At the end of each session the command
measures what must not grow with the age of a kitchen: the memory of both processes, the CPU seconds
and the printed lines until a restarted kitchen plays, and the size of a page.

The command prints a row for each session, and ends with exit code 1 if a measure grows: if its mean
over the last third of the sessions is above that over the first third, by more than is allowed.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean
from typing import IO

from cookmas.client import Client
from cookmas.orchestrator.runs.folder import TRACE
from cookmas.status import Status, status_of

SERVE = "serve small --planner naive"
COOKMAS = (sys.executable, "-m", "cookmas")
DISH = "1 Garden Salad"
OPEN = 3
"""Number of orders that are kept open."""

QUIET = 2.0
"""Seconds without data after which a page is complete."""

PATIENCE = 120.0
"""Seconds for which a process may be silent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SoakSession:
    """The measurements at the end of a session."""

    timestep: int
    """Number of timesteps that were played since the kitchen was opened."""
    start: float
    """CPU seconds of the kitchen's process until its first new timestep."""
    lines: int
    """Number of lines that the process printed until then."""
    kitchen: float
    """Memory of the kitchen's process, in MB."""
    live: float
    """Memory of the page's server, in MB."""
    page: float
    """Size of the page with its entries, in MB."""


ALLOWED: Mapping[str, float] = {
    "start": 2.0,
    "lines": 5,
    "kitchen": 10.0,
    "live": 25.0,
    "page": 1.0,
}
"""How much the mean of a measure may grow from the first to the last third of the sessions."""


def find_growing(sessions: Sequence[SoakSession]) -> list[str]:
    """Return a line for each measure that grows with the age of the kitchen."""
    third = max(1, len(sessions) // 3)
    found = []
    for name, allowed in ALLOWED.items():
        values = [float(asdict(each)[name]) for each in sessions]
        early, late = mean(values[:third]), mean(values[-third:])
        if late - early > allowed:
            found.append(
                f"{name} grows from {early:.1f} to {late:.1f}; {allowed:g} more are allowed"
            )
    return found


def soak(folder: Path, timesteps: int, sessions: int) -> Iterator[SoakSession]:
    """Play a kitchen in a folder, and yield what was measured at the end of each session."""
    run: Path | None = None
    log = folder / "log"
    with contextlib.ExitStack() as stack:
        for number in range(1, sessions + 1):
            with log.open("wb") as output, _run_command(SERVE, folder, output) as kitchen:
                if run is None:
                    run = _await_run(folder)
                    page = stack.enter_context((folder / "page").open("wb"))
                    command = f"live {run} --no-open --port 0"
                    live = stack.enter_context(_run_command(command, folder, page))
                before = _status(run).timestep or 0
                _order_until(run, before + 1)
                start, lines = _cpu_seconds(kitchen.pid), log.read_bytes().count(b"\n")
                _order_until(run, max(number * timesteps // sessions, before + 1))
                yield SoakSession(
                    timestep=_status(run).timestep or 0,
                    start=start,
                    lines=lines,
                    kitchen=_memory(kitchen.pid),
                    page=_size_of_page(folder / "page"),
                    live=_memory(live.pid),
                )


@contextlib.contextmanager
def _run_command(
    command: str, folder: Path, output: IO[bytes]
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command in a folder, and kill it at the end of the block."""
    process = subprocess.Popen(
        [*COOKMAS, *command.split()], cwd=folder, stdout=output, stderr=subprocess.STDOUT
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def _await_run(folder: Path) -> Path:
    """Return the folder of the run, once its trace has begun."""
    until = time.monotonic() + PATIENCE
    while not (found := list(folder.glob(f"runs/*/{TRACE}"))):
        assert time.monotonic() < until, (folder / "log").read_text()
        time.sleep(0.05)
    return found[0].parent


def _status(run: Path) -> Status:
    return asyncio.run(status_of(run))


def _order_until(run: Path, timestep: int) -> None:
    """Keep orders open until the kitchen has reached a timestep."""
    until = time.monotonic() + PATIENCE
    with Client(run, "anna", patience=0) as anna:
        while ((now := _status(run)).timestep or 0) < timestep:
            assert time.monotonic() < until, f"the kitchen stands still at timestep {now.timestep}"
            if now.state == "asleep" or now.taken - now.reached + (now.waiting or 0) < OPEN:
                anna.order(DISH)
                until = time.monotonic() + PATIENCE
            time.sleep(0.02)


def _cpu_seconds(process: int) -> float:
    """Return the CPU seconds that a process has used, as `man proc` describes its file `stat`."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory(process: int) -> float:
    """Return the memory that a process has in use, in MB."""
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def _size_of_page(said: Path) -> float:
    """Return the size of a page and of its entries, in MB; `said` has its address."""
    address = said.read_text(encoding="utf-8").split()[-1]
    size = len(urllib.request.urlopen(address).read())
    events = urllib.request.urlopen(address.replace("/?", "/events?"), timeout=QUIET)
    with contextlib.suppress(TimeoutError):
        while found := events.read1():
            size += len(found)
    return size / 1e6


def main(timesteps: int = 86_400, sessions: int = 24) -> None:
    """Print a row for each session; exit with 1 if a measure grows."""
    played: list[SoakSession] = []
    with tempfile.TemporaryDirectory() as name:
        for session in soak(Path(name), timesteps, sessions):
            played.append(session)
            print(
                f"timestep {session.timestep:6}: start {session.start:5.1f} s, "
                f"{session.lines} lines; kitchen {session.kitchen:.0f} MB, "
                f"live {session.live:.0f} MB, page {session.page:.2f} MB",
                flush=True,
            )
    growing = find_growing(played)
    print("\n".join(growing) or "nothing grows with age")
    sys.exit(bool(growing))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
