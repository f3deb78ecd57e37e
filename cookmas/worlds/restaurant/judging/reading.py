"""Reading: whether and how far the planner understood each dish, apart from scheduling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from cookmas.evals.rows import Measured, MeasureTable, Subjects, of_each, row, share_of
from cookmas.files.errors import NotationError
from cookmas.kitchen.components import Component, StepSpec, find_unshared, parse_component
from cookmas.worlds.restaurant.judging.comparison import compare, describe, on_plate
from cookmas.worlds.restaurant.judging.evidence import NO_TRUTH, KitchenEvidence, LineEvidence
from cookmas.worlds.restaurant.judging.scores import list_standing


def _find_reading(evidence: KitchenEvidence, line: LineEvidence) -> Measured | str:
    """Return whether the planner understood a dish correctly."""
    read = find_understood(line, evidence)
    if isinstance(read, str) or line.wanted is None:
        return read if isinstance(read, str) else NO_TRUTH
    differences = _differences(read, line.wanted)
    reason = "; ".join(differences) or "understood as it should be"
    reason += _describe_doubts(evidence, line) if differences else ""
    if differences and line.dish is not None and not evidence.findings.get(line.name):
        reason += "; the dish was right all the same"
    return Measured(not differences, reason, "; ".join(map(str, read)))


def _find_error(evidence: KitchenEvidence, line: LineEvidence) -> Measured | str | None:
    """Return, for a line that was served wrong, whether that is the fault of the reading.

    It is `scheduling` if the planner understood the dish correctly, but another dish was served.
    """
    if line.dish is None or line.wanted is None or not evidence.findings.get(line.name):
        return None
    read = find_understood(line, evidence)
    if isinstance(read, str):
        return read
    misread = bool(_differences(read, line.wanted))
    as_read = not compare(line.dish.components, read, evidence.truth.doneness)
    remark = _describe_doubts(evidence, line) if misread else ""
    return Measured(
        "reading" if misread else "scheduling",
        f"{'' if as_read else 'not '}served as it was understood{remark}",
        str(line.dish),
        passed=False,
    )


def _describe_doubts(evidence: KitchenEvidence, line: LineEvidence) -> str:
    return "".join(f"; in doubt about {doubt}" for doubt in evidence.doubts.get(line.name, ()))


reading = MeasureTable(
    of_each(
        list_standing,
        row("reading", _find_reading, better="more", measured_in="yes or no"),
        row("error", _find_error, measured_in='"reading" or "scheduling"'),
    )
)
"""Whether each standing line was understood, and what is to blame for a wrong dish."""


def find_understood(line: LineEvidence, evidence: KitchenEvidence) -> Sequence[Component] | str:
    """Return the components that the planner last understood of a line before it was served.

    If the components are unknown, return the reason as text.
    """
    texts = evidence.understood.get(line.name)
    if texts is None:
        return "the planner does not say what it understood"
    try:
        return [parse_component(text, evidence.truth.doneness) for text in texts]
    except NotationError as error:
        return f"what the planner understood cannot be read: {error}"


def _differences(understood: Sequence[Component], wanted: Sequence[Component]) -> list[str]:
    extra, missing = find_unshared(on_plate(understood), on_plate(wanted))
    return [f"understood: {describe(c)}" for c in extra] + [
        f"should be: {describe(c)}" for c in missing
    ]


class RecipeNode(NamedTuple):
    """A step of a recipe. Fetching an ingredient and joining foods count as steps too."""

    of: tuple[str, ...]
    """The ingredients of the food, sorted."""
    what: str
    """The process, or `fetch` or `join`."""

    def __str__(self) -> str:
        return f"{self.what} {'+'.join(self.of)}"


class ReadingFacts(NamedTuple):
    """Facts about the making of a dish, in three multisets of texts.

    They are collected from the components that the planner understood, or from those of the truth.
    """

    steps: Counter[str]
    """The steps of all components."""
    dependencies: Counter[str]
    """The pairs of steps in which the second directly follows the first."""
    minutes: Counter[str]
    """The steps with their least and most minutes; a level of doneness counts as its minutes."""


KINDS = ReadingFacts._fields
"""The kinds of fact that the checks compare."""


def _list_known(evidence: KitchenEvidence) -> Subjects:
    """Return what was read and what is true, for each line of which both are known."""
    read = [(line, find_understood(line, evidence)) for line in evidence.standing]
    return {
        line.name: (facts(components), facts(line.wanted))
        for line, components in read
        if line.wanted is not None and not isinstance(components, str)
    }


Compare = Callable[[Counter[str], Counter[str]], Measured | None]
"""A function that compares the facts of one kind: those that were read and the true ones."""


def _find_recalled(read: Counter[str], true: Counter[str]) -> Measured | None:
    """Return |read and true| / |true|, with the true facts that were not read."""
    return _find_share(read & true, true, true - read)


def _find_invented(read: Counter[str], true: Counter[str]) -> Measured | None:
    """Return |read without true| / |read|, with the facts that are not true."""
    return _find_share(read - true, read, read - true)


def _find_share(part: Counter[str], whole: Counter[str], shown: Counter[str]) -> Measured | None:
    told = "; ".join(sorted(shown.elements()))
    return share_of(part.total(), whole.total(), evidence=told) if whole else None


def _of_kind(kind: str, find: Compare) -> Callable[[ReadingFacts, ReadingFacts], Measured | None]:
    return lambda read, true: find(getattr(read, kind), getattr(true, kind))


recall = MeasureTable(
    of_each(
        _list_known,
        *(
            row(name, _of_kind(kind, find), measured_in="share")
            for kind in KINDS
            for name, find in (
                (f"{kind}_recalled", _find_recalled),
                (f"{kind}_invented", _find_invented),
            )
        ),
    )
)
"""How much of each recipe and note was understood, and how much was invented, as multisets."""


def facts(components: Iterable[Component]) -> ReadingFacts:
    """Return the facts in the components of a dish."""
    collected = ReadingFacts(Counter(), Counter(), Counter())
    for component in components:
        _collect(component, collected)
    return collected


def _collect(component: Component, collected: ReadingFacts) -> RecipeNode:
    """Add the facts of a component to `collected`; return its last step."""
    of = component.ingredients()
    last = RecipeNode(of, "join" if component.parts else "fetch")
    collected.steps[str(last)] += 1
    for part in component.parts:
        collected.dependencies[f"{_collect(part, collected)} -> {last}"] += 1
    for step in component.steps:
        node = RecipeNode(of, step.process)
        collected.steps[str(node)] += 1
        collected.dependencies[f"{last} -> {node}"] += 1
        collected.minutes[f"{node} {_window(step)}"] += 1
        last = node
    return last


def _window(step: StepSpec) -> str:
    return str(step._replace(level=None)).removeprefix(f"{step.process} ")
