"""What a person says about the model to use, and the model and budget made of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field, NonNegativeInt, field_validator

from files.errors import InputError
from orchestrator.bounds import LONGEST_WAIT, MOST_MONEY
from orchestrator.models.budget import Budget, Prices
from orchestrator.models.cassette import Cassette
from orchestrator.models.keys import checked_variable
from orchestrator.models.message import Model
from orchestrator.options import Options

BUDGETS = ("budget_calls", "budget_tokens", "budget_money")
"""The options that limit what an episode may spend."""

Money = Annotated[float, Field(ge=0, le=MOST_MONEY, allow_inf_nan=False)]


class ModelOptions(Options):
    """Which model, what it costs, and what an episode may spend on it.

    Prices are per million tokens, in the currency of `budget_money`; `deadline` is in seconds;
    `record` and `replay` are cassettes. The options of `cookmas run` have the same names. A key is
    not among them: it comes from the environment, from the variable `key_from` where that is said.
    `seats` are the whole options of single seats, whose budgets are their own; what is said beside
    is of all other seats, and its budget that of all seats together.
    """

    model: str | None = None
    base_url: str | None = None
    key_from: str | None = None
    deadline: Annotated[float, Field(gt=0, le=LONGEST_WAIT, allow_inf_nan=False)] = 600.0
    price_in: Money | None = None
    price_cached: Money | None = None
    price_out: Money | None = None
    budget_calls: NonNegativeInt | None = None
    budget_tokens: NonNegativeInt | None = None
    budget_money: Money | None = None
    record: Path | None = None
    replay: Path | None = None
    seats: dict[str, ModelOptions] = Field(default_factory=dict)

    @field_validator("key_from")
    @classmethod
    def _a_name(cls, name: str | None) -> str | None:
        return name if name is None else checked_variable(name)

    def __hash__(self) -> int:
        """Hash the values, which do not change."""
        return hash(self.model_dump_json())

    def of_seat(self, seat: str) -> ModelOptions:
        """Return the options of one seat; without options of its own it has no own budget."""
        shared: dict[str, object] = {"seats": {}, **dict.fromkeys(BUDGETS)}
        return self.seats.get(seat) or self.model_copy(update=shared)

    @property
    def prices(self) -> Prices | None:
        """The prices; None if there are none. Raises InputError where one is missing."""
        if self.price_in is None and self.price_out is None:
            if self.price_cached is not None:
                raise InputError("--price-cached", "expected --price-in and --price-out beside it")
            return None
        if self.price_in is None or self.price_out is None:
            raise InputError("--price-in, --price-out", "expected both or neither")
        return Prices(input=self.price_in, output=self.price_out, cached=self.price_cached)

    @property
    def budget(self) -> Budget:
        """What an episode may spend. Raises InputError."""
        if self.budget_money is not None and self.prices is None:
            raise InputError("--budget-money", "expected --price-in and --price-out beside it")
        return Budget(
            calls=self.budget_calls,
            tokens=self.budget_tokens,
            money=self.budget_money,
            prices=self.prices,
        )

    def make(self) -> Model:
        """The model. Raises InputError, MissingError or TraceError."""
        if self.record and self.replay:
            raise InputError("--record, --replay", "expected one of them at most")
        if self.replay:
            return Cassette(self.replay, name=self.model)
        if not self.model:
            raise InputError("--model", "expected the name of a model, or --replay with a cassette")
        from orchestrator.models.openai_model import OpenAIModel

        model = OpenAIModel(
            self.model,
            self.base_url,
            key_from=self.key_from,
            prices=self.prices,
            deadline=self.deadline,
        )
        return Cassette(self.record, model) if self.record else model

    def each(self, count: int) -> list[ModelOptions]:
        """The options of so many models: those that `model` names, with commas, or all the same.

        Raises InputError.
        """
        names = self.model.split(",") if self.model else [None]
        if len(names) == 1:
            return [self] * count
        if len(names) != count:
            raise InputError("--model", f"expected one model or {count}, not {len(names)}")
        return [self.model_copy(update={"model": name}) for name in names]

    def lasting(self) -> ModelOptions:
        """With absolute paths, for a run that goes on from another folder."""
        return self.model_copy(
            update={
                name: path.resolve()
                for name, path in (("record", self.record), ("replay", self.replay))
                if path
            }
            | {"seats": {seat: own.lasting() for seat, own in self.seats.items()}}
        )
