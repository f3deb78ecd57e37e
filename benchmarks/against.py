"""Compare the costs of another commit with those of this one: python -m benchmarks.against COMMIT

The other commit is unpacked into a temporary folder. Two processes run the probes of
`benchmarks.probes` in turns, one with the other commit's code and one with this code. The probes
measure CPU seconds and the planner's gaps.

For each figure the table shows the minimum over the rounds for both commits, and new divided by
old. The noise of a commit is how far the median of its rounds is above their minimum; the table has
the larger of the two. A difference counts as a change if it is more than 5% and more than twice the
noise. `not there` marks a figure that a commit does not have.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.probes import PROBES, Measured

ROOT = Path(__file__).parent.parent
CHANGED = 0.05
"""Minimum relative difference that counts as a change."""


class Side:
    """One of the two commits: a process that measures the code in the folder `code`.

    The probes write their files into the folder `scratch`.
    """

    def __init__(self, code: Path, scratch: Path) -> None:
        environment = os.environ | {"PYTHONPATH": str(code), "PROBES": str(scratch)}
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(ROOT / "benchmarks/probes.py")],
            cwd=code,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.rounds: dict[str, list[float]] = {}

    def measure(self, probe: str) -> bool:
        """Run a probe once more and keep its figures; return False if the probe fails.

        Raises SystemExit if the process has died.
        """
        assert self._process.stdin
        assert self._process.stdout
        print(probe, file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"{probe}: the process that measured it has died")
        found: Measured | None = json.loads(line)
        for name, value in (found or {}).items():
            self.rounds.setdefault(name, []).append(value)
        return found is not None

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()


def unpack(commit: str, folder: Path) -> None:
    """Unpack the code of a commit into a folder. Raises SystemExit if there is no such commit."""
    done = subprocess.run(
        ["git", "archive", commit, "--"], cwd=ROOT, capture_output=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{commit}: {done.stderr.decode().strip()}; name another commit")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder, filter="data")


def row(name: str, old: Sequence[float] | None, new: Sequence[float] | None) -> str:
    """Return the table row of a figure.

    `old` and `new` are the values of the figure in the rounds of each commit; None if the commit
    does not have the figure.
    """
    shown = [f"{min(each):.3g}" if each else "not there" for each in (old, new)]
    if not old or not new:
        return f"| {name} | {' | '.join(shown)} | | | |"
    if min(old) <= 0:
        return f"| {name} | {' | '.join(shown)} | | | {'' if old == new else 'changed'} |"
    ratio = min(new) / min(old)
    noise = max(median(each) / min(each) - 1 for each in (old, new) if min(each) > 0)
    change = "" if abs(ratio - 1) <= max(CHANGED, 2 * noise) else "more" if ratio > 1 else "less"
    return f"| {name} | {' | '.join(shown)} | {ratio:.2f} | {noise:.0%} | {change} |"


def main() -> None:
    """Measure both commits in turns, and print a row for each figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commit", help="the commit to compare with")
    parser.add_argument("--rounds", type=int, default=5, help="how often each side is measured")
    parser.add_argument("--probe", action="append", choices=PROBES, help="only these")
    said = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        code = Path(scratch) / "code"
        unpack(said.commit, code)
        sides = [Side(code, Path(scratch)), Side(ROOT, Path(scratch))]
        for probe in said.probe or PROBES:
            for number in range(said.rounds):
                for side in sides if number % 2 else sides[::-1]:
                    if not side.measure(probe) and side is sides[1]:
                        raise SystemExit(f"{probe}: fails here; the error stands above")
        for side in sides:
            side.close()
    old, new = (side.rounds for side in sides)
    print(f"| figure | {said.commit} | here | new / old | noise | changed |")
    print("|---|---:|---:|---:|---:|---|")
    for name in dict.fromkeys([*new, *old]):
        print(row(name, old.get(name), new.get(name)))


if __name__ == "__main__":
    main()
