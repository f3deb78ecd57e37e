"""What a run's folder names is imported and said; another user's folder needs consent."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from cookmas.commands.kept_runs import find_run, outcome
from cookmas.display.watch.standing import render_status
from cookmas.files.errors import InputError
from cookmas.status import Status
from tests.cookmas.commands.calling import cookmas

OWN = """
from cookmas.worlds.corridor.domain import CorridorDomain
from cookmas.solving.corridor.planners import EmbeddedPlanner

class Planner(EmbeddedPlanner):
    name = "consented"

class Domain(CorridorDomain):
    pass
"""
PLANNER, WORLD = "consented:Planner", "consented:Domain"
RUN = "runs/one-consented"

STATUS = Status(
    state="asleep",
    alive=True,
    heartbeat_seconds=0.1,
    ended=None,
    timestep=3,
    reached=0,
    open=0,
    lost=0,
    plans=0,
    refused=0,
    fails=0,
    calls=0,
    repairs=0,
    tokens_in=0,
    tokens_out=0,
    money=0.0,
    taken=0,
    waiting=0,
    oldest_seconds=None,
    quarantined=0,
    away={},
    late_seconds=0.0,
    call_seconds=None,
    world={},
)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run whose planner and world are a person's own."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "consented.py").write_text(OWN)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.syspath_prepend(str(folder))
        assert cookmas("run", "one", "--world", WORLD, "-p", PLANNER, "-q").exit_code == 0
    return folder


@pytest.fixture
def folder(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, of which nothing is imported."""
    sys.modules.pop("consented", None)
    shutil.copytree(played, tmp_path, dirs_exist_ok=True, symlinks=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.fixture
def of_another(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same of another user."""
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    return folder


RESUME, FORK = ("resume", RUN, "--quiet"), ("fork", RUN, "--at", "2", "--quiet")


@pytest.mark.parametrize("command", [RESUME, FORK])
def test_what_is_imported_is_said(folder: Path, command: Sequence[str]) -> None:
    done = cookmas(*command)
    assert done.exit_code == 0, done.output
    named = [f"cookmas: {RUN} names {spec}, which is imported" for spec in (WORLD, PLANNER)]
    assert done.stderr.splitlines() == named


@pytest.mark.parametrize("command", [RESUME, FORK])
def test_which_variables_are_passed_is_said(
    folder: Path, command: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "a-key-of-somebody")
    run = json.loads((folder / RUN / "run.json").read_text())
    run["limits"]["environment"] = ["SOME_API_KEY"]
    (folder / RUN / "run.json").write_text(json.dumps(run))
    done = cookmas(*command)
    assert done.exit_code == 0, done.output
    *_, last = done.stderr.splitlines()
    assert last == f"cookmas: {RUN} names SOME_API_KEY, which this code gets from the environment"


@pytest.mark.parametrize("command", [RESUME, FORK])
def test_of_another_user_nothing_is_imported_unless_it_is_said(
    of_another: Path, command: Sequence[str]
) -> None:
    for said, asked in (
        ((), f"--world {WORLD}"),
        (("--world", WORLD), f"--planner {PLANNER}"),
        (("--planner", PLANNER), f"--world {WORLD}"),
    ):
        done = cookmas(*command, *said)
        assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.output
        assert done.stderr.endswith(f"which is imported only with {asked}\n")
        assert "consented" not in sys.modules
    assert [path.name for path in Path("runs").iterdir()] == [Path(RUN).name]


@pytest.mark.parametrize("command", [RESUME, FORK])
def test_a_world_that_is_named_like_a_file_is_not_imported_either(
    of_another: Path, command: Sequence[str]
) -> None:
    run = json.loads((of_another / RUN / "run.json").read_text())
    named = json.dumps({**run, "world": f"{WORLD}.yaml", "planner": "embedded"})
    (of_another / RUN / "run.json").write_text(named)
    done = cookmas(*command)
    assert done.stderr.endswith(f"which is imported only with --world {WORLD}.yaml\n")
    assert "consented" not in sys.modules


@pytest.mark.parametrize("command", [RESUME, FORK])
def test_who_says_it_has_it_imported(folder: Path, command: Sequence[str]) -> None:
    done = cookmas(*command, "--world", WORLD, "--planner", PLANNER)
    assert done.exit_code == 0, done.output


def test_a_run_goes_on_with_no_other_planner(folder: Path) -> None:
    done = cookmas(*RESUME, "--planner", "embedded")
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert f"continues with {PLANNER}; 'cookmas fork' takes another planner" in done.stderr


def test_nor_do_those_who_look_import_a_world(of_another: Path) -> None:
    with pytest.raises(InputError, match="another user's"):
        render_status(Path(RUN), STATUS)
    done = cookmas("live", RUN)
    assert (done.exit_code, "another user's" in done.stderr) == (2, True), done.output
    assert "consented" not in sys.modules


def test_a_list_of_runs_says_why_one_is_not_judged(of_another: Path) -> None:
    found = outcome(find_run(Path(RUN).name, Path("runs")))
    assert found.word == "unjudged"
    assert "another user's" in found.why
    assert "consented" not in sys.modules
