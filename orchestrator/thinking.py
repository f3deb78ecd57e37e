"""The price of thinking: how many timesteps pass until an answer of a planner takes effect.

The words are those of RealtimeGym (Wen et al. 2025), where each step of the environment is worth a
number of tokens, and of Gaia2 (Froger et al. 2025), whose clock runs while a model answers.
The price is computed from what the trace records, so that equal answers take equal time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple, Self

from cookmas.episodes.trace import ModelCall
from cookmas.files.errors import InputError

Unit = Literal["tokens", "seconds", "timesteps", "real seconds"]

_PRICE = re.compile(r"(\d+(?:\.\d+)?) (tokens|seconds|timesteps)")

MOST_PRICE = 10**9
"""Greatest number in a price of thinking."""


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
        return cls(amount, unit)

    def timesteps_of(self, calls: Iterable[ModelCall] = (), seconds: float = 0.0) -> int:
        """Return the number of whole timesteps that pass until an answer takes effect.

        `calls` are the model calls for the answer, and `seconds` are those that it declares. An
        answer that takes less than a timestep takes effect at once. By a wall clock the result is
        0.
        """
        match self.unit:
            case "tokens":
                return int(sum(call.usage.completion for call in calls) / self.amount)
            case "seconds":
                return int(seconds / self.amount)
            case "timesteps":
                return int(self.amount)
        return 0

    @property
    def for_models(self) -> bool:
        """True if answers of models take time at this price; they declare no seconds."""
        return self.unit != "seconds"

    def describe(self) -> str:
        """Return the price in words, as a model is told it."""
        match self.unit:
            case "tokens":
                return f"one timestep passes for {self.amount:g} tokens that you write"
            case "timesteps":
                return f"{self.amount:g} timesteps pass for each answer"
        return f"one timestep passes in {self.amount:g} seconds"
