"""Diagnostics of a reading: doubts, each with its words and a weight.

The facts about usual dishes are data. `python -m benchmarks.habits` derives them from the truths of
the recipes for learning (a part of the tests' corpus), and from the readings (never the truths) of
the shipped menu.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from cookmas.kitchen.components import Component
from cookmas.worlds.restaurant.reading.clauses import WORDS
from cookmas.worlds.restaurant.reading.discourse import Discourse
from cookmas.worlds.restaurant.reading.result import ReadingResult
from cookmas.worlds.restaurant.reading.values import HEAT, MIXING, NOUNS, VERBS, Clause, Mark, Words
from cookmas.worlds.restaurant.reading.words import load

WEIGHTS: Mapping[str, int] = {
    "no minutes are told": 4,
    "a time that belongs to no step": 3,
    "a level that belongs to no step": 3,
    "named and not served": 2,
    "nobody eats it raw": 3,
    "served uncut": 1,
    "cut twice": 2,
    "done to no food": 2,
    "unlike in all other dishes": 1,
    "the usual minutes, though others are near": 1,
    "nothing is served": 0,
    "an unknown verb": 0,
    "an unknown food": 0,
    "nothing came of it": 0,
}
"""The weight of each kind of doubt; a reading with heavier doubts is less likely to be right."""
Habits = Mapping[str, Mapping[str, Sequence[str]]]
"""For each food, the facts that are `always` and `never` true of it."""
_HABITS: Habits = load("habits")
_CUTS = frozenset({"chop", "slice", "grate"})
FACTS = frozenset({"peel", "cut", "cooked", "mixed", "joined"}) | HEAT | _CUTS


class ReadingDoubt(NamedTuple):
    """A doubt about a reading."""

    reason: str
    """Kind of doubt."""
    subject: str
    """The food, process or level that the doubt is about; may be empty."""
    words: Words
    """The stretch of the text that the doubt is about."""


def findings(
    discourse: Discourse, result: ReadingResult, clauses: Sequence[Clause]
) -> list[ReadingDoubt]:
    """Return all doubts about a reading, in the order of the text."""
    found = [
        *_doubt_untimed(result, clauses),
        *_doubt_spare(discourse),
        *_doubt_unserved(discourse, result, clauses),
        *_doubt_unusual(discourse, result),
        *_doubt_near_times(result, clauses),
        *_doubt_unknown(discourse, clauses),
    ]
    if not result.components:
        told = clauses[0].words.extend_to(clauses[-1].words) if clauses else Words(0, 0)
        found.append(ReadingDoubt("nothing is served", "", told))
    found += _idle(discourse, result, clauses, [finding.words for finding in found])
    return sorted(dict.fromkeys(found), key=lambda finding: finding.words)


def cost_of(found: Iterable[ReadingDoubt]) -> int:
    """Return the cost of a reading: the sum of the weights of its doubts."""
    return sum(WEIGHTS[finding.reason] for finding in found)


def _doubt_untimed(result: ReadingResult, clauses: Sequence[Clause]) -> Iterator[ReadingDoubt]:
    """Yield a doubt for each cooking step without minutes.

    There is no doubt if the food also cooks elsewhere with minutes or a level, unless the step
    without minutes is stated as an imperative.
    """
    naming = [clause for clause in clauses if {mark.kind for mark in clause.marks} & NOUNS]
    orders = {(c.words, c.marks[0].value) for c in naming if c.marks[0].form == "base"}
    for node, step in result.untimed:
        batches = [
            s.batch for n in (*node.list_containers(), *node.leaves()) for s in n.steps if s.batch
        ]
        elsewhere = any(batch.timed or batch.level for batch in batches)
        if not elsewhere or (step.words[0], step.process) in orders:
            names = " and ".join(leaf.name for leaf in node.leaves())
            yield ReadingDoubt("no minutes are told", f"{step.process} {names}", step.words[0])


def _doubt_spare(discourse: Discourse) -> Iterator[ReadingDoubt]:
    for event in discourse.objectless:
        yield ReadingDoubt("done to no food", event.process, event.words)
    for span in discourse.spare:
        yield ReadingDoubt("a time that belongs to no step", "", span.words)
    for _, event in discourse.waiting:
        if event.span is not None:
            yield ReadingDoubt("a time that belongs to no step", "", event.span.words)
        elif event.level:
            yield ReadingDoubt("a level that belongs to no step", event.level, event.words)


def _doubt_unserved(
    discourse: Discourse, result: ReadingResult, clauses: Sequence[Clause]
) -> Iterator[ReadingDoubt]:
    served = {food for food, _ in facts(result.components)} | discourse.dropped
    for clause in clauses:
        for mark in clause.marks if clause.mode in ("told", "while") else ():
            if mark.kind == "food" and mark.value not in served:
                yield ReadingDoubt("named and not served", mark.value, mark.words)


def _doubt_unusual(discourse: Discourse, result: ReadingResult) -> Iterator[ReadingDoubt]:
    """Yield a doubt for each process that is unusual for its food, or is usual but missing."""
    sets = discourse.lexicon.sets
    for food, true in facts(result.components):
        node = discourse.foods[food]
        habit = _HABITS.get(food, {"always": (), "never": ()})
        odd = {
            "nobody eats it raw": food in sets["never_raw"] and "cooked" not in true,
            "served uncut": food in sets["never_whole"] and not true,
            "cut twice": sum(step.process in _CUTS for step in node.steps) > 1,
        }  # fmt: skip
        unlike = [f"{food} not {fact}" for fact in habit["always"] if fact not in true]
        unlike += [f"{food} {fact}" for fact in habit["never"] if fact in true]
        yield from (
            ReadingDoubt(reason, food, node.words[-1]) for reason, holds in odd.items() if holds
        )
        yield from (
            ReadingDoubt("unlike in all other dishes", how, node.words[-1]) for how in unlike
        )


def _doubt_near_times(result: ReadingResult, clauses: Sequence[Clause]) -> Iterator[ReadingDoubt]:
    """Yield a doubt for each step with standard minutes whose sentence has an unused time."""
    used = {words for step in result.steps for words in step.words}
    where = {clause.words: clause.sentence for clause in clauses}
    house = {where.get(step.words[0]): step for step in result.steps if step.source == "house"}
    for clause in clauses:
        spare = [m.words for m in clause.marks if m.kind == "time" and m.words not in used]
        step = house.get(clause.sentence)
        if step is not None and spare and clause.mode == "told":
            yield ReadingDoubt("the usual minutes, though others are near", step.step, spare[0])


def _doubt_unknown(discourse: Discourse, clauses: Sequence[Clause]) -> Iterator[ReadingDoubt]:
    """Yield a doubt for each unknown word in the place of a verb or food: `confit the potatoes`."""
    known = discourse.lexicon.phrases

    def is_strange(mark: Mark) -> bool:
        return mark.kind in ("word", "stranger") and mark.word.isalpha() and mark.word not in known

    for clause in (clause for clause in clauses if clause.mode == "told"):
        marks, kinds = clause.marks, {mark.kind for mark in clause.marks}
        near = {mark.kind for mark in marks[2:4]} & {"food", "kind"} and not kinds & VERBS
        if near and is_strange(marks[0]) and marks[1].word in WORDS["determiners"]:
            yield ReadingDoubt("an unknown verb", marks[0].word, clause.words)
        for at, mark in enumerate(marks):
            if is_strange(mark) and (mark.kind == "stranger" or _is_object(marks, at)):
                yield ReadingDoubt("an unknown food", mark.word, mark.words)


def _is_object(marks: Sequence[Mark], at: int) -> bool:
    """Return whether the word at a position is the object of its verb: `chop the rutabaga`."""
    if at < 2 or marks[at - 1].word not in WORDS["determiners"]:
        return False
    verb, after = marks[at - 2], marks[at + 1 : at + 2]
    tells = verb.form == "base" and (verb.kind in VERBS - {"move"} or verb.value == "add")
    alone = not {mark.kind for mark in marks} & NOUNS
    return tells and (alone or not after or after[0].kind == "preposition")


def _idle(
    discourse: Discourse, result: ReadingResult, clauses: Sequence[Clause], doubted: Sequence[Words]
) -> Iterator[ReadingDoubt]:
    """Yield a doubt for each sentence that had no effect, although it seems to give an instruction.

    Such a sentence names at least two of a process, a place of cooking, a time and a level.
    """
    used = [words for step in result.steps for words in step.words]
    used += [words for node in discourse.nodes for words in node.words]
    starts = sorted(words.start for words in (*used, *doubted))
    for _, group in groupby(clauses, key=lambda clause: clause.sentence):
        said = [*group]
        marks = [
            mark for clause in said if clause.mode == "told" for mark in clause.marks
            if mark.kind in ("process", "time", "level") or mark.value in HEAT
        ]  # fmt: skip
        first, end = said[0].words.start, said[-1].words.end
        idle = bisect_left(starts, first) == bisect_left(starts, end)
        tells = len({mark.kind for mark in marks}) > 1
        if tells and idle:
            yield ReadingDoubt("nothing came of it", "", marks[0].words.extend_to(marks[-1].words))


def facts(
    components: Iterable[Component], above: frozenset[str] = frozenset()
) -> Iterator[tuple[str, set[str]]]:
    """Yield each food in the components, with the facts that are true of it.

    `above` has the facts that are true of everything in the components.
    """
    for component in components:
        steps = {step.process for step in component.steps}
        mixed = {"mixed"} if steps & MIXING else set()
        yield from facts(component.parts, above | (steps & HEAT) | mixed | {"joined"})
        if not component.parts:
            cut = {"cut"} if steps & _CUTS else set()
            cooked = {"cooked"} if (steps | above) & HEAT else set()
            yield component.name, steps | above | cut | cooked
