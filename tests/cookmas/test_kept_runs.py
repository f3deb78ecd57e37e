"""`cookmas runs`: what is kept, and how it is removed."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cookmas.commands.calling import cookmas

RUN = "runs/toast-schedule"


@pytest.fixture(autouse=True)
def played(toast: Path) -> None:
    """A run is kept in the present folder."""
    assert toast == Path(RUN)


def kept(*arguments: str) -> list[Any]:
    done = cookmas("runs", *arguments, "--json")
    assert done.exit_code == 0, done.output
    found: list[Any] = json.loads(done.stdout)
    return found


def refused(*arguments: str) -> str:
    done = cookmas("runs", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    return done.stderr


def copy(name: str, **changes: Any) -> Path:
    """One more run, whose `run.json` says this."""
    folder = Path(shutil.copytree(RUN, f"runs/{name}"))
    said = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps(said | changes))
    return folder


def test_what_is_known_of_a_run_is_listed() -> None:
    parent = {"run": "toast-schedule", "timestep": 3, "chain": "0" * 16}
    copy("fork", parent=parent)
    fork, run = kept()
    assert (run["folder"], run["parent"]) == (RUN, None)
    assert (run["scenario"], run["planner"]) == ("toast.yaml", "schedule")
    assert (run["outcome"], run["success"]) == ("SUCCESS", True)
    assert 0 < run["optimality"] <= 1
    assert run["bytes"] == sum(path.stat().st_size for path in Path(RUN).iterdir())
    assert (fork["folder"], fork["parent"]) == ("runs/fork", parent)
    shown = cookmas("runs").stdout
    assert "fork of toast-schedule at 3" in shown
    assert shown.count("toast.yaml by schedule") == 2
    assert shown.count("SUCCESS") == 2
    assert shown.count(f" {run['optimality']:.2f} ") == 2


def test_what_cannot_be_judged_is_listed_too() -> None:
    cut = copy("cut") / "trace.jsonl"
    cut.write_text("".join(cut.read_text().splitlines(keepends=True)[:-1]))
    bad = copy("bad") / "trace.jsonl"
    bad.write_text(bad.read_text().replace("worker_1", "worker_9"))
    (copy("broken") / "run.json").write_text("{")
    (copy("begun") / "trace.jsonl").unlink()
    found = {Path(run["folder"]).name: run["outcome"] for run in kept()}
    del found["toast-schedule"]
    assert found == {
        "cut": "unfinished",
        "begun": "unfinished",
        "bad": "damaged",
        "broken": "unreadable",
    }


def test_an_open_run_that_is_not_over_is_listed_by_its_last_line() -> None:
    trace = copy("open", pace=1.0) / "trace.jsonl"
    first, *_, last = trace.read_text().splitlines(keepends=True)
    assert last.startswith('{"kind":"end"')
    trace.write_text(first + "a line that is not read\n" + '{"kind":"step"}\n')
    (found,) = (each for each in kept() if each["folder"] == "runs/open")
    assert found["outcome"] == "unfinished"
    trace.write_text(first + "a line that is read\n" + last)
    (found,) = (each for each in kept() if each["folder"] == "runs/open")
    assert found["outcome"] == "damaged"


def test_only_the_named_ones_are_removed_and_only_if_it_is_said_twice() -> None:
    copy("other")
    assert "say which" in refused("--remove")
    assert "confirm with --yes" in refused("toast-schedule", "--remove")
    assert Path(RUN).exists()
    done = cookmas("runs", RUN, f"./{RUN}", "--remove", "--yes")
    assert (done.exit_code, done.stderr) == (0, "")
    assert re.fullmatch(r"Removed 1 runs, .* kB: toast-schedule\n", done.stdout)
    assert [path.name for path in Path("runs").iterdir()] == ["other"]


def test_what_is_no_run_is_never_removed() -> None:
    Path("runs/photos").mkdir()
    assert "there is no run here" in refused("photos", "--remove", "--yes")
    os.symlink(Path(RUN).resolve(), "runs/link")
    assert "is a link" in refused("link", "--remove", "--yes")
    assert Path("runs/photos").exists()
    assert Path(RUN).exists()


def test_what_is_not_among_the_runs_is_never_removed() -> None:
    shutil.copytree(RUN, "kept")
    for outside in ("../kept", "kept", str(Path("kept").resolve())):
        assert "is not within runs" in refused(outside, "--remove", "--yes")
    assert Path("kept/run.json").exists()
    done = cookmas("runs", "kept", "--runs", ".", "--remove", "--yes")
    assert (done.exit_code, Path("kept").exists()) == (0, False)


def test_a_run_that_is_played_is_left_alone() -> None:
    end = Path(RUN) / "trace.jsonl"
    end.write_text("".join(end.read_text().splitlines(keepends=True)[:-1]))
    copy("other")
    with (Path(RUN) / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert [run["outcome"] for run in kept("toast-schedule")] == ["playing"]
        assert "under way in another process" in refused(
            "other", "toast-schedule", "--remove", "-y"
        )
    assert len(kept()) == 2


def test_old_ones_are_those_that_nothing_has_changed_in() -> None:
    for path in [*copy("old").iterdir()]:
        os.utime(path, (10**9, 10**9))
    assert [run["folder"] for run in kept("--older-than", "7d")] == ["runs/old"]
    assert cookmas("runs", "--older-than", "7d", "--remove", "--yes").exit_code == 0
    assert [run["folder"] for run in kept()] == [RUN]
    assert "nothing to remove" in cookmas("runs", "--older-than", "7d", "--remove").stdout
    assert "such as 30min" in refused("--older-than", "soon")
