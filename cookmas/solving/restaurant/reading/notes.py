"""The reading of notes: from text to clauses with cues, and from clauses to customizations.

A cue is a phrase with a role in a request, such as `instead of` or `extra` (`WishCue`). Beside the
cues a clause has foods, levels and times.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from typing import Literal, NamedTuple, get_args

from cookmas.kitchen.components import Component, DonenessTable
from cookmas.kitchen.customizations import Customization, Done, Extra, Longer, Swap, Without
from cookmas.solving.restaurant.reading.marking import sentences
from cookmas.solving.restaurant.reading.times import time_at
from cookmas.solving.restaurant.reading.values import HEAT, Doubt, MarkKind, Span, Words
from cookmas.solving.restaurant.reading.words import Lexicon, WordSense, lexicon_of, load

# ruff: noqa: RUF001 - dashes of prose


WISHES = load("wishes")
_JOINTS = frozenset({*",;:–—-()&+/", *WISHES["links"]})
_AFTER_LEVELS = frozenset(WISHES["after_levels"])
_ARTICLES = frozenset({"the", "a", "an", "any", "of", "some", "my", "your"})
_LABELS = frozenset(":–—-")
_SIGNED = re.compile(r"(?:^[ \t]*|(?<=[\s,;(]))[-+](?=([ \t]*)[^\W\d])", re.MULTILINE)
"""A sign before a food: `-onion`, or `- onion` at the beginning of a line."""
_SIGN_CUES = {"-": "🚫", "+": "🔼"}
_SIGNS = frozenset("0123456789½¼¾⅓⅔,;:()=+&/°'–—-")
_PLAIN = frozenset(str(word) for word in WISHES["plain"])
_FOODS = frozenset({"food", "kind", "process"})
_SAME = _FOODS | {"mixture", "whole", "pronoun", "place"}


WishCue = Literal[
    "without", "extra", "swap", "more", "less", "unchanged", "keep", "out", "told", "not", "wanted",
    "apart", "condition",
]  # fmt: skip
"""The role of a phrase in a request; `words/wishes.yaml` lists the phrases of each."""
ItemKind = MarkKind | WishCue | Literal["", "other"]
_ASKING: tuple[ItemKind, ...] = ("without", "extra", "more")
_WISH_CUES: Mapping[str, WishCue] = {cue: cue for cue in get_args(WishCue)}


class NoteItem(NamedTuple):
    """A meaningful phrase of a note."""

    kind: ItemKind
    """A food of the dish, another food, a cue, a level, a time or a place."""
    value: str
    """The meaning of the phrase, such as the name of a food or process."""
    words: Words
    """Its words in the text."""
    at: int
    """Its position among the words of its sentence."""
    span: Span | None = None
    """The minutes, if the phrase is a time."""
    alike: Sequence[str] = ()
    """Other foods of the dish that the phrase may mean, as in `all the vegetables`."""
    passing: Literal["", "where", "name"] = ""
    """For a food: `where` if it only names a place, `name` if it only continues a name."""


@dataclass(slots=True)
class Part:
    """A clause of a note."""

    sentence: int
    """Number of its sentence."""
    opened: str = ""
    """The sign or word before the clause."""
    items: list[NoteItem] = field(default_factory=list)
    """Its phrases, in order."""
    strange: list[Words] = field(default_factory=list)
    """Its words that the reader knows nothing of."""

    def of(self, *kinds: ItemKind) -> list[NoteItem]:
        """Return the items of these kinds."""
        return [item for item in self.items if item.kind in kinds]

    def has(self, *kinds: ItemKind) -> bool:
        """Return whether the clause has an item of one of these kinds."""
        return any(item.kind in kinds for item in self.items)


@lru_cache(maxsize=8)
def cues_of(ingredients: frozenset[str]) -> Lexicon:
    """Return the vocabulary of notes: the words for foods, and the phrases of requests."""
    foods = lexicon_of(ingredients)
    table = Lexicon(kinds=foods.kinds, mixtures=foods.mixtures, sets=foods.sets, numbers={})
    for key, found in (each for entries in foods.phrases.values() for each in entries):
        for entry in found:
            if entry.kind in _SAME and (entry.kind != "place" or entry.value in HEAT):
                table.add([" ".join(key)], entry.kind, entry.value, entry.form)
            if entry.kind in ("food", "kind"):
                free = [" ".join(key) + ending for ending in ("less", "-free")]
                table.add(free, "cue", "without")
                table.add(free, entry.kind, entry.value)
    for cue, phrases in WISHES["cues"].items():
        table.add(phrases, "cue", cue)
    for level, phrases in WISHES["levels"].items():
        table.add(phrases, "level", level)
    return table


def parts_of(note: str, table: Lexicon, foods: Collection[str]) -> list[Part]:
    """Return the clauses of a note that have items; `foods` names the foods of the dish."""
    parts: list[Part] = []
    for number, sentence in enumerate(sentences(_with_cues(note, table))):
        parts.append(Part(number))
        texts = [_name_of(token.text) for token in sentence.tokens]
        words = [text.removesuffix("'s") for text in texts]
        at = 0
        while at < len(words):
            length, entries = table.at(words, at)
            timed, span = time_at(sentence.tokens, texts, at)
            if span is not None and timed >= length and (span.sure or not entries):
                length = timed
                parts[-1].items.append(NoteItem("time", "", span.words, at, span))
            else:
                apart = parts[-1].has("food", "other") and _asks(table, words, at)
                if words[at] in _JOINTS or apart:
                    parts.append(Part(number, "" if apart else words[at]))
                where = sentence.tokens[at].words.extend_to(sentence.tokens[at + length - 1].words)
                if length == 1 and len(words[at]) == 2 and not where.of(note).isupper():
                    entries = [each for each in entries if each.kind != "level"]  # `Mr`, not `MR`
                item = NoteItem("", " ".join(words[at : at + length]), where, at)
                items = [*_items_for(item, entries, words, at + length, table, foods)]
                parts[-1].items += items
                plain = words[at].split("'")[0] in _PLAIN and length == 1
                sign = not words[at][0].isalnum() and words[at] < "\U0001f000"
                known = plain or sign or words[at][0] in _SIGNS
                if not items and not known:
                    parts[-1].strange.append(where)
            at += length
    parts = _join_labels([part for part in parts if part.items or part.strange])
    for part in parts:
        if part.has("keep") and part.has("out"):
            part.items = [i._replace(kind="without") if i.kind == "out" else i for i in part.items]
    return parts


def _with_cues(note: str, table: Lexicon) -> str:
    """Return a note with a sign of its own for each plus and minus before a food."""

    def cue_of(sign: re.Match[str]) -> str:
        named = re.findall(r"[\w'-]+", note[sign.end() :].lower()[:80])
        opens = note[: sign.start()].rstrip(" \t")[-1:] in ("", "\n", ",", ";")
        asks = (opens or not sign[1]) and table.kinds_at(named, 0) & {"food", "kind"}
        return sign[0][:-1] + _SIGN_CUES[sign[0][-1]] if asks else sign[0]

    return _SIGNED.sub(cue_of, note)


def _name_of(word: str) -> str:
    """Return the name of a picture of a food, such as `onion` for 🧅; other words as they are."""
    pictured = len(word) == 1 and word > "\U0001f000" and word not in _SIGN_CUES.values()
    return unicodedata.name(word, word).lower() if pictured else word


def _join_labels(parts: Sequence[Part]) -> list[Part]:
    """Join a cue that stands alone with the foods beside it: `onion: none`, `ALLERGY! parsley`."""
    out: list[Part] = []
    for part in parts:
        last = out[-1] if out else None
        near = last is not None and last.sentence == part.sentence
        if last is None or last.strange or part.strange:
            out.append(part)
        elif near and part.opened in _LABELS and _only(last, "food") and _only(part, *_ASKING):
            last.items += part.items
        elif _only(last, *_ASKING) and _only(part, "food") and _labels(last, part):
            out[-1] = part
            part.items = [*(cue._replace(at=-1) for cue in last.items), *part.items]
        else:
            out.append(part)
    return out


def _labels(cue: Part, foods: Part) -> bool:
    """Return whether a cue is the label of the foods after it: `NO: onion`, `ALLERGY! parsley`."""
    if cue.sentence != foods.sentence:
        return any(item.value in WISHES["shouted"] for item in cue.items)
    return foods.opened in _LABELS


def _only(part: Part, *kinds: ItemKind) -> bool:
    """Return whether a clause has items of these kinds alone."""
    return bool(part.items) and not part.strange and all(item.kind in kinds for item in part.items)


def _asks(table: Lexicon, words: Sequence[str], at: int) -> bool:
    """Return whether a word asks for the food after it: `no onion`, `extra of the cheese`."""
    length, entries = table.at(words, at)
    after = at + length
    while words[after : after + 1] and words[after] in _ARTICLES:
        after += 1
    cue = any(entry.kind == "cue" and entry.value in ("without", "extra") for entry in entries)
    named = table.kinds_at(words, after) | {entry.kind for entry in entries}
    return cue and bool(named & {"food", "kind"})


def _items_for(
    said: NoteItem, entries: Sequence[WordSense], words: Sequence[str], end: int, table: Lexicon,
    foods: Collection[str],
) -> Iterator[NoteItem]:  # fmt: skip
    """Yield the items that a phrase may stand for.

    `said` has the text of the phrase as its value, and `entries` are the meanings of the phrase.
    `end` is the position of the word after the phrase.
    """
    before = words[max(0, said.at - 2) : said.at]
    following = words[end] if end < len(words) else ""
    where: Literal["", "where"] = "where" if " ".join(before) in WISHES["passing"] else ""
    for entry in entries:
        item = said._replace(kind=entry.kind, value=entry.value)
        match entry.kind:
            case "food":
                kind: ItemKind = "food" if entry.value in foods else "other"
                yield item._replace(kind=kind, passing=where)
                return
            case "kind":
                name = entry.value in table.sets["shy"] or table.kinds_at(before[-1:], 0) & _FOODS
                if names := [name for name in table.kinds[entry.value] if name in foods]:
                    food = item._replace(kind="food", value=names[0], alike=names[1:])
                    yield food._replace(passing=where or ("name" if name else ""))
                    return
            case "mixture":
                own = (name for name in table.mixtures[entry.value] if name in foods)
                yield item._replace(value=next(own, ""))
            case "cue":
                label = following == ":" or bool(before and before[-1] in _LABELS)
                label = label or bool(table.kinds_at(before[-1:], 0) & _FOODS)
                asked = following[:1].isalnum() or following > "\U0001f000"
                needs = {"no": asked or label, "none": label, "add": _asks(table, words, said.at)}
                if needs.get(said.value, True):
                    yield said._replace(kind=_WISH_CUES[entry.value])
            case "level":
                noun = bool(table.kinds_at([following], 0) & _FOODS)
                noun = noun or "cue" in table.kinds_at(words, end)
                if noun or following in _AFTER_LEVELS or not following[:1].isalnum():
                    yield item
            case _:
                yield item


_STRONG = frozenset(WISHES["strong"])


@dataclass(slots=True)
class NoteState:
    """The state of reading a note."""

    dish: Sequence[Component]
    """Components of the dish."""
    doneness: DonenessTable
    """Minutes for each food, process and level of doneness."""
    found: list[Customization] = field(default_factory=list)
    """The customizations found so far."""
    used: set[Words] = field(default_factory=set)
    """Words that belong to a customization."""
    guessed: list[Words] = field(default_factory=list)
    """Foods that may replace others, although no word beside them says so."""
    context: list[str] = field(default_factory=list)
    """Foods that were mentioned last."""
    turned: bool = False
    """Whether the note asked to replace or omit anything so far."""

    def foods(self) -> list[str]:
        """Return the foods of the dish."""
        return sorted({leaf for component in self.dish for leaf in component.ingredients()})

    def wish(self, wish: Customization, items: Iterable[NoteItem]) -> None:
        """Add a customization, and record the words it uses."""
        self.found.append(wish)
        self.used |= {item.words for item in items}

    def fresh(self, items: Sequence[NoteItem]) -> list[NoteItem]:
        """Return the items that no customization uses."""
        return [item for item in items if item.words not in self.used]

    def levels(self, food: str) -> set[str]:
        """Return the levels that a food of the dish can be cooked to."""
        steps = [s for c in self.dish for leaf in c.walk() if leaf.name == food for s in leaf.steps]
        entries = [self.doneness.get((food, s.process)) for s in steps if s.level is not None]
        return {level for entry in entries if entry is not None for level in entry.levels}


def parse_note(
    note: str, dish: Sequence[Component], ingredients: frozenset[str], doneness: DonenessTable
) -> tuple[list[Customization], list[Doubt]]:
    """Return the customizations of a note, in the order of its words, and the doubts about it."""
    state = NoteState(dish, doneness)
    parts = parts_of(note, cues_of(ingredients), state.foods())
    for _, sentence in groupby(parts, key=lambda part: part.sentence):
        _read_sentence(state, list(sentence))
    doubts = list(_doubts(state, note, parts))
    refused = {wish.food for wish in state.found if isinstance(wish, Without)}
    otherwise = {wish.food for wish in state.found if not isinstance(wish, (Without, Swap))}
    if refused & otherwise:
        doubts.append(Doubt("a food that is asked for and refused", Words(0, len(note)), note))
    swapped = {wish.food for wish in state.found if isinstance(wish, Swap)}
    wishes = [
        wish for wish in dict.fromkeys(state.found)
        if not (isinstance(wish, Without) and wish.food in otherwise | swapped)
    ]  # fmt: skip
    return wishes, doubts


def _read_sentence(state: NoteState, parts: Sequence[Part]) -> None:
    _find_swaps(state, parts)
    for index, part in enumerate(parts):
        _find_levels(state, part)
        if not _find_longer(state, parts, index):
            without = part.has("without")
            extra = part.has("extra") and not _asks_to_repeat(part)
            if without and not extra:
                _find_extra_or_without(state, parts, index, "without", Without)
            if extra and not without:
                _find_extra_or_without(state, parts, index, "extra", Extra)
        state.context = [item.value for item in part.of("food")] or state.context


def _find_swaps(state: NoteState, parts: Sequence[Part]) -> None:
    """Find swaps: another food replaces the nearest food of the dish, or the one mentioned last."""
    cues = [item for part in parts for item in part.of("swap", "not", "without")]
    own = [item for part in parts for item in part.of("food")]
    state.turned = state.turned or bool(cues)
    for part in (part for part in parts if part.has("swap") or not part.has("extra", "without")):
        for other in part.of("other"):
            if _cue_before(part, other):
                continue
            if not part.has("swap") or len(part.of("other")) > 1:
                state.guessed.append(other.words)
            could = state.fresh(part.of("food")) or state.fresh(own)
            near = min(
                could, default=None,
                key=lambda item: (_cue_before(part, item) != "swap", abs(item.at - other.at)),
            )  # fmt: skip
            if near and cues:
                state.wish(Swap(food=near.value, by=other.value), [other, near, *cues])
            elif state.turned and state.context and not own:
                state.wish(Swap(food=state.context[-1], by=other.value), [other, *cues])


def _cue_before(part: Part, item: NoteItem) -> ItemKind:
    """Return the cue before a food that asks for it or refuses it; empty if there is none."""
    last = max((other.at for other in part.items if other.at < item.at), default=-1)
    asks = (cue for cue in part.of("extra", "without", "swap") if cue.at == last)
    return next((c.kind for c in asks if c.kind != "swap" or c.value in WISHES["replaced"]), "")


def _find_levels(state: NoteState, part: Part) -> None:
    """Find levels of doneness: each belongs to the nearest food that can be cooked to it."""
    for item in part.of("level"):
        if _is_negated(part, item, ("not", "without")):
            continue
        near = sorted(part.of("food"), key=lambda food: abs(food.at - item.at))
        able = [food for food in state.foods() if item.value in state.levels(food)]
        could = [name for name in [*(food.value for food in near), *state.context] if name in able]
        could = could or (able if len(able) == 1 else [])
        for name in could[:1]:
            state.found = [w for w in state.found if not (isinstance(w, Done) and w.food == name)]
            state.wish(Done(food=name, level=item.value), [item])


def _find_longer(state: NoteState, parts: Sequence[Part], index: int) -> bool:
    """Find a wish to cook something longer or shorter; return whether there is one.

    `index` is the position of the clause in `parts`. The next clause counts too.
    """
    part, around = parts[index], parts[index : index + 2]
    signs = next((found for p in around if (found := p.of("more", "less"))), [])
    heats = [i.value for p in around for i in p.of("place", "process") if i.value in HEAT]
    foods = [food.value for food in part.of("food") or part.of("mixture") if food.value]
    if not foods and not part.has("whole", "mixture"):
        foods = state.context
    cooking = _find_cooking(state, foods, heats)
    signed = part.items[:1] == part.of("time")[:1] and part.opened in ("+", "-")
    one = len(part.of("time")) == 1 and len({sign.kind for sign in signs}) < 2
    for time in part.of("time") if one else ():
        if cooking and time.span and (signs or signed or time.span.extent == "more"):
            less = any(sign.kind == "less" for sign in signs) or (signed and part.opened == "-")
            minutes = -time.span.low if less else time.span.low
            wish = Longer(food=cooking[0], process=cooking[1], minutes=minutes)
            extra = {item.words for item in part.of("extra")}
            state.wish(wish, [time, *([s for s in signs if s.words not in extra] or signs)])
            return True
    return False


def _find_cooking(
    state: NoteState, foods: Sequence[str], heats: Sequence[str]
) -> tuple[str, str] | None:
    """Return the food and the process that the words mean; None if they mean none.

    If the words name no process, the food's first cooking process is meant.
    """
    paths = [path for component in state.dish for path in _paths(component)]
    named = [path for food in foods for path in paths if path[0] == food]
    if named:
        return next((path for path in named if path[1] in heats), named[0])
    placed = [path for path in paths if path[1] in heats and not foods]
    return min(placed, default=None)


def _paths(component: Component, above: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Yield each food of a component with each process that cooks it, in order.

    `above` has the processes that cook everything in the component.
    """
    heats = (*(step.process for step in component.steps if step.process in HEAT), *above)
    yield from ((component.name, process) for process in heats)
    for part in component.parts:
        yield from _paths(part, heats)


