"""Simulates open kitchens: one seed with its log, or a range of seeds with what they break.

python -m tests.simulation 17
python -m tests.simulation 17 --storage sqlite
python -m tests.simulation 0 1000
python -m tests.simulation 3 --mutant "no guard of files"
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.simulation.mutants import MUTANTS
from tests.simulation.simulation import simulate


def main() -> int:
    """Simulate, and return 1 if a promise is broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation")
    parser.add_argument("seed", type=int, help="the seed, or the first one")
    parser.add_argument("end", type=int, nargs="?", help="the first seed that is left out")
    parser.add_argument("--storage", choices=("memory", "sqlite"), default="memory")
    parser.add_argument("--mutant", choices=sorted(MUTANTS), help="a bug that is put back")
    given = parser.parse_args()
    mutant = MUTANTS[given.mutant] if given.mutant else ()
    seeds = range(given.seed, given.seed + 1 if given.end is None else given.end)
    broken, began = 0, time.process_time()
    for seed in seeds:
        outcome = simulate(seed, given.storage, mutant)
        if given.end is None:
            print("\n".join(outcome.log))
        if outcome.broken:
            broken += 1
            print(f"seed {seed}: {outcome.broken}")
    used = time.process_time() - began
    print(f"{len(seeds)} simulations, {broken} with a broken promise", file=sys.stderr)
    print(f"{used:.0f} CPU seconds", file=sys.stderr)
    return min(broken, 1)


if __name__ == "__main__":
    sys.exit(main())
