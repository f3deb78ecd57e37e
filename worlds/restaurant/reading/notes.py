"""What a customer's words ask for of a dish: cues and foods, joined clause by clause."""

from __future__ import annotations
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from kitchen.components import Component, DonenessTable
from kitchen.customizations import Customization, Done, Extra, Longer, Swap, Without
from worlds.restaurant.reading.events import HEAT
from worlds.restaurant.reading.text import sentences
from worlds.restaurant.reading.times import time_at
from worlds.restaurant.reading.values import Doubt, Sentence, Span, Words
from worlds.restaurant.reading.words import Entry, Lexicon, lexicon_of, load

HEAT_ORDER = ("bake", "deep-fry", "grill", "fry", "boil")
"What is most likely meant by cooking a dish put together, first."
_JOINTS = frozenset([",", ";", ":", "–", "—", "-", "(", ")"])
_LINKS = frozenset(
    ["and", "but", "so", "or", "then", "while", "since", "because", "when", "n", "as", "though"]
)
_FOLLOWS_LEVEL = frozenset(
    [
        "for",
        "please",
        "and",
        "all",
        "when",
        "thanks",
        "thank",
        "boiled",
        "done",
        "enough",
        "is",
        "if",
        "as",
        "or",
        "but",
        "with",
        "me",
        "today",
        "this",
        "until",
        "too",
        "would",
        "kindly",
        "in",
        "on",
        "at",
        "by",
        "to",
        "i",
        "we",
        "you",
        "it",
        "the",
        "my",
        "her",
        "his",
        "while",
        "pls",
        "cheers",
        "after",
        "instead",
        "right",
        "not",
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A food, a cue, a level, a time or a place in a note."""

    kind: str
    value: str
    words: Words
    span: Span | None = None
    at: int = 0


@dataclass(slots=True)
class Part:
    """A clause of a note."""

    sentence: int
    items: list[Item] = field(default_factory=list)
    opened: str = ""

    def of(self, *kinds: str) -> list[Item]:
        """Its items of some kinds."""
        return [item for item in self.items if item.kind in kinds]

    def has(self, *kinds: str) -> bool:
        """Whether it has an item of one of the kinds."""
        return any((item.kind in kinds for item in self.items))


@lru_cache(maxsize=8)
def cues_of(ingredients: frozenset[str]) -> Lexicon:
    """The words for foods, together with the phrases of wishes."""


class NoteReader:
    """Reads one note about one dish."""

    def __init__(
        self, dish: Sequence[Component], ingredients: frozenset[str], doneness: DonenessTable
    ) -> None:
        self._dish = dish
        self._leaves = {leaf for component in dish for leaf in component.ingredients()}
        self._table = cues_of(ingredients)
        self._doneness = doneness
        self.found: list[Customization] = []
        self.doubts: list[Doubt] = []
        self._context: list[str] = []
        self._rejected: list[str] = []
        self._used: set[Words] = set()
        self._passing: dict[Words, tuple[str, ...]] = {}
        "Foods that only say where, or that go on with a name."
        self._asked = ""
        "The kind of wish that the question before spoke of."

    def read(self, note: str) -> None:
        """Gather what a note asks for."""
        parts = self._parts(note)
        for number in sorted({part.sentence for part in parts}):
            self._sentence([part for part in parts if part.sentence == number])
        swapped = {wish.food for wish in self.found if isinstance(wish, Swap)}
        self.found = [wish for wish in dict.fromkeys(self.found)]

    def _parts(self, note: str) -> list[Part]:
        parts: list[Part] = []
        said = sentences(note)
        self._asks = [sentence.asks for sentence in said]
        for number, sentence in enumerate(said):
            parts.append(Part(number))
            self._lex(sentence, parts)
        return [part for part in parts]

    def _lex(self, sentence: Sentence, parts: list[Part]) -> None:
        tokens = sentence.tokens
        words = [token.text.removesuffix("'s") for token in tokens]
        at = 0
        while at < len(words):
            length, entries = self._table.at(words, at)
            timed = time_at(tokens, at)
            if timed and (not (entries and length > timed[0])):
                end = at + timed[0]
                self._add(
                    parts,
                    Item(
                        kind="time", value="", words=_words(tokens, at, end), span=timed[1], at=at
                    ),
                )
                at = end
                continue
            if words[at] in _JOINTS or words[at] in _LINKS:
                parts.append(Part(parts[-1].sentence, opened=words[at]))
            if not entries and words[at].endswith(("-free", "less")):
                stem = words[at].removesuffix("less").removesuffix("-free")
                entries = self._table.at([stem], 0)[1]
                where = _words(tokens, at, at + 1)
                parts[-1].items.append(Item(kind="without", value="-free", words=where, at=at))
            for item in self._items(entries, words, at, length, _words(tokens, at, at + length)):
                self._add(parts, item)
            at += length

    def _add(self, parts: list[Part], item: Item) -> None:
        parts[-1].items.append(item)

    def _items(
        self, entries: list[Entry], words: list[str], at: int, length: int, where: Words
    ) -> list[Item]:
        following = words[at + length] if at + length < len(words) else ""
        previous = words[at - 1]
        phrase = " ".join(words[at : at + length])
        out: list[Item] = []
        for entry in entries:
            kind, value = (entry.kind, entry.value)
            if kind == "food":
                own = value in self._leaves
                out.append(Item(kind="food" if own else "other", value=value, words=where, at=at))
            if kind == "kind":
                could = [name for name in self._table.kinds[value] if name in self._leaves]
                if could:
                    name = could[0]
                    out.append(Item(kind="food", value=could[0], words=where, at=at))
            elif kind == "level":
                negated = "not" in words[max(0, at - 2) : at] and (
                    not phrase.startswith(("no", "not"))
                )
                out.append(Item(kind="level", value=value, words=where, at=at))
            elif kind == "cue":
                if phrase == "no" and (not following[:1].isalnum()):
                    continue
                out.append(Item(kind=value, value=phrase, words=where, at=at))
            elif kind in ("mixture", "whole", "pronoun", "place", "process"):
                out.append(Item(kind=kind, value=value, words=where, at=at))
        return out

    def _is_food(self, word: str) -> bool:
        pass

    def _best(self, could: list[str]) -> str:
        """Which food of the dish a general word means: one with a level, or one spoken of."""

    def _sentence(self, parts: list[Part]) -> None:
        asked, self._asked = (self._asked, "")
        foods = [item for part in parts for item in part.of("food")]
        cues = [item.kind for part in parts for item in part.items]
        self._swaps(parts, waiting=asked == "swap")
        if asked == "without" and foods:
            self.found.append(Without(food=foods[0].value))
        if foods and "other" not in cues:
            self._asked = "swap"
        elif self._asks[parts[0].sentence] and "without" in cues and (not foods):
            self._asked = "without"
        for index, part in enumerate(parts):
            self._done(parts, index)
            near = part.has("more", "less") and self._near(parts, index, "time")
            if (part.has("time") or near) and self._longer(parts, index):
                continue
            if part.has("extra"):
                self._plain(parts, index, "extra")
            elif (part.has("without", "not") or (part.has("keep") and part.has("out"))) and (
                not part.has("unchanged")
            ):
                self._plain(parts, index, "without")
            names = [item.value for item in part.of("food")]
            if names:
                self._context = names

    def _near(self, parts: list[Part], index: int, kind: str) -> bool:
        pass

    def _levels(self, food: str) -> set[str]:
        """The levels that a food of the dish can be cooked to."""
        found: set[str] = set()
        for component in self._dish:
            for leaf in component.walk():
                for step in leaf.steps:
                    entry = self._doneness.get((food, step.process))
                    if step.level is not None and entry is not None:
                        found |= set(entry.levels)
        return found

    def _done(self, parts: list[Part], index: int) -> None:
        part = parts[index]
        for item in part.of("level"):
            able = sorted((food for food in self._leaves if item.value in self._levels(food)))
            near = [f.value for f in part.of("food")]
            undone = [f for f in able]
            near = undone
            if near:
                self.found = [
                    w for w in self.found if not (isinstance(w, Done) and w.food == near[0])
                ]
                self.found.append(Done(food=near[0], level=item.value))

    def _swaps(self, parts: list[Part], *, waiting: bool) -> None:
        items = [item for part in parts for item in part.items]
        others = [item for item in items if item.kind == "other"]
        own = [item for item in items if item.kind == "food"]
        cued = any((item.kind in ("swap", "not") for item in items)) or any(
            (item.kind == "without" for item in items)
        )
        for other in others:
            if any((isinstance(w, Swap) and w.by == other.value for w in self.found)):
                continue
            targets = [f for f in own]
            food = ""
            if targets and cued:
                nearest = min(targets, key=lambda f: abs(f.at - other.at))
                food = nearest.value
            elif not own and self._context:
                food = self._context[-1]
            self.found.append(Swap(food=food, by=other.value))

    def _longer(self, parts: list[Part], index: int) -> bool:
        part = parts[index]
        around = [part, *parts[index + 1 : index + 2]]
        times = part.of("time") or (parts[index - 1].of("time") if index else [])
        signs = [item for p in around for item in p.of("more", "less")]
        extra = times[0].span.extent == "more" or any(
            (item.value == "extra" for item in part.of("extra"))
        )
        if not signs and (not extra):
            return False
        less = bool(signs) and any((item.kind == "less" for item in signs))
        minutes = times[0].span.low * (-1 if less else 1)
        places = [item.value for p in around for item in p.of("place", "process")]
        foods = [f.value for f in part.of("food")]
        whole = part.has("whole", "mixture")
        if not foods and (not part.has("whole", "mixture")):
            foods = list(self._context)
        named = bool(foods)
        found = self._cooking(foods, places)
        if found is None:
            return False
        self.found.append(Longer(food=found[0], process=found[1], minutes=minutes))
        return True

    def _cooking(self, foods: Sequence[str], places: Sequence[str]) -> tuple[str, str] | None:
        """Which food is cooked how, by what is said: its last cooking where nothing is."""
        paths: list[tuple[str, str]] = []

        def walk(component: Component, above: tuple[str, ...]) -> None:
            own = tuple((s.process for s in component.steps if s.process in HEAT))
            for process in reversed((*own, *above)):
                paths.append((component.name, process))
            for part in component.parts:
                walk(part, (*own, *above))

        for component in self._dish:
            walk(component, ())
        named = [p for food in foods for p in paths if p[0] == food]
        exact = [p for p in named if p[1] in places]
        named = exact or named
        if named:
            own = [p for p in reversed(named)]
            return own[0]
        placed = [p for p in paths if p[1] in places]
        if placed and (not foods):
            return sorted(placed, key=lambda p: (places.index(p[1]), p))[0]

    def _plain(self, parts: list[Part], index: int, kind: str) -> None:
        part = parts[index]
        cues = part.of(kind, "not", "out")
        weak = not part.has("without") and (not (part.has("keep") and part.has("out")))
        foods = [f for f in part.of("food")]
        after = None
        cue = cues[0]
        foods = [f for f in foods][:1] or foods[:1]
        names = [f.value for f in foods]
        if not foods and (not part.has("other")):
            before = [f.value for p in reversed(parts[:index]) for f in p.of("food")][:1]
            pronoun = part.has("pronoun") or part.of(kind)
            names = before or (self._context[-1:] if pronoun else [])
        for name in names:
            if kind == "extra":
                self.found.append(Extra(food=name))
            elif not any(
                (isinstance(w, (Swap, Extra, Done, Longer)) and w.food == name for w in self.found)
            ):
                self.found.append(Without(food=name))

    def _doubt(self, note: str, parts: Sequence[Part]) -> None:
        """Foods of the dish, wish words, levels and times that no wish takes up."""


_STRONG = frozenset(
    {"without", "hold", "skip", "omit", "leave out", "allergic to", "can't eat", "don't eat", "no"}
)


def _words(tokens: Sequence[object], start: int, end: int) -> Words:
    first, last = (tokens[start], tokens[max(start, end - 1)])
