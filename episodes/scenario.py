"""What a scenario is: that which an episode plays, made ready by the world it belongs to."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from episodes.world import World
from files.errors import InputError

DEFAULT_HORIZON = 1000
"""Timesteps after which an episode ends where nothing else is said."""


class Scenario(Protocol):
    """A world in its opening, what will happen in it, and what can be looked up.

    Nothing by which the episode is judged is in it.
    """

    @property
    def name(self) -> str:
        """Its name within its world, such as `level3/07`, or that of its file."""
        ...

    @property
    def digest(self) -> str:
        """Identifies the content."""
        ...

    @property
    def seed(self) -> int:
        """Seed of whatever is drawn in an episode."""
        ...

    @property
    def horizon(self) -> int | None:
        """Timesteps after which the episode ends; None where the scenario does not say."""
        ...

    def data(self) -> dict[str, Any]:
        """The scenario as plain data, from which its world makes it again."""
        ...

    def world(self) -> World[Any]:
        """The world in which it is played."""
        ...

    def events(self) -> list[tuple[int, dict[str, Any]]]:
        """The events with their timesteps, as the mailbox takes them."""
        ...

    async def look_up(self, key: str) -> str:
        """The text that goes by a key. Raises MissingError if there is none."""
        ...


@runtime_checkable
class Drawn(Protocol):
    """A scenario with chance in it: what is drawn follows from its seed alone."""

    @property
    def drawn(self) -> str:
        """What is drawn, in words, such as "the order of the deck"."""
        ...

    def redrawn(self, seed: int) -> Scenario:
        """Return the same scenario with what another seed draws; name and digest stay."""
        ...


def drawn_by(scenario: Scenario, seed: int | None) -> Scenario:
    """Return a scenario with what a seed draws that a person has named.

    Raises InputError if there is nothing to draw.
    """
    if seed is not None and not isinstance(scenario, Drawn):
        raise InputError("seed", f"{scenario.name} leaves nothing to chance; leave the seed out")
    return redrawn(scenario, seed)


def redrawn(scenario: Scenario, seed: int | None) -> Scenario:
    """Return a scenario with what a seed draws; without a seed or any chance in it, as it is."""
    if seed is None or not isinstance(scenario, Drawn):
        return scenario
    return scenario.redrawn(seed)


def named_beside(name: str, file: Path) -> str:
    """Return the name of a scenario that a file names; that of another file is relative to it."""
    return str(file.parent / name) if name.endswith((".yaml", ".yml")) else name


def refuse_other(schedule: str, named: Scenario, played: Scenario) -> None:
    """Raise InputError if the scenario that a schedule file names is not the one that is played."""
    if named.digest != played.digest:
        raise InputError(
            schedule,
            f"scenario: is for {named.name} ({named.digest}), expected {played.name} "
            f"({played.digest}); leave the field out to play it all the same",
        )
