"""The simulation finds bugs that are put back, so it can fail."""

from __future__ import annotations

import os

import pytest

from tests.simulation.conditions import draw_conditions
from tests.simulation.mutants import MUTANTS
from tests.simulation.simulation import simulate

LONG = int(os.environ.get("COOKMAS_SIMULATIONS", "0")) >= 1000

QUICKLY_FOUND = {
    "a fault of the way is a failure of the worker": 59,
    "a trace that is written late": 0,
    "a wait that looks before it listens": 1,
    "answers before the checkpoint is durable": 0,
    "ids that were seen are forgotten": 2,
    "letters that were taken are forgotten": 22,
    "no fence of the checkpoints": 4,
    "no wait for the heartbeat of the holder": 0,
    "the newest message first": 0,
}
"""The mutants of the tests, each with a seed that finds it, which is tried first.

`make faults` has all.
"""

OF_WIRES = ("a fault of the way is a failure of the worker", "a device that is away has failed")
"""The mutants that only simulations with wires can find."""

MOST = 300
"""Number of simulations of which one has to find a mutant."""


@pytest.mark.parametrize("name", sorted(MUTANTS) if LONG else QUICKLY_FOUND)
def test_a_bug_that_is_put_back_is_found(name: str) -> None:
    seeds = [n for n in range(MOST) if name not in OF_WIRES or draw_conditions(n).wired]
    seeds.insert(0, QUICKLY_FOUND.get(name, 0))
    found = (seed for seed in seeds if simulate(seed, "memory", MUTANTS[name]).broken)
    seed = next(found, None)
    assert seed is not None, f"{MOST} simulations have not found: {name}"
    print(f"seed {seed} finds: {name}")
