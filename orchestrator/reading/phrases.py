"""Terms to clauses: noun phrases that name foods, and stretches of speech that say one thing."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from orchestrator.reading import lexicon
from orchestrator.reading.terms import Lexicon, Term, terms_of
from orchestrator.reading.text import Span

HEADS = frozenset({"food", "kin", "mixture", "whole", "pronoun"})
_REMARK = re.compile("|".join(lexicon.REMARKS))
_EARLIER = re.compile(rf"\b(?:{lexicon.EARLIER})\b")
_NOT_NEGATIVE = re.compile(rf"\b(?:{'|'.join(lexicon.NOT_NEGATIVE)})\b")
_STRETCH = re.compile(r"[;:()]")
_CONTRAST = re.compile(r"\b(?:but|so|we|here|ours|then|now|anyway) ")


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


def clauses_of(sentence: str, table: Lexicon) -> list[Clause]:
    """What a sentence says, remarks left out, in the order in which it happens."""
    sentence = _NOT_NEGATIVE.sub("", sentence)
    clauses: list[Clause] = []
    for stretch in _STRETCH.split(sentence):
        said = without_remarks(stretch)
        if said.strip(' ,."!?'):
            clauses += _clauses(said, table, "?" in stretch)
    _tell_earlier(clauses)
    return _in_order(clauses)


def _tell_earlier(clauses: list[Clause]) -> None:
    """Mark what is said to have happened before: a sign for it holds on until time moves on."""
    holds = False
    for clause in clauses:
        if clause.link in ("during", "until"):
            holds = False
        spoken = ("but " if clause.link == "but" else "") + clause.text
        holds = holds or bool(_EARLIER.search(spoken))
        clause.earlier = holds


def without_remarks(stretch: str) -> str:
    """The stretch up to where it turns into a remark, and from where it comes back."""
    if not _REMARK.search(stretch):
        return stretch
    kept: list[str] = []
    dropping = False
    for index, segment in enumerate(stretch.split(",")):
        if _REMARK.search(segment):
            opening = index == 0 or not any(part.strip() for part in kept)
            dropping = opening and not segment.strip().startswith(("if ", "unless ", "as "))
            continue
        elif dropping and _CONTRAST.match(segment.strip()):
            dropping = False
        if not dropping and not _REMARK.search(segment):
            kept.append(segment)
    return ",".join(kept)


def _clauses(said: str, table: Lexicon, question: bool) -> list[Clause]:
    items = _chunked(terms_of(said, table))
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


def _relative_begins(items: list[Item], index: int, current: list[Item]) -> bool:
    """Whether `that` at `index` opens a clause about the food before it."""
    item = items[index]
    following = items[index + 1] if index + 1 < len(items) else None
    if not (isinstance(item, Term) and item.word == "that" and isinstance(following, Term)):
        return False
    return bool(current) and isinstance(current[-1], NounPhrase) and (
        following.kind in ("be", "have") or following.word in lexicon.PERSONS
        or following.word in ("have", "has", "had")
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
    for before, clause in zip(clauses, clauses[1:], strict=False):
        subordinate = before.link in _SUBORDINATE
        if subordinate and clause.link in ("and", "or") and not clause.comma:
            clause.link = before.link


def _in_order(clauses: list[Clause]) -> list[Clause]:
    """An opening `before ...` clause is told first and happens second."""
    if len(clauses) > 1 and clauses[0].link == "before":
        return [clauses[1], clauses[0], *clauses[2:]]
    return clauses


def _chunked(terms: list[Term]) -> list[Item]:
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
    if verb.kind != "verb" or verb.forms != frozenset({"past"}) and verb.value != "cut":
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
    if head.kind == "pronoun" and following is not None and following.kind in HEADS:
        if following.kind != "pronoun" and head.word in ("this", "these", "those", "both", "each"):
            return None, index + 1
    while following is not None and head.kind != "pronoun" and (
        following.kind in ("food", "kin", "mixture", "whole")
    ):
        same = head.kind == "food" and following.kind == "kin"
        if same and head.value in lexicon.KINDS_OF_FOOD[following.value] or (
            same and following.word in ("slice", "slices", "leaves", "leaf", "skin", "fillet",
                                        "fillets", "breast", "breasts", "yolk", "spears")
        ):  # fmt: skip
            index += 1
        else:
            modifier, head = head.value, following
            index += 1
        following = terms[index + 1] if index + 1 < len(terms) else None
    if following is not None and following.kind == "place" and head.kind != "pronoun" and (
        following.value in ("boil", "fry", "dish", "deep-fry")
    ):
        return None, index + 1
    previous = items[-1] if items else None
    if head.kind in ("mixture", "whole") and not modifier and isinstance(previous, Term):
        if previous.kind == "word" and len(previous.word) > 2:
            modifier = previous.word
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
        previous.word in lexicon.PERSONS or previous.kind in ("have", "be")
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
    return isinstance(item, Term) and item.kind == "verb" and "past" in item.forms and (
        "base" not in item.forms
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
            done.append((process, None))
            participle = True
        elif term.kind == "shape" or (term.word in ("in", "into", "to") and participle):
            continue
        elif term.kind in ("determiner", "adverb", "level"):
            continue
        elif term.kind == "preposition" and term.value == "of":
            continue
        elif term.kind == "word" and term.word not in _BREAKS:
            if position > 9:
                return None
            continue
        else:
            return None
    if not joined or (before.mentions[-1].term.kind == "pronoun" and not done and len(gap) > 2):
        return None
    return done


_BREAKS = lexicon.PERSONS | frozenset(
    "nobody there here how what why next first last meanwhile finally afterwards finish stays "
    "keeps wants needs do does did will should must can has have had without because instead "
    "lastly now gets so down off up so".split()
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
