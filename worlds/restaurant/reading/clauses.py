# ruff: noqa: RUF001 - dashes and quotation marks of prose
"""Marks to clauses: stretches with at most one predicate, told, denied, or only remarked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from worlds.restaurant.reading.values import Clause, Mark, Sentence, Words

_STRONG = frozenset({";", ":", "–", "—", "(", ")"})
_PREDICATES = frozenset({"process", "cook", "cut", "move"})
_NOUNS = frozenset({"food", "kind", "mixture", "whole", "pronoun"})
_BRIEF = frozenset({"like", "than", "as if", "as though", "whatever"})
_ASKING = frozenset(["how", "what", "when", "which", "where", "why", "who", "until", "whose"])
_PERSONS = frozenset(["i", "we", "you", "she", "he"])
_SUBORDINATE = {"reason": "remark", "until": "until", "times": "while"}


def clauses_of(
    number: int, sentence: Sentence, marks: Sequence[Mark], answer: Sequence[Mark] = ()
) -> list[Clause]:
    """The clauses of a sentence, in order; `answer` is the sentence after a question."""
    assented = bool(answer) and answer[0].kind == "yes"
    said = " ".join(m.word for m in answer)
    assented = assented or said in ("it is", "they are", "we do", "i do", "you do")
    polar = sentence.asks and not assented and not any(m.word.split()[0] in _ASKING for m in marks)
    found: list[Clause] = []
    before = after = False
    for opened, stretch in _stretches(marks):
        clauses, before, after = _clauses(number, sentence, opened, stretch, before, after, polar)
        found += clauses
    return found


def _stretches(marks: Sequence[Mark]) -> list[tuple[str, list[Mark]]]:
    """Marks between strong signs, with the sign before them."""
    out: list[tuple[str, list[Mark]]] = [("", [])]
    for mark in marks:
        if mark.kind == "sign" and mark.value in _STRONG:
            out.append((mark.value, []))
        elif mark.kind == "sign" and mark.value == "-":
            out.append(("–", []))
        else:
            out[-1][1].append(mark)
    return [(opened, stretch) for opened, stretch in out if stretch]


def _clauses(
    number: int,
    sentence: Sentence,
    opened: str,
    marks: list[Mark],
    before: bool,
    after: bool,
    polar: bool,
) -> tuple[list[Clause], bool, bool]:
    wholly = next((at for at, mark in enumerate(marks) if mark.kind == "wholly"), len(marks))
    remarked = wholly < len(marks) and not any(m.kind == "reason" for m in marks[:wholly])
    atoms = _atoms(marks)
    out: list[Clause] = []
    scope = ""
    brief = False
    first = True
    for sign, atom in atoms:
        if not atom:
            continue
        mode = "told"
        after = after or any(m.kind == "afterwards" for m in atom)
        before = (before or any(m.kind == "earlier" for m in atom)) and not any(
            m.kind == "afterwards" for m in atom
        )
        earlier = before or any(mark.kind in ("earlier",) for mark in atom)
        if (
            scope
            and sign
            and (
                scope == "while"
                or brief
                or sign in ("then", "but")
                or _has_own(atom)
                or (
                    scope == "remark"
                    and sign in (",", "and")
                    and _first_noun(atom) in ("food", "kind", "shape")
                )
                or (
                    scope == "remark"
                    and sign == ","
                    and {m.kind for m in atom} <= {"place", "time", "word"}
                )
                or (scope == "until" and any(m.kind in ("place",) for m in atom))
                or (scope == "until" and any(m.kind in _PREDICATES | {"food"} for m in atom))
            )
        ):
            scope = ""
        if any(mark.kind == "remark" for mark in atom):
            scope = "remark"
        opener = next((m for m in atom if m.kind in ("reason", "until", "times", "before")), None)
        if opener is not None:
            cut = atom.index(opener)
            head, tail = atom[:cut], atom[cut:]
            if head and any(
                m.kind in _PREDICATES | _NOUNS | {"place", "shape", "time", "level"} for m in head
            ):
                out.append(
                    _clause(
                        number,
                        sentence,
                        opened if first else sign,
                        head,
                        "told",
                        remarked,
                        earlier,
                        polar,
                    )
                )
                first = False
            brief = opener.word in _BRIEF
            scope = _SUBORDINATE.get(opener.kind, "while" if opener.kind == "before" else "")
            if opener.kind == "before":
                before = True
                if len(tail) == 1 or all(m.kind in ("before", "word") for m in tail):
                    if out and head and not any(m.kind == "negation" for m in atom):
                        out[-1] = replace(out[-1], earlier=True)
                    scope = ""
                    continue
            atom = tail
        if scope == "until":
            atom = [
                m
                for m in atom
                if m.kind in ("level", "until", "negation")
                or (m.kind == "time" and any(o.kind == "pronoun" for o in atom))
            ]
            if not atom:
                continue
            mode = "told"
        elif scope:
            mode = scope
        out.append(
            _clause(
                number, sentence, opened if first else sign, atom, mode, remarked, earlier, polar
            )
        )
        first = False
    return out, before, after


def _first_noun(atom: Sequence[Mark]) -> str:
    """What an atom begins with, articles aside."""
    return next((m.kind for m in atom if m.kind not in ("word", "afterwards", "earlier")), "")


def _has_own(atom: Sequence[Mark]) -> bool:
    """Whether an atom opens with a verb in the imperative or has a subject and a verb."""
    kinds = [mark.kind for mark in atom if mark.kind not in ("earlier", "afterwards", "word")]
    return bool(kinds) and (
        (kinds[0] in _PREDICATES and atom[0].form == "base")
        or (kinds[0] in _NOUNS and any(kind in _PREDICATES | {"place"} for kind in kinds))
    )


def _clause(
    number: int, sentence: Sentence, opened: str, marks: Sequence[Mark], mode: str,
    remarked: bool, earlier: bool, polar: bool,
) -> Clause:  # fmt: skip
    negative = any(mark.kind == "negation" for mark in marks)
    if remarked:
        mode = "remark"
    elif mode == "told" and negative:
        mode = "denied"
    elif mode == "told" and polar:
        mode = "asked"
    return Clause(
        marks=tuple(marks), opened=opened, sentence=number, mode=mode,  # type: ignore[arg-type]
        words=Words(marks[0].words.start, marks[-1].words.end),
        earlier=earlier, speaker=sentence.speaker, step=sentence.step,
    )  # fmt: skip


def _atoms(marks: Sequence[Mark]) -> list[tuple[str, list[Mark]]]:
    """Marks between commas and conjunctions; lists of mere nouns stay together."""
    raw: list[tuple[str, list[Mark]]] = [("", [])]
    for mark in marks:
        opened = raw[-1][1][0].kind in ("times", "before") if raw[-1][1] else False
        if mark.kind == "sign":
            raw.append((mark.value, []))
        elif (
            mark.kind == "afterwards" and mark.word.endswith(("then", "after which")) and raw[-1][1]
        ):
            raw.append(("then", [mark]))
        elif opened and mark.word in _PERSONS and len(raw[-1][1]) > 1:
            raw.append(("|", [mark]))
        elif mark.kind == "and":
            if raw[-1][1] or not raw[-1][0]:
                raw.append((mark.value, []))
            elif raw[-1][0] == ",":
                raw[-1] = (mark.value, [])
        elif mark.kind in _PREDICATES and mark.form == "base" and _infinitive(raw[-1][1]):
            raw[-1][1].pop()
            raw.append(("to", [mark]))
        elif (mark.kind in _PREDICATES and _complete(raw[-1][1], mark)) or (
            mark.kind in ("reason", "times", "until") and raw[-1][1]
        ):
            raw.append(("|", [mark]))
        else:
            raw[-1][1].append(mark)
    out: list[tuple[str, list[Mark]]] = []
    for sign, atom in raw:
        if not atom:
            continue
        if (
            out
            and sign in ("and", "n", "plus", "&", "+")
            and _nominal(out[-1][1])
            and (
                atom[0].kind in _NOUNS
                or (len(atom) > 1 and atom[0].kind == "word" and atom[1].kind in _NOUNS)
            )
        ) or (
            out
            and sign in (",", "and", "n", "plus", "&", "or", "+")
            and _continues(out[-1][1], atom, sign)
        ):
            out[-1][1].append(Mark(kind="and", word=sign, words=atom[0].words, value=sign))
            out[-1][1].extend(atom)
        else:
            out.append((sign, list(atom)))
    return out


def _infinitive(atom: Sequence[Mark]) -> bool:
    """Whether an atom with foods or a time goes on with `to` and a verb."""
    return (
        len(atom) > 1
        and atom[-1].kind == "preposition"
        and atom[-1].value == "to"
        and any(m.kind in _NOUNS | {"time"} for m in atom)
    )


def _complete(atom: Sequence[Mark], verb: Mark) -> bool:
    """Whether a new verb must open a clause of its own."""
    verbs = [mark for mark in atom if mark.kind in _PREDICATES]
    opened = bool(atom) and atom[0].kind in ("times", "before")
    if opened and verb.form == "base" and any(m.kind == "place" for m in atom):
        return True
    if not verbs:
        return False
    if verb.form == "ing" and atom[-1].kind == "preposition" and atom[-1].value == "of":
        return False
    if (
        verb.form == "past"
        and atom[-1].kind == "word"
        and atom[-1].word in ("the", "a", "an", "that", "your")
    ):
        return False
    if (
        verbs[-1].form == "past"
        and atom[-1].kind in _NOUNS
        and len(verbs) == 1
        and verbs[-1].kind == "process"
    ):
        return False
    return verb.form in ("base", "past", "ing", "finite") and verbs[-1] is not atom[-1]


def _continues(before: Sequence[Mark], atom: Sequence[Mark], sign: str) -> bool:
    """Whether an atom only goes on with the list of foods at the end of the one before it."""
    if not _nominal(atom) and not (sign != "," and _object(before, atom)):
        return False
    if sign == "," and before[0].kind in ("times", "before", "reason"):
        return False
    last = [
        m
        for m in before
        if m.kind not in ("word", "preposition", "part", "uncut", "together", "step", "sign", "and")
    ]
    return bool(last) and last[-1].kind in _NOUNS


def _object(before: Sequence[Mark], atom: Sequence[Mark]) -> bool:
    """Whether an atom with a time or place begins with one more object of the verb before it."""
    kinds = _kinds(atom)
    if kinds & (_PREDICATES | {"shape", "negation", "reason", "times", "until", "level", "remark"}):
        return False
    first = next((m for m in atom if m.kind not in ("word", "part") and m.form != "past"), None)
    own = {mark.kind for mark in before if mark.value not in ("plate", "board")}
    return (
        first is not None
        and first.kind in ("food", "kind", "mixture")
        and not (own & {"time", "place"} & kinds)
        and not ("time" in own or "place" in own)
    )


def _kinds(atom: Sequence[Mark]) -> set[str]:
    """What an atom has in it, words before their nouns aside."""
    return {
        mark.kind for at, mark in enumerate(atom)
        if not (
            mark.kind in _PREDICATES and mark.form == "past" and at + 1 < len(atom)
            and atom[at + 1].kind in _NOUNS and attributive(atom, at)
        )
    }  # fmt: skip


def _nominal(atom: Sequence[Mark]) -> bool:
    kinds = _kinds(atom)
    return bool(kinds & _NOUNS) and not kinds & (
        _PREDICATES
        | {"place", "shape", "time", "negation", "reason", "times", "until", "level", "remark"}
    )


def attributive(marks: Sequence[Mark], at: int) -> bool:
    """Whether a past form stands before its noun: `the chopped onion`."""
    before = marks[at - 1] if at else None
    if before is None:
        return True
    if before.kind == "word":
        return before.word in (
            "the",
            "a",
            "an",
            "some",
            "that",
            "your",
            "with",
            "of",
            "finely",
            "freshly",
            "no",
            "those",
            "little",
        )
    return before.kind in ("preposition", "and", "sign", "earlier", "afterwards", "process")
