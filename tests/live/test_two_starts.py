"""Two commands that create the same thing start together: one makes it, and nothing is broken."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from cookmas.api import RunRequest, create, play
from cookmas.client import Client
from cookmas.orchestrator.runs.folder import read_run
from cookmas.worlds.questions.domain import SUITES
from tests.every_fault.commands import SCENARIO, is_fixed, make_stale
from tests.redis_process import PERSISTENT, RedisProcess
from tests.warm import QUICKLY, Warm, say

ROUNDS = int(os.environ.get("COOKMAS_FAULTS", "1"))
"""Number of times that a command and its twin are started: once in the tests, 50 in `make faults`.
"""

AFTER_BARRIER = f"import sys; sys.stdin.readline()\n{QUICKLY}"
"""The command `cookmas`, which waits for a line before it begins."""

SUITE = {
    "title": "t",
    "scenarios": ["corridor/one", "corridor/two"],
    "arms": [{"planner": "embedded"}],
}


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    said: str


def start_together(folder: Path, *commands: Iterable[object]) -> list[Ended]:
    """Start commands in a folder behind a barrier, and return how each ended, in order."""
    started = [
        Warm[str](
            (AFTER_BARRIER, *map(str, command)),
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for command in commands
    ]
    for process in started:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    said = [process.communicate(timeout=120)[0] for process in started]
    return [Ended(each.returncode, text) for each, text in zip(started, said, strict=True)]


Command = tuple[object, ...]


def a_run(folder: Path) -> None:
    play("corridor/one", folder=folder / "runs" / "one")


def a_kitchen(folder: Path) -> None:
    create(folder / "runs" / "open", RunRequest(scenario="open", pace=0.05))


def a_suite(folder: Path) -> None:
    (folder / "suite.yaml").write_text(json.dumps(SUITE))


def a_sweep(folder: Path) -> None:
    a_suite(folder)
    assert say(folder, "", *map(str, CREATING["bench"][1]))[0] == 0


def two_questions(folder: Path) -> None:
    head, *questions = (SUITES / "ours.jsonl").read_text("utf-8").splitlines(keepends=True)
    (folder / "two.jsonl").write_text("".join([head, *questions[:2]]), encoding="utf-8")


CREATING: dict[str, tuple[Callable[[Path], None], Command]] = {
    "run": (lambda _: None, ("run", "corridor/one", "--quiet")),
    "fork": (a_run, ("fork", "runs/one", "--at", 1, "--quiet")),
    "bench": (a_suite, ("bench", "suite.yaml", "--folder", "made")),
    "backup": (a_kitchen, ("backup", "made", "--at", "runs/open")),
    "rescore": (a_sweep, ("rescore", "made")),
    "report": (a_sweep, ("report", "made", "--csv", "made.csv")),
    "check --fix": (make_stale, ("check", SCENARIO, "--fix")),
    "questions": (
        lambda _: None,
        ("questions", "made.jsonl", "--count", 4, "--place", "collab-capture/building"),
    ),
    "ask": (
        two_questions,
        ("ask", "two.jsonl", "--planner", "random", "--trials", 1, "--folder", "asked"),
    ),
    "generate": (lambda _: None, ("generate", 1, "-o", "made.yaml")),
    "view": (a_run, ("view", "runs/one", "--no-open", "-o", "made.html")),
    "new world": (lambda _: None, ("new", "world", "made")),
}
"""For each command that creates or replaces something: what it needs, and the command."""


def check(folder: Path, ended: list[Ended]) -> None:
    """Check that one command succeeded, that each other says in a line why not, and that what was
    made is whole.
    """
    assert any(each.code == 0 for each in ended), ended
    for each in ended:
        assert "Traceback" not in each.said, each.said
        if each.code:
            (line,) = [line for line in each.said.splitlines() if line.startswith("cookmas: ")]
            assert "of version 0" not in line
    assert not list(folder.rglob("*.new"))
    made = folder / "made"
    if (made / "run.json").exists():
        read_run(made)
    for results in (folder / "made" / "results.jsonl", folder / "asked" / "results.jsonl"):
        if results.exists():
            assert len(results.read_text().splitlines()) == 2
    if (folder / SCENARIO).exists():
        is_fixed(folder)


@pytest.mark.parametrize("name", CREATING)
def test_a_command_and_its_twin(name: str, tmp_path: Path) -> None:
    prepare, command = CREATING[name]
    for number in range(ROUNDS):
        folder = tmp_path / str(number)
        folder.mkdir()
        prepare(folder)
        check(folder, start_together(folder, command, command))


PAIRS = list(itertools.combinations(CREATING, 2))


@pytest.mark.parametrize(("one", "other"), PAIRS if ROUNDS > 1 else PAIRS[-1:])
def test_two_different_commands(one: str, other: str, tmp_path: Path) -> None:
    for prepare in dict.fromkeys(CREATING[name][0] for name in (one, other)):
        prepare(tmp_path)
    check(tmp_path, start_together(tmp_path, CREATING[one][1], CREATING[other][1]))


def two_kitchens(folder: Path, *options: Sequence[str]) -> tuple[Warm[str], Warm[str], str]:
    """Start two kitchens together, each with its options; return the one that is left, the other,
    and what the other said.
    """
    started = [
        Warm[str](
            (AFTER_BARRIER, "serve", "small", "--pace", "0.05s", *own),
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for own in options
    ]
    for process in started:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.close()
    while all(process.poll() is None for process in started):
        time.sleep(0.01)
    loser = next(process for process in started if process.poll() is not None)
    (winner,) = [process for process in started if process is not loser]
    assert loser.stderr is not None
    with loser.stderr:
        return winner, loser, loser.stderr.read()


def order_and_close(where: str | Path, kitchen: Warm[str]) -> None:
    """Let a kitchen serve an order, and end."""
    with Client(where, "anna", patience=60) as anna:
        anna.order("1 Garden Salad", id="a")
        anna.close()
    assert kitchen.wait(120) in (0, 1)
    assert kitchen.stderr is not None
    kitchen.stderr.close()


@pytest.mark.parametrize("number", range(2 * ROUNDS))
def test_two_kitchens_in_a_new_folder(number: int, tmp_path: Path) -> None:
    winner, _, said = two_kitchens(tmp_path, (), ())
    assert said.count("\n") == 1
    assert "this run is under way in another process" in said
    folder = tmp_path / "runs" / "open"
    order_and_close(folder, winner)
    assert '"termination":"closed"' in (folder / "trace.jsonl").read_text()


@pytest.mark.parametrize("number", range(ROUNDS))
def test_two_kitchens_of_the_same_name_in_redis(number: int, tmp_path: Path) -> None:
    (tmp_path / "redis").mkdir()
    server = RedisProcess(tmp_path / "redis", *PERSISTENT)
    where = f"{server.url}#corner"
    options = [("--redis", where, "--runs", runs) for runs in ("one", "other")]
    winner, loser, said = two_kitchens(tmp_path, *options)
    assert (loser.returncode, said.count("\n")) == (2, 1), said
    assert "another run has it in Redis" in said
    order_and_close(where, winner)
    (ended,) = tmp_path.glob("*/*/trace.jsonl")
    assert '"termination":"closed"' in ended.read_text()
    server.kill()
