"""The foods a recipe talks about, as they are cut, cooked and put together in the telling."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from kitchen.components import Component, DonenessTable, StepSpec, combine
from kitchen.layout import ASSEMBLE, STANDARD_WORK
from worlds.restaurant.reading.text import Span

KNIFE = frozenset({"chop", "slice", "peel", "grate"})
MIXER = frozenset({"mix", "blend", "knead"})
VESSEL = frozenset({"boil", "fry"})
COOKING = frozenset({"boil", "fry", "grill", "bake", "deep-fry"})

Bond = Literal["none", "mixed", "vessel", "loose", "strewn", "coated", "open"]
"""How a thing's parts hang together: not at all (one food), mixed, cooked in one vessel, or only
laid together: loosely, strewn over one another, or wrapped in one another. An `open` thing has been
named but not made yet."""

TENTATIVE = frozenset({"loose", "strewn", "coated"})


@dataclass(eq=False, slots=True)
class Step:
    """A step in the making: minutes and level are filled in as they are told.

    A `soft` step may yet turn out to be another one; a `passing` one is no step unless a time is
    told of it: what is only added to something cooked need not cook.
    """

    process: str
    low: int = 0
    high: int = 0
    level: str | None = None
    soft: bool = False
    passing: bool = False
    span: Span | None = None

    @property
    def told(self) -> bool:
        """Whether minutes or a level have been told."""
        return bool(self.low or self.level)

    def tell(self, span: Span | None, level: str | None) -> None:
        """Take minutes and level where none are known."""
        if self.told:
            return
        if span is not None:
            self.low, self.high, self.span = span.low, span.high, span
        elif level is not None:
            self.level = level


@dataclass(eq=False, slots=True)
class Thing:
    """A food or mixture in the telling."""

    name: str = ""
    parts: list[Thing] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    bond: Bond = "none"
    labels: set[str] = field(default_factory=set)
    parent: Thing | None = None
    used: bool = False
    anchor: int | None = None

    @property
    def tentative(self) -> bool:
        """Whether its parts only lie together so far."""
        return self.bond in TENTATIVE and not self.steps

    @property
    def raw(self) -> bool:
        """Whether it is a food to which nothing was done so far."""
        return not self.parts and not self.steps and self.bond == "none"

    @property
    def cooking(self) -> bool:
        """Whether its parts lie in one vessel, for a time that is still to be told."""
        return self.bond == "vessel" and not self.steps and all(
            part.steps and not part.steps[-1].told for part in self.parts
        )  # fmt: skip

    def leaves(self) -> Iterator[Thing]:
        """The ingredients it is made of."""
        if self.parts:
            for part in self.parts:
                yield from part.leaves()
        elif self.name:
            yield self

    def names(self) -> set[str]:
        """Names of the ingredients it is made of."""
        return {leaf.name for leaf in self.leaves()}

    def top(self) -> Thing:
        """The outermost thing it is part of."""
        thing = self
        while thing.parent is not None:
            thing = thing.parent
        return thing

    def settled(self) -> Thing:
        """The outermost thing it is part of for good, leaving out what merely lies together."""
        thing, found = self, self
        while thing.parent is not None:
            thing = thing.parent
            if not thing.tentative:
                found = thing
        return found

    def adopt(self, parts: Iterable[Thing]) -> None:
        """Take further parts."""
        for part in parts:
            outer = part.top()
            if outer is not self.top():
                outer.parent = self
                self.parts.append(outer)

    def step_of(self, process: str) -> Step | None:
        """Its last step of a process."""
        return next((step for step in reversed(self.steps) if step.process == process), None)

    def add_step(self, process: str, *, earlier: bool) -> Step:
        """Its step of `process`, new or known; where `earlier`, before what was told so far."""
        known = self.step_of(process)
        if known is not None:
            if not known.told and process in COOKING and known.soft:
                self.steps.remove(known)
                self.steps.append(known)
            return known
        step = Step(process)
        raw = all(known.process in KNIFE for known in self.steps)
        if process == "peel" and raw and not self.parts:
            self.steps.insert(0, step)
            return step
        cooked = [i for i, s in enumerate(self.steps) if s.process in COOKING]
        in_vessel = self.parent is not None and self.parent.bond == "vessel" and bool(cooked)
        if in_vessel and not earlier:
            self.steps.insert(cooked[-1], step)
        elif earlier and cooked:
            if self.anchor is None:
                self.anchor = cooked[0] if process in KNIFE else cooked[-1]
            self.steps.insert(self.anchor, step)
            self.anchor += 1
        else:
            self.anchor = None
            self.steps.append(step)
        return step


def dissolved(things: Iterable[Thing]) -> list[Thing]:
    """The things themselves, each that merely lies together replaced by its parts."""
    found: list[Thing] = []
    for thing in things:
        if thing.tentative:
            parts, thing.parts = thing.parts, []
            for part in parts:
                part.parent = None
            thing.bond = "open"
            found += dissolved(parts)
        elif thing not in found:
            found.append(thing)
    return found


def tops(things: Iterable[Thing]) -> list[Thing]:
    """The outermost things, each once."""
    found: list[Thing] = []
    for thing in things:
        if thing.top() not in found:
            found.append(thing.top())
    return found


def component_of(thing: Thing, doneness: DonenessTable, doubts: list[str]) -> Component | None:
    """The thing as a component; None if nothing is in it. Doubts say what was not told."""
    parts = [component_of(part, doneness, doubts) for part in thing.parts]
    known = [part for part in parts if part is not None]
    if not known and not thing.name:
        return None
    component = combine(known) if known else Component(thing.name)
    cut = any(step.process in KNIFE and step.process != "peel" and not step.soft
              for step in thing.steps)  # fmt: skip
    steps = [
        spec
        for step in thing.steps
        if not (cut and step.soft and step.process == "chop")
        if (spec := _spec(step, component, doneness, doubts)) is not None
        and not (step.process == ASSEMBLE and len(known) < 2)
    ]
    return component.with_steps((*component.steps, *steps))


def _spec(
    step: Step, component: Component, doneness: DonenessTable, doubts: list[str]
) -> StepSpec | None:
    if step.low:
        return StepSpec(step.process, step.low, step.high)
    entry = doneness.get((component.name, step.process))
    if step.level and entry is not None and step.level in entry.levels:
        return StepSpec(step.process, *entry.levels[step.level], step.level)
    if step.process in STANDARD_WORK:
        return StepSpec(step.process, *(STANDARD_WORK[step.process],) * 2)
    if step.process in COOKING and not step.passing:
        doubts.append(f"It is not said for how long to {step.process} the {component.name}.")
    return None
