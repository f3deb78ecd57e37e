"""Words to terms: which words name foods, processes, places, times, and which only join them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from worlds.restaurant.reading import foodwords, lexicon, speech
from worlds.restaurant.reading.text import Span, span_of, words

Kind = Literal[
    "food", "kin", "mixture", "whole", "pronoun", "verb", "move", "place", "time", "level",
    "shape", "negation", "be", "have", "preposition", "link", "point", "determiner", "adverb",
    "word",
]  # fmt: skip
Form = Literal["base", "finite", "ing", "past"]


@dataclass(frozen=True, slots=True)
class Term:
    """A word or fixed phrase and what it is: `value` is what it means for its kind."""

    kind: Kind
    word: str
    value: str = ""
    forms: frozenset[str] = frozenset()
    span: Span | None = None


@dataclass(slots=True)
class Lexicon:
    """Fixed phrases by their first word, longest first."""

    phrases: dict[str, list[tuple[tuple[str, ...], tuple[Term, ...]]]] = field(default_factory=dict)

    def add(self, phrase: str, term: Term) -> None:
        """Let `phrase` stand for `term`, after what it stands for already."""
        key = tuple(phrase.split())
        entries = self.phrases.setdefault(key[0], [])
        for index, (known, terms) in enumerate(entries):
            if known == key:
                entries[index] = (known, (*terms, term))
                return
        entries.append((key, (term,)))
        entries.sort(key=lambda entry: -len(entry[0]))

    def longest(self, tokens: list[str], start: int) -> tuple[int, tuple[Term, ...]]:
        """How many tokens from `start` form a known phrase, and what it may be."""
        for key, terms in self.phrases.get(tokens[start], ()):
            if tuple(tokens[start : start + len(key)]) == key:
                return len(key), terms
        return 1, ()


def inflections(verb: str) -> dict[str, frozenset[str]]:
    """The forms of a verb, each with what it can be."""
    if verb in lexicon.IRREGULAR:
        finite, ing, past, participle = lexicon.IRREGULAR[verb]
    else:
        stem = verb[:-1] if verb.endswith("e") else verb
        if re.fullmatch(r"(?:[^aeiou]*|.*-)?[^aeiou]*[aeiou][bdgklmnprtz]", verb) and not (
            verb.endswith(("en", "er", "ow"))
        ):
            stem = verb + verb[-1]
        ending_y = verb.endswith("y") and verb[-2] not in "aeiou"
        past = participle = (verb[:-1] + "i" if ending_y else stem) + "ed"
        ing = ("saute" + "e" if verb == "puree" else stem) + "ing"
        sibilant = verb.endswith(("s", "sh", "ch", "x", "z"))
        finite = verb[:-1] + "ies" if ending_y else verb + ("es" if sibilant else "s")
        if verb in ("puree", "saute"):
            ing = verb + "ing"
    forms: dict[str, set[str]] = {}
    for word, form in ((verb, "base"), (finite, "finite"), (ing, "ing"), (past, "past")):
        forms.setdefault(word, set()).add(form)
    forms.setdefault(participle, set()).add("past")
    return {word: frozenset(kinds) for word, kinds in forms.items()}


def plurals(noun: str) -> set[str]:
    """The noun and the forms its plural or singular may have."""
    head, _, last = noun.rpartition(" ")
    many = {last}
    if last in foodwords.IRREGULAR_PLURALS:
        many.add(foodwords.IRREGULAR_PLURALS[last])
    elif last.endswith("y") and last[-2] not in "aeiou":
        many.add(last[:-1] + "ies")
    elif last.endswith(("s", "sh", "ch", "x", "o", "z")):
        many.add(last + "es")
    if not last.endswith("s"):
        many.add(last + "s")
    return {f"{head} {form}".strip() for form in many}


def _add_verbs(table: Lexicon, kind: Kind, verbs: Mapping[str, str]) -> None:
    for value, lemmas in verbs.items():
        for lemma in lemmas.split():
            for word, forms in inflections(lemma).items():
                for spelling in {word, word.replace("-", " ")}:
                    table.add(spelling, Term(kind, word, value, forms))
            if lemma == "saute":
                table.add("sauteed", Term(kind, lemma, value, frozenset({"past"})))


@lru_cache(maxsize=8)
def lexicon_of(ingredients: frozenset[str]) -> Lexicon:
    """The words of the kitchen together with the names of its ingredients."""
    table = Lexicon()
    for name in sorted(ingredients):
        for form in plurals(name):
            table.add(form, Term("food", form, name))
    for alias, name in foodwords.ALIASES.items():
        if name in ingredients and alias not in ingredients:
            for form in plurals(alias):
                table.add(form, Term("food", form, name))
    for kin in foodwords.KINDS_OF_FOOD:
        for form in plurals(kin):
            table.add(form, Term("kin", form, kin))
    for mixture in foodwords.MIXTURES:
        for form in plurals(mixture):
            table.add(form, Term("mixture", form, mixture))
    for whole in foodwords.WHOLES:
        for form in plurals(whole):
            table.add(form, Term("whole", form, whole))
    for pronoun, value in foodwords.PRONOUNS.items():
        if value:
            table.add(pronoun, Term("pronoun", pronoun, value))
    _add_verbs(table, "verb", lexicon.PROCESS_VERBS)
    _add_verbs(table, "move", lexicon.MOVE_VERBS)
    for place, names in lexicon.PLACES.items():
        for name in names.split():
            for form in plurals(name.replace("-", " ")) - {"boils", "simmers"}:
                table.add(form, Term("place", form, place))
    for shape, names in lexicon.SHAPES.items():
        for name in names.split():
            for form in plurals(name):
                table.add(form, Term("shape", form, shape))
    for word, level in lexicon.LEVELS.items():
        table.add(word, Term("level", word, level))
    for word in speech.NEGATIONS:
        table.add(word.replace("-", " "), Term("negation", word))
    for phrase, value in speech.PREPOSITIONS.items():
        table.add(phrase, Term("preposition", phrase, value))
    for phrase, value in speech.SUBORDINATORS.items():
        table.add(phrase, Term("link", phrase, value))
    for word in ("skin", "skins"):
        table.add(word, Term("word", word))
    for phrase in speech.LIKEWISE:
        table.add(phrase, Term("adverb", phrase, "likewise"))
    for phrase in speech.ADVERBIALS:
        table.add(phrase, Term("adverb", phrase))
    for word in ["is", "are", "was", "were", "be", "been", "being", "am", "gets", "got"]:
        table.add(word, Term("be", word))
    for word in sorted(speech.DETERMINERS):
        table.add(word, Term("determiner", word))
    for phrase, (process, form) in lexicon.VERB_PHRASES.items():
        table.add(phrase, Term("verb", phrase, process, frozenset(form.split())))
    return table


_FOODS = ("food", "kin", "mixture", "whole")


def terms_of(sentence: str, table: Lexicon) -> list[Term]:
    """The terms of a sentence of marked text."""
    tokens = words(sentence)
    result: list[Term] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        span = span_of(token)
        if span is not None:
            result.append(Term("time", token, span=span))
            index += 1
            continue
        if token in '.,;:()!?"':
            result.append(Term("point", token))
            index += 1
            continue
        length, readings = table.longest(tokens, index)
        if _is_attribute(tokens, index + length, readings, result, table):
            result.append(Term("word", token))
            index += length
            continue
        following = " ".join(tokens[index + length : index + length + 2])
        if following != "on top":
            following = following.split(" ")[0]
        noun = _listed(tokens, index + length, readings, result, table)
        result.append(noun or _chosen(token, readings, result, following))
        index += length
    return result


def _is_attribute(
    tokens: list[str], end: int, readings: tuple[Term, ...], before: list[Term], table: Lexicon
) -> bool:
    """Whether a participle only describes something that is no food: `a folded newspaper`."""
    verbal = bool(readings) and all(
        t.kind in ("verb", "move") and t.forms & {"past", "ing"} for t in readings
    )
    article = bool(before) and before[-1].word in ("a", "an", "the", "this", "that", "its")
    if not verbal or not article or end >= len(tokens):
        return False
    noun = tokens[end]
    return noun.isalpha() and not noun.endswith("ly") and not table.longest(tokens, end)[1]


def _listed(
    tokens: list[str], end: int, readings: tuple[Term, ...], before: list[Term], table: Lexicon
) -> Term | None:
    """The mixture that a word names among foods, though it could be a verb: `sausage, mash and`."""
    noun = next((term for term in readings if term.kind == "mixture"), None)
    opening = len(before) > 1 and before[-1].word in (",", "and") and before[-2].kind in _FOODS
    if noun is None or not opening or any(term.kind in ("verb", "move") for term in before):
        return None
    if tokens[end : end + 1] not in ([","], ["and"]):
        return None
    while end + 1 < len(tokens) and tokens[end + 1] in ("and", "the", "a", "some"):
        end += 1
    after = table.longest(tokens, end + 1)[1] if end + 1 < len(tokens) else ()
    return noun if any(term.kind in _FOODS for term in after) else None


def _chosen(token: str, readings: tuple[Term, ...], before: list[Term], following: str) -> Term:
    if not readings:
        kind: Kind = "adverb" if token.endswith("ly") else "word"
        return Term(kind, token)
    previous = before[-1] if before else Term("point", ".")
    if all(term.value == "coat" for term in readings) and previous.word == "in":
        return Term("word", token)
    if len(readings) == 1 and readings[0].kind != "verb":
        return readings[0]
    verbs = [term for term in readings if term.kind in ("verb", "move")]
    nouns = [term for term in readings if term.kind not in ("verb", "move")]
    if not verbs:
        if _shaped(nouns, before):
            return next(term for term in nouns if term.kind == "shape")
        return _of_nouns(nouns, previous, following)
    verb = _merged(verbs)
    counted = len(before) > 1 and before[-2].word in speech.NOUN_BEFORE and previous.kind == "word"
    if not nouns:
        if counted and "base" in verb.forms and "past" not in verb.forms:
            return Term("word", token)
        if verb.forms == frozenset({"base"}) and previous.word in ("for", "of", "with"):
            return Term("word", token)
        if "past" not in verb.forms and "ing" not in verb.forms and _takes_noun(previous):
            return Term("word", token)
        return verb
    if any(term.kind == "food" for term in nouns) and not (
        following in ("the", "together", "up", "them", "it", "both")
        and previous.kind in ("point", "link")
    ):
        return _of_nouns(nouns, previous, following)
    if (
        previous.kind == "move"
        and previous.value == "put"
        and "base" in verb.forms
        and (previous.word not in ("let", "leave", "left", "lets", "go"))
    ):
        return _of_nouns(nouns, previous, following)
    if _shaped(nouns, before):
        return next(term for term in nouns if term.kind == "shape")
    if "base" in verb.forms and (
        previous.word in ("for", "of", "with") or _predicative(before, previous)
    ):
        return _of_nouns(nouns, previous, following)
    after_food = previous.kind in ("food", "kin") and following in ("", ".", ",")
    if _takes_noun(previous) or counted or (after_food and nouns[0].kind != "place"):
        return _of_nouns(nouns, previous, following)
    if following == "on top" or following.startswith("next"):
        return _of_nouns(nouns, previous, following)
    if "base" in verb.forms:
        return verb
    return verb if _finite_fits(previous, following) else _of_nouns(nouns, previous, following)


def _predicative(before: list[Term], previous: Term) -> bool:
    """Whether a noun is due: `the topping is ordinary mash`."""
    return len(before) > 1 and previous.kind == "word" and before[-2].kind == "be"


def _shaped(nouns: list[Term], before: list[Term]) -> bool:
    """Whether a word is the shape that food is cut into: `into very thin slices`."""
    if not any(term.kind == "shape" for term in nouns):
        return False
    for term in reversed(before[-4:]):
        if term.word in ("into", "in", "as"):
            return True
        if term.kind not in ("word", "level", "adverb", "determiner"):
            return False
    return False


def _takes_noun(previous: Term) -> bool:
    return previous.word in speech.NOUN_BEFORE or previous.kind in ("shape", "level")


def _finite_fits(previous: Term, following: str) -> bool:
    """Whether a word such as `fries` after `previous` is rather a verb than a noun."""
    if previous.kind in ("pronoun", "food", "kin", "mixture", "whole", "adverb"):
        return True
    return (previous.word in ("and", "then", "together") and following in (
        "for", "in", "on", "until", "gently", "together", "with",
    )) or bool(span_of(following) and previous.word == "and")  # fmt: skip


def _of_nouns(nouns: list[Term], previous: Term, following: str) -> Term:
    for term in nouns:
        if term.kind == "link" and term.value in ("reason",) and previous.kind in ("be",):
            continue
        if term.kind == "determiner" and span_of(following):
            continue
        if term.kind == "shape" and previous.word in ("in", "into", "to", "as"):
            return term
    order = ("negation", "link", "preposition", "determiner", "food", "pronoun", "kin", "mixture")
    if any(term.kind == "determiner" for term in nouns) and following not in speech.CLAUSE_NEXT:
        return next(term for term in nouns if term.kind == "determiner")
    for kind in order:
        for term in nouns:
            if term.kind == kind and kind != "determiner":
                return term
    return nouns[0]


def _merged(verbs: Iterable[Term]) -> Term:
    found = list(verbs)
    first = found[0]
    forms = frozenset().union(*(term.forms for term in found if term.value == first.value))
    return replace(first, forms=forms)
