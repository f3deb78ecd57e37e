"""The world agrees with recordings of the original."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.worlds.recordings import agree


def test_every_recorded_step_agrees(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agree("robotouille/recordings", "36 recordings with 1680 steps agree\n", tmp_path, capsys)
