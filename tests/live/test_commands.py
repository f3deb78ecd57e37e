"""`cookmas serve` in one process, and the commands that act on it in others."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cookmas.api import create
from cookmas.commands.cli import app
from cookmas.commands.folders import find_open_episode, last_opened
from cookmas.orchestrator.runs.request import RedisPlace, RunRequest
from tests.live.conftest import open_small
from tests.warm import QUICKLY, ROOT, Warm

Process = Warm[str]


SLOWLY = re.compile(r"waiting: \d+ messages are before it\n")
"""What a command tells before the answer if the machine is slow."""


class Terminal:
    """Runs `cookmas` in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def start(self, *arguments: str) -> Process:
        return Process(
            (QUICKLY, *arguments),
            cwd=self._folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def say(self, *arguments: str) -> tuple[int, str]:
        process = self.start(*arguments)
        said, errors = process.communicate(timeout=120)
        return process.returncode, SLOWLY.sub("", said + errors)


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path)


@pytest.fixture
def serving(terminal: Terminal, tmp_path: Path) -> Iterator[Process]:
    process = terminal.start("serve", "small")
    until = time.monotonic() + 60
    while not (tmp_path / "runs/open/trace.jsonl").exists():
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.05)
    yield process
    if process.poll() is None:
        process.kill()
    process.communicate()


def test_a_kitchen_is_served_from_other_terminals(
    terminal: Terminal, serving: Process, tmp_path: Path
) -> None:
    ordered = terminal.say("order", "1 Garden Salad; 1 Buttered Toast", "--id", "1")
    assert ordered == (0, "taken: live1\n")
    again = terminal.say("order", "1 Garden Salad; 1 Buttered Toast", "--id", "1")
    assert again == (0, "taken already: live1\n")
    assert terminal.say("order", "1 Buttered Toast", "--to", "live1") == (0, "taken: live1.3\n")
    theirs = "refused: order live1 is another sender's\n"
    assert terminal.say("cancel", "live1", "--sender", "eve") == (1, theirs)
    code, shown = terminal.say("status")
    assert code == 0
    assert "live1.2" in shown
    refused = "refused: not on the menu: \\x1b[31mYeti".replace("\\x1b", " ")
    assert terminal.say("order", "1 \x1b[31mYeti") == (1, f"{refused}\n")
    assert terminal.say("instruct", "Toast first, please.") == (0, "taken\n")
    code, told = terminal.say("instruct", "x" * 501)
    assert (code, told.count("\n")) == (1, 1)
    assert told.startswith("refused: event, words: expected at most 500 characters, not 'xxx")
    assert terminal.say("cancel", "live9") == (1, "refused: there is no order live9\n")
    open_run = tmp_path / "runs/open"
    assert {path.stat().st_mode & 0o077 for path in (open_run, *open_run.rglob("*"))} == {0}
    code, second = terminal.say("serve")
    assert (code, "Open" in second, "under way in another process" in second) == (2, False, True)
    assert terminal.say("close")[0] == 0
    said, errors = serving.communicate(timeout=120)
    assert (serving.returncode, errors) == (0, "")
    assert "instruction: the supervisor says: Toast first, please." in said
    assert "live1.1 Garden Salad is served" in said
    assert "closed: Nothing is left to be done." in said
    assert "SUCCESS" in said


def test_serve_withdraws_what_others_may_do_in_the_folder_of_an_older_run(
    terminal: Terminal, tmp_path: Path
) -> None:
    folder = open_small(tmp_path / "runs/open")
    folder.chmod(0o755)
    (folder / "run.json").chmod(0o644)
    assert terminal.say("close")[0] == 0
    code, said = terminal.say("serve")
    assert (code, said.count("was open to other users of this machine")) == (0, 1)
    assert {path.stat().st_mode & 0o077 for path in (folder, *folder.rglob("*"))} == {0}


def test_mistakes_are_said_in_one_line(terminal: Terminal) -> None:
    for words in (
        ("withdraw",),
        ("withdraw", "--all", "--sender", "anna"),
        ("serve", "--pace", "3 parsecs"),
        ("serve", "--pace", "0s"),
        ("order", "-2 Garden Salad"),
        ("serve", "no_such_kitchen"),
        ("run", "level1/01", "--pace", "1s"),
        ("run", "corridor/bells", "--live"),
    ):
        code, said = terminal.say(*words)
        assert code == 2, words
        assert said.count("\n") == 1, said
        assert said.startswith("cookmas: ")


