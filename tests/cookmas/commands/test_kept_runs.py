"""What is done with a run afterwards: replayed, judged again, resumed."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml

from tests.cookmas.commands.calling import cookmas, data, fails, process
from tests.rechained import rechained, write_trace


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_replay_says_that_every_timestep_is_equal(toast: Path) -> None:
    done = cookmas("replay", "runs/toast-schedule/trace.jsonl")
    assert done.exit_code == 0
    assert "All 14 timesteps are equal." in done.stdout
    timesteps = data("replay", "runs/toast-schedule/trace.jsonl")
    assert [entry["equal"] for entry in timesteps] == [True] * 14


def test_replay_stops_at_the_first_divergence(toast: Path) -> None:
    trace = toast / "trace.jsonl"
    before = trace.read_text()
    wait = '"commands":[["worker_1","wait"]'
    trace.write_text(before.replace('"commands":[["worker_1","pick(bread)"]', wait))
    assert re.search(r"line \d+: is damaged", fails("replay", str(trace)))
    write_trace(trace, rechained(trace.read_text().splitlines()))
    done = cookmas("replay", str(trace))
    assert done.exit_code == 1
    assert "diverges" in done.stdout.splitlines()[-1]
    assert len(done.stdout.splitlines()) == 2
    assert cookmas("eval", str(trace)).exit_code == 1
    assert "diverges" in fails("replay", str(trace), "--at", "9", code=1)


def test_an_unfinished_trace_is_called_so(toast: Path) -> None:
    trace = toast / "trace.jsonl"
    lines = trace.read_text().splitlines(keepends=True)
    steps = [number for number, line in enumerate(lines) if line.startswith('{"kind":"step"')]
    trace.write_text("".join(lines[: steps[5] + 1]) + lines[steps[5] + 1][:40])
    assert "is unfinished" in fails("replay", str(trace), code=1)
    assert "All" not in cookmas("replay", str(trace)).stdout
    done = cookmas("replay", str(trace), "--json")
    assert [entry["equal"] for entry in json.loads(done.stdout)] == [True] * 6
    assert done.exit_code == 1
    assert "is unfinished" in fails("replay", str(trace), "--at", "6", code=1)
    done = cookmas("eval", str(trace))
    assert done.exit_code == 1
    assert "the trace is unfinished: it breaks off at timestep 6" in done.stdout


@pytest.mark.parametrize("command", ["replay", "eval"])
def test_a_damaged_trace_is_refused_with_its_line(toast: Path, command: str) -> None:
    trace = toast / "trace.jsonl"
    lines = trace.read_text().splitlines(keepends=True)
    trace.write_text("".join(lines[:5] + lines[6:]))
    assert "line 6: is damaged" in fails(command, str(trace))
    assert "line 6: is damaged" in fails("resume", str(trace.parent))
    assert "a pipe or a device" in fails(command, "/dev/zero")


def test_replay_shows_the_kitchen_at_a_timestep(toast: Path) -> None:
    trace = "runs/toast-schedule/trace.jsonl"
    shown = cookmas("replay", trace, "--at", "6").stdout
    assert "grill 1    2 min, light  bread" in shown
    assert "Timestep 6" in shown
    assert data("replay", trace, "--at", "6")["contents"]["grill_1"] == [[1, "bread", 4]]
    assert data("replay", trace, "--at", "14")["lines"]["o1.1"][3] == "served"
    assert "expected a timestep from 0 to 14" in fails("replay", trace, "--at", "15")


def test_eval_judges_again(scenario: str, schedule: str) -> None:
    run = data("run", scenario, "-p", schedule)
    assert data("eval", "runs/toast-schedule/trace.jsonl") == run["verdict"]
    assert "SUCCESS" in cookmas("eval", "runs/toast-schedule/trace.jsonl").stdout


def test_eval_says_that_the_judges_have_changed(scenario: str, schedule: str) -> None:
    now = data("run", scenario, "-p", schedule)["verdict"]["judges"]
    trace = Path("runs/toast-schedule/trace.jsonl")
    lines = trace.read_text().replace(f'"judges":"{now}"', '"judges":"0"', 1).splitlines()
    write_trace(trace, rechained(lines))
    said = fails("eval", str(trace), code=0)
    assert f"was played with evaluators of version 0; these have version {now}" in said


def test_eval_of_a_copied_trace_takes_a_truth(toast: Path) -> None:
    Path("copy.jsonl").write_text(Path("runs/toast-schedule/trace.jsonl").read_text())
    assert cookmas("eval", "copy.jsonl").exit_code == 0
    truth = Path("truth.yaml")
    truth.write_text(yaml.safe_dump({"scenario": "0" * 16, "notes": {}}))
    assert "names 0000000000000000" in fails("eval", "copy.jsonl", "--truth", "truth.yaml")


def test_resume_of_a_finished_run_says_so(toast: Path) -> None:
    before = Path("runs/toast-schedule/trace.jsonl").read_bytes()
    done = cookmas("resume", "runs/toast-schedule")
    assert done.exit_code == 0
    assert "this run is over" in done.stdout
    assert Path("runs/toast-schedule/trace.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    "damaged",
    [
        "",
        "x",
        "[]",
        '{"sessions": 3}',
        '{"sessions": [7]}',
        '{"sessions": [{"wall_seconds": "1"}]}',
    ],
)
def test_resume_over_damaged_measurements_is_one_line_and_leaves_them(
    toast: Path, damaged: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = Path("runs/toast-schedule/measurements.json")
    kept = json.loads(path.read_text())
    path.write_text(damaged)
    assert "measurements.json: is damaged; remove it" in fails("resume", "runs/toast-schedule")
    assert path.read_text() == damaged
    assert cookmas("eval", "runs/toast-schedule").exit_code == 0
    (doubt,) = caplog.messages
    assert doubt.startswith("seconds, retries and costs are left out: ")
    path.write_text(json.dumps(kept))
    assert cookmas("resume", "runs/toast-schedule").exit_code == 0
    assert json.loads(path.read_text())["sessions"][0] == kept["sessions"][0]


OUTSIDE = """
from cookmas.worlds.corridor.domain import CorridorDomain
from cookmas.worlds.corridor.world import CorridorWorld
class CaveWorld(CorridorWorld):
    name = "cave"
