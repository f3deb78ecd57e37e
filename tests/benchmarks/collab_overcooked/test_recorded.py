"""The simulator agrees with recordings of the original, and the command says where one does not."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.collab_overcooked.recorded import main, read_recordings
from tests.benchmarks.changed import change_step
from tests.benchmarks.covering import agree

RECORDINGS = Path(__file__).with_name("recordings.tar.xz")


def test_every_recorded_step_agrees(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agree(
        main,
        "collab_overcooked/recordings",
        "162 recordings with 9216 steps agree\n",
        tmp_path,
        capsys,
    )


def test_all_kinds_of_play_and_all_tasks_are_recorded() -> None:
    kinds: Counter[str] = Counter()
    tasks: dict[str, set[str]] = {"plan": set(), "fuzz": set()}
    for name, lines in read_recordings(RECORDINGS):
        kind = name.partition("_")[0] if name.startswith(("plan_", "fuzz_")) else "reference"
        kinds[kind] += 1
        tasks.get(kind, set()).add(lines[0].task)
    assert kinds == {"plan": 65, "fuzz": 63, "reference": 34}
    assert [len(each) for each in tasks.values()] == [30, 30]


@pytest.mark.parametrize(
    ("name", "step", "fields", "said"),
    [
        ("boiled_egg.ref1.jsonl", 9, {"reward": 20}, "step 9: reward is 20 as recorded, 0 in ours"),
        ("boiled_egg.ref1.jsonl", 5, {"players": []}, "step 5: players is [] as recorded"),
        ("boiled_egg.ref1.jsonl", 5, {"objects": {}}, "step 5: objects is {} as recorded"),
        ("boiled_egg.ref1.jsonl", 3, {"events": [None, None]}, "step 3: events is [None, None]"),
        (
            "plan_boiled_egg_0.jsonl",
            1,
            {"tried": [[["wait(1)", "busy"]], []]},
            "step 1: the answer to wait(1) is busy as recorded, ok in ours",
        ),
        (
            "plan_boiled_egg_0.jsonl",
            1,
            {"tried": [[], [["wait(1)", "ok"]]]},
            "step 1: bob was asked is False as recorded, True in ours",
        ),
    ],
)
def test_the_first_step_that_differs_is_said(
    name: str,
    step: int,
    fields: dict[str, Any],
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([change_step(tmp_path, RECORDINGS, name, step, **fields)]) == 1
    assert said in capsys.readouterr().out


def test_a_lost_tick_is_recorded() -> None:
    """In one recording a utensil is started while one that was filled later works."""
    name = "fuzz_baked_sweet_potato_0.jsonl"
    lines = dict(read_recordings(RECORDINGS))[name]
    assert lines[31].objects["4,3"][2][2] == lines[32].objects["4,3"][2][2] == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "expected the scene at first"),
        ("{}", "line 1: not a recording: t: Field required"),
        ("nonsense", "line 1: not a recording"),
    ],
)
def test_other_files_are_refused_in_one_line(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(text)
    assert main([str(path)]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1


def test_an_unknown_task_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([change_step(tmp_path, RECORDINGS, "boiled_egg.ref1.jsonl", 0, task="pizza")]) == 2
    assert "there is no task 'pizza'" in capsys.readouterr().err
    assert main([str(tmp_path / "none.jsonl")]) == 2
