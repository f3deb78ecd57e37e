"""The price of thinking: how many timesteps pass until an answer of a planner takes effect.

The words are those of RealtimeGym (Wen et al. 2025), where each step of the environment is worth a
number of tokens, and of Gaia2 (Froger et al. 2025), whose clock runs while a model answers.
The price is computed from what the trace records, so that equal answers take equal time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, NamedTuple, Self

from cookmas.files.errors import InputError

if TYPE_CHECKING:
    from cookmas.episodes.trace import ModelCall

Unit = Literal["tokens", "seconds", "timesteps", "real seconds"]

_PRICE = re.compile(r"(\d+(?:\.\d+)?) (tokens|seconds|timesteps)")

MOST_PRICE = 10**9
"""Greatest number in a price of thinking."""

USUAL_TOKENS = 500
"""Tokens that a model is expected to write for its first answer."""


class Charge(NamedTuple):
    """What an answer costs."""

    timesteps: int
    """The whole timesteps that pass until it takes effect."""
    rest: float = 0.0
    """The units that are left over, which count towards the next answer."""


class ThinkingPrice(NamedTuple):
    """The price of an answer in timesteps."""

    amount: float
    """Number of units."""
    unit: Unit
    """`tokens`: one timestep passes for `amount` tokens that the planner has written.
    `seconds`: a timestep is `amount` seconds long, and the planner declares its seconds.
    `timesteps`: each answer takes `amount` timesteps.
    `real seconds`: by a wall clock a timestep is `amount` seconds long, and nobody knows before
    when the answer comes.
    """
    spent: float = 0.0
    """The units that are left over of earlier answers."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the price that a text such as `500 tokens` describes.

        Raise InputError if it describes none.
        """
        found = _PRICE.fullmatch(text.strip())
        amount = float(found[1]) if found else 0.0
        if not found or not 0 < amount <= MOST_PRICE:
            expected = "expected a number of tokens, seconds or timesteps, such as '500 tokens'"
            raise InputError("--thinking", f"{expected}, not {text!r:.60}")
        unit: Unit = found[2]  # type: ignore[assignment]
        if unit != "seconds" and not amount.is_integer():
            expected = f"a price in {unit} is a whole number, such as '3 {unit}'"
            raise InputError("--thinking", f"{expected}, not {text!r:.60}")
        return cls(amount, unit)

    def __str__(self) -> str:
        """Return the text that describes the price."""
        amount = int(self.amount) if self.amount.is_integer() else self.amount
        return f"{amount} {self.unit}"

    def count_units(self, calls: Iterable[ModelCall] = (), seconds: float = 0.0) -> float:
        """Return the tokens or the seconds that an answer is charged for; 0 at other prices.

        `calls` are the model calls for the answer, and `seconds` are those that it declares. Only
        the tokens that the planner has written count, and not those that it has read.
        """
        match self.unit:
            case "tokens":
                return sum(call.usage.completion for call in calls)
            case "seconds":
                return seconds
        return 0

    def charge(self, calls: Iterable[ModelCall] = (), seconds: float = 0.0) -> Charge:
        """Return what an answer costs, together with what is left over of earlier answers.

        An answer that fills no timestep takes effect at once. By a wall clock an answer costs
        nothing. The arguments are as in `count_units`.
        """
        from decimal import Decimal

        if self.unit in ("timesteps", "real seconds"):
            return Charge(int(self.amount) if self.unit == "timesteps" else 0)
        amount, spent, units = (
            Decimal(repr(number))
            for number in (self.amount, self.spent, self.count_units(calls, seconds))
        )
        timesteps, rest = divmod(spent + units, amount)
        return Charge(int(timesteps), float(rest))

    def expect(self, slowest: int | None, *, writes: bool) -> int:
        """Return an estimate of the timesteps that an answer takes; a price in timesteps is exact.

        The answer is expected to take as long as the slowest one so far, if there is one. The first
        answer of a model that `writes` schedules is expected to have `USUAL_TOKENS` tokens, and to
        take a timestep at least.
        """
        if slowest is not None or self.unit != "tokens" or not writes:
            return max(self.charge().timesteps, slowest or 0)
        return max(1, int(USUAL_TOKENS / self.amount))

    @property
    def for_models(self) -> bool:
        """True if answers of models take time at this price; they declare no seconds."""
        return self.unit != "seconds"

    def describe(self) -> str:
        """Return the price in words, as a model is told it."""
        match self.unit:
            case "tokens":
                rest = "what is left over counts towards your next answer"
                return f"one timestep passes for {int(self.amount)} tokens that you write; {rest}"
            case "timesteps":
                passing = "timestep passes" if self.amount == 1 else "timesteps pass"
                return f"{int(self.amount)} {passing} for each answer"
        return f"one timestep passes in {self.amount:g} seconds"
