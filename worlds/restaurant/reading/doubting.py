"""What a reading leaves unexplained: doubts, each with its words and how much it weighs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from worlds.restaurant.reading.ending import Ending
from worlds.restaurant.reading.events import HEAT
from worlds.restaurant.reading.foods import Node
from worlds.restaurant.reading.story import Story
from worlds.restaurant.reading.values import Clause, Words

WEIGHTS: Mapping[str, int] = {
    "no minutes are told": 4,
    "a time that belongs to no step": 3,
    "a level that belongs to no step": 3,
    "named and not served": 2,
    "nobody eats it raw": 3,
    "served uncut": 1,
    "cooked, though mostly eaten cold": 2,
    "a mixture that is made of nothing": 2,
    "done to no food": 2,
    "an alternative that is not ours to choose": 1,
}
"""How much each kind of doubt speaks against a reading."""


class Finding(NamedTuple):
    """A kind of doubt, what it is about, and its words."""

    reason: str
    subject: str
    words: Words


def findings(story: Story, ending: Ending, clauses: Sequence[Clause]) -> list[Finding]:
    """All that is doubtful about a reading, in the order of the text."""
    found = [*_untimed(ending), *_spare(story), *_unserved(story, ending, clauses)]
    for top in ending.tops:
        found += _raw(story, top, cooked=False)
    for reason, event, words in story.loose:
        found.append(Finding("done to no food", event.process or reason, words))
    for promise in story.unkept:
        found.append(Finding("a mixture that is made of nothing", promise.name, promise.words[0]))
    return sorted(dict.fromkeys(found), key=lambda finding: finding.words)


def looseness(found: Iterable[Finding]) -> int:
    """How much a reading leaves unexplained."""
    return sum(WEIGHTS[finding.reason] for finding in found)


def _untimed(ending: Ending) -> Iterable[Finding]:
    for node, step in ending.untimed:
        if step.process != "cook" and _timed_otherwise(node):
            continue
        names = " and ".join(leaf.name for leaf in node.leaves())
        yield Finding("no minutes are told", f"{step.process} {names}", step.words[0])


def _timed_otherwise(node: Node) -> bool:
    """Whether a food cooks elsewhere, for known minutes: then it only passes here."""
    around = [node]
    while around[-1].within is not None and around[-1].within not in around:
        around.append(around[-1].within)
    return any(
        step.batch is not None and step.batch.members and (step.batch.timed or step.batch.level)
        for one in (*around, *node.leaves())
        for step in one.steps
    )


def _spare(story: Story) -> Iterable[Finding]:
    for span in story.spare:
        yield Finding("a time that belongs to no step", "", span.words)
    for _, event in story.waiting:
        if event.span is not None:
            yield Finding("a time that belongs to no step", "", event.span.words)
        elif event.level:
            yield Finding("a level that belongs to no step", event.level, event.words)
    if story.late is not None:
        yield Finding("a time that belongs to no step", "", story.late[1].words)


def _unserved(story: Story, ending: Ending, clauses: Sequence[Clause]) -> Iterable[Finding]:
    served = {leaf.name for top in ending.tops for leaf in top.leaves()}
    for clause in clauses:
        if clause.mode not in ("told", "while"):
            continue
        for mark in clause.marks:
            if mark.kind == "food" and mark.value not in served and mark.value not in story.dropped:
                yield Finding("named and not served", mark.value, mark.words)


def _raw(story: Story, node: Node, *, cooked: bool) -> Iterable[Finding]:
    cooked = cooked or any(step.process in HEAT for step in node.steps)
    sets = story.lexicon.sets
    for part in (part for part in node.parts if node not in part.walk()):
        yield from _raw(story, part, cooked=cooked)
    if node.kind != "food" or not node.words:
        return
    heat = node.heat()
    if not cooked and (node.name in sets["never_raw"]):
        yield Finding("nobody eats it raw", node.name, node.words[-1])
    elif not node.steps and node.within is None and node.name in sets["never_whole"]:
        yield Finding("served uncut", node.name, node.words[-1])
    alone = heat is not None and heat.batch is not None and len(heat.batch.members) == 1
    if alone and node.name in sets["always_cold"]:
        yield Finding("cooked, though mostly eaten cold", node.name, node.words[-1])
