"""The engine agrees with recordings of the original, and the command says where one does not."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from benchmarks.recordings import read_archive
from benchmarks.robotouille.recorded import RobotouilleLine, compare, main

RECORDINGS = Path(__file__).with_name("recordings.tar.xz")
NAME = "soup_asynchronous-5_potato_soup_s42.jsonl"


def test_every_recorded_step_agrees(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(RECORDINGS)]) == 0
    assert capsys.readouterr().out == "33 recordings with 1457 steps agree\n"


def test_all_layouts_and_a_play_of_each_task_are_recorded() -> None:
    with tarfile.open(RECORDINGS) as archive:
        names = archive.getnames()
    assert len([name for name in names if name.startswith("rand_") and "_s42" in name]) == 20
    layouts = {
        name: len(lines)
        for name, lines in read_archive(RECORDINGS, RobotouilleLine)
        if name.endswith("layouts.jsonl")
    }
    assert layouts == {"base-layouts.jsonl": 31, "layouts.jsonl": 100}


@pytest.fixture(scope="module")
def recording() -> list[RobotouilleLine]:
    return next(lines for name, lines in read_archive(RECORDINGS, RobotouilleLine) if name == NAME)


@pytest.mark.parametrize(
    ("step", "field", "value"),
    [
        (50, "true", []),
        (50, "valid", ["wait()"]),
        (50, "done", True),
        (51, "timers", []),
        (52, "timers", [("conditional", "potato1", None, None, False, False)]),
    ],
)
def test_the_first_difference_is_named(
    recording: list[RobotouilleLine], step: int, field: str, value: object
) -> None:
    changed = recording[step].model_copy(update={field: value})
    difference = compare(NAME, [*recording[:step], changed])
    assert difference is not None
    assert difference.field == field
    assert difference.where == f"{NAME}, step {step}"


def test_an_action_that_fails_is_a_difference(recording: list[RobotouilleLine]) -> None:
    changed = recording[1].model_copy(update={"actions": recording[50].actions})
    difference = compare(NAME, [recording[0], changed])
    assert difference is not None
    assert difference.field == "fail"


def test_a_layout_or_a_goal_that_differs_is_named() -> None:
    (lines,) = (
        lines
        for name, lines in read_archive(RECORDINGS, RobotouilleLine)
        if name == "layouts.jsonl"
    )
    wrong = lines[1].model_copy(update={"goal": lines[1].goal[1:]})
    difference = compare("layouts.jsonl", [lines[0], wrong])
    assert difference is not None
    assert difference.field == "goal"
    assert difference.where == f"layouts.jsonl, {lines[1].task}"


def test_a_recording_is_named_after_its_task(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], recording: list[RobotouilleLine]
) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(recording[0].model_dump_json(), encoding="utf-8")
    assert main([str(path)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("other.jsonl: name it after its task")
    assert said.count("\n") == 1
