"""Measure `view` and `eval` of long traces: python -m benchmarks.long_traces

Open kitchens are played for 5,000 and for 20,000 timesteps, with an order every 40 of them. In each
round both traces are given to the command; of the rounds the least CPU time counts.
The last column is the time of the long trace divided by that of the short one: 4 where time follows
length. `--keep FOLDER` keeps the traces, which take minutes to make.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from benchmarks.page_view import played, trace_folder

LENGTHS = (5_000, 20_000)
BETWEEN = 40
"""Timesteps from one order to the next."""

ROUNDS = 3


COMMANDS = {"view": ("--no-open", "--out", os.devnull), "eval": ("--json",)}
"""The commands, and what they are given beside the trace."""


def cost(command: str, trace: Path) -> float:
    """Return the seconds of CPU that a command takes for a trace, in a process of its own."""
    before = os.times()
    line = [sys.executable, "-m", "cookmas", command, str(trace), *COMMANDS[command]]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.stderr:
        raise SystemExit(done.stderr)
    after = os.times()
    return (
        after.children_user + after.children_system - before.children_user - before.children_system
    )


def main() -> None:
    """Play, measure, print a row for each command."""
    with trace_folder(__doc__) as folder:
        traces = [played(folder, timesteps, BETWEEN) for timesteps in LENGTHS]
        print(f"| command | {' | '.join(f'{each:,} timesteps' for each in LENGTHS)} | ratio |")
        print("|---|---:|---:|---:|")
        for command in COMMANDS:
            least = [float("inf")] * len(traces)
            for _ in range(ROUNDS):
                for number, trace in enumerate(traces):
                    least[number] = min(least[number], cost(command, trace))
            seconds = " | ".join(f"{each:.2f} s" for each in least)
            print(f"| {command} | {seconds} | {least[1] / least[0]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
