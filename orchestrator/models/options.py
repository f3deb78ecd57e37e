"""Model options: the user's choice of models, endpoints, prices and budgets, and these models."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import Field, ValidationInfo, field_validator

from cookmas.files.errors import InputError
from cookmas.files.option_models import Options
from cookmas.orchestrator.models.access import (
    check_variable,
    list_added,
    read_fields,
    read_headers,
)
from cookmas.orchestrator.models.budget import (
    Agent,
    Budget,
    Meter,
    Prices,
    count_calls,
    take_turns,
)
from cookmas.orchestrator.models.cassette import Cassette
from cookmas.orchestrator.models.message import Model
from cookmas.orchestrator.models.patience import LocalBoard, PatientModel, ReachBoard
from cookmas.orchestrator.options import CassetteFields, CostFields, EndpointFields

BUDGETS = ("budget_calls", "budget_tokens", "budget_money")

LONGEST_NAME = 150
"""Greatest length of a model's name; the name of its planner has it, which has a limit too."""

OUTAGE_LIMIT = 600.0
"""Seconds for which an episode waits for an endpoint that is away, unless the user says otherwise.
"""

if TYPE_CHECKING:
    from cookmas.orchestrator.models.openai_model import OpenAIModel


class ModelOptions(Options, CassetteFields, CostFields, EndpointFields, frozen=True):
    """The model of an episode, its prices, and its budget.

    The options of `cookmas run` have the same names. The key is not an option: it comes from an
    environment variable.
    """

    seats: dict[str, ModelOptions] = Field(default_factory=dict)
    """Complete options for single seats, each with a budget of its own.

    The other fields apply to all other seats, but their budget limits all seats together.
    """

    @field_validator("key_from")
    @classmethod
    def _a_name(cls, name: str | None) -> str | None:
        return name if name is None else check_variable(name)

    @field_validator("extra", "header", mode="before")
    @classmethod
    def _spell_additions(cls, given: Any, about: ValidationInfo) -> Any:
        """Return additions that are given as an object in the form `NAME=VALUE`."""
        if not isinstance(given, Mapping):
            return given
        spell = json.dumps if about.field_name == "extra" else str
        return tuple(f"{name}={spell(value)}" for name, value in given.items())

    @field_validator("extra", "header")
    @classmethod
    def _check_additions(cls, given: tuple[str, ...], about: ValidationInfo) -> tuple[str, ...]:
        (read_fields if about.field_name == "extra" else read_headers)(given)
        return given

    @field_validator("model")
    @classmethod
    def _printable(cls, name: str | None) -> str | None:
        if name is not None and not (name.isprintable() and 0 < len(name) <= LONGEST_NAME):
            raise InputError(
                "--model", f"expected a name of 1 to {LONGEST_NAME} printable characters"
            )
        return name

    def __hash__(self) -> int:
        return hash(self.model_dump_json())

    def of_seat(self, seat: str) -> ModelOptions:
        """Return the options of one seat.

        A seat that is not in `seats` has the common options, but no budget of its own.
        """
        shared: dict[str, object] = {"seats": {}, **dict.fromkeys(BUDGETS)}
        return self.seats.get(seat) or self.model_copy(update=shared)

    @property
    def prices(self) -> Prices | None:
        """The prices, or None if none is given. Raise InputError if a needed price is missing."""
        if self.price_in is None and self.price_out is None:
            if self.price_cached is not None:
                raise InputError("--price-cached", "add --price-in and --price-out")
            return None
        if self.price_in is None or self.price_out is None:
            raise InputError("--price-in, --price-out", "give both or neither")
        return Prices(input=self.price_in, output=self.price_out, cached=self.price_cached)

    @property
    def budget(self) -> Budget:
        """The budget of an episode. Raise InputError if it limits money but there are no prices."""
        if self.budget_money is not None and self.prices is None:
            raise InputError("--budget-money", "add --price-in and --price-out")
        return self.budget_at(self.prices)

    def budget_at(self, prices: Prices | None) -> Budget:
        """Return the budget of an episode at other prices, such as those of its seats."""
        return Budget(
            calls=self.budget_calls,
            tokens=self.budget_tokens,
            money=self.budget_money,
            prices=prices,
        )

    def make(self) -> Model:
        """Return the model that these options describe.

        Raise InputError, MissingError or TraceError if the options are inconsistent, or the key or
        the cassette cannot be used.
        """
        if self.record and self.replay:
            raise InputError("--record, --replay", "give one of them at most")
        if self.replay:
            return Cassette(self.replay, name=self.model, added=self.added)
        model = self.await_endpoint(self.make_client(), LocalBoard(), OUTAGE_LIMIT)
        return Cassette(self.record, model, added=self.added) if self.record else model

    @property
    def added(self) -> tuple[str, ...]:
        """The additions to each request, as a cassette and a trace record them."""
        return list_added(self.extra, self.header)

    def make_client(self) -> OpenAIModel:
        """Return the client of the endpoint. Raise InputError or MissingError if it has no name."""
        if not self.model:
            raise InputError("--model", "expected the name of a model, or --replay with a cassette")
        from cookmas.orchestrator.models.openai_model import OpenAIModel

        return OpenAIModel(
            self.model,
            self.base_url,
            key_from=self.key_from,
            prices=self.prices,
            deadline=self.deadline,
            extra=self.extra,
            headers=self.header,
            stream=self.stream,
        )

    def await_endpoint(self, client: OpenAIModel, board: ReachBoard | None, usual: float) -> Model:
        """Return a model that waits for its endpoint, by default for `usual` seconds at most."""
        limit = usual if self.outage_limit is None else self.outage_limit
        if board is None or not limit:
            return client
        return PatientModel(client, client.address, board, limit)

    def without_waiting(self) -> ModelOptions:
        """Return the options of models that give up at once if their endpoint is away."""
        seats = {seat: own.without_waiting() for seat, own in self.seats.items()}
        return self.model_copy(update={"outage_limit": 0.0, "seats": seats})

    def divide(self, count: int) -> list[ModelOptions]:
        """Return the options of `count` models, whose names `model` lists, separated by commas.

        A single name stands for all of them. Raise InputError if the number of names is neither 1
        nor `count`.
        """
        names = self.model.split(",") if self.model else [None]
        if len(names) == 1:
            return [self] * count
        if len(names) != count:
            raise InputError("--model", f"expected one model or {count}, not {len(names)}")
        return [self.model_copy(update={"model": name}) for name in names]

    def with_absolute_paths(self) -> ModelOptions:
        """Return the options with absolute paths, so that another folder can resume the run."""
        return self.model_copy(
            update={
                name: path.resolve()
                for name, path in (("record", self.record), ("replay", self.replay))
                if path
            }
            | {"seats": {seat: own.with_absolute_paths() for seat, own in self.seats.items()}}
        )