@pytest.mark.parametrize(
    "words",
    [("order", "1 Garden Salad"), ("close", "--at", "nowhere"), ("live", "--no-open")],
)
def test_a_command_waits_for_a_kitchen_and_says_so_in_one_line(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cookmas.commands.folders.OPENING", 0.3)
    monkeypatch.chdir(tmp_path)
    began = time.monotonic()
    result = CliRunner().invoke(app, [*words])
    assert time.monotonic() - began >= 0.3
    missing = (
        f"cookmas: {'nowhere' if 'nowhere' in words else 'runs/open'}: there is no open episode"
    )
    first, last = result.stderr.splitlines()
    assert (result.exit_code, first.startswith(missing), last.startswith(missing)) == (
        2,
        True,
        True,
    )
    assert first.endswith("; waiting up to 0.3 s for one")


def test_a_status_is_answered_at_once_where_there_is_no_episode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("cookmas.commands.folders.time.sleep", pytest.fail)
    result = CliRunner().invoke(app, ["status"])
    told = "cookmas: runs/open: there is no open episode here; 'cookmas serve' opens one\n"
    assert (result.exit_code, result.stderr) == (2, told)


def test_who_names_a_run_that_takes_no_messages_is_told_so_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    create("closed", RunRequest(scenario="level1/03", planner="embedded"))
    result = CliRunner().invoke(app, ["status", "--at", "closed"])
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "this run takes no messages" in result.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "level1/01", "--redis", "redis://localhost:6379/0"), "add --live"),
        (("run", "level1/01", "--remote", "worker_1"), "add --live"),
        (("run", "level1/01", "--live", "--remote", "nobody"), "expected one of worker_1"),
        (("run", "level1/01", "--live", "--remember", "5"), "add --redis"),
        (("run", "level1/01", "--live", "--pace", "soon"), "expected a time such as 1s"),
        (("run", "level1/01", "--live", "--checkpoints", "postgresql://a:b@c/d"), "PGPASSWORD"),
        (("serve", "--remote", "nobody"), "expected one of worker_1"),
        (("serve", "--remember", "5"), "add --redis"),
        (("serve", "--checkpoints", "postgresql://a:b@c/d"), "PGPASSWORD"),
    ],
)
def test_an_open_scenario_takes_the_options_of_serve(
    words: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    result = CliRunner().invoke(app, [*words, "--runs", str(tmp_path)])
    assert result.exit_code == 2
    assert said in result.output
    assert not list(tmp_path.glob("*/run.json"))


@pytest.mark.parametrize(
    ("url", "warned"),
    [("redis://192.0.2.1:1/0", True), ("rediss://:x@192.0.2.1", False), ("unix:///x", False)],
)
def test_a_redis_without_a_password_beyond_this_machine_is_warned_of(
    url: str, warned: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COOKMAS_REDIS", url)
    result = CliRunner().invoke(app, ["serve", "--pace", "x", "--runs", str(tmp_path)])
    assert ("this Redis has no password: everyone" in result.output) == warned
    assert "expected a time such as 1s" in result.output


def test_commands_act_on_the_kitchen_that_was_played_last(tmp_path: Path) -> None:
    assert last_opened(tmp_path) == tmp_path / "open"
    for number, name in enumerate(("level2-03-embedded", "open", "open.2")):
        create(tmp_path / name, RunRequest(scenario="open", planner="embedded", pace=0.0))
        os.utime(tmp_path / name / "run.json", (number, number))
    assert last_opened(tmp_path).name == "open.2"
    (tmp_path / "level2-03-embedded" / "lock").touch()
    assert last_opened(tmp_path).name == "level2-03-embedded"


def test_the_last_kitchen_may_be_in_redis(tmp_path: Path) -> None:
    create(tmp_path / "open", RunRequest(scenario="open", planner="embedded", pace=0.0))
    place = RedisPlace.at("redis://127.0.0.1:1/0#corner")
    create(
        tmp_path / "open-corner",
        RunRequest(scenario="open", planner="embedded", pace=0.0, redis=place),
    )
    create(tmp_path / "closed", RunRequest(scenario="level1/01", planner="embedded"))
    for number, name in enumerate(("open", "open-corner", "closed")):
        os.utime(tmp_path / name / "run.json", (number, number))
    assert last_opened(tmp_path).name == "open-corner"
    assert find_open_episode(None, None, tmp_path) == "redis://127.0.0.1:1/0#corner"


def test_live_without_a_folder_shows_the_kitchen_in_redis(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = RedisPlace.at("redis://127.0.0.1:1/0#corner")
    request = RunRequest(scenario="open", planner="embedded", pace=0.0, redis=place)
    create(tmp_path / "open-corner", request)
    shown: list[Path] = []
    monkeypatch.setattr(
        "cookmas.display.live.serve.serve", lambda run, *where: shown.append(run.folder)
    )
    result = CliRunner().invoke(app, ["live", "--no-open", "--runs", str(tmp_path)])
    assert (result.exit_code, result.output) == (0, "")
    assert shown == [tmp_path / "open-corner"]


def test_an_open_world_from_outside_is_judged_when_it_is_closed(
    terminal: Terminal, tmp_path: Path
) -> None:
    spec = "tests.worlds.cuisineworld.opened:DOMAIN"
    playing = terminal.start("run", "level_3", "--live", "--world", spec, "--pace", "10ms")
    until = time.monotonic() + 60
    while not (found := list(tmp_path.glob("runs/*/trace.jsonl"))):
        assert playing.poll() is None
        assert time.monotonic() < until
        time.sleep(0.05)
    assert terminal.say("close", "--at", str(found[0].parent))[0] == 0
    said, errors = playing.communicate(timeout=120)
    assert errors == ""
    assert playing.returncode == 1
    assert "FAILED" in said
    assert f"--world {spec}" in said
