# ruff: noqa: RUF001 - dashes of prose
"""Marks to clauses: stretches with at most one predicate, told, denied, or only remarked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from worlds.restaurant.reading.values import (
    NOUNS,
    VERBS,
    Clause,
    Mark,
    MarkKind,
    Mode,
    Sentence,
    Words,
)

_STRONG = frozenset(";:–—()-")
_ANDS = frozenset({"and", "n", "plus", "&", "+"})
_BRIEF = frozenset({"like", "than", "as if", "as though", "whatever"})
_ASKING = frozenset(
    ["how", "what", "when", "which", "where", "why", "who", "until", "whose", "till", "for"]
)
_PERSONS = frozenset(["i", "we", "you", "she", "he", "they"])
_ASSENT = frozenset(["it is", "they are", "we do", "i do", "you do"])
_CONTENT = VERBS | NOUNS | {"place", "shape", "time", "level"}
_SUBORDINATE: Mapping[MarkKind, Mode] = {
    "reason": "remark", "times": "while", "before": "while", "until": "told",
}  # fmt: skip
_OPENERS = frozenset(_SUBORDINATE)
_OWN = frozenset[MarkKind]({"shape", "negation", "level", "remark"}) | _OPENERS - {"before"}
Atom = list[Mark]


@dataclass(slots=True)
class _Scope:
    """How the clauses of a sentence are meant, until something ends it."""

    mode: Mode = "told"
    until: bool = False
    brief: bool = False
    before: bool = False
    """Whether what comes has been done before."""


def clauses_of(
    number: int, sentence: Sentence, marks: Sequence[Mark], answer: Sequence[Mark] = ()
) -> list[Clause]:
    """The clauses of a sentence, in order; `answer` is the sentence after a question."""
    said = " ".join(mark.word for mark in answer)
    assented = bool(answer) and (answer[0].kind == "yes" or said in _ASSENT)
    asking = any(mark.word.split()[0] in _ASKING for mark in marks)
    polar = sentence.asks and not assented and not asking
    found: list[Clause] = []
    scope = _Scope()
    for opened, stretch in _stretches(marks):
        scope = _Scope(before=scope.before)
        clauses = _clauses(opened, stretch, scope)
        found += [_placed(clause, number, sentence, polar=polar) for clause in clauses]
    return found


def _stretches(marks: Sequence[Mark]) -> list[tuple[str, Atom]]:
    """Marks between strong signs, with the sign before them."""
    out: list[tuple[str, Atom]] = [("", [])]
    for mark in marks:
        if mark.kind == "sign" and mark.value in _STRONG:
            out.append((mark.value, []))
        else:
            out[-1][1].append(mark)
    return [(opened, stretch) for opened, stretch in out if stretch]


def _clauses(opened: str, marks: Sequence[Mark], scope: _Scope) -> list[Clause]:
    """The clauses between two strong signs."""
    wholly = next((at for at, mark in enumerate(marks) if mark.kind == "wholly"), len(marks))
    aside = wholly < len(marks) and not any(mark.kind == "reason" for mark in marks[:wholly])
    out: list[Clause] = []
    for sign, atom in _atoms(marks):
        opened = sign or ("" if out else opened)
        if sign and _ends(scope, sign, atom):
            scope.mode, scope.until = "told", False
        if any(mark.kind == "remark" for mark in atom):
            scope.mode = "remark"
        earlier = scope.before or any(mark.kind == "earlier" for mark in atom)
        scope.before = earlier and (scope.before or not any(m.kind in _CONTENT for m in atom))
        cut = next((at for at, mark in enumerate(atom) if mark.kind in _OPENERS), None)
        if cut is not None:
            head, atom = atom[:cut], atom[cut:]
            if any(mark.kind in _CONTENT for mark in head):
                out.append(_clause(head, opened, scope.mode, earlier=earlier))
            opener = atom[0]
            scope.brief, scope.until = opener.word in _BRIEF, opener.kind == "until"
            scope.mode = _SUBORDINATE[opener.kind]
            if opener.kind == "before" and all(mark.kind in ("before", "word") for mark in atom):
                scope.mode = "told"
                scope.before = not any(mark.kind == "negation" for mark in head)
                continue
            scope.before = scope.before or opener.kind == "before"
        if scope.until:
            atom = [mark for mark in atom if mark.kind in ("level", "until", "negation", "time")]
        if atom:
            out.append(_clause(atom, opened, scope.mode, earlier=earlier))
    return [replace(clause, mode="remark") for clause in out] if aside else out


def _ends(scope: _Scope, sign: str, atom: Atom) -> bool:
    """Whether what an atom says is no longer within what was opened before it."""
    if scope.until:
        return any(mark.kind in VERBS | NOUNS | {"place", "afterwards"} for mark in atom)
    if scope.mode in ("told", "while") or scope.brief or sign == "but":
        return True
    kinds = [m.kind for m in atom if m.kind not in ("earlier", "afterwards", "word")]
    first = kinds[0] if kinds else "word"
    imperative = first in VERBS and atom[0].form == "base"
    subject = first in NOUNS and any(kind in VERBS | {"place"} for kind in kinds)
    bare = sign == "," and {*kinds} <= {"place", "time"}
    listed = sign in (",", "and") and first in ("food", "kind", "shape")
    return imperative or subject or bare or listed


def _clause(marks: Sequence[Mark], opened: str, mode: Mode, *, earlier: bool) -> Clause:
    denied = mode == "told" and any(mark.kind == "negation" for mark in marks)
    return Clause(
        marks=tuple(marks), opened=opened, mode="denied" if denied else mode, earlier=earlier,
        words=Words(marks[0].words.start, marks[-1].words.end), sentence=0, speaker="", step="",
    )  # fmt: skip


def _placed(clause: Clause, number: int, sentence: Sentence, *, polar: bool) -> Clause:
    mode: Mode = "asked" if polar and clause.mode == "told" else clause.mode
    return replace(clause, mode=mode, sentence=number, speaker=sentence.speaker, step=sentence.step)


def _atoms(marks: Sequence[Mark]) -> list[tuple[str, Atom]]:
    """Marks between commas and conjunctions; lists of mere nouns stay together."""
    out: list[tuple[str, Atom]] = []
    for sign, atom in _pieces(marks):
        if not atom:
            continue
        if out and sign in _ANDS | {",", "or"} and _continues(out[-1][1], atom, sign):
            out[-1][1].append(Mark(kind="and", word=sign, words=atom[0].words, value=sign))
            out[-1][1].extend(atom)
        else:
            out.append((sign, list(atom)))
    return out


def _pieces(marks: Sequence[Mark]) -> list[tuple[str, Atom]]:
    """Marks between commas, conjunctions, and words that open a clause."""
    out: list[tuple[str, Atom]] = [("", [])]
    for mark in marks:
        sign, piece = out[-1]
        if mark.kind == "sign" or (mark.kind == "and" and (piece or not sign)):
            out.append((mark.value, []))
        elif mark.kind == "and" and sign == ",":
            out[-1] = (mark.value, [])
        elif len(piece) > 1 and piece[0].kind in ("times", "before") and mark.word in _PERSONS:
            out.append(("|", [mark]))
        elif mark.kind in VERBS and mark.form == "base" and _infinitive(piece):
            piece.pop()
            out.append(("to", [mark]))
        elif mark.kind in ("reason", "times", "until") and piece:
            out.append(("|", [mark]))
        else:
            piece.append(mark)
    return out


def _infinitive(piece: Atom) -> bool:
    """Whether a piece with foods or a time goes on with `to` and a verb."""
    return (
        len(piece) > 1
        and piece[-1].kind == "preposition"
        and piece[-1].value == "to"
        and any(mark.kind in NOUNS | {"time"} for mark in piece)
    )


def _continues(before: Atom, atom: Atom, sign: str) -> bool:
    """Whether an atom only goes on with the list of foods at the end of the one before it."""
    if sign in _ANDS and _nominal(before):
        first = next((mark.kind for mark in atom[:2] if mark.kind != "word"), "")
        if first in NOUNS - {"pronoun"}:
            return True
    if not _nominal(atom) and not (sign != "," and _object(before, atom)):
        return False
    passed = {"word", "preposition", "part", "uncut", "together", "step", "and"}
    last = next((mark for mark in reversed(before) if mark.kind not in passed), None)
    return last is not None and last.kind in NOUNS


def _object(before: Atom, atom: Atom) -> bool:
    """Whether an atom with a time or place begins with one more object of the verb before it."""
    if _kinds(atom) & (VERBS | _OWN):
        return False
    first = next((m for m in atom if m.kind not in ("word", "part") and m.form != "past"), None)
    own = {mark.kind for mark in before if mark.value not in ("plate", "board")}
    names = first is not None and first.kind in ("food", "kind", "mixture")
    return names and not own & {"time", "place"}


def _kinds(atom: Atom) -> set[MarkKind]:
    """What an atom has in it, words before their nouns aside."""
    return {
        mark.kind for at, mark in enumerate(atom)
        if not (
            mark.form == "past" and at + 1 < len(atom) and atom[at + 1].kind in NOUNS
            and attributive(atom, at)
        )
    }  # fmt: skip


def _nominal(atom: Atom) -> bool:
    """Whether an atom only names foods."""
    kinds = _kinds(atom)
    return bool(kinds & NOUNS) and not kinds & (VERBS | _OWN | {"place", "time"})


def attributive(marks: Sequence[Mark], at: int) -> bool:
    """Whether a past form stands before its noun: `the chopped onion`."""
    if not at:
        return True
    before = marks[at - 1]
    if before.kind == "word":
        return before.word in (
            "the", "a", "an", "some", "that", "your", "with", "of", "finely", "freshly", "no",
            "those", "little",
        )  # fmt: skip
    return before.kind in ("preposition", "and", "sign", "earlier", "afterwards", "process")
