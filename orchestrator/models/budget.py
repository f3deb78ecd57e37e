"""Budgets: the limits of an episode's model calls, and counts of the calls, tokens and money."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from cookmas.episodes.conversation import Usage
from cookmas.episodes.parts import AnsweredRequest

MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """Prices in money per million tokens."""

    input: float
    """Price of tokens in the prompt."""
    output: float
    """Price of tokens in the answer."""
    cached: float | None = None
    """Price of prompt tokens from the endpoint's cache; None if they cost as much as others."""

    def cost(self, usage: Usage) -> float:
        """Return the cost of a call, in the currency of the prices."""
        cached = self.input if self.cached is None else self.cached
        fresh = usage.prompt - usage.cached
        return (
            fresh * self.input + usage.cached * cached + usage.completion * self.output
        ) / MILLION


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """The model calls of an episode so far, and their tokens."""

    calls: int = 0
    """Number of calls."""
    usage: Usage = field(default_factory=lambda: Usage(prompt=0, completion=0))
    """Tokens of all calls together."""

    @classmethod
    def by(cls, calls: Iterable[AnsweredRequest]) -> Spent:
        """Return the number of the given calls, and their tokens."""
        spent = cls()
        for call in calls:
            spent = spent.plus(call.usage)
        return spent

    def plus(self, usage: Usage) -> Spent:
        """Return this amount plus one more call with the tokens `usage`."""
        return self.and_also(Spent(calls=1, usage=usage))

    def and_also(self, other: Spent) -> Spent:
        """Return the sum of this amount and another one."""
        mine, its = self.usage, other.usage
        return Spent(
            calls=self.calls + other.calls,
            usage=Usage(
                prompt=mine.prompt + its.prompt,
                completion=mine.completion + its.completion,
                cached=mine.cached + its.cached,
                reasoning=mine.reasoning + its.reasoning,
                estimated=mine.estimated or its.estimated,
            ),
        )


NOTHING_SPENT = Spent()


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Limits on the calls, tokens and money of one episode; None stands for no limit.

    A planner may call the model as long as no limit is reached. So the last call can exceed the
    limits on tokens and money.
    """

    calls: int | None = None
    """Greatest number of calls."""
    tokens: int | None = None
    """Greatest number of tokens, in prompts and answers together."""
    money: float | None = None
    """Greatest amount of money; this limit needs `prices`."""
    prices: Prices | None = None
    """Prices from which the budget calculates the money."""

    def __post_init__(self) -> None:
        if self.money is not None and self.prices is None:
            raise ValueError("a budget of money needs prices")

    @property
    def limited(self) -> bool:
        """True if there is any limit."""
        return (self.calls, self.tokens, self.money) != (None, None, None)

    def find_reached_limit(self, spent: Spent, cost: float | None = None) -> str | None:
        """Return in words which limit is reached; None if another call is allowed.

        `cost` is the money spent so far; by default it is the cost of `spent` at the budget's
        prices.
        """
        if self.calls is not None and spent.calls >= self.calls:
            return f"{spent.calls} of {self.calls} model calls are made"
        if self.tokens is not None and spent.usage.total >= self.tokens:
            return f"{spent.usage.total} of {self.tokens} tokens are used"
        if cost is None:
            cost = self.prices.cost(spent.usage) if self.prices else 0.0
        if self.money is not None and cost >= self.money:
            return f"{cost:.4f} of {self.money:g} are spent"
        return None


UNLIMITED = Budget()
