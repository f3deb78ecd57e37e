"""Ask a public database about each version that the lock files pin: is a weakness of it known?

    python requirements/audit.py

It runs pip-audit with PyPI's database, and with that of OSV if PyPI's cannot be had. What is
accepted stands with its reason in accepted.toml. The exit code is 0 if every version was looked up
and nothing is left, 1 if a weakness is known, and 3 if not all could be looked up: that is no pass.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

HERE = Path(__file__).parent
WEAK, UNCHECKED = 1, 3


class Accepted(BaseModel):
    """A weakness that is passed over, with the reason."""

    model_config = ConfigDict(extra="forbid")

    id: str
    package: str
    reason: str = Field(min_length=20)


class Weakness(BaseModel):
    """A weakness as pip-audit reports it."""

    id: str
    aliases: list[str] = []
    fix_versions: list[str] = []


class Looked(BaseModel):
    """A pinned version as pip-audit reports it; one with a reason to skip was not looked up."""

    name: str
    version: str = ""
    skip_reason: str = ""
    vulns: list[Weakness] = []


class _Report(BaseModel):
    dependencies: list[Looked]


@dataclass(frozen=True, slots=True, kw_only=True)
class Database:
    """A database, and the options of pip-audit that choose it."""

    name: str
    options: Sequence[str]


class NotHadError(Exception):
    """The database cannot be had; the text says why."""


def look_up(database: Database, locks: Sequence[Path]) -> list[Looked]:
    """Return the database's word on each pinned version. Raise NotHadError if it has none."""
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes"]
    command += ["--format", "json", "--desc", "off", "--aliases", "on", "--progress-spinner", "off"]
    command += database.options
    for lock in locks:
        command += ["--requirement", str(lock)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not done.stdout.strip():
        errors = done.stderr.strip().splitlines() or [f"pip-audit ended with {done.returncode}"]
        raise NotHadError(errors[-1].rpartition("Caused by ")[2])
    looked = _Report.model_validate_json(done.stdout).dependencies
    if all(one.skip_reason for one in looked):
        raise NotHadError(looked[0].skip_reason if looked else "the lock files pin nothing")
    return looked


def judge(looked: Sequence[Looked], accepted: Sequence[Accepted]) -> tuple[int, list[str]]:
    """Return the exit code and a line for each weakness, each version that was not looked up, and
    each acceptance that nothing needs any more.
    """
    weak = sorted(set(_weaknesses(looked, accepted)))
    skipped = sorted({f"not checked: {one.skip_reason}" for one in looked if one.skip_reason})
    found = {(one.name, each) for one in looked for known in one.vulns for each in _ids(known)}
    idle = [one for one in accepted if (one.package, one.id) not in found]
    lines = [*weak, *skipped]
    lines += [f"{one.id} of {one.package} is accepted, but not known any more" for one in idle]
    return WEAK if weak else UNCHECKED if skipped else 0, lines


def _weaknesses(looked: Sequence[Looked], accepted: Sequence[Accepted]) -> Iterator[str]:
    passed = {(one.package, one.id) for one in accepted}
    for one in looked:
        for known in one.vulns:
            if passed.isdisjoint((one.name, each) for each in _ids(known)):
                mended = ", ".join(known.fix_versions) or "no version"
                yield f"{one.name} {one.version}: {known.id}, mended in {mended}"


def _ids(known: Weakness) -> list[str]:
    return [known.id, *known.aliases]


def read_accepted(file: Path) -> list[Accepted]:
    """Read the accepted weaknesses."""
    read = tomllib.loads(file.read_text(encoding="utf-8"))
    return TypeAdapter(list[Accepted]).validate_python(read.get("accepted", []))


def main() -> int:
    """Look up all pinned versions, print what was found, and return the exit code."""
    options = argparse.ArgumentParser(description="Look up known weaknesses of pinned versions.")
    options.add_argument("--osv", metavar="URL", help="ask this copy of OSV instead of PyPI")
    options.add_argument("--accepted", type=Path, default=HERE / "accepted.toml")
    options.add_argument("locks", type=Path, nargs="*")
    chosen = options.parse_args()
    accepted = read_accepted(chosen.accepted)
    locks = chosen.locks or [HERE.parent / "requirements.lock", *sorted(HERE.glob("*.lock"))]
    osv = Database(name="OSV", options=["--vulnerability-service", "osv"])
    databases = [Database(name="PyPI", options=["--vulnerability-service", "pypi"]), osv]
    if chosen.osv:
        databases = [Database(name="OSV", options=[*osv.options, "--osv-url", chosen.osv])]
    reasons = []
    for database in databases:
        try:
            looked = look_up(database, locks)
        except NotHadError as error:
            reasons.append(f"{database.name}: {error}")
            continue
        code, lines = judge(looked, accepted)
        print("\n".join([*lines, f"{database.name} was asked about {len(looked)} pinned versions"]))
        return code
    print(f"not checked, no database can be had ({'; '.join(reasons)})")
    return UNCHECKED


if __name__ == "__main__":
    sys.exit(main())
