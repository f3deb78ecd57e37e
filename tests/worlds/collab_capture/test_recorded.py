"""The world agrees with recordings of the original."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.worlds.recordings import agree


def test_every_recorded_turn_agrees(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agree(
        "collab_games/recordings",
        "300 recordings with 4957 steps agree\n",
        tmp_path,
        capsys,
        "capture",
    )
