"""Construction of an episode's models from the user's options, each limited by its budgets."""

from __future__ import annotations

from collections.abc import Sequence

from cookmas.files.errors import InputError
from cookmas.orchestrator.models.budget import Budget, Prices
from cookmas.orchestrator.models.limited import Agent, Limited, Meter
from cookmas.orchestrator.models.message import Model
from cookmas.orchestrator.models.options import ModelOptions


class Models:
    """The maker of an episode's models, for one planner or for each of the `seats`.

    Seats with equal options share a model. A seat's own budget limits the calls of that seat; the
    common budget limits the calls of all seats together. The constructor raises InputError if the
    options name an unknown seat.
    """

    def __init__(self, options: ModelOptions, seats: Sequence[str] = ()) -> None:
        for seat in options.seats:
            if seat not in seats:
                known = f"there is no seat {seat!r}; expected {', '.join(seats)}"
                unseated = f"names seat {seat!r}; add --planner SEAT=PLANNER"
                raise InputError("--model and its options", known if seats else unseated)
        self.options = options
        self._made: dict[ModelOptions, Model] = {}
        self._meters: dict[Agent, Meter] = {}
        self._whole: Meter | None = None
        self._seats = seats
        self.asked = False
        """True if a planner has requested one of these models."""

    def of(self, agent: Agent, options: ModelOptions) -> Model:
        """Return the model for an agent, as `options` describe it.

        Raise InputError if a budget of money lacks prices, and the errors of `ModelOptions.make`.
        """
        if agent is not None and self.options.budget_money is not None and options.prices is None:
            raise InputError("--budget-money", f"give prices of the model of seat {agent!r}")
        self.asked = True
        if options not in self._made:
            self._made[options] = options.make()
        return self.limit(agent, options, self._made[options])

    def limit(self, agent: Agent, options: ModelOptions, model: Model) -> Model:
        """Return the model with the limits of an agent's budgets; unchanged if there are none."""
        meters = []
        if options.budget.limited:
            own = Meter(options.budget, {agent: options.prices}, agent)
            meters.append(self._meters.setdefault(agent, own))
        if agent is not None and (whole := self._common_meter()):
            meters.append(whole)
        return Limited(model, meters, agent) if meters else model

    def _common_meter(self) -> Meter | None:
        """Return the meter that counts for all seats; None if they have no common budget."""
        if self._whole is None:
            prices: dict[Agent, Prices | None] = {
                seat: self.options.of_seat(seat).prices for seat in self._seats
            }
            budget = Budget(
                calls=self.options.budget_calls,
                tokens=self.options.budget_tokens,
                money=self.options.budget_money,
                prices=next(filter(None, prices.values()), None),
            )
            self._whole = Meter(budget, prices) if budget.limited else None
        return self._whole
