"""The models that an episode's options make, each within the budgets that hold for it."""

from __future__ import annotations

from collections.abc import Sequence

from files.errors import InputError
from orchestrator.models.budget import Budget, Prices
from orchestrator.models.limited import Agent, Limited, Meter
from orchestrator.models.message import Model
from orchestrator.models.options import ModelOptions


class Models:
    """Makes the models of one episode, of a planner without seats or of each of the `seats`.

    Seats whose options are equal share a model. A budget of a seat holds for its calls, one that is
    said beside for those of all seats together. Raises InputError for options that do not fit.
    """

    def __init__(self, options: ModelOptions, seats: Sequence[str] = ()) -> None:
        for seat in options.seats:
            if seat not in seats:
                known = f"there is no seat {seat!r}; expected {', '.join(seats)}"
                unseated = f"names seat {seat!r}; expected --planner SEAT=PLANNER beside it"
                raise InputError("--model and its options", known if seats else unseated)
        self.options = options
        self._made: dict[ModelOptions, Model] = {}
        self._meters: dict[Agent, Meter] = {}
        self._whole: Meter | None = None
        self._seats = seats
        self.asked = False
        """Whether a planner has a model of these."""

    def of(self, agent: Agent, options: ModelOptions) -> Model:
        """Return the model of an agent, made of its options. Raises as `ModelOptions.make`."""
        if agent is not None and self.options.budget_money is not None and options.prices is None:
            raise InputError("--budget-money", f"expected prices of the model of seat {agent!r}")
        self.asked = True
        if options not in self._made:
            self._made[options] = options.make()
        return self.limited(agent, options, self._made[options])

    def limited(self, agent: Agent, options: ModelOptions, model: Model) -> Model:
        """Return a model within the budgets that hold for an agent."""
        meters = []
        if options.budget.limited:
            own = Meter(options.budget, {agent: options.prices}, agent)
            meters.append(self._meters.setdefault(agent, own))
        if agent is not None and (whole := self._shared()):
            meters.append(whole)
        return Limited(model, meters, agent) if meters else model

    def _shared(self) -> Meter | None:
        """Return the meter of all seats together, if they have a budget."""
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
