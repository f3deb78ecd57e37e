"""The scenario protocol: the initial world, events and texts of an episode."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from cookmas.episodes.world import AnyWorld
from cookmas.files.errors import InputError

DEFAULT_HORIZON = 1000
"""Number of timesteps after which an episode ends if its scenario sets no horizon."""


class Scenario(Protocol):
    """The initial world of an episode, its events, and the texts that can be looked up.

    A scenario has no information by which the episode is judged.
    """

    @property
    def name(self) -> str:
        """Name of the scenario within its world, such as `level3/07`, or name of its file."""
        ...

    @property
    def digest(self) -> str:
        """Digest of the scenario's content."""
        ...

    @property
    def seed(self) -> int:
        """Seed of all random draws in an episode."""
        ...

    @property
    def horizon(self) -> int | None:
        """Number of timesteps after which the episode ends; None if the scenario sets none."""
        ...

    def data(self) -> dict[str, Any]:
        """Return the scenario as plain data, from which it can be rebuilt."""
        ...

    def world(self) -> AnyWorld[Any]:
        """Return the world in which the scenario is played."""
        ...

    def events(self) -> list[tuple[int, dict[str, Any]]]:
        """Return the events with their timesteps, in the form that the mailbox takes."""
        ...

    async def look_up(self, key: str) -> str:
        """Return the text for a key. Raise MissingError if there is none."""
        ...


@runtime_checkable
class Drawn(Protocol):
    """A scenario with a random part, which depends on the scenario's seed alone."""

    @property
    def drawn(self) -> str:
        """A description of the random part, such as "the order of the deck"."""
        ...

    def redraw(self, seed: int) -> Scenario:
        """Return the scenario with its random part drawn from another seed.

        The scenario's name and digest do not change.
        """
        ...


def draw_scenario(scenario: Scenario, seed: int | None) -> Scenario:
    """Return a scenario with its random part drawn from a seed that the user has chosen.

    Return it unchanged if the seed is None. Raise InputError if there is a seed but the scenario
    has no random part.
    """
    if seed is not None and not isinstance(scenario, Drawn):
        raise InputError("seed", f"{scenario.name} leaves nothing to chance; leave the seed out")
    return redraw(scenario, seed)


def redraw(scenario: Scenario, seed: int | None) -> Scenario:
    """Return a scenario with its random part drawn from a seed.

    Return it unchanged if the seed is None or the scenario has no random part.
    """
    if seed is None or not isinstance(scenario, Drawn):
        return scenario
    return scenario.redraw(seed)


def resolve_name(name: str, file: Path) -> str:
    """Return the name of the scenario that a file refers to by `name`.

    If `name` is a path, it is relative to the folder of that file.
    """
    return str(file.parent / name) if name.endswith((".yaml", ".yml")) else name


def refuse_other(schedule: str, named: Scenario, played: Scenario) -> None:
    """Raise InputError if a schedule file names another scenario than the one that is played.

    `schedule` is the name of the file, `named` the scenario that the file names.
    """
    if named.digest != played.digest:
        raise InputError(
            schedule,
            f"scenario: is for {named.name} ({named.digest}), expected {played.name} "
            f"({played.digest}); leave the field out to play it all the same",
        )
