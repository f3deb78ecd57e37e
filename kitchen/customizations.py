"""What a customer can ask for, as typed values, and what each does to the components of a dish."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from kitchen.components import Component, DonenessTable, StepSpec, combine


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """`food` cooked to another `level` of doneness, wherever the recipe names one for it."""

    food: str
    level: str

    def __str__(self) -> str:
        return f"{self.food} {self.level}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Without:
    """No `food` anywhere in the dish, sauces included."""

    food: str

    def __str__(self) -> str:
        return f"without {self.food}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extra:
    """One more of `food`, done in the same way, wherever the recipe has it."""

    food: str

    def __str__(self) -> str:
        return f"extra {self.food}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap:
    """`by` in the place of `food`, treated exactly as `food` would be, minute for minute."""

    food: str
    by: str

    def __str__(self) -> str:
        return f"{self.by} instead of {self.food}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Longer:
    """`process` done to what contains `food` for `minutes` more; fewer where negative.

    Both ends of the recipe's minutes move, neither below one.
    """

    food: str
    process: str
    minutes: int

    def __str__(self) -> str:
        return f"{self.process} {self.food} {self.minutes:+d}"


Customization = Done | Without | Extra | Swap | Longer


def customise(
    components: Iterable[Component],
    customizations: Iterable[Customization],
    doneness: DonenessTable,
) -> tuple[Component, ...]:
    """The components of a dish as the customer wants it, sorted.

    Customizations are applied in a fixed order of their kinds, so that the order in which they
    are named makes no difference: doneness and minutes, then swaps, omissions, extras.
    """
    result = tuple(components)
    for customization in sorted(customizations, key=lambda c: (_ORDER.index(type(c)), str(c))):
        result = tuple(_apply(result, customization, doneness))
    return tuple(sorted(result, key=str))


_ORDER = (Done, Longer, Swap, Without, Extra)


def _apply(
    components: tuple[Component, ...], wish: Customization, doneness: DonenessTable
) -> list[Component]:
    change: Callable[[Component], list[Component]]
    match wish:
        case Done():
            change = lambda leaf: [_redone(leaf, wish, doneness)]  # noqa: E731
        case Longer():
            return [_longer(component, wish) for component in components]
        case Swap():
            change = lambda leaf: [_swapped(leaf, wish.by)]  # noqa: E731
        case Without():
            change = lambda leaf: []  # noqa: E731
        case Extra():
            change = lambda leaf: [leaf, leaf]  # noqa: E731
    return [
        changed
        for component in components
        for changed in _change_leaves(component, wish.food, change)
    ]


def _change_leaves(
    component: Component, food: str, change: Callable[[Component], list[Component]]
) -> list[Component]:
    """Replace every `food` in `component`; what is joined of nothing vanishes."""
    if not component.parts:
        return change(component) if component.name == food else [component]
    parts = [new for part in component.parts for new in _change_leaves(part, food, change)]
    if not parts:
        return []
    joined = combine(parts)
    steps = joined.steps
    for step in _still_done(component, len(parts)):
        steps = _then(steps, step)
    return [joined.with_steps(steps)]


def _still_done(component: Component, parts: int) -> tuple[StepSpec, ...]:
    """Steps done to a mixture that has `parts` left: one food alone is not assembled."""
    if parts > 1:
        return component.steps
    return tuple(step for step in component.steps if step.process != "assemble")


def _then(steps: tuple[StepSpec, ...], step: StepSpec) -> tuple[StepSpec, ...]:
    """The steps and one more; the same process twice in a row is one, as it is in food."""
    if steps and steps[-1].process == step.process:
        low, high = steps[-1].low + step.low, steps[-1].high + step.high
        return (*steps[:-1], StepSpec(step.process, low, high))
    return (*steps, step)


def _redone(leaf: Component, wish: Done, doneness: DonenessTable) -> Component:
    return leaf.with_steps(
        StepSpec(step.process, *doneness[leaf.name, step.process].levels[wish.level], wish.level)
        if step.level is not None and wish.level in doneness[leaf.name, step.process].levels
        else step
        for step in leaf.steps
    )


def _swapped(leaf: Component, by: str) -> Component:
    """Another food treated the same way: a level of doneness stays as the minutes it stood for."""
    return Component(by, (), tuple(step._replace(level=None) for step in leaf.steps))


def _longer(component: Component, wish: Longer) -> Component:
    if wish.food not in component.ingredients():
        return component
    return replace(
        component,
        parts=tuple(sorted((_longer(part, wish) for part in component.parts), key=str)),
        steps=tuple(
            StepSpec(
                step.process, max(1, step.low + wish.minutes), max(1, step.high + wish.minutes)
            )
            if step.process == wish.process
            else step
            for step in component.steps
        ),
    )
