# ruff: noqa: RUF001 - dashes and quotation marks of prose
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
"""What is most likely meant by cooking a dish put together, first."""
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
        return any(item.kind in kinds for item in self.items)


@lru_cache(maxsize=8)
def cues_of(ingredients: frozenset[str]) -> Lexicon:
    """The words for foods, together with the phrases of wishes."""
    foods = lexicon_of(ingredients)
    table = Lexicon(kinds=foods.kinds, mixtures=foods.mixtures, sets=foods.sets)
    for entries in foods.phrases.values():
        for key, found in entries:
            for entry in found:
                if entry.kind in ("food", "kind", "mixture", "whole", "pronoun", "place") or (
                    entry.kind == "process" and entry.value in HEAT
                ):
                    table.add(" ".join(key), entry.kind, entry.value, entry.form)
    data = load("wishes")
    for cue in ("unchanged", "without", "extra", "swap", "more", "less", "keep", "out", "told"):
        for phrase in data[cue]:
            table.add(str(phrase), "cue", cue)
    for level, phrases in data["levels"].items():
        for phrase in phrases:
            table.add(phrase, "level", level)
    for word in ("not", "nor", "never"):
        table.add(word, "cue", "not")
    return table


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
        """Foods that only say where, or that go on with a name."""
        self._asked = ""
        """The kind of wish that the question before spoke of."""
        self._asks: list[bool] = []

    def read(self, note: str) -> None:
        """Gather what a note asks for."""
        parts = self._parts(note)
        for number in sorted({part.sentence for part in parts}):
            self._sentence([part for part in parts if part.sentence == number])
        swapped = {wish.food for wish in self.found if isinstance(wish, Swap)}
        self.found = [
            wish for wish in dict.fromkeys(self.found)
            if not (isinstance(wish, Without) and wish.food in swapped)
        ]  # fmt: skip
        self._doubt(note, parts)

    # -- from words to parts --------------------------------------------------------------------

    def _parts(self, note: str) -> list[Part]:
        parts: list[Part] = []
        said = sentences(note)
        self._asks = [sentence.asks for sentence in said]
        for number, sentence in enumerate(said):
            parts.append(Part(number))
            self._lex(sentence, parts)
        return [part for part in parts if part.items]

    def _lex(self, sentence: Sentence, parts: list[Part]) -> None:
        tokens = sentence.tokens
        words = [token.text.removesuffix("'s") for token in tokens]
        at = 0
        while at < len(words):
            length, entries = self._table.at(words, at)
            timed = time_at(tokens, at)
            if (
                timed is None
                and words[at].isdigit()
                and at + 1 < len(words)
                and words[at + 1] in ("more", "less", "longer", "sooner")
            ):
                timed = (1, Span(int(words[at]), int(words[at]), "plain", tokens[at].words))
            if timed and not (entries and length > timed[0]):
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
                if not entries or words[at] in _JOINTS:
                    at += 1
                    continue
            if not entries and words[at].endswith(("-free", "less")):
                stem = words[at].removesuffix("less").removesuffix("-free")
                entries = self._table.at([stem], 0)[1]
                where = _words(tokens, at, at + 1)
                if any(entry.kind in ("food", "kind") for entry in entries):
                    parts[-1].items.append(Item(kind="without", value="-free", words=where, at=at))
            if not entries:
                at += 1
                continue
            for item in self._items(entries, words, at, length, _words(tokens, at, at + length)):
                self._add(parts, item)
            at += length

    def _add(self, parts: list[Part], item: Item) -> None:
        parts[-1].items.append(item)

    def _items(
        self, entries: list[Entry], words: list[str], at: int, length: int, where: Words
    ) -> list[Item]:
        following = words[at + length] if at + length < len(words) else ""
        previous = words[at - 1] if at else ""
        phrase = " ".join(words[at : at + length])
        out: list[Item] = []
        for entry in entries:
            kind, value = entry.kind, entry.value
            if kind == "food":
                own = value in self._leaves
                if previous == "in" or words[max(0, at - 2) : at] == ["in", "the"]:
                    self._passing[where] = (value,)
                wished = at > 1 and words[at - 2] in ("i'd", "we'd", "would", "you'd", "to")
                if (previous == "like" and not wished) or (
                    previous in ("an", "a") and at > 1 and words[at - 2] == "like"
                ):
                    continue
                out.append(Item(kind="food" if own else "other", value=value, words=where, at=at))
                break
            if kind == "kind":
                could = [name for name in self._table.kinds[value] if name in self._leaves]
                if could:
                    name = could[0] if len(could) == 1 else self._best(could)
                    if value in self._table.sets["shy"] or self._is_food(previous):
                        self._passing[where] = (name,)
                    out.append(
                        Item(
                            kind="food",
                            value=could[0] if len(could) == 1 else self._best(could),
                            words=where,
                            at=at,
                        )
                    )
                    break
            elif kind == "level":
                if (
                    following in _FOLLOWS_LEVEL
                    or not following[:1].isalnum()
                    or self._is_food(following)
                ):
                    negated = "not" in words[max(0, at - 2) : at] and not phrase.startswith(
                        ("no", "not")
                    )
                    out.append(
                        Item(
                            kind="level" if not negated else "unlevel",
                            value=value,
                            words=where,
                            at=at,
                        )
                    )
            elif kind == "cue":
                if value == "without" and phrase == "no" and not following[:1].isalnum():
                    continue
                if value == "out" and following in ("of", "the"):
                    continue
                out.append(Item(kind=value, value=phrase, words=where, at=at))
            elif kind in ("mixture", "whole", "pronoun", "place", "process"):
                out.append(Item(kind=kind, value=value, words=where, at=at))
        return out

    def _is_food(self, word: str) -> bool:
        return any(e.kind in ("food", "kind") for e in self._table.at([word], 0)[1])

    def _best(self, could: list[str]) -> str:
        """Which food of the dish a general word means: one with a level, or one spoken of."""
        for name in could:
            if name in self._context:
                return name
        return next((name for name in could if self._levels(name)), could[0])

    # -- from parts to wishes -------------------------------------------------------------------

    def _sentence(self, parts: list[Part]) -> None:
        if any(p.has("unchanged") for p in parts) and not any(
            p.has("without", "extra", "level") or (p.has("time") and p.has("more", "less"))
            for p in parts
        ):
            for part in parts:
                self._used |= {item.words for item in part.items}
            return
        asked, self._asked = self._asked, ""
        foods = [item for part in parts for item in part.of("food")]
        cues = [item.kind for part in parts for item in part.items]
        self._swaps(parts, waiting=asked == "swap")
        if asked == "without" and foods and not set(cues) & {"extra", "without", "swap", "level"}:
            self.found.append(Without(food=foods[0].value))
            self._used.add(foods[0].words)
        if self._asks[parts[0].sentence] and "swap" in cues and foods and "other" not in cues:
            self._asked = "swap"
        elif self._asks[parts[0].sentence] and "without" in cues and not foods:
            self._asked = "without"
        for index, part in enumerate(parts):
            if part.has("level"):
                self._done(parts, index)
            near = part.has("more", "less") and self._near(parts, index, "time")
            if (part.has("time") or near) and self._longer(parts, index):
                continue
            if part.has("extra"):
                self._plain(parts, index, "extra")
            elif (
                part.has("without", "not") or (part.has("keep") and part.has("out"))
            ) and not part.has("unchanged"):
                self._plain(parts, index, "without")
            names = [item.value for item in part.of("food")]
            if part.has("keep") and not part.has("out", "without"):
                self._used |= {item.words for item in part.of("food")}
            if names:
                self._context = names

    def _near(self, parts: list[Part], index: int, kind: str) -> bool:
        return index > 0 and parts[index - 1].has(kind)

    def _levels(self, food: str) -> set[str]:
        """The levels that a food of the dish can be cooked to."""
        found: set[str] = set()
        for component in self._dish:
            for leaf in component.walk():
                if leaf.name == food and not leaf.parts:
                    for step in leaf.steps:
                        entry = self._doneness.get((food, step.process))
                        if step.level is not None and entry is not None:
                            found |= set(entry.levels)
        return found

    def _done(self, parts: list[Part], index: int) -> None:
        part = parts[index]
        for item in part.of("level"):
            able = sorted(food for food in self._leaves if item.value in self._levels(food))
            near = [f.value for f in part.of("food") if f.value in able]
            near.sort(
                key=lambda name: min(
                    abs(f.at - item.at) for f in part.of("food") if f.value == name
                )
            )
            if not near:
                near = [
                    f.value
                    for p in reversed(parts[:index])
                    for f in p.of("food")
                    if f.value in able
                ][:1]
            if not near:
                near = [name for name in self._context if name in able]
            if not near and index + 1 < len(parts) and not parts[index + 1].has("level"):
                near = [f.value for f in parts[index + 1].of("food") if f.value in able]
            if not near:
                undone = [
                    f
                    for f in able
                    if not any(isinstance(w, Done) and w.food == f for w in self.found)
                ]
                near = undone if len(undone) == 1 else able if len(able) == 1 else []
            if near:
                self.found = [
                    w for w in self.found if not (isinstance(w, Done) and w.food == near[0])
                ]
                self.found.append(Done(food=near[0], level=item.value))
                self._used |= {item.words} | {
                    f.words for f in part.of("food") if f.value == near[0]
                }

    def _swaps(self, parts: list[Part], *, waiting: bool) -> None:
        items = [item for part in parts for item in part.items]
        others = [item for item in items if item.kind == "other"]
        own = [item for item in items if item.kind == "food"]
        cued = any(item.kind in ("swap", "not") for item in items) or (
            any(item.kind == "without" for item in items)
        )
        for other in others:
            if any(isinstance(w, Swap) and w.by == other.value for w in self.found):
                self._used.add(other.words)
                continue
            targets = [f for f in own if f.words not in self._used]
            food = ""
            if targets and cued:
                nearest = min(targets, key=lambda f: abs(f.at - other.at))
                food = nearest.value
                self._used |= {nearest.words}
            elif not own and self._rejected:
                food = self._rejected[-1]
            elif (
                not own
                and (waiting or any(item.kind == "swap" for item in items))
                and self._context
            ):
                food = self._context[-1]
            if food and food != other.value:
                self.found.append(Swap(food=food, by=other.value))
                self._used |= {item.words for item in items if item.kind == "swap"} | {other.words}
        if (
            not others
            and any(item.kind == "swap" for item in items)
            and len(own) == 2
            and not any(
                item.kind in ("without", "extra", "level", "time", "more", "less") for item in items
            )
        ):
            cue = next(item for item in items if item.kind == "swap")
            if cue.value in ("instead of", "in place of", "rather than"):
                self.found.append(Swap(food=own[1].value, by=own[0].value))
                self._used |= {f.words for f in own}

    def _longer(self, parts: list[Part], index: int) -> bool:
        part = parts[index]
        around = [part, *parts[index + 1 : index + 2]]
        times = part.of("time") or (parts[index - 1].of("time") if index else [])
        signs = [item for p in around for item in p.of("more", "less")]
        if not times or times[0].words in self._used or times[0].span is None:
            return False
        if not signs and index:
            signs = parts[index - 1].of("more", "less")
        extra = times[0].span.extent == "more" or any(
            item.value == "extra" for item in part.of("extra")
        )
        if not signs and not extra:
            return False
        less = bool(signs) and any(item.kind == "less" for item in signs)
        minutes = times[0].span.low * (-1 if less else 1)
        places = [
            item.value for p in around for item in p.of("place", "process") if item.value in HEAT
        ]
        foods = [f.value for f in part.of("food")]
        whole = part.has("whole", "mixture")
        if (
            not foods
            and not whole
            and index + 1 < len(parts)
            and not parts[index + 1].has("time", "without", "extra", "level")
        ):
            foods = (
                [f.value for f in parts[index + 1].of("food")]
                if parts[index + 1].has("food")
                else []
            )
        if not foods and not whole and index and not any(p.has("time") for p in parts[:index]):
            foods = [f.value for f in parts[index - 1].of("food")]
        if not foods and not part.has("whole", "mixture"):
            foods = list(self._context)
        named = bool(foods)
        for item in part.of("mixture"):
            foods = foods or [
                n for n in self._table.mixtures.get(item.value, ()) if n in self._leaves
            ]
        found = self._cooking(foods, places)
        if found is None and whole:
            found = self._cooking((), places or HEAT_ORDER)
        if found is None:
            return False
        self.found.append(Longer(food=found[0], process=found[1], minutes=minutes))
        self._used |= {times[0].words} | {
            f.words for p in around for f in p.of("food") if named and f.value == found[0]
        }
        self._used |= {s.words for s in signs}
        for item in part.of("extra"):
            self._used.add(item.words)
        return True

    def _cooking(self, foods: Sequence[str], places: Sequence[str]) -> tuple[str, str] | None:
        """Which food is cooked how, by what is said: its last cooking where nothing is."""
        paths: list[tuple[str, str]] = []

        def walk(component: Component, above: tuple[str, ...]) -> None:
            own = tuple(s.process for s in component.steps if s.process in HEAT)
            if not component.parts:
                for process in reversed((*own, *above)):
                    paths.append((component.name, process))
                return
            for part in component.parts:
                walk(part, (*own, *above))

        for component in self._dish:
            walk(component, ())
        named = [p for food in foods for p in paths if p[0] == food]
        if named and places:
            exact = [p for p in named if p[1] in places]
            named = exact or named
        if named:
            own = [p for p in reversed(named) if p[0] == named[0][0]]
            return own[0] if not places else named[0]
        placed = [p for p in paths if p[1] in places]
        if placed and not foods:
            return sorted(placed, key=lambda p: (places.index(p[1]), p))[0]
        return None

    def _plain(self, parts: list[Part], index: int, kind: str) -> None:
        part = parts[index]
        cues = part.of(kind, "not", "out") if kind == "without" else part.of(kind)
        weak = (
            kind == "without"
            and not part.has("without")
            and not (part.has("keep") and part.has("out"))
        )
        foods = [f for f in part.of("food") if f.words not in self._used]
        if weak:
            foods = [f for f in foods if f.at > cues[0].at and f.at - cues[0].at <= 3]
            if not foods and not (part.has("pronoun") and len(part.items) <= 2):
                return
        if (
            not foods
            and index
            and parts[index - 1].has("food")
            and not parts[index - 1].has("extra", "without", "time", "level")
        ):
            foods = [f for f in parts[index - 1].of("food") if f.words not in self._used]
        after = parts[index + 1] if index + 1 < len(parts) else None
        if (
            not foods
            and after is not None
            and not after.has("extra", "without", "time", "level", "swap")
        ):
            foods = [f for f in after.of("food") if f.words not in self._used]
        if kind == "extra" and len(foods) > 1 and not any(p.kind == "and" for p in part.items):
            cue = cues[0]
            foods = [f for f in foods if f.at > cue.at][:1] or foods[:1]
        names = [f.value for f in foods]
        if not foods and not part.has("other"):
            before = [f.value for p in reversed(parts[:index]) for f in p.of("food")][:1]
            pronoun = part.has("pronoun") or part.of(kind)
            names = before or (self._context[-1:] if pronoun else [])
        for more in parts[index + 1 :]:
            if (
                more.opened in (",", "and", "or")
                and more.items
                and all(i.kind == "food" for i in more.items)
            ):
                names += [f.value for f in more.items]
                foods += more.items
            else:
                break
        for name in names:
            if kind == "extra":
                self.found.append(Extra(food=name))
            elif not any(
                isinstance(w, (Swap, Extra, Done, Longer)) and w.food == name for w in self.found
            ):
                self.found.append(Without(food=name))
                self._rejected.append(name)
        self._used |= {f.words for f in foods} | ({c.words for c in cues} if names else set())

    def _doubt(self, note: str, parts: Sequence[Part]) -> None:
        """Foods of the dish, wish words, levels and times that no wish takes up."""
        wished = {wish.food for wish in self.found} | {
            wish.by for wish in self.found if isinstance(wish, Swap)
        }
        content = any(part.has("unchanged") for part in parts) and not self.found
        for part in parts:
            tale = any(p.has("told") for p in parts if p.sentence == part.sentence)
            for item in part.items:
                if item.words in self._used or content:
                    continue
                if item.kind == "food" and item.value in self._passing.get(item.words, ()):
                    continue
                if (
                    item.kind in ("food", "other")
                    and tale
                    and not part.has("without", "extra", "swap")
                ):
                    continue
                if item.kind == "food" and item.value in self._passing.get(item.words, ()):
                    continue
                if item.kind in ("food", "other") and item.value not in wished:
                    self.doubts.append(
                        Doubt("a food, and no wish about it", item.words, item.words.of(note))
                    )
                elif item.kind == "extra" or (item.kind == "without" and item.value in _STRONG):
                    self.doubts.append(
                        Doubt("a wish about no food of the dish", item.words, item.words.of(note))
                    )
                elif (
                    item.kind == "time"
                    and part.has("more", "less")
                    and item.span
                    and item.span.sure
                ):
                    self.doubts.append(Doubt("minutes of no step", item.words, item.words.of(note)))
                elif item.kind == "level" and (
                    item.value in ("rare", "medium rare", "well done")
                    or any(item.value in self._levels(f) for f in self._leaves)
                ):
                    self.doubts.append(Doubt("a level of no food", item.words, item.words.of(note)))


_STRONG = frozenset(
    {"without", "hold", "skip", "omit", "leave out", "allergic to", "can't eat", "don't eat", "no"}
)


def _words(tokens: Sequence[object], start: int, end: int) -> Words:
    first, last = tokens[start], tokens[max(start, end - 1)]
    return Words(first.words.start, last.words.end)  # type: ignore[attr-defined]
