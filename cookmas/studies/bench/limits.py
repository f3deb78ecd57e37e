"""The limits of a sweep."""

from __future__ import annotations

from dataclasses import dataclass, field

from cookmas.files.options import MOST_MONEY, option, refuse_options
from cookmas.sandbox.child import Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepLimits:
    """Limits of a whole sweep: its spending on models, and the resources of a user's planner.

    None means no limit.
    """

    calls: int | None = option(
        None, "Maximum number of model calls in the whole sweep.", least=0, flag="--sweep-calls"
    )
    tokens: int | None = option(
        None, "Maximum number of tokens in the whole sweep.", least=0, flag="--sweep-tokens"
    )
    money: float | None = option(
        None,
        "Maximum cost of the whole sweep.",
        least=0.0,
        most=MOST_MONEY,
        flag="--sweep-money",
    )
    planner: Limits = field(default_factory=Limits)
    """Limits of a planner that a user wrote."""

    def __post_init__(self) -> None:
        refuse_options(self)
