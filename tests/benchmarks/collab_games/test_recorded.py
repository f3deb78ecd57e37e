"""The engines agree with recordings of the originals, and the command says where one does not."""

from __future__ import annotations

import tarfile
from pathlib import Path
from typing import Any

import pytest

from benchmarks.collab_games.recorded import main
from tests.benchmarks.changed import change_step
from tests.benchmarks.covering import agree

RECORDINGS = Path(__file__).with_name("recordings.tar.xz")


def test_every_recorded_turn_agrees(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agree(
        main, "collab_games/recordings", "600 recordings with 7212 steps agree\n", tmp_path, capsys
    )


def test_three_hundred_plays_of_each_game_are_recorded() -> None:
    with tarfile.open(RECORDINGS) as archive:
        games = [name.partition("_")[0] for name in archive.getnames()]
    assert (games.count("capture"), games.count("escape")) == (300, 300)


@pytest.mark.parametrize(
    ("name", "turn", "fields", "said"),
    [
        ("capture_000.jsonl", 2, {"pos": [9, 6, 3]}, "turn 2: pos is (9, 6, 3) as recorded"),
        ("capture_000.jsonl", 3, {"doors": {}}, "turn 3: doors is {} as recorded"),
        ("capture_000.jsonl", 4, {"options": []}, "turn 4: options is [] as recorded"),
        ("capture_000.jsonl", 1, {"outcome": "caught"}, "turn 1: outcome is caught as recorded"),
        ("escape_001.jsonl", 3, {"pos": [2, 1, 4]}, "turn 3: pos is (2, 1, 4) as recorded"),
        ("escape_001.jsonl", 4, {"fixes": {}}, "turn 4: fixes is {} as recorded"),
        ("escape_001.jsonl", 4, {"fixed": {}}, "turn 4: fixed is {} as recorded"),
        ("escape_001.jsonl", 4, {"gate": True}, "turn 4: gate is True as recorded"),
        ("escape_001.jsonl", 5, {"sees": [True, False]}, "turn 5: sees is (True, False)"),
        ("escape_001.jsonl", 5, {"target": "Alice"}, "turn 5: target is Alice as recorded"),
        ("escape_001.jsonl", 5, {"killer_aim": 2}, "turn 5: killer_aim is 2 as recorded"),
        ("escape_001.jsonl", 5, {"outcome": "win"}, "turn 5: outcome is win as recorded"),
    ],
)
def test_the_first_difference_is_named(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    turn: int,
    fields: dict[str, Any],
    said: str,
) -> None:
    assert main([change_step(tmp_path, RECORDINGS, name, turn, **fields)]) == 1
    out = capsys.readouterr().out
    assert f"{name}, {said}" in out
    assert "1 of 1 recordings differ" in out


@pytest.mark.parametrize(
    ("name", "fields", "said"),
    [
        ("escape_001.jsonl", {"killer_roll": 9}, "recording: the killer cannot go to room 9\n"),
        (
            "hunt_001.jsonl",
            {},
            "hunt_001.jsonl: name it after its game, such as capture_001.jsonl\n",
        ),
    ],
)
def test_a_recording_that_cannot_be_played_is_one_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    fields: dict[str, Any],
    said: str,
) -> None:
    path = Path(change_step(tmp_path, RECORDINGS, "escape_001.jsonl", 1, **fields))
    assert main([str(path.rename(tmp_path / name))]) == 2
    assert capsys.readouterr().err == said
