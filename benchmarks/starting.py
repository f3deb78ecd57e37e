"""Measure the CPU time that a process takes to import CookMAS and to run short commands.

    python -m benchmarks.starting [--rounds N]

Each round runs every row in turn, each in a new process. The figures are the smallest of all
rounds, because other programs can only add to them.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence

from benchmarks.page import DOCS, fill, table

YARDSTICK = "`import langgraph.graph`"

ROWS: Mapping[str, Sequence[str]] = {
    YARDSTICK: ("-c", "import langgraph.graph"),
    "`import cookmas`": ("-c", "import cookmas"),
    "`cookmas.play`, only named": ("-c", "import cookmas; cookmas.play"),
    '`cookmas.play("level1/01")`': ("-c", "import cookmas; cookmas.play('level1/01')"),
    "`cookmas.play`, named, and the graph, imported": (
        "-c",
        "import cookmas; cookmas.play; import cookmas.orchestrator.graph.graph",
    ),
    "`cookmas --help`": ("-m", "cookmas", "--help"),
    "`cookmas list`": ("-m", "cookmas", "list"),
}


def seconds(arguments: Sequence[str], folder: str) -> float:
    """Return the CPU seconds of a Python process, which runs in a folder."""
    process = subprocess.Popen(
        [sys.executable, *arguments], cwd=folder, stdout=subprocess.DEVNULL, text=True
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, arguments
    return usage.ru_utime + usage.ru_stime


def measure(rounds: int) -> dict[str, float]:
    """Return the CPU seconds of each row."""
    with tempfile.TemporaryDirectory() as folder:
        taken = [
            {row: seconds(arguments, folder) for row, arguments in ROWS.items()}
            for _ in range(rounds)
        ]
    return {row: min(each[row] for each in taken) for row in ROWS}


def main() -> None:
    """Measure, print the table and write it into the page."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=15)
    found = measure(parser.parse_args().rounds)
    rows = [f"| {row} | {s:.2f} | {s / found[YARDSTICK]:.2f} |" for row, s in found.items()]
    text = table(f"| process | CPU s | / {YARDSTICK} |", rows)
    print(text)
    fill(DOCS / "reference/benchmarks.md", "starting", text)


if __name__ == "__main__":
    main()
