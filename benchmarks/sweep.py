"""Play all scenarios with each planner and preset, and with a model that makes no mistakes.

    python -m benchmarks.sweep [PRESET ...]

The verdicts, without what depends on speed, must equal those of the embedded planner; otherwise the
exit code is 1. If no preset is named, the command also writes the costs into a page of the docs,
with one table for each class of planners.
"""

from __future__ import annotations

import asyncio
import sys
import time

from benchmarks.page import DOCS, by_class, fill
from benchmarks.serving import (
    model_server,
    planners,
    play,
    play_embedded,
    total,
    verdict_of,
    verdict_part,
)
from cookmas.scenarios.scenario import scenario_names

COLUMNS = "| | verdicts as embedded | model calls an episode | 1000 tokens an episode |"


def main() -> int:
    names = scenario_names()
    expected = play_embedded(names)
    succeeded = sum(bool(run.success) for run in expected)
    print(f"embedded planner: {succeeded} of {len(names)} scenarios succeed\n")
    print(f"{'planner':22}{'class':10}{'as embedded':>12}{'calls':>8}{'tokens':>12}{'seconds':>9}")
    wanted = sys.argv[1:]
    different = 0
    rows: dict[str, list[str]] = {}
    with model_server() as url:
        for name, make in planners().items():
            if wanted and name not in wanted:
                continue
            begun = time.perf_counter()
            runs = asyncio.run(play(url, names, make))
            seconds = time.perf_counter() - begun
            pairs = list(zip(runs, expected, strict=True))
            unlike = [run for run, right in pairs if verdict_part(run) != verdict_part(right)]
            different += len(unlike)
            kind = runs[0].trace.header.planner_class
            agree = f"{len(names) - len(unlike)}/{len(names)}"
            calls, tokens = total(runs, "model_calls"), total(runs, "tokens")
            print(f"{name:22}{kind:10}{agree:>12}{calls:8}{tokens:12}{seconds:9.0f}", flush=True)
            for run in unlike:
                verdict = verdict_of(run)
                print(f"    {verdict.scenario}: {verdict.termination}, {verdict.why}")
            each = f"{calls / len(names):.1f} | {tokens / len(names) / 1000:.1f}"
            rows.setdefault(kind, []).append(f"| {name} | {agree} | {each} |")
    if not wanted:
        fill(DOCS / "reference/benchmarks.md", "sweep", by_class(COLUMNS, rows))
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
