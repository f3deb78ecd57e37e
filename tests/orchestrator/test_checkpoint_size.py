"""What a timestep leaves in the database is small, and does not depend on what has been."""

from __future__ import annotations

from pathlib import Path

from benchmarks.checkpoints import measure_cases, measure_growth

MOST = 12_000
"""Bytes a timestep with 12 open dishes, where the planner is not called at each."""

MOST_CALLED = 18_000
"""The same where it is."""


async def test_a_checkpoint_grows_with_nothing_but_what_is_open(tmp_path: Path) -> None:
    (
        short_schedules,
        long_schedules,
        many_closed,
        old,
        each_timestep,
        remembering,
    ) = await measure_cases(tmp_path, 2)
    assert max(short_schedules, long_schedules, many_closed, old) <= MOST
    assert long_schedules < 1.05 * short_schedules
    assert old < 1.05 * short_schedules
    assert many_closed < 1.3 * short_schedules
    assert remembering < 1.05 * each_timestep
    assert max(each_timestep, remembering) <= MOST_CALLED


async def test_a_run_that_keeps_the_last_checkpoints_does_not_grow(tmp_path: Path) -> None:
    flat = await measure_growth(tmp_path, keep=20, timesteps=200, every=100)
    assert flat[1] <= 1.05 * flat[0]
    growing = await measure_growth(tmp_path, keep=None, timesteps=200, every=100)
    assert growing[1] > 1.5 * flat[1]