def _is_negated(part: Part, item: NoteItem, by: Sequence[ItemKind] = ("not",)) -> bool:
    """Return whether words before an item negate it: `not too soft`, `don't skip the garlic`."""
    last = [other for other in part.items if other.at < item.at and other.kind != "pronoun"][-1:]
    return any(other.kind in by and item.at - other.at <= 3 for other in last)


def _asks_to_repeat(part: Part) -> bool:
    """Return whether a clause asks to repeat a process, not for more: `the bun toasted twice`."""
    *before, last = [item for item in part.items if item.kind != "place"]
    if not before or last.kind != "extra":
        return False
    attribute = before[-1].at == before[0].at + 1
    return before[-1].kind == "process" or (before[0].kind == "process" and not attribute)


def _find_extra_or_without(
    state: NoteState, parts: Sequence[Part], index: int, cue: WishCue, wish: type[Extra | Without]
) -> None:
    """Find requests for more of a food, or for none of it, as `cue` and `wish` say."""
    part = parts[index]
    cues = part.of(cue)
    strong = wish is Extra or _is_strong(cues[0])
    named = [food for food in part.of("food", "other") if food.passing != "where"]
    after = [food for food in named if food.at >= cues[0].at][:1]
    lost = any(food.words < words < cues[0].words for food in named[:1] for words in part.strange)
    foods = [food for food in after or named[:1] if food.kind == "food" and (after or not lost)]
    if _is_negated(part, cues[0]):
        state.used |= {item.words for item in [*cues, *foods]}
        return
    names = [food.value for food in foods]
    names += [name for food in foods if wish is Without for name in food.alike]
    if not foods and not part.has("other") and not (strong and part.strange):
        names = state.context[-1:]
    for more in parts[index + 1 :]:
        listed = more.opened in (",", "and", "or", "nor", "&", "+", "/")
        if not listed or more.strange or len(more.of("food", "not")) < len(more.items):
            break
        names += [food.value for food in more.of("food")]
    for name in names:
        state.wish(wish(food=name), cues)


