"""Terms to noun phrases: which words together name foods, and what they say was done to them."""

from __future__ import annotations

from dataclasses import dataclass, field

from worlds.restaurant.reading import foodwords, speech
from worlds.restaurant.reading.terms import Term
from worlds.restaurant.reading.text import Span

HEADS = frozenset({"food", "kin", "mixture", "whole", "pronoun"})


@dataclass(slots=True)
class Mention:
    """One naming of a food or mixture; `done` is what the words around it say was done to it."""

    term: Term
    modifier: str = ""
    definite: bool = True
    done: list[tuple[str, Span | None]] = field(default_factory=list)


@dataclass(slots=True)
class NounPhrase:
    """One or more foods named together."""

    mentions: list[Mention]
    reduced: bool = False


Item = Term | NounPhrase


_SEQUENCE = frozenset({"next", "first", "last", "finally", "lastly", "afterwards", "now"})
_COUNTS = frozenset({"two", "three", "four", "five", "six", "both", "all", "finished", "resulting"})


def chunked(terms: list[Term]) -> list[Item]:
    """The terms of a sentence with those that name foods put together."""
    items: list[Item] = []
    index = 0
    while index < len(terms):
        term = terms[index]
        if term.kind not in HEADS:
            items.append(term)
            index += 1
            continue
        mention, index = _mention(terms, index, items)
        if mention is None:
            continue
        _take_attributes(items, mention)
        if not _joined(items, mention):
            items.append(NounPhrase([mention]))
        elif index < len(terms) and _starts_clause(terms, index) and _has_active(items):
            _split_last(items)
        index = _take_participle(terms, index, items)
    return items


def _take_participle(terms: list[Term], index: int, items: list[Item]) -> int:
    """Take `sliced into rounds` to the last food of what goes somewhere; where it ends."""
    phrase = items[-1] if items else None
    if index >= len(terms) or not isinstance(phrase, NounPhrase):
        return index
    verb = terms[index]
    if verb.kind != "verb" or (verb.forms != frozenset({"past"}) and verb.value != "cut"):
        return index
    moved = False
    for item in reversed(items[:-1]):
        if isinstance(item, Term):
            if item.kind in ("point", "link", "be", "have", "verb"):
                break
            moved = moved or (item.kind == "move" and item.word in ("go", "goes", "went"))
    if not moved:
        return index
    end = index + 1
    shape = verb.value if verb.value != "cut" else "chop"
    while end < len(terms) and terms[end].kind in ("preposition", "adverb", "word", "shape"):
        if terms[end].kind == "preposition" and terms[end].word not in ("in", "into"):
            break
        if terms[end].kind == "shape" and verb.value == "cut":
            shape = terms[end].value
        end += 1
    phrase.mentions[-1].done.append((shape, None))
    return end


def _mention(terms: list[Term], index: int, items: list[Item]) -> tuple[Mention | None, int]:
    """The mention at `index` with the nouns it is made up of, and where it ends."""
    head = terms[index]
    modifier = ""
    following = terms[index + 1] if index + 1 < len(terms) else None
    named = following is not None and following.kind in HEADS - {"pronoun"}
    counting = head.value.isdigit() or head.word in ("this", "these", "those")
    if named and head.kind == "pronoun" and counting:
        return None, index + 1
    while (
        following is not None
        and head.kind != "pronoun"
        and (following.kind in ("food", "kin", "mixture", "whole"))
        and not (head.kind in ("mixture", "whole") and following.kind == "food")
    ):
        same = head.kind == "food" and following.kind == "kin"
        if (same and head.value in foodwords.KINDS_OF_FOOD[following.value]) or (
            same and following.word in ("slice", "slices", "leaves", "leaf", "skin", "fillet",
                                        "fillets", "breast", "breasts", "yolk", "spears")
        ):  # fmt: skip
            index += 1
        else:
            modifier, head = head.value, following
            index += 1
        following = terms[index + 1] if index + 1 < len(terms) else None
    if (
        following is not None
        and following.kind == "place"
        and head.kind != "pronoun"
        and (following.value in ("boil", "fry", "dish", "deep-fry"))
    ):
        return None, index + 1
    previous = items[-1] if items else None
    described = isinstance(previous, Term) and (
        previous.kind == "word" and len(previous.word) > 2 and previous.word not in _COUNTS
    )
    if head.kind in ("mixture", "whole") and not modifier and described:
        modifier = previous.word if isinstance(previous, Term) else ""
    definite = not any(
        isinstance(item, Term) and item.word in ("a", "an", "some") for item in items[-2:]
    )
    return Mention(head, modifier, definite), index + 1


def _take_attributes(items: list[Item], mention: Mention) -> None:
    """Take participles right before a mention off `items`: `peeled and sliced potatoes`."""
    index = len(items)
    found: list[str] = []
    while index > 0:
        item = items[index - 1]
        if not isinstance(item, Term):
            break
        if item.kind in ("adverb",) or (item.kind == "link" and item.word == "and" and found) or (
            item.word == "," and found
        ):  # fmt: skip
            index -= 1
        elif _is_participle(item):
            found.append(item.value)
            index -= 1
        else:
            break
    if not found:
        return
    while index < len(items) and not _is_participle(items[index]):
        index += 1
    previous = items[index - 1] if index else None
    if isinstance(previous, Term) and (
        previous.word in speech.PERSONS
        or previous.kind in ("have", "be")
        or previous.word == "then"
    ):
        return
    if isinstance(previous, NounPhrase):
        return
    if previous is None and mention.term.kind == "pronoun":
        return
    if mention.term.kind == "pronoun":
        return
    del items[index:]
    mention.done = [(process, None) for process in reversed(found)]


