"""Customizations: whether the served foods fulfil each of the customers' wishes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cookmas.evals.verdict import Check, make_check, make_unscored
from cookmas.kitchen.components import Component, DonenessTable, StepSpec, pair_off
from cookmas.kitchen.customizations import Customization, Done, Extra, Longer, Swap, Without
from cookmas.kitchen.foods import Dish, Food, FoodStep
from cookmas.worlds.restaurant.judging.comparison import DONE, compare, describe_step
from cookmas.worlds.restaurant.judging.evidence import NO_TRUTH, KitchenEvidence, LineEvidence


def customizations(evidence: KitchenEvidence) -> Iterator[Check]:
    """Yield `customization` for every wish of every standing line."""
    for line in evidence.standing:
        try:
            wishes = evidence.truth.wishes(line.name, line.note)
        except KeyError:
            yield make_unscored(
                "customization", line.name, "the truth does not say what the words mean"
            )
            continue
        for wish in wishes:
            yield _judge(line, wish, wishes, evidence.truth.doneness)


def _judge(
    line: LineEvidence,
    wish: Customization,
    wishes: Sequence[Customization],
    doneness: DonenessTable,
) -> Check:
    subject = f"{line.name}: {wish}"
    if line.dish is None or line.wanted is None:
        why = "not served" if line.dish is None else NO_TRUTH
        return make_unscored("customization", subject, why)
    table = _Table(dish=line.dish, wanted=line.wanted, doneness=doneness)
    finding = table.judge(wish, _names(wishes).get(wish.food, wish.food))
    return make_check(
        "customization",
        subject,
        finding.kept,
        evidence=table.history(finding.foods),
        reason=finding.reason,
    )


def _names(wishes: Sequence[Customization]) -> dict[str, str]:
    """Return, for each food that a wish swaps, the food that replaces it."""
    return {wish.food: wish.by for wish in wishes if isinstance(wish, Swap)}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Finding:
    """The judgement of one wish."""

    kept: bool | None
    """True if the wish was fulfilled; None if that cannot be decided."""
    reason: str
    foods: tuple[str, ...]
    """The foods that show whether the wish was fulfilled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """A served dish, beside the components that the customer wanted."""

    dish: Dish
    wanted: tuple[Component, ...]
    doneness: DonenessTable

    def judge(self, wish: Customization, name: str) -> _Finding:
        """Judge one wish. `name` is the wish's food, or the food that another wish swaps it for."""
        match wish:
            case Without():
                return self._judge_without(wish)
            case Extra():
                return self._judge_extra(wish)
            case Swap():
                return self._judge_swap(wish)
            case Done():
                return self._judge_done(wish, name)
            case Longer():
                return self._judge_longer(wish, name)

    def history(self, foods: Sequence[str]) -> str:
        """Return the served components that contain any of these foods, with their history."""
        shown = [c for c in self.dish.components if not set(foods).isdisjoint(c.ingredients())]
        return "; ".join(map(str, shown)) or f"no {' or '.join(foods)} in {self.dish}"

    def _portions_served(self, food: str) -> tuple[Food, ...]:
        return tuple(
            node
            for component in self.dish.components
            for node in _walk(component)
            if not node.parts and node.name == food
        )

    def _portions_wanted(self, food: str) -> tuple[Component, ...]:
        return tuple(
            node
            for component in self.wanted
            for node in component.walk()
            if not node.parts and node.name == food
        )

    def _judge_without(self, wish: Without) -> _Finding:
        served = len(self._portions_served(wish.food))
        return _Finding(
            kept=served == 0, reason=f"{wish.food} in the dish: {served}", foods=(wish.food,)
        )

    def _judge_extra(self, wish: Extra) -> _Finding:
        wanted = len(self._portions_wanted(wish.food))
        served = len(self._portions_served(wish.food))
        if not wanted:
            return _undecidable_finding(wish.food)
        return _Finding(
            kept=served == wanted,
            reason=f"portions of {wish.food}: {served}, wanted {wanted}",
            foods=(wish.food,),
        )

    def _judge_swap(self, wish: Swap) -> _Finding:
        wanted, served = self._portions_wanted(wish.by), self._portions_served(wish.by)
        if not wanted:
            return _undecidable_finding(wish.by)
        left = len(self._portions_served(wish.food)) - len(self._portions_wanted(wish.food))
        problems = [f"{wish.food} still in the dish"] if left > 0 else []
        if pair_off(served, wanted) is None:
            problems += map(str, compare(served, wanted, self.doneness))
        alike = f"{wish.by} in its place, treated as {wish.food} would be"
        return _Finding(
            kept=not problems,
            reason="; ".join(problems) or alike,
            foods=(wish.food, wish.by),
        )

    def _judge_done(self, wish: Done, food: str) -> _Finding:
        windows = {
            (process, entry.levels.get(wish.level))
            for (named, process), entry in self.doneness.items()
            if named == wish.food
        }
        steps = [step for leaf in self._portions_wanted(food) for step in leaf.steps]
        asked = [step for step in steps if (step.process, (step.low, step.high)) in windows]
        served = [s for leaf in self._portions_served(food) for s in leaf.steps]
        return _judge_minutes(asked, served, food)

    def _judge_longer(self, wish: Longer, food: str) -> _Finding:
        asked = [
            step
            for component in self.wanted
            for node in component.walk()
            if food in node.ingredients()
            for step in node.steps
            if step.process == wish.process
        ]
        served = [
            step
            for component in self.dish.components
            for node in _walk(component)
            if food in node.ingredients()
            for step in node.steps
        ]
        return _judge_minutes(asked, served, food)


def _walk(food: Food) -> Iterator[Food]:
    yield food
    for part in food.parts:
        yield from _walk(part)


def _undecidable_finding(food: str) -> _Finding:
    return _Finding(kept=None, reason=f"the dish that was asked for has no {food}", foods=(food,))


def _judge_minutes(asked: Sequence[StepSpec], served: Sequence[FoodStep], food: str) -> _Finding:
    """Judge whether the food went through an asked process, each time for the asked minutes."""
    if not asked:
        return _Finding(
            kept=None,
            reason=f"the dish that was asked for does not do this to {food}",
            foods=(food,),
        )
    processes = {spec.process for spec in asked}
    done = [step for step in served if step.process in processes]
    kept = all(
        any(s.process == step.process and s.low <= step.minutes <= s.high for s in asked)
        for step in done
    )
    got = (
        " and ".join(map(describe_step, done))
        or f"not {' or '.join(DONE[p] for p in sorted(processes))}"
    )
    plain = dict.fromkeys(spec._replace(level=None) for spec in asked)
    wanted = " and ".join(map(describe_step, plain))
    return _Finding(
        kept=bool(done) and kept, reason=f"{food} {got}, wanted {wanted}", foods=(food,)
    )
