"""Sentences to clauses: stretches of speech that say one thing each, remarks left out."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from worlds.restaurant.reading import speech
from worlds.restaurant.reading.nouns import Item, NounPhrase, chunked
from worlds.restaurant.reading.terms import Lexicon, Term, terms_of

LONGEST = 150
"""Terms that are read together; longer stretches are taken in pieces."""

_REMARK = re.compile("|".join(speech.REMARKS))


_EARLIER = re.compile(rf"\b(?:{speech.EARLIER})\b")


_NOT_NEGATIVE = re.compile(rf"\b(?:{'|'.join(speech.NOT_NEGATIVE)})\b")


_CONDITION = re.compile(
    r"\b(?:if|unless|while|except|though|although|whatever|however|because|"
    r"for (?:any|some|every)(?:body|one)|for (?:those|people|guests|customers|"
    r"the (?:guest|customer)))\b"
)


_SUBORDINATE_OPENINGS = (
    "if ", "unless ", "as ", "when ", "once ", "while ", "because ", "since ", "after ", "until ",
)  # fmt: skip


_STRETCH = re.compile(r"[;:()]")


_CONTRAST = re.compile(r"\b(?:but|so|we|here|ours|then|now|anyway) ")


@dataclass(slots=True)
class Clause:
    """A stretch of speech that says one thing; `link` is how it hangs on what came before."""

    items: list[Item]
    link: str
    text: str
    earlier: bool = False
    question: bool = False
    comma: bool = False

    def phrases(self) -> list[NounPhrase]:
        """The noun phrases of the clause, in order."""
        return [item for item in self.items if isinstance(item, NounPhrase)]

    def of(self, *kinds: str) -> list[Term]:
        """The terms of the clause that are of one of `kinds`, in order."""
        return [item for item in self.items if isinstance(item, Term) and item.kind in kinds]


def clauses_of(sentence: str, table: Lexicon, *, remarks: bool = False) -> list[Clause]:
    """What a sentence says, in the order in which it happens, with or without `remarks`."""
    sentence = _NOT_NEGATIVE.sub("", sentence)
    clauses: list[Clause] = []
    for stretch in _STRETCH.split(sentence):
        said = stretch if remarks else without_remarks(stretch)
        if said.strip(' ,."!?'):
            told = _clauses(said, table, "?" in stretch)
            if clauses and told and told[0].link == ".":
                told[0].link = ":"
            clauses += told
    _tell_earlier(clauses)
    return _in_order(clauses)


def _tell_earlier(clauses: list[Clause]) -> None:
    """Mark what is said to have happened before: a sign for it holds on until time moves on."""
    holds = False
    for clause in clauses:
        if clause.link in ("during", "until"):
            holds = False
        if clause.link == "reason":
            continue
        spoken = ("but " if clause.link == "but" else "") + clause.text
        holds = holds or bool(_EARLIER.search(spoken))
        clause.earlier = holds


def has_remarks(sentence: str) -> bool:
    """Whether part of a sentence is taken for mere talk."""
    return bool(_REMARK.search(sentence))


def without_remarks(stretch: str) -> str:
    """The stretch up to where it turns into a remark, and from where it comes back."""
    if not _REMARK.search(stretch):
        return stretch
    kept: list[str] = []
    dropping = False
    for index, segment in enumerate(stretch.split(",")):
        remark = _REMARK.search(segment)
        if remark:
            before = _CONDITION.split(segment[: remark.end()])[0]
            if len(before) <= remark.start() and len(before.split()) > 2:
                kept.append(before)
                continue
            opening = index == 0 or not any(part.strip() for part in kept)
            dropping = opening and not segment.strip().startswith(_SUBORDINATE_OPENINGS)
            continue
        if dropping and _CONTRAST.match(segment.strip()):
            dropping = False
        if not dropping and not _REMARK.search(segment):
            kept.append(segment)
    return ",".join(kept)


def _clauses(said: str, table: Lexicon, question: bool) -> list[Clause]:
    terms = terms_of(said, table)
    blocks = range(0, len(terms), LONGEST)
    items = [item for start in blocks for item in chunked(terms[start : start + LONGEST])]
    clauses: list[Clause] = []
    current: list[Item] = []
    link, comma = ".", False

    def close() -> None:
        nonlocal current
        if current:
            text = " ".join(_word_of(item) for item in current)
            clauses.append(Clause(current, link, text, question=question, comma=comma))
        current = []

    for index, item in enumerate(items):
        if len(current) >= LONGEST:
            close()
        if current and link in _SUBORDINATE and _main_begins(items, index, current):
            close()
            link, comma = ",", True
        if _relative_begins(items, index, current):
            close()
            link, comma = "where", False
            continue
        if isinstance(item, Term) and item.kind == "point":
            close()
            link, comma = ",", True
        elif _mere_adverb(items, index, current):
            continue
        elif isinstance(item, Term) and item.kind == "link":
            if current:
                close()
                comma, link = False, item.value
            elif link in (",", ".", "and", "but", "or") or item.value not in ("and", "or", "then"):
                link = item.value
        else:
            current.append(item)
    close()
    _carry_on(clauses)
    return clauses


_SUBORDINATE = ("during", "until", "before", "reason")


def _word_of(item: Item) -> str:
    if isinstance(item, Term):
        return item.word
    return " and ".join(mention.term.word for mention in item.mentions)


def _mere_adverb(items: list[Item], index: int, current: list[Item]) -> bool:
    """Whether `then` at `index` stands between a subject and its verb."""
    item = items[index]
    following = items[index + 1] if index + 1 < len(items) else None
    return (
        isinstance(item, Term) and item.word == "then"
        and _is_subject(current)
        and isinstance(following, Term) and following.kind in ("move", "verb", "be")
        and (following.forms != frozenset({"past"}) or _is_be(current[-1]))
    )  # fmt: skip


def _is_subject(current: list[Item]) -> bool:
    """Whether a clause so far has a subject and at most the beginning of its verb."""
    said = [i for i in current if not (isinstance(i, Term) and i.kind == "determiner")]
    return 0 < len(said) < 3 and isinstance(said[0], NounPhrase)


def _is_be(item: Item) -> bool:
    return isinstance(item, Term) and item.kind == "be"


def _relative_begins(items: list[Item], index: int, current: list[Item]) -> bool:
    """Whether `that` at `index` opens a clause about the food before it."""
    item = items[index]
    following = items[index + 1] if index + 1 < len(items) else None
    if not (isinstance(item, Term) and item.word == "that" and isinstance(following, Term)):
        return False
    return (
        bool(current)
        and isinstance(current[-1], NounPhrase)
        and (
            following.kind in ("be", "have", "negation")
            or following.word in speech.PERSONS
            or following.word in ("have", "has", "had")
        )
    )


def _main_begins(items: list[Item], index: int, current: list[Item]) -> bool:
    """Whether the main clause begins at `index`, with no comma after the subordinate one."""
    item = items[index]
    begun = any(isinstance(i, Term) and i.kind in ("be", "verb", "move", "time") for i in current)
    if not begun and not (isinstance(item, Term) and item.kind == "word" and len(current) > 1):
        return False
    following = items[index + 1] if index + 1 < len(items) else None
    if isinstance(item, Term):
        return item.word in ("i", "we", "you", "she", "he", "somebody", "someone", "there")
    return isinstance(following, Term) and (
        following.kind == "be"
        or (following.kind in ("move", "verb") and "finite" in following.forms)
    )


def _carry_on(clauses: list[Clause]) -> None:
    """A clause joined by a bare `and` or `or` is of the kind of the clause before it."""
    for before, clause in itertools.pairwise(clauses):
        subordinate = before.link in _SUBORDINATE
        ordered = before.link == "until" and _is_order(clause.items[0])
        if subordinate and not ordered and clause.link in ("and", "or") and not clause.comma:
            clause.link = before.link


def _is_order(item: Item) -> bool:
    return isinstance(item, Term) and item.kind in ("move", "verb") and "base" in item.forms


def _in_order(clauses: list[Clause]) -> list[Clause]:
    """What follows an opening `before ...` clause happens before it."""
    if len(clauses) > 1 and clauses[0].link == "before" and clauses[0].of("verb"):
        for clause in clauses[1:]:
            clause.earlier = True
    return clauses