def _is_participle(item: Item) -> bool:
    return (
        isinstance(item, Term)
        and item.kind == "verb"
        and "past" in item.forms
        and ("base" not in item.forms)
    )


def _joined(items: list[Item], mention: Mention) -> bool:
    """Whether `mention` continues the list of the last noun phrase, which then has it."""
    start = len(items) - 1
    while start >= 0 and not isinstance(items[start], NounPhrase):
        start -= 1
        if len(items) - start > 14:
            return False
    if start < 0:
        return False
    before = items[start]
    assert isinstance(before, NounPhrase)
    gap = [item for item in items[start + 1 :] if isinstance(item, Term)]
    if mention.term.kind == "pronoun" and not (len(gap) == 1 and gap[0].word == "and"):
        return False
    announced = before.mentions[-1].term.kind in ("mixture", "whole", "pronoun")
    if announced and [t.word for t in gap[:1]] == [","] and "and" not in [t.word for t in gap]:
        opener = [item for item in items[:start] if isinstance(item, Term)][-3:]
        if any(item.kind == "preposition" and item.value == "for" for item in opener):
            return False
    done = _gap_of_list(gap, before)
    if done is None:
        return False
    before.mentions[-1].done += done
    before.reduced = before.reduced or bool(done)
    before.mentions.append(mention)
    del items[start + 1 :]
    return True


def _gap_of_list(gap: list[Term], before: NounPhrase) -> list[tuple[str, Span | None]] | None:
    """What a gap between two foods says was done to the first; None if they are no list."""
    done: list[tuple[str, Span | None]] = []
    if before.mentions[-1].term.value.isdigit():
        return None
    joined = False
    participle = False
    for position, term in enumerate(gap):
        if term.word in (",", "and", "plus") or (term.word == "and then"):
            joined = True
        elif term.word == "then":
            continue
        elif _is_participle(term) or (term.kind == "verb" and "past" in term.forms
                                      and position == 0):  # fmt: skip
            if any(isinstance(t, Term) and t.kind == "time" for t in gap):
                return None
            process = term.value
            if process == "cut":
                shape = next((t.value for t in gap if t.kind == "shape"), "chop")
                process = shape
            if not any(t.word in (",", "and") for t in gap[position + 1 :]):
                return None
            done.append((process, None))
            participle = True
        elif (
            term.kind == "shape"
            or (term.word in ("in", "into", "to") and participle)
            or term.kind in ("determiner", "adverb", "level")
            or (term.kind == "preposition" and term.value == "of")
        ):
            continue
        elif term.kind == "word" and term.word not in _BREAKS:
            following = gap[position + 1] if position + 1 < len(gap) else None
            if position > 9 or (joined and is_unknown_verb(term, following)):
                return None
            continue
        else:
            return None
    if not joined or (before.mentions[-1].term.kind == "pronoun" and not done and len(gap) > 2):
        return None
    return done


def is_unknown_verb(word: Item, following: Item | None) -> bool:
    """Whether a word can only be a verb, by the article after it: `open the mayonnaise`."""
    return (
        isinstance(word, Term) and word.kind == "word" and word.word not in _BEFORE_ARTICLE
        and isinstance(following, Term) and following.kind == "determiner"
    )  # fmt: skip


_BEFORE_ARTICLE = _SEQUENCE | {"half", "just", "only", "even", "maybe", "perhaps", "such"}


_BREAKS = speech.PERSONS | frozenset(
    [
        "nobody",
        "there",
        "here",
        "how",
        "what",
        "why",
        "next",
        "first",
        "last",
        "meanwhile",
        "finally",
        "afterwards",
        "finish",
        "stays",
        "keeps",
        "wants",
        "needs",
        "do",
        "does",
        "did",
        "will",
        "should",
        "must",
        "can",
        "has",
        "have",
        "had",
        "without",
        "because",
        "instead",
        "lastly",
        "now",
        "gets",
        "so",
        "down",
        "off",
        "up",
    ]
)


def _starts_clause(terms: list[Term], index: int) -> bool:
    term = terms[index]
    if term.kind == "be":
        return True
    return term.kind in ("move", "verb") and "finite" in term.forms


def _has_active(items: list[Item]) -> bool:
    """Whether a verb before the last noun phrase in its clause takes it for its object."""
    for item in reversed(items[:-1]):
        if isinstance(item, Term):
            if item.kind in ("point", "link"):
                return False
            if item.kind in ("verb", "move"):
                return True
    return False


def _split_last(items: list[Item]) -> None:
    phrase = items[-1]
    assert isinstance(phrase, NounPhrase)
    mention = phrase.mentions.pop()
    items += [Term("point", ","), NounPhrase([mention])]
