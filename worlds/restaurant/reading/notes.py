"""The customer's words for one order line, read against the dish they are about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kitchen.components import Component, DonenessTable, StepSpec
from kitchen.customizations import Customization, Done, Extra, Longer, Swap, Without
from worlds.restaurant.reading import foodwords, wishes
from worlds.restaurant.reading.discourse import COOKING
from worlds.restaurant.reading.terms import Lexicon, Term, terms_of
from worlds.restaurant.reading.text import Span, mark_times, plain

MAX_LENGTH = 4000
"""Characters of a note that are read; nobody orders a dish at greater length."""


@dataclass(frozen=True, slots=True)
class Dish:
    """The dish a note is about."""

    components: tuple[Component, ...]

    def ingredients(self) -> tuple[str, ...]:
        """Names of all ingredients, each once, sorted."""
        return tuple(sorted({name for c in self.components for name in c.ingredients()}))

    def nodes(self) -> Iterator[Component]:
        """Every component and part."""
        for component in self.components:
            yield from component.walk()

    def levelled(self) -> list[tuple[str, StepSpec]]:
        """Foods whose doneness the recipe names, with the step that does it."""
        return [
            (node.name, step)
            for node in self.nodes() if not node.parts
            for step in node.steps if step.level is not None
        ]  # fmt: skip


@dataclass(slots=True)
class Segment:
    """A stretch of a note that asks for one thing."""

    text: str
    terms: list[Term]

    @property
    def span(self) -> Span | None:
        """The first time named."""
        return next((t.span for t in self.terms if t.span is not None), None)

    @property
    def names(self) -> list[Term]:
        """The words that name foods or dishes."""
        return [t for t in self.terms if t.kind in ("food", "kin", "mixture", "whole")]


class NoteReader:
    """Reads one note against one dish."""

    def __init__(self, dish: Dish, table: Lexicon, doneness: DonenessTable) -> None:
        self.dish = dish
        self.table = table
        self.doneness = doneness
        self.found: list[Customization] = []
        self.doubts: list[str] = []
        self.last: type[Customization] | None = None

    def read(self, note: str) -> None:
        """Take in the whole note."""
        text = wishes.FEWER.sub(r"\1 \2 less", plain(note[:MAX_LENGTH]))
        for segment in self._segments(mark_times(" ".join(text.split()))):
            self._segment(segment)

    def _segments(self, text: str) -> Iterator[Segment]:
        for part in re.split(r"[.;:!?()\n,]|\b(?:and|but|also|plus|then|because|since|as)\b", text):
            said = " ".join(wishes.POLITE.sub(" ", part).split())
            if said:
                yield Segment(said, terms_of(said, self.table))

    def _segment(self, segment: Segment) -> None:
        if wishes.NOT_A_WISH.search(segment.text):
            self.last = None
            return
        if segment.span is not None:
            self._longer(segment, segment.span)
        elif wishes.SWAP.search(segment.text) and len(segment.names) >= 2:
            self._swap(segment)
        elif self._done(segment):
            self.last = Done
        elif wishes.WITHOUT.search(segment.text) or wishes.FREE.search(segment.text):
            self._without(segment)
        elif wishes.EXTRA.search(segment.text) and segment.names:
            self._extra(segment)
        elif self._continues(segment):
            self._again(segment)
        else:
            self.last = None

    # ---- wishes

    def _done(self, segment: Segment) -> bool:
        level = next((lv for pattern, lv in wishes.LEVELS if pattern.search(segment.text)), None)
        if level is None:
            return False
        levelled = [
            (name, step) for name, step in self.dish.levelled()
            if level in self.doneness[name, step.process].levels
        ]  # fmt: skip
        named = [name for term in segment.names for name in self._foods(term)]
        if named:
            levelled = [(name, step) for name, step in levelled if name in named]
        elif not self._about_cooking(segment, level):
            return False
        names = sorted({name for name, _ in levelled})
        if len(names) == 1 or (named and names):
            for name in names:
                self._wish(Done(food=name, level=level))
            return True
        if names:
            self.doubts.append(f"It is not clear which food should be {level}.")
        elif level in wishes.STRONG_LEVELS:
            self.doubts.append(f"Nothing in this dish can be ordered {level}.")
        return bool(names)

    @staticmethod
    def _about_cooking(segment: Segment, level: str) -> bool:
        few = len(segment.text.split()) <= len(level.split()) + 2
        return few or bool(wishes.CUES.search(segment.text)) or level in wishes.STRONG_LEVELS

    def _without(self, segment: Segment) -> None:
        match = wishes.WITHOUT.search(segment.text)
        if wishes.NEEDS_OFF.search(segment.text) and not wishes.OFF.search(segment.text):
            self.last = None
            return
        start = segment.text[: match.end()] if match else ""
        offset = len(terms_of(start, self.table)) if start else 0
        self._each(segment, self._listed(segment.terms[offset:]), Without)

    def _extra(self, segment: Segment) -> None:
        match = wishes.EXTRA.search(segment.text)
        offset = len(terms_of(segment.text[: match.start()], self.table)) if match else 0
        after = self._listed(segment.terms[offset:]) or segment.names[-1:]
        self._each(segment, after, Extra)

    def _continues(self, segment: Segment) -> bool:
        """Whether a segment is nothing but further foods of the wish before it."""
        return (
            self.last in (Without, Extra)
            and bool(segment.names)
            and all(
                t.kind in ("food", "kin", "mixture", "determiner", "link")
                or t.word in ("either", "or")
                for t in segment.terms
            )
        )

    def _again(self, segment: Segment) -> None:
        kind = self.last
        assert kind is not None
        self._each(segment, segment.names, kind)

    def _each(self, segment: Segment, names: Sequence[Term], kind: type[Customization]) -> None:
        self.last = kind
        for term in names:
            foods = self._foods(term)
            present = [food for food in foods if food in self.dish.ingredients()]
            if not present and term.kind in ("food", "kin"):
                self.doubts.append(f"There is no {term.word} in this dish.")
            if kind is Extra and len(present) > 1:
                self.doubts.append(f"It is not clear which {term.word} is meant.")
                continue
            for food in present:
                self._wish(Without(food=food) if kind is Without else Extra(food=food))

    def _swap(self, segment: Segment) -> None:
        inside = set(self.dish.ingredients())
        names = segment.names
        if len(names) > 2:
            names = [term for term in names if len(self._foods(term)) == 1]
        if len(names) < 2:
            self.doubts.append("It is not clear what should take the place of what.")
            return
        pairs = [(term, self._foods(term)) for term in names[:2]]
        old = [i for i, (_, foods) in enumerate(pairs) if set(foods) & inside]
        match = wishes.INSTEAD.search(segment.text)
        if len(old) == 2:
            before = match is not None and segment.text.find(names[0].word) < match.start()
            keep = 1 if before else 0
        elif old:
            keep = old[0]
        else:
            self.doubts.append(f"There is no {names[-1].word} in this dish to replace.")
            return
        foods = [food for food in pairs[keep][1] if food in inside]
        by = pairs[1 - keep]
        if len(foods) != 1 or len(by[1]) != 1 or by[0].kind == "mixture":
            self.doubts.append("It is not clear what should take the place of what.")
            return
        if foods[0] != by[1][0]:
            self._wish(Swap(food=foods[0], by=by[1][0]))
        self.last = Swap

    def _longer(self, segment: Segment, span: Span) -> None:
        fewer = bool(wishes.LESS.search(segment.text))
        if not fewer and not (span.more or wishes.MORE.search(segment.text)):
            self.last = None
            return
        if span.low != span.high:
            self.doubts.append("It is not clear by how many minutes the time should change.")
            return
        minutes = -span.low if fewer else span.low
        for food, process in self._timed(segment):
            self._wish(Longer(food=food, process=process, minutes=minutes))
        self.last = Longer

    def _timed(self, segment: Segment) -> list[tuple[str, str]]:
        """Which steps a wish for other minutes means: foods and processes."""
        process = self._process(segment)
        processes = (process, "deep-fry") if process == "fry" else (process,)
        for term in segment.names:
            for wanted in processes:
                meant = self._steps_of(term, wanted)
                if meant:
                    return meant
        if segment.names and not any(self._known(term) for term in segment.names):
            self.doubts.append(f"There is no {segment.names[0].word} in this dish.")
            return []
        nodes = [
            node for node in self.dish.nodes() for step in node.steps
            if (step.process == process if process else step.process in COOKING)
        ]  # fmt: skip
        tops = [c for c in self.dish.components if any(node in nodes for node in c.walk())]
        if len(tops) != 1:
            self.doubts.append("It is not clear which food should be cooked for another time.")
            return []
        return self._steps_in(tops[0], None, process)

    def _known(self, term: Term) -> bool:
        return term.kind in ("whole", "mixture") or bool(
            set(self._foods(term)) & set(self.dish.ingredients())
        )

    @staticmethod
    def _process(segment: Segment) -> str | None:
        for term in segment.terms:
            if term.kind == "verb" and term.value not in ("cook", "cut"):
                return term.value
        for term in segment.terms:
            if term.kind == "place" and term.value in COOKING:
                return term.value
        return None

    def _steps_of(self, term: Term, process: str | None) -> list[tuple[str, str]]:
        if term.kind in ("food", "kin"):
            if term.value in wishes.POTATO_FRIED and process is None:
                process = "deep-fry" if self._has("potato", "deep-fry") else None
            for food in self._foods(term):
                for component in self.dish.components:
                    if food in component.ingredients():
                        steps = self._steps_in(component, food, process)
                        if steps:
                            return steps
            if term.kind == "food":
                return []
        wholes = [c for c in self._mixtures(term) if self._steps_in(c, None, process)]
        return self._steps_in(wholes[0], None, process) if wholes else []

    def _has(self, food: str, process: str) -> bool:
        return any(
            food in node.ingredients() and any(s.process == process for s in node.steps)
            for node in self.dish.nodes()
        )

    def _mixtures(self, term: Term) -> list[Component]:
        """Mixtures of the dish that a word may mean, the likeliest first."""
        hints = set(foodwords.MIXTURES.get(term.value, ()))
        joined = [node for node in self.dish.nodes() if node.parts]
        return sorted(
            joined,
            key=lambda node: (
                bool(hints) and not hints & set(node.ingredients()),
                term.kind == "whole" and not any(s.process == "assemble" for s in node.steps),
            ),
        )

    @staticmethod
    def _steps_in(
        component: Component, food: str | None, process: str | None
    ) -> list[tuple[str, str]]:
        """Where in a component the minutes of `process` are: the outermost such step."""
        own = [
            s.process for s in component.steps
            if (s.process == process if process else s.process in COOKING)
        ]  # fmt: skip
        if own:
            return [(food or component.ingredients()[0], own[-1])]
        found: list[tuple[str, str]] = []
        for part in component.parts:
            if food is None or food in part.ingredients():
                found += NoteReader._steps_in(part, food, process)
        return list(dict.fromkeys(found))

    # ---- foods

    def _foods(self, term: Term) -> list[str]:
        """The foods that a word may mean in this dish."""
        if term.kind == "food":
            return [term.value]
        if term.kind == "kin":
            inside = self.dish.ingredients()
            return [food for food in foodwords.KINDS_OF_FOOD[term.value] if food in inside]
        if term.kind == "mixture":
            hints = set(foodwords.MIXTURES.get(term.value, ()))
            for component in self.dish.components:
                separate = component.parts and not any(
                    step.process == "assemble" for step in component.steps
                )
                if separate and (not hints or hints & set(component.ingredients())):
                    return list(dict.fromkeys(component.ingredients()))
        return []

    def _listed(self, terms: Sequence[Term]) -> list[Term]:
        """Foods up to where a place or another food they only go with is named."""
        listed: list[Term] = []
        for index, term in enumerate(terms):
            if term.kind in ("food", "kin", "mixture"):
                following = terms[index + 1] if index + 1 < len(terms) else None
                if following is not None and following.kind in ("food", "kin", "mixture"):
                    continue
                listed.append(term)
            elif listed and term.kind == "preposition":
                break
        return listed

    def _wish(self, wish: Customization) -> None:
        if wish not in self.found:
            self.found.append(wish)
