"""Every command with a closed stdout, a pipe that nobody reads, and a stderr that takes nothing."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
import typer

import cookmas
from cookmas.api import create
from cookmas.commands.cli import app
from cookmas.mailboxes.redis.letterbox import create_episode
from cookmas.mailboxes.redis.link import RedisLink
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.worlds.questions.domain import SUITES
from docs.command_line import commands_of
from tests.cookmas.commands.streams import STREAMS, Ended, begin, call
from tests.redis_process import RedisProcess
from tests.sampling import sampled

SUITE = "title: One\nworld: corridor\nscenarios: [one]\narms: [{planner: embedded}]\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """The arguments of a command, its exit code, and the end of the line that tells of a cut."""

    arguments: str = ""
    code: int = 0
    cut: str = ""


GUEST = "--at kitchen --patience 0"

SHORT: Mapping[str, Case] = {
    "run": Case(
        arguments="corridor/one", cut="'cookmas resume runs/corridor-one-embedded' continues it"
    ),
    "play": Case(
        arguments="corridor/one --as walker_1",
        code=2,
        cut="'cookmas play runs/corridor-one-embedded' continues it",
    ),
    "resume": Case(arguments="begun", cut="'cookmas resume begun' continues it"),
    "fork": Case(arguments="done --at 1", cut="'cookmas resume done-at-1' continues it"),
    "send": Case(arguments="--at kitchen"),
    "order": Case(arguments=f"'1 French Fries' {GUEST}"),
    "change": Case(arguments=f"live1.1 rare {GUEST}"),
    "cancel": Case(arguments=f"live1 {GUEST}"),
    "instruct": Case(arguments=f"hurry {GUEST}"),
    "status": Case(arguments="--at kitchen", code=3),
    "withdraw": Case(arguments="--all --at kitchen"),
    "backup": Case(arguments="copy --at kitchen"),
    "close": Case(arguments="--at kitchen"),
    "quarantine": Case(arguments="--at kitchen"),
    "list": Case(),
    "show": Case(arguments="corridor/one"),
    "runs": Case(arguments="done"),
    "diff": Case(arguments="done done"),
    "why": Case(arguments="done"),
    "view": Case(arguments="done --no-open"),
    "replay": Case(arguments="done"),
    "eval": Case(arguments="done"),
    "bench": Case(arguments="suite.yaml"),
    "ask": Case(arguments="one.jsonl --planner random --trials 1"),
    "questions": Case(arguments="new.jsonl --count 1 --place collab-capture/building"),
    "report": Case(arguments="sweep"),
    "rescore": Case(arguments="sweep"),
    "check": Case(arguments="new.yaml"),
    "solve": Case(arguments="level1/01 --units 0.01"),
    "generate": Case(arguments="1 --output another.yaml --world corridor"),
    "graph": Case(),
    "prompt": Case(arguments="corridor/one"),
    "endpoint": Case(arguments="--model m --base-url http://127.0.0.1:9", code=2),
    "guest add": Case(arguments="ann --redis REDIS"),
    "new world": Case(arguments="mine"),
    "read": Case(arguments="dish.txt"),
    "recipes push": Case(arguments="--redis REDIS"),
    "recipes pull": Case(arguments="menu --redis REDIS"),
    "recipes list": Case(arguments="--redis REDIS"),
}
"""Commands that end by themselves."""

LONG: Mapping[str, Case] = {
    "serve": Case(
        arguments="--world corridor", code=143, cut="'cookmas resume runs/open' continues it"
    ),
    "live": Case(
        arguments="corridor/one --port 0 --no-open",
        code=143,
        cut="'cookmas resume runs/corridor-one-embedded' continues it",
    ),
    "model-server": Case(arguments="--port 0 --processes 1", code=143),
    "worker": Case(arguments="walker_1 remote", code=143, cut="walker_1 is away now"),
}
"""Commands that run until they are stopped, with the exit code of SIGTERM."""


def test_every_command_has_a_case() -> None:
    there = [name for name, _ in commands_of(typer.main.get_command(app))]
    assert sorted([*SHORT, *LONG]) == sorted(there)


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an episode in a Redis server with recipes."""
    folder = tmp_path_factory.mktemp("redis")
    server = RedisProcess(folder)

    async def open_episode() -> None:
        link = RedisLink(server.url)
        await create_episode(link, "corner", "run")
        await link.close()

    asyncio.run(open_episode())
    address = f"{server.url}#corner"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert call("recipes", "push", "--redis", address).code == 0
    yield address
    server.kill()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the commands need: runs, an open kitchen, a sweep, files."""
    folder = tmp_path_factory.mktemp("house")
    cookmas.play("corridor/one", folder=folder / "done")
    create(folder / "begun", RunRequest(scenario="corridor/one"))
    create(folder / "remote", RunRequest(scenario="corridor/one", pace=0, remote=("walker_1",)))
    create(folder / "kitchen", RunRequest(scenario="open", settings={"kitchen": "small"}, pace=0))
    (folder / "suite.yaml").write_text(SUITE)
    lines = (SUITES / "small.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "one.jsonl").write_text("".join(lines[:2]), encoding="utf-8")
    (folder / "dish.txt").write_text("Toast the bread for 3 minutes.\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert call("order", "1 French Fries", *GUEST.split()).code == 0
        assert call("generate", "1", "--output", "new.yaml").code == 0
        assert call("bench", "suite.yaml", "--folder", "sweep").code == 0
    return folder


@pytest.fixture
def here(house: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, a copy of the house."""
    shutil.copytree(house, tmp_path, dirs_exist_ok=True)
    for name in ("stdout.txt", "stderr.txt"):
        (tmp_path / name).unlink()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def short(name: str, request: pytest.FixtureRequest, **streams: str) -> Ended:
    """Run a command that ends by itself, with streams as in `call`."""
    arguments = SHORT[name].arguments
    if "REDIS" in arguments:
        arguments = arguments.replace("REDIS", request.getfixturevalue("redis"))
    return call(*name.split(), *shlex.split(arguments), **streams)


