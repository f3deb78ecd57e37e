"""The scenario protocol: what an episode plays."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from episodes.world import World
from files.errors import InputError

DEFAULT_HORIZON = 1000
"""Number of timesteps after which an episode ends if its scenario sets no horizon."""


class Scenario(Protocol):
    """The initial world of an episode, its events, and the texts that can be looked up.

    It has no information by which the episode is judged.
    """

    @property
    def name(self) -> str:
        """Its name within its world, such as `level3/07`, or that of its file."""
        ...

    @property
    def digest(self) -> str:
        """Digest of the content."""
        ...

    @property
    def seed(self) -> int:
        """Seed of everything that is random in an episode."""
        ...

    @property
    def horizon(self) -> int | None:
        """Number of timesteps after which the episode ends; None if the scenario sets none."""
        ...

    def data(self) -> dict[str, Any]:
        """Return the scenario as plain data, from which its world can rebuild it."""
        ...

    def world(self) -> World[Any]:
        """Return the world that the scenario is played in."""
        ...

    def events(self) -> list[tuple[int, dict[str, Any]]]:
        """Return the events with their timesteps, as the mailbox takes them."""
        ...

    async def look_up(self, key: str) -> str:
        """Return the text for a key. Raise MissingError if there is none."""
        ...


@runtime_checkable
class Drawn(Protocol):
    """A scenario with randomness, which depends on its seed alone."""

    @property
    def drawn(self) -> str:
        """What is random, in words, such as "the order of the deck"."""
        ...

    def redraw(self, seed: int) -> Scenario:
        """Return the same scenario with the random part of another seed; name and digest stay."""
        ...


def draw_scenario(scenario: Scenario, seed: int | None) -> Scenario:
    """Return a scenario with the random part of a seed that the user has chosen.

    Raise InputError if the scenario has no random part.
    """
    if seed is not None and not isinstance(scenario, Drawn):
        raise InputError("seed", f"{scenario.name} leaves nothing to chance; leave the seed out")
    return redraw(scenario, seed)


def redraw(scenario: Scenario, seed: int | None) -> Scenario:
    """Return a scenario with the random part of a seed; without either, return it unchanged."""
    if seed is None or not isinstance(scenario, Drawn):
        return scenario
    return scenario.redraw(seed)


def resolve_name(name: str, file: Path) -> str:
    """Return the scenario name that a file refers to; a file path is relative to that file."""
    return str(file.parent / name) if name.endswith((".yaml", ".yml")) else name


def refuse_other(schedule: str, named: Scenario, played: Scenario) -> None:
    """Raise InputError if a schedule file names another scenario than the one that is played."""
    if named.digest != played.digest:
        raise InputError(
            schedule,
            f"scenario: is for {named.name} ({named.digest}), expected {played.name} "
            f"({played.digest}); leave the field out to play it all the same",
        )
