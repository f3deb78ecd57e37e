"""Customizations: whether each was kept, read off the foods that were served."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evals.verdict import Check, judged, unscored
from kitchen.components import Component, DonenessTable, StepSpec, pairing
from kitchen.customizations import Customization, Done, Extra, Longer, Swap, Without
from kitchen.foods import Dish, Food, Step
from worlds.restaurant.evaluators.comparison import compare
from worlds.restaurant.evaluators.evidence import NO_TRUTH, KitchenEvidence, Line
from worlds.restaurant.evaluators.wording import DONE, said


def customizations(evidence: KitchenEvidence) -> Iterator[Check]:
    """`customization` for every wish of every standing line."""
    for line in evidence.standing:
        try:
            wishes = evidence.truth.wishes(line.name, line.note)
        except KeyError:
            yield unscored("customization", line.name, "the truth does not say what the words mean")
            continue
        for wish in wishes:
            yield _judge(line, wish, wishes, evidence.truth.doneness)


def _judge(
    line: Line, wish: Customization, wishes: Sequence[Customization], doneness: DonenessTable
) -> Check:
    subject = f"{line.name}: {wish}"
    if line.dish is None or line.wanted is None:
        why = "not served" if line.dish is None else NO_TRUTH
        return unscored("customization", subject, why)
    table = _Table(dish=line.dish, wanted=line.wanted, doneness=doneness)
    finding = table.judge(wish, _names(wishes).get(wish.food, wish.food))
    return judged(
        "customization",
        subject,
        finding.kept,
        evidence=table.history(finding.foods),
        reason=finding.reason,
    )


def _names(wishes: Sequence[Customization]) -> dict[str, str]:
    """The food that stands in the place of each that was swapped."""
    return {wish.food: wish.by for wish in wishes if isinstance(wish, Swap)}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Finding:
    """Whether a wish was kept (None: it cannot be said), why, and which foods show it."""

    kept: bool | None
    reason: str
    foods: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """A served dish beside what it should have been."""

    dish: Dish
    wanted: tuple[Component, ...]
    doneness: DonenessTable

    def judge(self, wish: Customization, name: str) -> _Finding:
        """Judge one wish; `name` is the food now in the place of the one it speaks of."""
        match wish:
            case Without():
                return self._without(wish)
            case Extra():
                return self._extra(wish)
            case Swap():
                return self._swap(wish)
            case Done():
                return self._done(wish, name)
            case Longer():
                return self._longer(wish, name)

    def history(self, foods: Sequence[str]) -> str:
        """The served components with any of these foods in them, with all that was done to them."""
        shown = [c for c in self.dish.components if not set(foods).isdisjoint(c.ingredients())]
        return "; ".join(map(str, shown)) or f"no {' or '.join(foods)} in {self.dish}"

    def _served(self, food: str) -> tuple[Food, ...]:
        return tuple(
            node
            for component in self.dish.components
            for node in _walk(component)
            if not node.parts and node.name == food
        )

    def _wanted(self, food: str) -> tuple[Component, ...]:
        return tuple(
            node
            for component in self.wanted
            for node in component.walk()
            if not node.parts and node.name == food
        )

    def _without(self, wish: Without) -> _Finding:
        found = len(self._served(wish.food))
        return _Finding(
            kept=found == 0, reason=f"{wish.food} in the dish: {found}", foods=(wish.food,)
        )

    def _extra(self, wish: Extra) -> _Finding:
        wanted, found = len(self._wanted(wish.food)), len(self._served(wish.food))
        if not wanted:
            return _not_there(wish.food)
        return _Finding(
            kept=found == wanted,
            reason=f"portions of {wish.food}: {found}, wanted {wanted}",
            foods=(wish.food,),
        )

    def _swap(self, wish: Swap) -> _Finding:
        wanted, served = self._wanted(wish.by), self._served(wish.by)
        if not wanted:
            return _not_there(wish.by)
        left = len(self._served(wish.food)) - len(self._wanted(wish.food))
        problems = [f"{wish.food} still in the dish"] if left > 0 else []
        if pairing(served, wanted) is None:
            problems += map(str, compare(served, wanted, self.doneness))
        alike = f"{wish.by} in its place, treated as {wish.food} would be"
        return _Finding(
            kept=not problems,
            reason="; ".join(problems) or alike,
            foods=(wish.food, wish.by),
        )

    def _done(self, wish: Done, food: str) -> _Finding:
        windows = {
            (process, entry.levels.get(wish.level))
            for (named, process), entry in self.doneness.items()
            if named == wish.food
        }
        steps = [step for leaf in self._wanted(food) for step in leaf.steps]
        asked = [step for step in steps if (step.process, (step.low, step.high)) in windows]
        found = [s for leaf in self._served(food) for s in leaf.steps]
        return _within(asked, found, food)

    def _longer(self, wish: Longer, food: str) -> _Finding:
        asked = [
            step
            for component in self.wanted
            for node in component.walk()
            if food in node.ingredients()
            for step in node.steps
            if step.process == wish.process
        ]
        found = [
            step
            for component in self.dish.components
            for node in _walk(component)
            if food in node.ingredients()
            for step in node.steps
        ]
        return _within(asked, found, food)


def _walk(food: Food) -> Iterator[Food]:
    yield food
    for part in food.parts:
        yield from _walk(part)


def _not_there(food: str) -> _Finding:
    return _Finding(kept=None, reason=f"the dish that was asked for has no {food}", foods=(food,))


def _within(asked: Sequence[StepSpec], found: Sequence[Step], food: str) -> _Finding:
    """Whether the asked process was done, and each time within the minutes that were asked."""
    if not asked:
        return _Finding(
            kept=None,
            reason=f"the dish that was asked for does not do this to {food}",
            foods=(food,),
        )
    processes = {spec.process for spec in asked}
    done = [step for step in found if step.process in processes]
    kept = all(
        any(s.process == step.process and s.low <= step.minutes <= s.high for s in asked)
        for step in done
    )
    got = " and ".join(map(said, done)) or f"not {' or '.join(DONE[p] for p in sorted(processes))}"
    plain = dict.fromkeys(spec._replace(level=None) for spec in asked)
    wanted = " and ".join(map(said, plain))
    return _Finding(
        kept=bool(done) and kept, reason=f"{food} {got}, wanted {wanted}", foods=(food,)
    )
