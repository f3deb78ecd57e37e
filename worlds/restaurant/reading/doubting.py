"""What a reading leaves unexplained: doubts, each with its words and how much it weighs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from worlds.restaurant.reading.ending import Ending
from worlds.restaurant.reading.foods import Node
from worlds.restaurant.reading.habits import known, unlike
from worlds.restaurant.reading.story import Story
from worlds.restaurant.reading.values import HEAT, Clause, Words

WEIGHTS: Mapping[str, int] = {
    "no minutes are told": 4,
    "a time that belongs to no step": 3,
    "a level that belongs to no step": 3,
    "named and not served": 2,
    "nobody eats it raw": 3,
    "served uncut": 1,
    "cut twice": 2,
    "cooked, though mostly eaten cold": 2,
    "done to no food": 2,
    "unlike in all other dishes": 1,
    "the usual minutes, though others are near": 1,
}
"""How much each kind of doubt speaks against a reading."""


class Finding(NamedTuple):
    """A kind of doubt, what it is about, and its words."""

    reason: str
    subject: str
    words: Words


def findings(story: Story, ending: Ending, clauses: Sequence[Clause]) -> list[Finding]:
    """All that is doubtful about a reading, in the order of the text."""
    found = [
        *_untimed(ending), *_spare(story), *_unserved(story, ending, clauses),
        *_unusual(story, ending), *_near(ending, clauses),
    ]  # fmt: skip
    for top in ending.tops:
        found += _raw(story, top, cooked=False)
    for event in story.loose:
        found.append(Finding("done to no food", event.process, event.words))
    return sorted(dict.fromkeys(found), key=lambda finding: finding.words)


def looseness(found: Iterable[Finding]) -> int:
    """How much a reading leaves unexplained."""
    return sum(WEIGHTS[finding.reason] for finding in found)


def _untimed(ending: Ending) -> Iterator[Finding]:
    for node, step in ending.untimed:
        batches = [s.batch for n in (*node.around(), *node.leaves()) for s in n.steps if s.batch]
        if step.process != "cook" and any(batch.timed or batch.level for batch in batches):
            continue  # it cooks elsewhere, and only passes here
        names = " and ".join(leaf.name for leaf in node.leaves())
        yield Finding("no minutes are told", f"{step.process} {names}", step.words[0])


def _spare(story: Story) -> Iterator[Finding]:
    for span in story.spare:
        yield Finding("a time that belongs to no step", "", span.words)
    for _, event in story.waiting:
        if event.span is not None:
            yield Finding("a time that belongs to no step", "", event.span.words)
        elif event.level:
            yield Finding("a level that belongs to no step", event.level, event.words)


def _unserved(story: Story, ending: Ending, clauses: Sequence[Clause]) -> Iterator[Finding]:
    served = {leaf.name for top in ending.tops for leaf in top.leaves()}
    for clause in clauses:
        for mark in clause.marks if clause.mode in ("told", "while") else ():
            if mark.kind == "food" and mark.value not in served | story.dropped:
                yield Finding("named and not served", mark.value, mark.words)


def _unusual(story: Story, ending: Ending) -> Iterator[Finding]:
    for food, why in unlike(ending.components, known()):
        words = story.foods[food].words if food in story.foods else []
        if words:
            yield Finding("unlike in all other dishes", f"{food} {why}", words[-1])


def _near(ending: Ending, clauses: Sequence[Clause]) -> Iterator[Finding]:
    """Standard minutes, where a time that no step has stands in the same sentence."""
    used = {words for step in ending.steps for words in step.words}
    times = [
        (clause.sentence, mark.words) for clause in clauses if clause.mode == "told"
        for mark in clause.marks if mark.kind == "time" and mark.words not in used
    ]  # fmt: skip
    where = {clause.words: clause.sentence for clause in clauses}
    for step in ending.steps:
        near = [words for at, words in times if at == where.get(step.words[0], -1)]
        if step.source == "house" and near:
            yield Finding("the usual minutes, though others are near", step.step, near[0])


def _raw(story: Story, node: Node, *, cooked: bool) -> Iterator[Finding]:
    cooked = cooked or any(step.process in HEAT for step in node.steps)
    sets, heat = story.lexicon.sets, node.heat()
    for part in (part for part in node.parts if node not in part.walk()):
        yield from _raw(story, part, cooked=cooked)
    if node.kind != "food" or not node.words:
        return
    alone = heat is not None and heat.batch is not None and len(heat.batch.members) == 1
    if not cooked and node.name in sets["never_raw"]:
        yield Finding("nobody eats it raw", node.name, node.words[-1])
    elif not node.steps and node.within is None and node.name in sets["never_whole"]:
        yield Finding("served uncut", node.name, node.words[-1])
    cuts = [step.process for step in node.steps if step.process in ("chop", "slice", "grate")]
    if len(cuts) > 1:
        yield Finding("cut twice", node.name, node.words[-1])
    if alone and node.name in sets["always_cold"]:
        yield Finding("cooked, though mostly eaten cold", node.name, node.words[-1])
