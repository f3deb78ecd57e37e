"""The optional parts of a domain for those who write scenarios: check, repair, solve, generate."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from cookmas.files.errors import MissingError, UnsupportedError
from cookmas.worlds.capabilities import TruthfulDomain

if TYPE_CHECKING:
    from cookmas.episodes.scenario import Scenario
    from cookmas.episodes.trace import Trace
    from cookmas.worlds.domain import AnyDomain


@runtime_checkable
class VettedDomain(Protocol):
    """A domain that checks a scenario after reading its file, and returns remarks on it."""

    def vet(self, scenario: Any) -> Sequence[str]:
        """Return the remarks on a scenario, a sentence each.

        Raise InputError if a file that belongs to the scenario, such as its truth, does not fit.
        """
        ...


def vet(domain: AnyDomain, scenario: Scenario) -> Sequence[str]:
    """Return the remarks on a scenario, a sentence each.

    By default they say that the scenario is sound and, if the domain has truths, whether the
    scenario can be judged.
    """
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
        """Return the remarks on a file, a sentence each. Raise InputError if it is invalid."""
        ...


def check(domain: AnyDomain, path: Path) -> Sequence[str]:
    """Return the remarks on a file.

    If the domain checks scenarios only, any other file raises InputError.
    """
    if isinstance(domain, CheckingDomain):
        return domain.check(path)
    return vet(domain, domain.scenario(str(path), {}))


@runtime_checkable
class MendingDomain(Protocol):
    """A domain that can repair the files that belong to a scenario."""

    def mend(self, path: Path) -> Sequence[str]:
        """Repair the files that belong to a scenario; return one sentence for each repair.

        Raise InputError before any change if something is invalid that cannot be repaired.
        """
        ...


def mend(domain: AnyDomain, path: Path) -> Sequence[str]:
    """Repair the files that belong to a scenario; return one sentence for each repair.

    Raise UnsupportedError if the domain cannot repair files.
    """
    if isinstance(domain, MendingDomain):
        return domain.mend(path)
    raise UnsupportedError("--fix", f"the world {domain.name} repairs nothing; leave it out")


@runtime_checkable
class SolvedDomain(Protocol):
    """A domain whose scenarios come with a schedule that solves them."""

    def keep(self, scenario: Any, trace: Trace) -> Path:
        """Write the commands of a trace as the scenario's schedule; return the schedule's file."""
        ...


def require_solved(domain: AnyDomain) -> SolvedDomain:
    """Return the domain as a `SolvedDomain`.

    Raise UnsupportedError if the scenarios of the domain have no schedules.
    """
    if isinstance(domain, SolvedDomain):
        return domain
    raise UnsupportedError("--solve", f"scenarios of {domain.name} have no schedules")


@runtime_checkable
class GeneratingDomain(Protocol):
    """A domain that can generate scenarios."""

    def generate(self, level: int, size: int | None, seed: int, path: Path) -> Sequence[Path]:
        """Write a new scenario to `path`, and the files that belong to it; return all files.

        `level` and `size` have the world's own meaning; without a `size` the world chooses one.
        Raise InputError if an argument is invalid.
        """
        ...


def generate(
    domain: AnyDomain, level: int, size: int | None, seed: int, path: Path
) -> Sequence[Path]:
    """Write a new scenario to `path`, and the files that belong to it; return all files.

    Raise InputError if an argument is invalid, or if the world generates no scenarios.
    """
    if isinstance(domain, GeneratingDomain):
        return domain.generate(level, size, seed, path)
    raise UnsupportedError("generate", f"the world {domain.name} generates no scenarios; write one")
