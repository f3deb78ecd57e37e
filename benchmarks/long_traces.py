"""Measure the commands `view` and `eval` for long traces: python -m benchmarks.long_traces

Open kitchens are played for 5,000 and for 20,000 timesteps, with an order every 40 timesteps. Each
round runs a command on both traces; its figure is the minimum CPU time of the rounds. The last
column is the time for the long trace divided by the time for the short one, which is 4 if time is
proportional to length. `--keep FOLDER` keeps the traces, which take minutes to make.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from benchmarks.page_view import play_once, trace_folder

LENGTHS = (5_000, 20_000)
BETWEEN = 40
"""Timesteps from one order to the next."""

ROUNDS = 3


COMMANDS = {"view": ("--no-open", "--out", os.devnull), "eval": ("--json",)}
"""The measured commands, with their further arguments."""


def cost(command: str, trace: Path) -> float:
    """Run a command for a trace in a process of its own; return its CPU seconds."""
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
    """Play the kitchens, measure the commands, and print a row for each."""
    with trace_folder(__doc__) as folder:
        traces = [play_once(folder, timesteps, BETWEEN) for timesteps in LENGTHS]
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