def without_progress(errors: str) -> list[str]:
    """Return the lines of stderr, except those that tell the progress of a sweep."""
    return [line for line in errors.splitlines() if not line.endswith("of 1 episodes")]


def check_closed(case: Case, done: Ended) -> None:
    (line,) = without_progress(done.errors)
    assert line.startswith("cookmas: standard output: ")
    assert line.endswith(case.cut or "descriptor")
    assert (done.code, done.out) == (2, "")


def check_read_by_nobody(case: Case, done: Ended) -> None:
    gone = "cookmas: the reader of standard output is gone; "
    told = [f"{gone}{case.cut}"] if case.cut else []
    assert without_progress(done.errors) == told
    assert (done.code, done.out) == (141, "")


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", SHORT)
def test_a_closed_stdout_is_one_line_and_2(name: str, request: pytest.FixtureRequest) -> None:
    check_closed(SHORT[name], short(name, request, stdout="closed"))


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", SHORT)
def test_a_closed_pipe_is_141(name: str, request: pytest.FixtureRequest) -> None:
    check_read_by_nobody(SHORT[name], short(name, request, stdout="read by nobody"))


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("how", "told", "code"),
    [
        ("closed", "standard output: Bad file descriptor", 2),
        ("read by nobody", "the reader of standard output is gone", 141),
    ],
)
def test_a_sweep_that_is_cut_says_how_to_go_on(how: str, told: str, code: int) -> None:
    model = ("--planner", "llm", "--model", "m", "--base-url", "http://127.0.0.1:9")
    done = call("bench", "suite.yaml", *model, stdout=how)
    assert done.errors == f"cookmas: {told}; the same command continues it\n"
    assert (done.code, done.out) == (code, "")


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", SHORT)
@pytest.mark.parametrize("how", sampled(["full", "read by nobody"], 2))
def test_a_stderr_that_takes_nothing_changes_nothing_else(
    name: str, how: str, request: pytest.FixtureRequest
) -> None:
    done = short(name, request, stderr=how)
    assert done.code == SHORT[name].code
    assert done.out
    assert "cookmas: " not in done.out


@pytest.fixture
def orchestrator(here: Path, request: pytest.FixtureRequest) -> Iterator[None]:
    """The process that plays the run whose worker is remote, where the command is that worker."""
    if request.node.callspec.params["name"] != "worker":
        yield
        return
    (here / "orchestrator").mkdir()
    with (here / "orchestrator" / "out.txt").open("wb") as out:
        process = begin("resume", str(here / "remote"), cwd=here / "orchestrator", out=out.fileno())
    until = time.monotonic() + 60
    while not (here / "remote" / "workers" / "wire.sqlite").exists():
        assert time.monotonic() < until
        time.sleep(0.02)
    yield
    process.terminate()
    process.wait(60)


def long(name: str, here: Path, out: int, without: str = "") -> Ended:
    """Run a command that is stopped after its first line of output; the file `out` is its stdout.

    A command that cannot print that line ends by itself.
    """
    process = begin(name, *shlex.split(LONG[name].arguments), cwd=here, out=out, without=without)
    os.close(out)
    until = time.monotonic() + 60
    written = here / "stdout.txt"
    while process.poll() is None and time.monotonic() < until:
        if written.exists() and written.read_bytes().endswith(b"\n"):
            process.terminate()
            process.wait(60)
        time.sleep(0.02)
    if process.poll() is None:
        process.kill()
        process.wait()
    said = written.read_text(encoding="utf-8") if written.exists() else ""
    return Ended(code=process.returncode, out=said, errors=(here / "stderr.txt").read_text())


@pytest.mark.usefixtures("orchestrator")
@pytest.mark.parametrize("name", sampled([*LONG], 4))
def test_a_closed_stdout_ends_what_runs_on(name: str, here: Path) -> None:
    check_closed(LONG[name], long(name, here, os.open(os.devnull, os.O_RDONLY), "stdout"))


@pytest.mark.usefixtures("orchestrator")
@pytest.mark.parametrize("name", LONG)
def test_a_closed_pipe_ends_what_runs_on(name: str, here: Path) -> None:
    check_read_by_nobody(LONG[name], long(name, here, STREAMS["read by nobody"]()))


@pytest.mark.usefixtures("orchestrator")
@pytest.mark.parametrize("name", LONG)
def test_a_closed_stderr_changes_nothing_of_what_runs_on(name: str, here: Path) -> None:
    out = os.open(here / "stdout.txt", os.O_WRONLY | os.O_CREAT)
    done = long(name, here, out, "stderr")
    assert (done.code, done.errors) == (LONG[name].code, "")
    assert "cookmas: " not in done.out
