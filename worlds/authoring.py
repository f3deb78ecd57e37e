"""The optional parts of a domain for those who write scenarios: check, repair, solve, generate."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from files.errors import MissingError, UnsupportedError
from worlds.capabilities import TruthfulDomain

if TYPE_CHECKING:
    from episodes.scenario import Scenario
    from episodes.trace import Trace
    from worlds.domain import Domain


@runtime_checkable
class VettedDomain(Protocol):
    """A domain that has remarks on a scenario which could be read."""

    def vet(self, scenario: Any) -> Sequence[str]:
        """Return the remarks on a scenario, a sentence each.

        Raise InputError if something that belongs to it, such as its truth, does not fit it.
        """
        ...


def vet(domain: Domain, scenario: Scenario) -> Sequence[str]:
    """Return the remarks on a scenario; by default one, which says whether it can be judged."""
    if isinstance(domain, VettedDomain):
        return domain.vet(scenario)
    found = [f"scenario {scenario.name}: sound"]
    if not isinstance(domain, TruthfulDomain):
        return found
    try:
        domain.truth(scenario)
    except MissingError as error:
        return [*found, f"it cannot be judged: {error}"]
    return [*found, "its truth: sound"]


@runtime_checkable
class CheckingDomain(Protocol):
    """A domain that can check files other than scenarios."""

    def check(self, path: Path) -> Sequence[str]:
        """Return the remarks on a valid file, a sentence each. Raise InputError for others."""
        ...


def check(domain: Domain, path: Path) -> Sequence[str]:
    """Return the remarks on a valid file; by default the file has to be a scenario."""
    if isinstance(domain, CheckingDomain):
        return domain.check(path)
    return vet(domain, domain.scenario(str(path), {}))


@runtime_checkable
class MendingDomain(Protocol):
    """A domain that can repair the files that belong to a scenario."""

    def mend(self, path: Path) -> Sequence[str]:
        """Repair the files that belong to a scenario after everything else has been found valid.

        Return one sentence per repair. Raise InputError without changing anything.
        """
        ...


def mend(domain: Domain, path: Path) -> Sequence[str]:
    """Repair the files that belong to a scenario. Raise UnsupportedError if none are repaired."""
    if isinstance(domain, MendingDomain):
        return domain.mend(path)
    raise UnsupportedError("--fix", f"the world {domain.name} repairs nothing; leave it out")


@runtime_checkable
class SolvedDomain(Protocol):
    """A domain whose scenarios come with a schedule that solves them."""

    def keep(self, scenario: Any, trace: Trace) -> Path:
        """Write the commands of a trace as the scenario's schedule; return its file."""
        ...


def require_solved(domain: Domain) -> SolvedDomain:
    """Return a domain whose scenarios have schedules. Raises UnsupportedError if they do not."""
    if isinstance(domain, SolvedDomain):
        return domain
    raise UnsupportedError("--solve", f"scenarios of {domain.name} have no schedules")


@runtime_checkable
class GeneratingDomain(Protocol):
    """A domain that can generate scenarios."""

    def generate(self, level: int, size: int | None, seed: int, path: Path) -> Sequence[Path]:
        """Write a new scenario to `path`, and the files that belong to it. Raise InputError."""
        ...


def generate(domain: Domain, level: int, size: int | None, seed: int, path: Path) -> Sequence[Path]:
    """Write a new scenario and the files that belong to it; return the files.

    Raise InputError if an argument is invalid, or if the world generates no scenarios.
    """
    if isinstance(domain, GeneratingDomain):
        return domain.generate(level, size, seed, path)
    raise UnsupportedError("generate", f"the world {domain.name} generates no scenarios; write one")