class Cave(CorridorDomain):
    world_type = CaveWorld
"""

LEVEL = "bells: [{name: red, text: It hangs three steps from the left end.}]"


SAID = ("--world", "caves:Cave")


@pytest.fixture(scope="module")
def caves(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run in a world from outside."""
    folder = tmp_path_factory.mktemp("caves")
    (folder / "caves.py").write_text(OUTSIDE)
    (folder / "levels").mkdir()
    (folder / "levels/one.yaml").write_text(LEVEL)
    (folder / "levels/one.truth.yaml").write_text("red: 3")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.syspath_prepend(str(folder))
        assert cookmas("run", "one", *SAID, "-q").exit_code == 0
    return folder


def test_a_run_in_a_world_from_outside_is_resumed_and_judged(caves: Path, tmp_path: Path) -> None:
    shutil.copytree(caves, tmp_path, dirs_exist_ok=True)
    again = process("resume", "runs/one-embedded", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert "SUCCESS" in again.stdout
    fails("replay", "runs/one-embedded/trace.jsonl")
    assert process("replay", "runs/one-embedded/trace.jsonl", *SAID, cwd=tmp_path).returncode == 0


def test_a_run_whose_world_is_gone_is_viewed_compared_and_listed_by_its_records(
    caves: Path, tmp_path: Path
) -> None:
    shutil.copytree(caves / "runs", "runs")
    run = "runs/one-embedded"

    shown = cookmas("view", run, "--data")
    assert shown.exit_code == 0, shown.stderr
    entries = [json.loads(line) for line in shown.stdout.splitlines()]
    steps = [entry for entry in entries if entry["kind"] == "step"]
    assert [step["t"] for step in steps] == list(range(len(steps)))
    last = steps[-1]
    assert last["panels"][0]["title"] == "latest actions"
    assert [line["what"] for line in last["panels"][0]["items"]] == [
        action for _, action, *_ in last["acts"]
    ]
    assert entries[-1]["success"] is None
    assert entries[-1]["why"] == "the world 'cave' is user-supplied; name it with --world"

    written = cookmas("view", run, "--no-open")
    assert written.exit_code == 0, written.stderr
    assert f"{run} is not judged: the world 'cave' is user-supplied" in written.stdout
    assert (tmp_path / run / "page.html").stat().st_size > 0

    same = cookmas("diff", run, run)
    assert (same.exit_code, same.stderr) == (0, "")
    assert "The two runs are the same" in same.stdout
    listed = process("runs", "--json", cwd=tmp_path)  # In this one the world is still imported.
    assert listed.returncode == 0, listed.stderr
    assert "unjudged" in listed.stdout

    for command in ("replay", "eval"):
        fails(command, f"{run}/trace.jsonl")
    missing = process("view", run, *SAID, cwd=tmp_path)
    assert (missing.returncode, missing.stderr.count("\n")) == (2, 1)
