"""Compare learned weights with the reader's rules: a structured perceptron over the reader.

    python -m benchmarks.perceptron

The rules of the reader (`cookmas/worlds/restaurant/reading`) decide for each clause whether it is
an instruction, a remark, or about an earlier step. Here a beam search also visits readings that
differ from the rules in up to `ROUNDS` of these decisions. The log-linear score of a reading
depends on what this reading leaves unexplained, and on its decisions that differ from the rules.
The first weights are those of the rules. An averaged structured perceptron (Collins 2002) learns
better weights from the learning part of the corpus, without randomness.

A voice is a folder of the corpus: the recipes of one way of writing. For each voice in the learning
part, the weights are learned from the other voices of this part. For the middle part, the weights
are learned from all voices of the learning part. The command prints the number of recipes that are
read correctly by the rules and by learned weights, and the number of recipes for which the search
visited a correct reading.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import yaml

from benchmarks.reading import find_differences
from cookmas.kitchen.components import Component, parse_component
from cookmas.scenarios.menu import load_menu
from cookmas.worlds.restaurant.reading import Larder
from cookmas.worlds.restaurant.reading.doubting import WEIGHTS
from cookmas.worlds.restaurant.reading.reader import LONGEST, PRICE, Stages, interpret_clauses, read
from cookmas.worlds.restaurant.reading.values import Clause

CORPUS = Path(__file__).parent.parent / "tests/worlds/restaurant/reading/corpus"
BEAM, ROUNDS, EPOCHS = 4, 3, 5
DECIDED = frozenset({"food", "process", "place", "time", "level", "shape", "move"})
"""Kinds of mark, which is a word or phrase that the reader knows.

