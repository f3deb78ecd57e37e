"""The world agrees with recordings of the original."""

from __future__ import annotations

import pytest

from benchmarks.cuisineworld.recorded import main
from benchmarks.recordings import archive_of


def test_every_recorded_step_agrees(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(archive_of("cuisineworld"))]) == 0
    assert capsys.readouterr().out == "10 recordings with 1220 steps agree\n"
