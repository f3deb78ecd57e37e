"""Trying a point: the command with its fault, then the same command without."""

from __future__ import annotations

import shutil
import signal
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from cookmas.mailboxes.sqlite.file import BELL
from tests.every_fault.calls import Call, read_calls, watch
from tests.every_fault.commands import COMMANDS, Command
from tests.every_fault.kitchens import make_menu
from tests.every_fault.points import Point
from tests.warm import QUICKLY, Warm

PATIENCE = 120
"""Seconds after which a command counts as hanging."""

KEPT = ".kept"

Recorded = Callable[[str], tuple[Path, list[Call]]]
"""A function that returns the folder with what a command needs, and its calls without a fault."""


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    said: str
    errors: str


def prepare(name: str, within: Path) -> Path:
    """Make and return the folder with what a command needs; trials get copies of it."""
    folder = within / f"{name}{KEPT}"
    folder.mkdir(parents=True)
    COMMANDS[name].prepare(folder)
    return folder


def lay_out(kept: Path, within: Path) -> Path:
    """Return a new copy of what a command needs."""
    folder = clear(within)
    shutil.copytree(kept, folder, ignore=shutil.ignore_patterns(BELL))
    make_menu(folder)
    return folder


def clear(within: Path) -> Path:
    """Return the path of the folder of a trial, at which nothing is."""
    within.mkdir(exist_ok=True)
    folder = within / "trial"
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def run(
    arguments: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    beside: Sequence[str] = (),
    begun: Iterable[Callable[[Warm[str]], object]] = (),
) -> Ended:
    """Run a command in a folder; `beside` is a script that runs until the command ends.

    Each of `begun` is called with the process of the command.
    """
    process = Warm[str](
        (QUICKLY, *arguments),
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    for call in begun:
        call(process)
    without = {name: text for name, text in environment.items() if not name.endswith("_FAULT")}
    other = beside and Warm[str](beside, cwd=folder, env=without, stdin=subprocess.DEVNULL)
    try:
        said, errors = process.answered(seconds=PATIENCE)
    finally:
        if other:
            other.kill()
            other.wait()
    return Ended(process.returncode, said, errors)


def play(command: Command, folder: Path, **watched: Any) -> Ended:
    """Run a command in a folder whose calls are watched, as `watch` says."""
    return run(command.arguments, folder, watch(folder, **watched), command.beside)


def calls_of(name: str, kept: Path, within: Path) -> list[Call]:
    """Return the calls of a command without a fault."""
    command, folder = COMMANDS[name], lay_out(kept, within)
    log = within / "log"
    log.unlink(missing_ok=True)
    ended = play(command, folder, log=log)
    assert ended.code == 0, ended
    command.said(folder)
    command.finish(folder)
    return list(read_calls(log))


def try_point(point: Point, kept: Path, within: Path) -> None:
    """Assert what was promised after a fault at a point."""
    with name_fault(point):
        command, folder = COMMANDS[point.command], lay_out(kept, within)
        ended = play(command, folder, fault=point.fault)
        judge(ended, killed=point.action in ("kill", "torn"))
        if ended.code and not command.over(folder):
            ended = play(command, folder)
            judge(ended)
            assert not ended.code or any(each in ended.errors for each in command.refusals), ended
        command.said(folder)
        command.finish(folder)


@contextmanager
def name_fault(fault: object) -> Iterator[None]:
    """Name a fault in an error of the block."""
    try:
        yield
    except Exception as error:
        error.add_note(f"the fault was: {fault}")
        raise


def judge(ended: Ended, *, killed: bool = False) -> None:
    """Assert that a command succeeded, or says in one line why not, or was killed."""
    assert "Traceback" not in ended.said + ended.errors, ended
    if ended.code == -signal.SIGKILL:
        assert killed, ended
    elif ended.code:
        said = [line for line in ended.errors.splitlines() if line.startswith("cookmas: ")]
        lines = [line for line in said if not line.endswith("which is imported")]
        assert len(lines) == 1, ended
