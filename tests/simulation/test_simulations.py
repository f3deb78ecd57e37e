"""Simulated kitchens keep all promises; `make faults` plays 10,000.

A simulation that breaks a promise is played again by its seed: `python -m tests.simulation SEED`.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.sampling import CONFORMANCE
from tests.simulation.simulation import StorageName, simulate

SIMULATIONS = int(os.environ.get("COOKMAS_SIMULATIONS", "20" if CONFORMANCE else "10"))
"""Number of simulations in memory: a sample in the tests, 10,000 in `make faults`."""

BATCH = 10

IN_SQLITE = max(4 if CONFORMANCE else 2, SIMULATIONS // 20)
"""Number of simulations in SQLite."""


def assert_kept(seed: int, storage: StorageName) -> None:
    outcome = simulate(seed, storage)
    again = f"python -m tests.simulation {seed} --storage {storage}"
    assert outcome.broken is None, "\n".join([*outcome.log[-40:], again])


@pytest.mark.parametrize("first", range(0, SIMULATIONS, BATCH))
def test_no_simulation_breaks_a_promise(first: int) -> None:
    for seed in range(first, min(first + BATCH, SIMULATIONS)):
        assert_kept(seed, "memory")


@pytest.mark.parametrize("seed", range(IN_SQLITE))
def test_no_simulation_breaks_a_promise_in_sqlite(seed: int) -> None:
    assert_kept(seed, "sqlite")


@pytest.mark.parametrize(
    "storage", ["sqlite", pytest.param("memory", marks=pytest.mark.conformance)]
)
def test_a_seed_is_played_again_byte_for_byte(storage: StorageName) -> None:
    """In a process with other hashes, and after another seed in this one."""
    command = [sys.executable, "-m", "tests.simulation", "7", "--storage", storage]
    env = {**os.environ, "PYTHONHASHSEED": "1"}
    played = subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout
    assert "has played to the end" in played
    simulate(8, storage)
    assert played == "\n".join([*simulate(7, storage).log, ""])
