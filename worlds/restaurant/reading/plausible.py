"""How well a reading hangs together: the loose ends it leaves, each with a weight."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from kitchen.components import Component
from kitchen.layout import ASSEMBLE
from worlds.restaurant.reading import foodwords
from worlds.restaurant.reading.discourse import COOKING, KNIFE
from worlds.restaurant.reading.text import Span


class LooseEnd(NamedTuple):
    """Something that a reading leaves unexplained: how bad it is, and which foods it concerns."""

    weight: int
    foods: frozenset[str]


def loose_ends(
    components: Sequence[Component], doubts: Sequence[str], named: Iterable[str]
) -> list[LooseEnd]:
    """What components leave unexplained; a recipe understood as it was meant leaves nothing.

    `named` are the foods that were talked about.
    """
    served = {name for component in components for name in component.ingredients()}
    ends = [LooseEnd(3, frozenset()) for _ in doubts]
    ends += [LooseEnd(5, frozenset({name})) for name in named if name not in served]
    for component in components:
        weight = _of_component(component, cooked=False)
        if weight:
            ends.append(LooseEnd(weight, frozenset(component.ingredients())))
    return ends


def of_time(span: Span) -> int:
    """How bad it is that a time was told of nothing."""
    if span.low < span.high:
        return 3
    return int(span.low > 1)


def _of_component(component: Component, *, cooked: bool) -> int:
    """Loose ends of a component and its parts; `cooked` if it is cooked as part of something."""
    processes = [step.process for step in component.steps]
    heats = [process for process in processes if process in COOKING]
    cuts = [process for process in processes if process in KNIFE]
    cooked = cooked or bool(heats)
    loose = 3 * sum(a == b for a, b in pairwise(processes))
    loose += 2 * max(0, len(heats) - (1 if component.parts else 2))
    if component.parts:
        loose += 4 * len(cuts) + 2 * (processes[-1:] == [ASSEMBLE])
        return loose + sum(_of_component(part, cooked=cooked) for part in component.parts)
    name = component.name
    loose += 2 * max(0, len([cut for cut in cuts if cut != "peel"]) - 1)
    loose += 3 * ("peel" in processes[1:])
    loose += 4 * (len(cuts) if name in foodwords.UNCUT else 0)
    loose += 4 * sum(process in ("mix", "knead") for process in processes)
    loose += 4 * (name in foodwords.NEVER_RAW and not cooked)
    loose += 2 * (name in foodwords.NEVER_WHOLE and not cooked and not cuts)
    return loose + 2 * (len(heats) if name in foodwords.ALWAYS_COLD else 0)