MakeModel = Callable[[ModelOptions, Agent], Model]
"""A function that makes an agent's model in place of the one that its options describe."""


class Models:
    """The maker of an episode's models, for one planner or for each of the `seats`.

    Seats with equal options share a model. A seat's own budget limits the calls of that seat; the
    common budget limits the calls of all seats together. The constructor raises InputError if the
    options name an unknown seat.
    """

    def __init__(
        self,
        options: ModelOptions,
        seats: Sequence[str] = (),
        make_model: MakeModel | None = None,
    ) -> None:
        for seat in options.seats:
            if seat not in seats:
                known = f"there is no seat {seat!r}; expected {', '.join(seats)}"
                unseated = (
                    f"names seat {seat!r}; add --planner SEAT=PLANNER, or write a name with = as "
                    f"--model ={seat}=..."
                )
                raise InputError("--model and its options", known if seats else unseated)
        self.options = options
        self._made: dict[tuple[ModelOptions, Agent], Model] = {}
        self._meters: dict[Agent, Meter] = {}
        self._whole: Meter | None = None
        most = options.calls_at_once
        self._turns = None if most is None else asyncio.Semaphore(most)
        self._seats = seats
        self._make_model = make_model
        self.asked = False
        """True if a planner has requested one of these models."""

    def of(self, agent: Agent, options: ModelOptions) -> Model:
        """Return the model for an agent, as `options` describe it.

        Raise InputError if a budget of money lacks prices, and the errors of `ModelOptions.make`.
        """
        if agent is not None and self.options.budget_money is not None and options.prices is None:
            raise InputError("--budget-money", f"give prices of the model of seat {agent!r}")
        self.asked = True
        made = options, agent if self._make_model else None
        if made not in self._made:
            model = self._make_model(options, agent) if self._make_model else options.make()
            self._made[made] = model if self._turns is None else take_turns(model, self._turns)
        return self.limit(agent, options, self._made[made])

    def limit(self, agent: Agent, options: ModelOptions, model: Model) -> Model:
        """Return the model with the limits of an agent's budgets; unchanged if there are none."""
        meters = []
        if options.budget.limited:
            own = Meter(options.budget, {agent: options.prices}, agent)
            meters.append(self._meters.setdefault(agent, own))
        if agent is not None and (whole := self._common_meter()):
            meters.append(whole)
        return count_calls(model, meters, agent) if meters else model

    def _common_meter(self) -> Meter | None:
        """Return the meter that counts for all seats; None if they have no common budget."""
        if self._whole is None:
            prices: dict[Agent, Prices | None] = {
                seat: self.options.of_seat(seat).prices for seat in self._seats
            }
            budget = self.options.budget_at(next(filter(None, prices.values()), None))
            self._whole = Meter(budget, prices) if budget.limited else None
        return self._whole
