"""Scenarios: the initial world, events and texts of an episode, and how a file describes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self

from cookmas.episodes.base import BEGIN, World
from cookmas.episodes.world import digest
from cookmas.files.errors import InputError, MissingError

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

    def world(self) -> World:
        """Return the world in which the scenario is played."""
        ...

    def events(self) -> list[tuple[int, dict[str, Any]]]:
        """Return the events with their timesteps, in the form that the mailbox takes."""
        ...

    async def look_up(self, key: str) -> str:
        """Return the text for a key. Raise MissingError if there is none."""
        ...


@dataclass(frozen=True, kw_only=True)
class FileScenario:
    """The base class of scenarios that files describe: a world overrides what differs."""

    name: str
    """Name of the scenario within its world, or name of its file."""
    path: Path
    """File of the scenario."""
    file: Any
    """Content of the file, which is a `Level` or another model."""
    world_type: type[World] = World
    """Class of the world."""

    draws_events: ClassVar[bool] = False
    """True if the seed decides the events of the file; the digest then includes the seed."""

    # What a scenario overrides.

    @property
    def drawn(self) -> str:
        """What the seed decides, in words; empty if that is nothing."""
        return self.world_type.drawn

    @property
    def seed(self) -> int:
        """Seed of all random draws in an episode."""
        return getattr(self.file, "seed", 0)

    @property
    def horizon(self) -> int | None:
        """Greatest number of timesteps of an episode; None if the file sets none."""
        return getattr(self.file, "horizon", None)

    def check(self) -> None:
        """Raise InputError if the file is invalid in a way that its fields alone do not show."""

    def world(self) -> World:
        """Return the world in which the scenario is played.

        Planners get this world. So it is built from its setup, as that of a trace, and knows
        neither the seed nor the events and the texts of the file.
        """
        return self.world_type.of_setup(self.world_type(self.file).setup())

    def events(self) -> list[tuple[int, dict[str, Any]]]:
        """Return the beginning, which calls the planner, and the events of the file."""
        begin = {"kind": BEGIN, "seed": self.seed} if self.drawn else {"kind": BEGIN}
        return [(0, begin), *((each.at, each.event()) for each in getattr(self.file, "events", ()))]

    @property
    def texts(self) -> Mapping[str, str]:
        """The texts that the planner can look up, by name; by default those of the file."""
        return getattr(self.file, "texts", {})

    async def look_up(self, key: str) -> str:
        """Return one of the texts by its name. Raise MissingError if there is none."""
        if key not in self.texts:
            raise MissingError(f"there is no text {key!r}")
        return self.texts[key]

    # The machinery.

    @cached_property
    def digest(self) -> str:
        """Digest of the content of the file, without a seed that `redraw` replaces."""
        left_out = ("seed",) if self.drawn else ()
        return digest({name: x for name, x in self.data().items() if name not in left_out})

    def data(self) -> dict[str, Any]:
        """Return the content of the file as plain data.

        It lacks default values, and the name of the world, which a trace has beside it.
        """
        data: dict[str, Any] = self.file.model_dump(
            mode="json", exclude_defaults=True, exclude={"world"}
        )
        return data

    def redraw(self, seed: int) -> Self:
        """Return the scenario with its random part drawn from another seed.

        The scenario's name and digest do not change.
        """
        return replace(self, file=self.file.model_copy(update={"seed": seed}))


def is_drawn(scenario: Any) -> bool:
    """Return whether a scenario has a random part, which its `redraw` draws from another seed."""
    return bool(getattr(scenario, "drawn", ""))


def depends_on_seed(scenario: Any) -> bool:
    """Return whether another seed can change an episode, by its random part or by its events."""
    return is_drawn(scenario) or getattr(scenario, "draws_events", False)


def draw_scenario(scenario: Scenario, seed: int | None) -> Scenario:
    """Return a scenario with its random part drawn from a seed that the user has chosen.

    Return it unchanged if the seed is None. Raise InputError if there is a seed but the scenario
    has no random part.
    """
    if seed is not None and not is_drawn(scenario):
        if depends_on_seed(scenario):
            raise InputError("seed", f"{scenario.name} draws its events by its own option --seed")
        raise InputError("seed", f"{scenario.name} leaves nothing to chance; leave the seed out")
    return redraw(scenario, seed)


def redraw(scenario: Scenario, seed: int | None) -> Scenario:
    """Return a scenario with its random part drawn from a seed.

    Return it unchanged if the seed is None or the scenario has no random part.
    """
    if seed is None or not is_drawn(scenario):
        return scenario
    drawn: Any = scenario
    redrawn: Scenario = drawn.redraw(seed)
    return redrawn


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
