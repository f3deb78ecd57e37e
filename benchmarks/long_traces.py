"""What `view` and `eval` of long traces cost: python -m benchmarks.long_traces

Open kitchens are played for 5,000 and for 20,000 timesteps, with an order every 40 of them. In each
round the page of both traces is made and both are judged; of the rounds the least CPU time counts.
The last column is the time of the long trace divided by that of the short one: 4 where time follows
length. `--keep FOLDER` keeps the traces, which take minutes to make.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks.page_view import play
from cookmas.judging import judge, truth_of
from cookmas.page.show import page
from episodes.trace_file import read_trace

LENGTHS = (5_000, 20_000)
BETWEEN = 40
"""Timesteps from one order to the next."""

ROUNDS = 3


def view(path: Path) -> None:
    """Make the page of a trace, as `cookmas view` does."""
    page([path])


def evaluate(path: Path) -> None:
    """Judge a trace, as `cookmas eval` does."""
    trace = read_trace(path)
    judge(trace, truth_of(trace, path))


COMMANDS: Mapping[str, Callable[[Path], None]] = {"view": view, "eval": evaluate}


def played(folder: Path, timesteps: int) -> Path:
    """Return the trace of a kitchen that was open for so long; make it if it is not there."""
    path = folder / f"{timesteps}.jsonl"
    if not path.exists():
        play(path, timesteps, BETWEEN)
    return path


def main() -> None:
    """Play, measure, print a row for each command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, help="a folder for the traces")
    keep = parser.parse_args().keep
    with tempfile.TemporaryDirectory() as scratch:
        folder = keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        traces = [played(folder, timesteps) for timesteps in LENGTHS]
        print(f"| command | {' | '.join(f'{each:,} timesteps' for each in LENGTHS)} | ratio |")
        print("|---|---:|---:|---:|")
        for name, command in COMMANDS.items():
            least = [float("inf")] * len(traces)
            for _ in range(ROUNDS):
                for number, trace in enumerate(traces):
                    began = time.process_time()
                    command(trace)
                    least[number] = min(least[number], time.process_time() - began)
            seconds = " | ".join(f"{each:.2f} s" for each in least)
            print(f"| {name} | {seconds} | {least[1] / least[0]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
