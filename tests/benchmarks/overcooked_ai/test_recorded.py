"""The engine agrees with recordings of both original engines, and the commands say where not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.overcooked_ai import fork, recorded
from cookmas.worlds.overcooked.rules.layout import layouts
from tests.benchmarks.changed import change_step
from tests.benchmarks.covering import agree, read_archive

FOLDER = Path(__file__).parent
RECORDINGS = FOLDER / "recordings.tar.xz"
FORK = FOLDER / "fork.tar.xz"


@pytest.mark.parametrize(
    ("main", "name", "said"),
    [
        (recorded.main, "recordings", "35 recordings with 14000 steps agree\n"),
        (fork.main, "fork", "82 recordings with 32800 steps agree\n"),
    ],
)
def test_every_step_agrees(
    main: Any, name: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agree(main, f"overcooked_ai/{name}", said, tmp_path, capsys)


def test_every_layout_of_the_fork_is_recorded() -> None:
    kinds = [
        name.removesuffix(".jsonl").split("-")[:2] for name in read_archive("overcooked_ai/fork")
    ]
    assert [name for name, dynamics in kinds if dynamics == "current"] == fork.list_layouts()
    assert sum(dynamics == "papers" for _, dynamics in kinds) == 34
    assert len(fork.list_layouts()) + len(fork.LEFT_OUT) == 49
    assert fork.LEFT_OUT.keys().isdisjoint(layouts("current"))


@pytest.mark.parametrize(
    ("name", "step", "fields", "said"),
    [
        ("cramped_room_0.jsonl", 9, {"r": 20}, "step 9: reward is 20 as recorded, 0 in ours"),
        ("cramped_room_0.jsonl", 5, {"p": []}, "step 5: cooks is [] as recorded"),
        ("cramped_room_0.jsonl", 5, {"objects": {"0,0": "dish"}}, "step 5: objects is"),
        ("cramped_room_0.jsonl", 5, {"pots": {"0,0": [1, 0]}}, "step 5: pots is"),
        ("no_counter_door_0.jsonl", 5, {"gates": {}}, "step 5: gates is {} as recorded"),
    ],
)
def test_a_step_that_differs_from_the_papers_engine_is_named(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    step: int,
    fields: dict[str, Any],
    said: str,
) -> None:
    assert recorded.main([change_step(tmp_path, RECORDINGS, name, step, **fields)]) == 1
    out = capsys.readouterr().out
    assert f"{name}, {said}" in out
    assert "1 of 1 recordings differ" in out


@pytest.mark.parametrize(
    ("step", "fields", "said"),
    [
        (9, {"points": 20}, "step 9: points is 20 as recorded, 0 in ours"),
        (5, {"cooks": []}, "step 5: cooks is [] as recorded"),
        (5, {"objects": {"0,0": 1}}, "step 5: objects is"),
        (5, {"t": 7}, "step 7: timestep is 7 as recorded, 5 in ours"),
    ],
)
def test_a_step_that_differs_from_the_fork_is_named(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    step: int,
    fields: dict[str, Any],
    said: str,
) -> None:
    name = "tutorial_1-current-0.jsonl"
    assert fork.main([change_step(tmp_path, FORK, name, step, **fields)]) == 1
    assert f"tutorial_1-current-0, {said}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("main", "archive", "old", "new", "said"),
    [
        (recorded.main, RECORDINGS, "cramped_room_0.jsonl", "moon_0.jsonl", "no layout 'moon'"),
        (fork.main, FORK, "tutorial_1-current-0.jsonl", "x-y-0.jsonl", "LAYOUT-DYNAMICS-SEED"),
    ],
)
def test_a_file_that_is_no_recording_is_refused(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    main: Any,
    archive: Path,
    old: str,
    new: str,
    said: str,
) -> None:
    path = Path(change_step(tmp_path, archive, old, 0))
    renamed = path.rename(tmp_path / new)
    assert main([str(renamed)]) == 2
    assert said in capsys.readouterr().err
    headless = path
    headless.write_text("\n".join(renamed.read_text().splitlines()[1:]))
    assert main([str(headless)]) == 2
    assert "expected the scene at first" in capsys.readouterr().err