The search changes the decision on a clause only if the clause has a mark of one of these kinds.
"""
Choices = tuple[str, ...]
"""For each clause the decision: `told`, `remark` or `earlier`, or empty for that of the rules."""


class PerceptronReading(NamedTuple):
    """The result of reading a text with certain decisions.

    `features` counts the features of the reading, from which `score` computes its score.
    """

    features: Mapping[str, int]
    wrong: int
    """Number of foods in components that differ from the truth."""


@dataclass(slots=True)
class TaggedText:
    """A recipe with its truth, and all readings of the recipe that were computed.

    `rules` is the result of reading the recipe by the rules.
    """

    rules: Stages
    truth: Sequence[Component]
    larder: Larder
    known: dict[Choices, PerceptronReading] = field(default_factory=dict)

    @property
    def own(self) -> Choices:
        """The decisions of the rules."""
        return ("",) * len(self.rules.clauses)

    def reading(self, choices: Choices) -> PerceptronReading:
        """Return the reading for some decisions; each is computed only once."""
        if choices not in self.known:
            self.known[choices] = self._tell(choices)
        return self.known[choices]

    def _tell(self, choices: Choices) -> PerceptronReading:
        clauses = self.rules.clauses
        decided = [_decide(c, choice) for c, choice in zip(clauses, choices, strict=True)]
        stages = interpret_clauses(decided, self.larder)
        features = Counter(finding.reason for finding in stages.findings)
        for clause, choice in zip(clauses, choices, strict=True):
            features.update(_describe(clause, choice) if choice else ())
        return PerceptronReading(
            features, len(find_differences(stages.result.components, self.truth))
        )

    def find_neighbours(self, choices: Choices) -> Iterator[Choices]:
        """Yield all decisions that differ from `choices` in one clause.

        In `choices` this clause has the decision of the rules.
        """
        for at, clause in enumerate(self.rules.clauses):
            if not choices[at] and DECIDED & {mark.kind for mark in clause.marks}:
                for choice in ("told", "remark", "earlier"):
                    if _decide(clause, choice) != clause:
                        yield (*choices[:at], choice, *choices[at + 1 :])


def _decide(clause: Clause, choice: str) -> Clause:
    if choice == "earlier":
        return replace(clause, earlier=not clause.earlier)
    if choice == "told":
        return replace(clause, mode="told")
    return replace(clause, mode="remark") if choice else clause


def _describe(clause: Clause, choice: str) -> Iterator[str]:
    """Yield the features of a decision that differs from the rules."""
    yield choice
    yield f"{choice}, which is {clause.mode}"
    yield f"{choice} after {clause.opened!r}"
    for kind in sorted({f"{mark.kind} {mark.form}" for mark in clause.marks}):
        yield f"{choice} with {kind}"


Weights = Mapping[str, float]


def score(weights: Weights, reading: PerceptronReading) -> float:
    """Return the score of a reading; the reading with the highest score is the most plausible."""
    return sum(weights.get(name, 0.0) * count for name, count in reading.features.items())


def search(text: TaggedText, weights: Weights) -> Choices:
    """Return the decisions of the most plausible reading that a beam search finds."""
    beam = [text.own]
    for _ in range(ROUNDS):
        found = {*beam, *(new for choices in beam for new in text.find_neighbours(choices))}
        ranked = sorted(found, key=lambda c: (-score(weights, text.reading(c)), c))
        if ranked[:BEAM] == beam:
            break
        beam = ranked[:BEAM]
    return beam[0]


def learn_weights(texts: Sequence[TaggedText]) -> Weights:
    """Learn weights; return their averages over all steps.

    The target of each step is the best reading that was computed for the text so far.
    """
    weights: dict[str, float] = defaultdict(float)
    weights |= {reason: -float(weight) for reason, weight in WEIGHTS.items()}
    weights |= dict.fromkeys(("told", "remark", "earlier"), -float(PRICE))
    total: dict[str, float] = defaultdict(float)
    for _ in range(EPOCHS):
        for text in texts:
            chosen = text.reading(search(text, weights))
            best = min(text.known.values(), key=lambda r: (r.wrong, -score(weights, r)))
            if best.wrong < chosen.wrong:
                for name in best.features.keys() | chosen.features.keys():
                    step = best.features.get(name, 0) - chosen.features.get(name, 0)
                    weights[name] += step
            for name, weight in weights.items():
                total[name] += weight
    return {name: weight / (EPOCHS * len(texts)) for name, weight in total.items()}


def texts_of(part: str) -> dict[str, list[TaggedText]]:
    """Return the recipes of at most LONGEST clauses in a part of the corpus, by voice."""
    menu = load_menu()
    larder = Larder(ingredients=frozenset(menu.larder), doneness=menu.doneness)
    found: dict[str, list[TaggedText]] = {}
    for path in sorted((CORPUS / part).glob("*/truth.yaml")):
        texts = found[path.parent.name] = []
        for dish, components in yaml.safe_load(path.read_text()).items():
            prose = (path.parent / f"recipes/{dish}.txt").read_text()
            rules = read(prose, larder)
            truth = [parse_component(each, menu.doneness) for each in components]
            if len(rules.clauses) <= LONGEST:
                texts.append(TaggedText(rules, truth, larder))
    return found


def tell(name: str, texts: Sequence[TaggedText], weights: Weights) -> Counter[str]:
    """Print and return the number of texts, and three counts of texts that are read correctly.

    The counts are `rules` (by the rules), `learned` (by these weights), and `possible` (by any
    reading that was computed).
    """
    right = Counter(texts=len(texts))
    for text in texts:
        right["rules"] += not text.reading(text.own).wrong
        right["learned"] += not text.reading(search(text, weights)).wrong
        right["possible"] += not min(reading.wrong for reading in text.known.values())
    print(
        f"{name:<12} {right['texts']:>3} texts, right by rules {right['rules']}, "
        f"by learned weights {right['learned']}, among the readings {right['possible']}",
        flush=True,
    )
    return right


def main() -> None:
    """Learn weights and print the results for each voice."""
    learn, middle = texts_of("learn"), texts_of("middle")
    whole: Counter[str] = Counter()
    for voice, texts in learn.items():
        others = [text for name in learn if name != voice for text in learn[name]]
        whole += tell(voice, texts, learn_weights(others))
    print(f"learn, each voice by the others: {dict(whole)}")
    weights = learn_weights([text for texts in learn.values() for text in texts])
    for voice, texts in middle.items():
        tell(voice, texts, weights)


if __name__ == "__main__":
    main()
