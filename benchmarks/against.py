"""Compare the costs of another commit with those of this one: python -m benchmarks.against COMMIT

The other commit has a worktree in `.venv/commits`, with an environment that its own Makefile sets
up; both stay there for the next time. Two processes measure in turns, one for each commit. Each
imports the code of its commit alone and runs that commit's own `benchmarks/probes.py`, so that
modules may have had other names. The probes measure CPU seconds and the planner's gaps; figures of
the same name are compared.

For each figure the table shows the minimum over the rounds for both commits, and new divided by
old. The noise of a commit is how far the median of its rounds is above their minimum; the table has
the larger of the two. A difference counts as a change if it is more than 5% and more than twice the
noise. `not there` marks a figure that a commit does not have.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.probes import PROBES, Measured

ROOT = Path(__file__).parent.parent
COMMITS = ROOT / ".venv/commits"
CHANGED = 0.05
"""Minimum relative difference that counts as a change."""


class Side:
    """One of the two commits: a process that runs the probes and the code in the folder `code`.

    The process runs in the environment of the Python executable `python`. The probes write their
    files into the folder `scratch`.
    """

    def __init__(self, code: Path, python: Path, scratch: Path) -> None:
        environment = os.environ | {"PYTHONPATH": str(code), "PROBES": str(scratch)}
        self._process = subprocess.Popen(
            [python, "-P", str(code / "benchmarks/probes.py")],
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
        self._process.communicate()


def check_out(commit: str) -> Path:
    """Return the worktree of a commit, after its Makefile has set up its environment there.

    Raises SystemExit if there is no such commit, if it has no probes, or if its setup fails.
    """
    named = ["git", "-C", str(ROOT), "rev-parse", "--quiet", "--verify", f"{commit}^{{commit}}"]
    found = subprocess.run(named, capture_output=True, text=True, check=False)
    if found.returncode:
        raise SystemExit(f"{commit}: there is no such commit; name another one")
    digest = found.stdout.strip()
    code = COMMITS / digest
    if not code.exists():
        added = ["worktree", "add", "--quiet", "--force", "--detach", str(code), digest]
        subprocess.run(["git", "-C", str(ROOT), *added], check=True)
    if not (code / "benchmarks/probes.py").exists():
        raise SystemExit(f"{commit}: it has no probes; name a later commit")
    make = ["make", "--silent", "-C", str(code), f"PYTHON={sys.executable}", ".venv/.testing"]
    if subprocess.run(make, stdout=sys.stderr, check=False).returncode:
        raise SystemExit(f"{commit}: its environment could not be set up; the error stands above")
    return code


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
    code = check_out(said.commit)
    with tempfile.TemporaryDirectory() as scratch:
        sides = [
            Side(code, code / ".venv/bin/python", Path(scratch)),
            Side(ROOT, Path(sys.executable), Path(scratch)),
        ]
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
