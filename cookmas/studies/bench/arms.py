"""The arms of a suite: each names the planner of all workers, or one planner for each seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field

from cookmas.files.errors import InputError
from cookmas.files.reading import FileModel
from cookmas.modelserver.faults import check_rates
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.orchestrator.planners.seats import in_order

Scalar = bool | int | float | str
"""A value of a setting."""


class Player(FileModel):
    """A planner, the model that it asks, and how it asks."""

    name: str | None = None
    """Name in tables; None to use the name of the planner."""
    planner: str = "embedded"
    """The planner, as `cookmas run --planner` takes it."""
    model: ModelOptions | None = None
    scripted: Annotated[dict[str, float], AfterValidator(check_rates)] | None = None
    """Fault rates of the scripted model, which runs in the process and replaces `model`."""
    asking: AskingOptions | None = None
    """How the model is asked."""

    @property
    def label(self) -> str:
        """The name in tables."""
        return self.name or self.planner


def _parse_player(value: Any) -> Any:
    return {"planner": value} if isinstance(value, str) else value


Seated = Annotated[Player, BeforeValidator(_parse_player)]
"""A player in a file: a mapping, or the name of its planner alone."""


class Arm(Player):
    """One planner for all workers, with settings of the world."""

    settings: dict[str, Scalar] = Field(default_factory=dict)
    """Options of the scenario, which override those of the suite."""

    @property
    def all_players(self) -> Sequence[Player]:
        """The players of the arm."""
        return [self]


class LineUpArm(Arm):
    """An arm with a player for each seat, or with a pair of players for a world of two seats."""

    seats: dict[str, Player] = Field(default_factory=dict)
    pair: tuple[Player, Player] | None = None
    """The players of the first and the second seat; None if `seats` are given."""

    @property
    def all_players(self) -> Sequence[Player]:
        """The players of the arm."""
        return self.pair or list(self.seats.values())

    def players(self, workers: Sequence[str], where: str) -> dict[str, Player]:
        """Return the player of each seat.

        Raise InputError, which names the arm as `where`, if the seats do not fit the workers.
        """
        if self.pair is None:
            return in_order(self.seats, workers, where)
        if len(workers) != 2:
            many = f"there are {len(workers)} seats ({', '.join(workers)})"
            raise InputError(where, f"cross: {many}, not two; name line-ups under seats instead")
        return dict(zip(workers, self.pair, strict=True))


def pair_label(one: str, other: str) -> str:
    """Return the name of a pair in tables; self-play is marked."""
    return f"{one} + {other}{' (self-play)' if one == other else ''}"
