"""Budgets: what an episode may spend on a model, and what it has spent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from episodes.conversation import Usage
from episodes.trace import AnsweredRequest

MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """Money per million tokens; `cached` is that of prompt tokens from the endpoint's cache.

    Without `cached` these cost as much as the others.
    """

    input: float
    output: float
    cached: float | None = None

    def cost(self, usage: Usage) -> float:
        """What a call costs, in the currency of the prices."""
        cached = self.input if self.cached is None else self.cached
        fresh = usage.prompt - usage.cached
        return (
            fresh * self.input + usage.cached * cached + usage.completion * self.output
        ) / MILLION


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Calls of a model so far in an episode, and the tokens of all of them together."""

    calls: int = 0
    usage: Usage = field(default_factory=lambda: Usage(prompt=0, completion=0))

    @classmethod
    def by(cls, calls: Iterable[AnsweredRequest]) -> Spent:
        """What these calls spent."""
        spent = cls()
        for call in calls:
            spent = spent.plus(call.usage)
        return spent

    def plus(self, usage: Usage) -> Spent:
        """With one more call."""
        return self.and_also(Spent(calls=1, usage=usage))

    def and_also(self, other: Spent) -> Spent:
        """With what somebody else has spent."""
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
    """What one episode may spend; None is no limit.

    `tokens` are those in and out; `money` is counted with `prices`. A call is made as long as no
    limit is reached, so tokens and money can go beyond theirs by one call.
    """

    calls: int | None = None
    tokens: int | None = None
    money: float | None = None
    prices: Prices | None = None

    def __post_init__(self) -> None:
        if self.money is not None and self.prices is None:
            raise ValueError("a budget of money needs prices")

    @property
    def limited(self) -> bool:
        """Whether there is any limit."""
        return (self.calls, self.tokens, self.money) != (None, None, None)

    def reached(self, spent: Spent, cost: float | None = None) -> str | None:
        """Which limit is reached, in words; None if another call may be made.

        `cost` is what was spent in money, where the calls were not all made at the same prices.
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
