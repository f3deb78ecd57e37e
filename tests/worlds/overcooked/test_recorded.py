"""The world agrees with recordings of both original engines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.worlds.recordings import agree


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("recordings", "35 recordings with 14000 steps agree\n"),
        ("fork", "82 recordings with 32800 steps agree\n"),
    ],
)
def test_every_recorded_step_agrees(
    name: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agree(f"overcooked_ai/{name}", said, tmp_path, capsys)
