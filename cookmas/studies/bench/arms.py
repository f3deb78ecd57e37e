"""The arms of a suite: each names the planner of all workers, or one planner for each seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field

from files.errors import InputError
from files.reading import FileModel
from modelserver.faults import checked_rates
from orchestrator.dialogue.options import AskingOptions
from orchestrator.models.options import ModelOptions
from orchestrator.planners.lineup import in_order

Scalar = bool | int | float | str


class Player(FileModel):
    """A planner, the model that it asks, and how it asks.

    `scripted` replaces `model` by the scripted model inside the process; it gives the rates of its
    faults.
    """

    name: str | None = None
    planner: str = "embedded"
    model: ModelOptions | None = None
    scripted: Annotated[dict[str, float], AfterValidator(checked_rates)] | None = None
    asking: AskingOptions | None = None

    @property
    def label(self) -> str:
        """Its name in tables."""
        return self.name or self.planner


def _player(said: Any) -> Any:
    return {"planner": said} if isinstance(said, str) else said


Seated = Annotated[Player, BeforeValidator(_player)]
"""A player in a file: a mapping, or the name of its planner alone."""


class Arm(Player):
    """A player with `settings` of the world, which replace those of the suite."""

    settings: dict[str, Scalar] = Field(default_factory=dict)

    @property
    def all_players(self) -> Sequence[Player]:
        """Return those who plan."""
        return [self]


class LineUp(Arm):
    """A player for each of the `seats`, or a `pair` of them for a world of two seats."""

    seats: dict[str, Player] = Field(default_factory=dict)
    pair: tuple[Player, Player] | None = None

    @property
    def all_players(self) -> Sequence[Player]:
        """Return those who plan."""
        return self.pair or list(self.seats.values())

    def players(self, workers: Sequence[str], where: str) -> dict[str, Player]:
        """Return who plays in each seat. Raises InputError where that does not fit the workers."""
        if self.pair is None:
            return in_order(self.seats, workers, where)
        if len(workers) != 2:
            many = f"there are {len(workers)} seats ({', '.join(workers)})"
            raise InputError(where, f"cross: {many}, not two; name line-ups under seats instead")
        return dict(zip(workers, self.pair, strict=True))


def pair_label(one: str, other: str) -> str:
    """Return the name of a pair in tables; self-play is marked."""
    return f"{one} + {other}{' (self-play)' if one == other else ''}"