def _doubts(state: NoteState, note: str, parts: Sequence[Part]) -> Iterator[Doubt]:
    """Yield a doubt for each food, cue, level and time that no customization uses."""
    wished = {wish.food for wish in state.found}
    told = {part.sentence for part in parts if part.has("told")}
    same = not wished and any(part.has("unchanged") for part in parts)
    for words in state.guessed:
        if words in state.used:
            yield Doubt("a swap that is not said", words, words.of(note))
    for part in parts:
        if part.strange:
            words = part.strange[0].extend_to(part.strange[-1])
            yield Doubt("words that no wish uses", words, words.of(note))
        tale = same or part.sentence in told or part.has("keep", "wanted")
        for item in state.fresh(part.items):
            reason = _reason(state, part, item)
            passing = item.passing == "where" and part.has("extra", "without")
            told_only = (tale or passing) and not part.has("more", "less")
            naming = item.kind in ("food", "other")
            amount = part.has("less") or (part.has("more") and not part.has("extra"))
            mere = amount and not part.has("time")
            spared = told_only or item.passing == "name" or (item.value in wished and not mere)
            if reason and not (naming and spared):
                yield Doubt(reason, item.words, item.words.of(note))


def _is_strong(cue: NoteItem) -> bool:
    """Return whether a cue that refuses food can mean nothing else."""
    return cue.value in _STRONG or cue.value.endswith("-free")


def _reason(state: NoteState, part: Part, item: NoteItem) -> str:
    """Return the doubt about an item that no customization uses; empty if there is none."""
    if item.kind in ("food", "other"):
        return "a food, and no wish about it"
    if item.kind == "condition":
        return "a condition that nobody looks at"
    if item.kind == "extra" or (item.kind == "without" and _is_strong(item)):
        return "a wish about no food of the dish"
    if item.kind == "time" and part.has("more", "less") and item.span and item.span.sure:
        return "minutes of no step"
    spared = _is_negated(part, item) and any(isinstance(wish, Done) for wish in state.found)
    if item.kind == "level" and not spared:
        return "a level of no food"
    return ""
