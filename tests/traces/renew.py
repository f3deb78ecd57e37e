"""Record the golden traces again: python tests/traces/renew.py

A golden trace changes if the rules, the evaluators, the reader, the scheduler or the trace format
change. Review the differences before you commit new ones.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

import cookmas  # noqa: E402

SCENARIOS = ("level1/01", "level2/01", "level3/01")


def file_of(scenario: str) -> Path:
    return HERE / f"{scenario.replace('/', '-')}.jsonl"


def record(scenario: str) -> str:
    """Return the trace of a scenario as the text of its file."""
    return "".join(f"{line}\n" for line in cookmas.play(scenario).trace.lines())


if __name__ == "__main__":
    for name in SCENARIOS:
        file_of(name).write_text(record(name), encoding="utf-8", newline="\n")
        print(file_of(name).name)
