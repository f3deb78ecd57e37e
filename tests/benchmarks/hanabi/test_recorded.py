"""Hanabi agrees with recordings of the original, and the command says where one does not."""

from __future__ import annotations

import tarfile
from pathlib import Path
from typing import Any

import pytest

from benchmarks.hanabi.recorded import main
from tests.benchmarks.changed import change_step
from tests.benchmarks.covering import agree

RECORDINGS = Path(__file__).with_name("recordings.tar.xz")

FIRST = 10
"""Number of cards that two players are dealt before the first move."""


def test_every_recorded_move_agrees(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agree(main, "hanabi/recordings", "100 recordings with 7204 steps agree\n", tmp_path, capsys)


def test_games_of_all_numbers_of_players_are_recorded() -> None:
    with tarfile.open(RECORDINGS) as archive:
        games = [name.partition("_")[0] for name in archive.getnames()]
    assert {name: games.count(name) for name in games} == {
        "players2": 25,
        "players3": 25,
        "players4": 25,
        "players5": 25,
    }


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"player": 1}, "move 0: player is 1 as recorded, 0 in ours"),
        ({"legal": ["(Play 0)"], "move": "(Play 0)"}, "move 0: legal is ('(Play 0)',) as recorded"),
        ({"obs": ["", ""]}, "move 0: obs is ('', '') as recorded"),
        ({"rewards": [1, 0]}, "move 0: rewards is (1.0, 0.0) as recorded, (0, 0) in ours"),
        ({"returns": [2, 2]}, "move 0: returns is (2.0, 2.0) as recorded, (0, 0) in ours"),
        ({"end": True}, "move 0: end is True as recorded, False in ours"),
        ({"move": "(Play 9)"}, "move 0: move is False as recorded, True in ours"),
    ],
)
def test_the_first_difference_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], fields: dict[str, Any], said: str
) -> None:
    name = "players2_00.jsonl"
    assert main([change_step(tmp_path, RECORDINGS, name, FIRST, **fields)]) == 1
    out = capsys.readouterr().out
    assert f"{name}, {said}" in out
    assert "1 of 1 recordings differ" in out


@pytest.mark.parametrize("card", ["R9", "Y5"])
def test_a_recording_of_other_cards_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], card: str
) -> None:
    name = "players2_00.jsonl"
    path = change_step(tmp_path, RECORDINGS, name, 0, chance=f"(Deal {card})")
    dealt = Path(path).read_text().count("(Deal Y5)")
    assert main([path]) == (2 if card == "R9" or dealt > 1 else 1)
    said = capsys.readouterr()
    assert said.err in ("", f"{name}: the recorded cards are not those of the deck\n")
