"""Diagnostics of a reading: doubts, each with its words.

Each number of a recipe has a use, or it is found here. A number is a time, an amount of a food, the
heat of an oven, the number of a step, or part of a story.

The facts about usual dishes are data. `python -m benchmarks.habits` derives them from the truths of
the recipes for learning (a part of the tests' corpus), and from the readings (never the truths) of
the shipped menu.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from cookmas.kitchen.components import Component
from cookmas.solving.restaurant.reading.clauses import WORDS
from cookmas.solving.restaurant.reading.discourse import Discourse, ReadingResult
from cookmas.solving.restaurant.reading.marking import NUMBER
from cookmas.solving.restaurant.reading.values import (
    HEAT,
    MIXING,
    NOUNS,
    VERBS,
    Clause,
    Mark,
    MarkKind,
    Words,
)
from cookmas.solving.restaurant.reading.words import Lexicon, load

_OVEN, _PIECES, _HEATS = (frozenset(load("times")[key]) for key in ("marks", "pieces", "heats"))
_LONG = re.compile(r"\d{3}")
_THINGS = NOUNS | {"place", "shape", "stranger"}
"""Kinds of words for what a number counts."""
_STEP = frozenset[MarkKind](
    {"process", "cook", "cut", "shape", "level", "time", "food", "kind", "mixture"}
)
"""Kinds of words of a step; a sentence without them tells a story."""


def find_unused_numbers(clauses: Sequence[Clause], lexicon: Lexicon) -> Iterator[Words]:
    """Yield each number that no rule uses, and each time that is left over in a remark."""
    steps = {clause.step for clause in clauses}
    measures = lexicon.sets["measures"]
    for _, sentence in groupby(clauses, key=lambda clause: clause.sentence):
        said = [*sentence]
        kinds = {mark.kind for clause in said for mark in clause.marks}
        told = [clause for clause in said if clause.mode in ("told", "while")]
        timed = any(mark.span is not None for clause in told for mark in clause.marks)
        last: list[Mark] = []
        for clause in said:
            alone = timed and not {mark.kind for mark in clause.marks} & (VERBS | NOUNS)
            for at, mark in enumerate(clause.marks):
                pieces = len(last) > 1 and last[1].word in _PIECES and last[0].kind in _THINGS
                if mark.span is not None:
                    bare = not mark.span.sure and not _is_said(mark)
                    unused = clause not in told and (alone or bare)
                elif mark.value == NUMBER:
                    meant = _is_in_a_story(clause, at, story=not kinds & _STEP)
                    meant = meant or pieces or _is_heat(clause.marks, at)
                    unused = not meant and not _is_amount(clause.marks, at, measures)
                else:
                    unused = mark.kind == "step" and mark.value not in steps
                if unused:
                    yield mark.words
                last = [*last[-1:], mark]


def _is_said(mark: Mark) -> bool:
    """Return whether a number is in words."""
    return not any(sign.isnumeric() for sign in mark.word)


def _is_in_a_story(clause: Clause, at: int, *, story: bool) -> bool:
    """Return whether the number at a position means nothing in the kitchen.

    `story` says that its sentence has no step; there it is in words, or long (`room 212`).
    """
    marks, word = clause.marks, clause.marks[at].word
    if not _is_said(marks[at]):
        return story and len(word) > 2 and word.isdigit()
    before = marks[at - 1].word if at else ""
    after = marks[at + 1].word if at + 1 < len(marks) else ""
    several = after.isalpha() and len(after) > 4 and after.endswith("s")  # `forty years`
    parted = not after and before in ("in", "into")  # `cut in two`
    stray = clause.mode not in ("told", "while") or (story and len(marks) > 1)
    return word == "one" or several or parted or stray


def _is_heat(marks: Sequence[Mark], at: int) -> bool:
    """Return whether a number is a heat: `180 °C`, `at 350`, `gas mark 6`."""
    word, before = marks[at].word, marks[at - 1].word if at else ""
    hot = at + 1 < len(marks) and marks[at + 1].word in _HEATS
    if before in ("at", "to"):
        return hot or (word.isdigit() and len(word) > 2)
    return before in _OVEN or (hot and _LONG.search(word) is not None)


def _is_amount(marks: Sequence[Mark], at: int, measures: frozenset[str]) -> bool:
    """Return whether a number counts or measures a food: `2 cups of flour`.

    In words it may also count pans: `one pot`.
    """
    of = part = False
    for mark in marks[at + 1 :]:
        if mark.kind in _THINGS and (mark.kind != "place" or _is_said(marks[at])):
            return of or mark.kind != "pronoun"
        part = part or mark.kind == "part"
        of = of or mark.value == "of"
        measured = mark.value == "of" or mark.kind == "part" or mark.word in measures
        if not measured and not (of and mark.word in WORDS["articles"]):
            break
    return part


Habits = Mapping[str, Mapping[str, Sequence[str]]]
"""For each food, the facts that are `always` and `never` true of it."""
_HABITS: Habits = load("habits")
LONG_WORK = 10
"""Work by hand or machine that lasts longer, in minutes, is a doubt."""
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
        *_doubt_times(result, clauses),
        *_doubt_late(discourse),
        *_doubt_apart(discourse),
        *_doubt_mixing(result, clauses),
        *_doubt_unknown(discourse, clauses),
    ]
    if not result.components:
        told = clauses[0].words.extend_to(clauses[-1].words) if clauses else Words(0, 0)
        found.append(ReadingDoubt("nothing is served", "", told))
    found += _idle(discourse, result, clauses, [finding.words for finding in found])
    found += [
        ReadingDoubt("a number that nothing uses", "", words)
        for words in find_unused_numbers(clauses, discourse.lexicon)
    ]
    return sorted(dict.fromkeys(found), key=lambda finding: finding.words)


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
    for _, event in discourse.waiting:
        if event.level:
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


def _doubt_times(result: ReadingResult, clauses: Sequence[Clause]) -> Iterator[ReadingDoubt]:
    """Yield a doubt for each time that no step uses, or that a step may use wrongly."""
    used = {words: step for step in result.steps for words in step.words}
    told = [clause for clause in clauses if clause.mode in ("told", "while")]
    spans = [mark.span for clause in told for mark in clause.marks if mark.span is not None]
    turned = any(_says(told, "turning"))
    repeated = {span[:2] for span in spans if span.words in used and not turned}
    for _, sentence in groupby(told, key=lambda clause: clause.sentence):
        said = [*sentence]
        sided = any(_says(said, "sides"))
        marks = [mark for clause in said for mark in clause.marks if mark.kind != "sign"]
        for last, mark in zip(["", *(mark.kind for mark in marks)], marks, strict=False):
            step = used.get(mark.words)
            if mark.span is None:
                if mark.word in WORDS["units"] and mark.kind == "word":
                    yield ReadingDoubt("a time that is not understood", "", mark.words)
            elif step is None:
                if mark.span[:2] not in repeated or not mark.span.sure:
                    yield ReadingDoubt("a time that belongs to no step", "", mark.words)
            elif not mark.span.whole:
                yield ReadingDoubt("no whole number of minutes", "", mark.words)
            elif step.step.split()[0] not in HEAT:
                if mark.span.low > LONG_WORK:
                    yield ReadingDoubt("longer than work lasts", step.step, mark.words)
                elif not mark.span.sure and last in ("food", "kind"):
                    yield ReadingDoubt("a number that may be an amount", step.step, mark.words)
            elif sided:
                yield ReadingDoubt("a time that may be for each side", "", mark.words)


def _says(clauses: Sequence[Clause], key: str) -> Iterator[str]:
    """Yield each phrase of a list of words (`WORDS`) that the clauses contain."""
    said = " ".join(mark.word for clause in clauses for mark in clause.marks)
    return (phrase for phrase in WORDS[key] if f" {phrase} " in f" {said} ")


def _doubt_late(discourse: Discourse) -> Iterator[ReadingDoubt]:
    """Yield a doubt for food that joined others after their minutes, before they cook again."""
    for batch in discourse.batches:
        again = batch.node is not None and batch.node.heat() is not None
        for node, entry in batch.members.items() if again else ():
            if entry.own is None and any(batch.phases) and not any(batch.phases[entry.phase :]):
                yield ReadingDoubt("added without minutes of its own", node.name, node.words[-1])


def _doubt_apart(discourse: Discourse) -> Iterator[ReadingDoubt]:
    """Yield a doubt for foods that were added to what was mixed, and are served apart from it."""
    for added, others in discourse.added:
        tops = {node.top() for node in others}
        mixed = any(step.process in MIXING for top in tops for step in top.steps)
        for node in added if mixed else ():
            if node.top() not in tops:
                yield ReadingDoubt("added, and served apart", node.name, node.words[-1])


def _doubt_mixing(result: ReadingResult, clauses: Sequence[Clause]) -> Iterator[ReadingDoubt]:
    """Yield a doubt for each mixing after further foods that is not a step of its own."""
    steps = sum(step.step.split()[0] in MIXING for step in result.steps)
    known, fresh, mixed = set[str](), False, 0
    for clause in (clause for clause in clauses if clause.mode == "told"):
        named = {mark.value for mark in clause.marks if mark.kind == "food"}
        fresh = fresh or not named <= known
        known |= named
        if fresh and any(m.value in MIXING and m.form == "base" for m in clause.marks):
            fresh, mixed = False, mixed + 1
            if mixed > max(1, steps):
                yield ReadingDoubt("mixed again, after further foods", "", clause.words)


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
