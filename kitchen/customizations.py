"""The customizations a customer can ask for, as typed values, and their effect on a dish."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from cookmas.kitchen.components import Component, DonenessTable, StepSpec, combine


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """Cook `food` to another `level` of doneness, wherever the recipe names a level for it."""

    food: str
    level: str

    def __str__(self) -> str:
        return f"{self.food} {self.level}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Without:
    """Leave `food` out of the whole dish, sauces included."""

    food: str

    def __str__(self) -> str:
        return f"without {self.food}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extra:
    """Add one more of `food`, prepared in the same way, wherever the recipe has it."""

    food: str

    def __str__(self) -> str:
        return f"extra {self.food}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap:
    """Use `by` in place of `food` and treat it exactly like `food`, minute for minute."""

    food: str
    by: str

    def __str__(self) -> str:
        return f"{self.by} instead of {self.food}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Longer:
    """Apply `process` for `minutes` more to everything that contains `food`; fewer if negative.

    Both ends of the recipe's minutes move, and neither falls below one.
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
    """Return the components of a dish as the customer wants it, sorted.

    The kinds of customization apply in a fixed order, so that the order of naming them makes no
    difference: doneness, minutes, swaps, omissions, extras.
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
            change = lambda leaf: [_cook_to_level(leaf, wish, doneness)]  # noqa: E731
        case Longer():
            return [_cook_longer(component, wish) for component in components]
        case Swap():
            change = lambda leaf: [_swap(leaf, wish.by)]  # noqa: E731
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
    """Return what a component becomes if `change` replaces every `food` in it.

    A mixture of which no part is left vanishes.
    """
    if not component.parts:
        return change(component) if component.name == food else [component]
    parts = [new for part in component.parts for new in _change_leaves(part, food, change)]
    if not parts:
        return []
    joined = combine(parts)
    steps = joined.steps
    for step in _steps_of_rest(component, len(parts)):
        steps = _append_step(steps, step)
    return [joined.with_steps(steps)]


def _steps_of_rest(component: Component, parts: int) -> tuple[StepSpec, ...]:
    """Return the steps that still apply to a mixture with `parts` parts left.

    A single part is not assembled.
    """
    if parts > 1:
        return component.steps
    return tuple(step for step in component.steps if step.process != "assemble")


def _append_step(steps: tuple[StepSpec, ...], step: StepSpec) -> tuple[StepSpec, ...]:
    """Append a step; as for real food, add the minutes up if the last step has the same process."""
    if steps and steps[-1].process == step.process:
        low, high = steps[-1].low + step.low, steps[-1].high + step.high
        return (*steps[:-1], StepSpec(step.process, low, high))
    return (*steps, step)


def _cook_to_level(leaf: Component, wish: Done, doneness: DonenessTable) -> Component:
    return leaf.with_steps(
        StepSpec(step.process, *doneness[leaf.name, step.process].levels[wish.level], wish.level)
        if step.level is not None and wish.level in doneness[leaf.name, step.process].levels
        else step
        for step in leaf.steps
    )


def _swap(leaf: Component, by: str) -> Component:
    """Return another food with the same steps; a level of doneness becomes its minutes."""
    return Component(by, (), tuple(step._replace(level=None) for step in leaf.steps))


def _cook_longer(component: Component, wish: Longer) -> Component:
    if wish.food not in component.ingredients():
        return component
    return replace(
        component,
        parts=tuple(sorted((_cook_longer(part, wish) for part in component.parts), key=str)),
        steps=tuple(
            StepSpec(
                step.process, max(1, step.low + wish.minutes), max(1, step.high + wish.minutes)
            )
            if step.process == wish.process
            else step
            for step in component.steps
        ),
    )
