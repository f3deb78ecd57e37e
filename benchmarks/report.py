"""Measure `cookmas report` for many episodes: CPU seconds and memory.

    python -m benchmarks.report

The command plays the scenarios of level 2 once with two planners. It repeats the results under
other case names, up to 5,000 and 20,000 lines, and writes a table into the docs. The exit code is 1
if an episode needs more than 8 kB of memory, or if four times the number of episodes takes more
than 4.5 times the CPU.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from benchmarks.page import DOCS, fill, table
from benchmarks.probes import write_results
from benchmarks.throughput import measure_memory
from cookmas.studies.bench.arms import Arm
from cookmas.studies.bench.executor import LocalExecutor
from cookmas.studies.bench.folder import RESULTS
from cookmas.studies.bench.limits import SweepLimits
from cookmas.studies.bench.suite import Suite, episodes_of
from cookmas.studies.bench.sweep import sweep
from cookmas.studies.report.rendering import as_csv
from cookmas.studies.report.report import report
from cookmas.studies.report.results import read_results

EPISODES = 5_000, 20_000
MOST_BYTES = 8_000
MOST_TIMES = 4.5
SUITE = Suite(
    title="Level 2", scenarios=["level2"], arms=[Arm(planner="embedded"), Arm(planner="naive")]
)


def cpu(folder: Path) -> tuple[float, float]:
    """Return the CPU seconds to read the results, and those to make tables, plots and CSV."""
    begun = time.process_time()
    arms = read_results([folder])
    read = time.process_time()
    report(arms)
    as_csv(arms)
    return read - begun, time.process_time() - read


def main() -> int:
    rows, totals, failed = [], [], False
    with tempfile.TemporaryDirectory() as temporary:
        whole = Path(temporary) / "real"
        specs = episodes_of(SUITE, Path("report.yaml"))
        asyncio.run(sweep(SUITE, specs, whole, LocalExecutor(), SweepLimits(), lambda _: None))
        played = (whole / RESULTS).read_text(encoding="utf-8").splitlines()
        cpu(whole)
        for count in EPISODES:
            folder = write_results(played, count, Path(temporary) / str(count))
            lines = (folder / RESULTS).stat().st_size / count
            reading, reporting = cpu(folder)
            each = measure_memory(partial(read_results, [folder])) / count
            totals.append(reading + reporting)
            failed |= each > MOST_BYTES
            rows.append(
                f"| {count:,} | {lines / 1000:.1f} | {reading:.1f} | {reporting:.1f} "
                f"| {each / 1000:.1f} |"
            )
            print(rows[-1], flush=True)
    print(f"{totals[1] / totals[0]:.2f} times the CPU for {EPISODES[1] / EPISODES[0]:.0f} times")
    columns = "| episodes | kB a line | CPU s, read | CPU s, tables, plot and CSV | kB held each |"
    fill(DOCS / "reference/benchmarks.md", "report", table(columns, rows))
    return int(failed or totals[1] > MOST_TIMES * totals[0])


if __name__ == "__main__":
    sys.exit(main())
