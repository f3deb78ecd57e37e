"""The comparison with another commit: what it says of figures that differ, agree or lack."""

from __future__ import annotations

import pytest

from benchmarks.against import row


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ([1.0, 1.0], [1.1, 1.1], "| step | 1 | 1.1 | 1.10 | 0% | more |"),
        ([1.0, 1.0], [0.9, 0.9], "| step | 1 | 0.9 | 0.90 | 0% | less |"),
        ([1.0, 1.0], [1.04, 1.04], "| step | 1 | 1.04 | 1.04 | 0% |  |"),
        ([1.0, 1.2, 1.3], [1.1, 1.1], "| step | 1 | 1.1 | 1.10 | 20% |  |"),
        (None, [1.0], "| step | not there | 1 | | | |"),
        ([0.0], [2.0], "| step | 0 | 2 | | | changed |"),
    ],
)
def test_a_change_is_more_than_5_percent_and_than_the_noise(
    old: list[float] | None, new: list[float], told: str
) -> None:
    assert row("step", old, new) == told
