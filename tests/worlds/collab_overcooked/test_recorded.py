"""The world agrees with recordings of the original."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.worlds.recordings import agree, read_archive


def test_every_recorded_step_agrees(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agree(
        "collab_overcooked/recordings", "162 recordings with 9216 steps agree\n", tmp_path, capsys
    )


def test_a_lost_tick_is_recorded() -> None:
    """In one recording a utensil is started while one that was filled later works."""
    lines = read_archive("collab_overcooked/recordings")["fuzz_baked_sweet_potato_0.jsonl"]
    read = [json.loads(line)["objects"] for line in lines.decode().splitlines()[31:33]]
    assert [objects["4,3"][2][2] for objects in read] == [1, 1]
