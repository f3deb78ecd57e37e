# ruff: noqa: RUF001 - dashes of prose
"""Clauses: groups of marks with at most one predicate, each with a mode such as `denied`.

A mark is a word or phrase with its kind (`values.Mark`). The mode says whether a clause is a
statement, a remark, a denial, a circumstance or a question (`values.Mode`). A stretch is the part
of a sentence between two strong signs, such as semicolons. Commas and conjunctions split a stretch
into pieces. Pieces that belong to one list of foods are joined again; the result is an atom.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import pairwise

from cookmas.solving.restaurant.reading.values import (
    NOUNS,
    VERBS,
    Clause,
    Mark,
    MarkKind,
    Mode,
    Sentence,
)
from cookmas.solving.restaurant.reading.words import load

WORDS = {name: frozenset(words) for name, words in load("clauses").items()}
"""Words that determine the mode of a clause and the role of its parts."""
_STRONG = frozenset(";:–—()-")
_LISTING = WORDS["joining"] | {",", "or"}
_LISTED = NOUNS | {"stranger"}
_CONTENT = VERBS | NOUNS | {"place", "shape", "time", "level"}
_SUBORDINATE: Mapping[MarkKind, Mode] = {
    "reason": "remark", "times": "while", "before": "while", "until": "told",
}  # fmt: skip
_OWN = frozenset[MarkKind]({"shape", "negation", "level", "remark", "reason", "times", "until"})
Atom = list[Mark]
"""Marks in the order of the text, from which clauses are composed."""


def clauses_of(
    number: int, sentence: Sentence, marks: Sequence[Mark], answer: Sequence[Mark] = ()
) -> list[Clause]:
    """Return the clauses of a sentence, in order.

    `number` is the number of the sentence. `answer` has the marks of the next sentence, which may
    answer a question in this one.
    """
    said = " ".join(mark.word for mark in answer)
    assented = bool(answer) and (answer[0].kind == "yes" or said in WORDS["assent"])
    asking = any(mark.word.split()[0] in WORDS["asking"] for mark in marks)
    polar = sentence.asks and not assented and not asking
    found: list[Clause] = []
    for atom, opened, mode, earlier in _clauses_with_modes(marks):
        if mode == "told" and any(mark.kind == "negation" for mark in atom):
            mode = "denied"
        elif mode == "told" and polar:
            mode = "asked"
        found.append(
            Clause(
                marks=tuple(atom), opened=opened, mode=mode, earlier=earlier, sentence=number,
                words=atom[0].words.extend_to(atom[-1].words), step=sentence.step,
            )
        )  # fmt: skip
    return found


def _clauses_with_modes(marks: Sequence[Mark]) -> Iterator[tuple[Atom, str, Mode, bool]]:
    """Yield each clause with the sign or conjunction before it, and with its mode.

    The last value says whether the clause is about earlier work.
    """
    before = False
    for stretch in _stretches(marks):
        kinds = [mark.kind for mark in stretch]
        aside = "wholly" in kinds and "reason" not in kinds[: kinds.index("wholly")]
        for opened, atom in _atoms(stretch):
            kinds = [mark.kind for mark in atom]
            mode: Mode = "remark" if aside or "remark" in kinds else "told"
            earlier = before or "earlier" in kinds
            before = earlier and (before or not _CONTENT & {*kinds})
            cut = next((at for at, kind in enumerate(kinds) if kind in _SUBORDINATE), None)
            if cut is None:
                yield atom, opened, mode, earlier
                continue
            if _CONTENT & {*kinds[:cut]}:
                yield atom[:cut], opened, mode, earlier
            before = before or kinds[cut] == "before"
            yield atom[cut:], opened, "remark" if aside else _SUBORDINATE[kinds[cut]], earlier


def _stretches(marks: Sequence[Mark]) -> list[Atom]:
    """Split marks at each strong sign, such as a semicolon, a dash or a bracket."""
    out: list[Atom] = [[]]
    for mark in marks:
        if mark.value in _STRONG:
            out.append([])
        out[-1].append(mark)
    return out


def _atoms(marks: Sequence[Mark]) -> list[tuple[str, Atom]]:
    """Split marks at commas and conjunctions, but keep lists of nouns together.

    Each atom follows the sign or word at which the marks were split.
    """
    out: list[tuple[str, Atom]] = []
    kinds: set[MarkKind] = set()
    for sign, atom in _with_strangers([piece for piece in _pieces(marks) if piece[1]]):
        joins = bool(out) and sign in _LISTING
        if joins and _continues(out[-1][1], kinds, atom, sign):
            before = out[-1][1]
            kinds |= _inner_kinds([before[-1], *atom])
            before.extend(atom)
        else:
            kinds = _inner_kinds(atom)
            out.append((sign, list(atom)))
    return out


def _pieces(marks: Sequence[Mark]) -> list[tuple[str, Atom]]:
    """Split marks at commas, conjunctions, and words that begin a clause.

    Each piece follows the sign or word at which the marks were split. The sign `|` stands for a
    word that begins a clause; that word belongs to the piece.
    """
    out: list[tuple[str, Atom]] = [("", [])]
    for mark in marks:
        piece = out[-1][1]
        to = bool(piece) and piece[-1].value == "to"
        aside = len(piece) > 1 and piece[0].kind in ("times", "before")
        begins = (aside and mark.word in WORDS["persons"]) or mark.word == "without"
        if mark.kind == "sign" or (mark.kind == "and" and piece):
            out.append((mark.value, []))
        elif mark.kind == "and":
            out[-1] = (mark.value, [])
        elif mark.form == "base" and to and any(m.kind in NOUNS | {"time"} for m in piece):
            piece.pop()
            out.append(("to", [mark]))
        elif piece and (mark.kind in ("reason", "times", "until") or begins):
            out.append(("|", [mark]))
        else:
            piece.append(mark)
    return out


def _with_strangers(pieces: list[tuple[str, Atom]]) -> list[tuple[str, Atom]]:
    """Mark unknown words in lists and after verbs as `stranger` if they must be foods."""
    for at, (sign, atom) in enumerate(pieces):
        before = [mark for mark in atom[:-1] if mark.word not in WORDS["articles"]]
        goes_on = at + 1 < len(pieces) and _opens(pieces[at + 1][1])
        if before:
            named = goes_on and before[-1].kind == "process" and before[-1].form == "base"
        else:
            sure = goes_on or len(atom) > 1 or sign in WORDS["joining"]
            named = sure and at > 0 and pieces[at - 1][1][-1].kind in _LISTED
        if named and atom[-1].kind == "word" and atom[-1].word not in WORDS["articles"]:
            atom[-1] = atom[-1]._replace(kind="stranger")
    return pieces


def _opens(atom: Atom) -> bool:
    """Return whether an atom begins with a food."""
    return next((mark.kind for mark in atom[:2] if mark.kind != "word"), "") in NOUNS - {"pronoun"}


def _continues(before: Atom, inner: set[MarkKind], atom: Atom, sign: str) -> bool:
    """Return whether `atom` only continues the list of foods at the end of the atom `before`.

    `sign` is the sign or word between them. `inner` has the `_inner_kinds` of `before`; they are
    passed because `before` may be long, and would have to be searched again.
    """
    if sign in WORDS["joining"] and _names_foods(inner | {before[-1].kind}) and _opens(atom):
        return True
    if not _names_foods(_kinds(atom)) and not (sign != "," and _object(atom)):
        return False
    passed = {"word", "preposition", "part", "uncut", "together", "step", "and"}
    last = next((mark for mark in reversed(before) if mark.kind not in passed), None)
    return last is not None and last.kind in _LISTED


def _object(atom: Atom) -> bool:
    """Return whether an atom without a verb begins with another object of the preceding verb.

    A time or a place may follow the object.
    """
    if _kinds(atom) & (VERBS | _OWN):
        return False
    first = next((m for m in atom if m.kind not in ("word", "part") and m.form != "past"), None)
    return first is not None and first.kind in ("food", "kind", "mixture")


def _kinds(atom: Atom) -> set[MarkKind]:
    """Return the kinds of marks in an atom, except participles before nouns."""
    return _inner_kinds(atom) | {atom[-1].kind}


def _inner_kinds(atom: Atom) -> set[MarkKind]:
    """Return the kinds of marks in an atom, except the last mark and participles before nouns.

    The last mark is left out because a noun may still follow it.
    """
    return {
        mark.kind for mark, after in pairwise(atom)
        if not (mark.form == "past" and after.kind in NOUNS)
    }  # fmt: skip


def _names_foods(kinds: Set[MarkKind]) -> bool:
    """Return whether an atom of these kinds only names foods."""
    return bool(kinds & _LISTED) and not kinds & (VERBS | _OWN | {"place", "time"})
