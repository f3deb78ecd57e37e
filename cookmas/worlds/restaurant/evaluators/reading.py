"""Reading and scheduling: whether a wrong dish was misread or badly scheduled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cookmas.evals.verdict import Check, make_check, make_unscored
from cookmas.files.errors import NotationError
from cookmas.kitchen.components import Component, find_unshared, parse_component
from cookmas.worlds.restaurant.evaluators.comparison import compare
from cookmas.worlds.restaurant.evaluators.evidence import NO_TRUTH, KitchenEvidence, LineEvidence
from cookmas.worlds.restaurant.evaluators.layers import on_plate
from cookmas.worlds.restaurant.evaluators.wording import describe


def reading(evidence: KitchenEvidence) -> Iterator[Check]:
    """Yield `reading` of every standing line, and `error` of every line that was served wrong.

    `reading` passes if the planner understood the dish correctly. The value of `error` is `reading`
    if the planner misunderstood the dish. It is `scheduling` if the planner understood the dish
    correctly, but another dish was served.
    """
    for line in evidence.standing:
        yield from _judge(line, evidence)


def _judge(line: LineEvidence, evidence: KitchenEvidence) -> Iterator[Check]:
    doneness = evidence.truth.doneness
    wrong = bool(evidence.findings.get(line.name))
    read = find_understood(line, evidence)
    if line.wanted is None or isinstance(read, str):
        why = read if isinstance(read, str) else NO_TRUTH
        yield make_unscored("reading", line.name, why)
        if wrong:
            yield make_unscored("error", line.name, why)
        return
    differences = _differences(read, line.wanted)
    reason = "; ".join(differences) or "understood as it should be"
    doubts = evidence.doubts.get(line.name, ()) if differences else ()
    remark = "".join(f"; in doubt about {doubt}" for doubt in doubts)
    reason += remark
    if differences and line.dish is not None and not wrong:
        reason += "; the dish was right all the same"
    yield make_check(
        "reading",
        line.name,
        not differences,
        evidence="; ".join(map(str, read)),
        reason=reason,
    )
    if wrong and line.dish is not None:
        as_read = not compare(line.dish.components, read, doneness)
        yield Check(
            name="error",
            subject=line.name,
            value="reading" if differences else "scheduling",
            passed=False,
            evidence=str(line.dish),
            reason=f"{'' if as_read else 'not '}served as it was understood{remark}",
        )


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
