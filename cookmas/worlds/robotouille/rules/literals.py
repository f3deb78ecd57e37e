"""Literals, such as `not loc(p1, s1)`: a predicate over objects or variables, true or false."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cookmas.files.errors import InputError

_COMMA = re.compile(r",(?![^()]*\))")
_LITERAL = re.compile(r"(not )?([\w-]+)\(([\w, -]*)\)")


@dataclass(frozen=True, slots=True)
class Literal:
    """A predicate with its arguments; `holds` is False if it must be, or becomes, false."""

    predicate: str
    args: tuple[str, ...]
    holds: bool = True

    def __str__(self) -> str:
        return write_atom(self.predicate, self.args) if self.holds else f"not {self.atom}"

    @property
    def atom(self) -> str:
        """The literal without `not`."""
        return write_atom(self.predicate, self.args)

    def replace(self, values: Mapping[str, str]) -> Literal:
        """Return the literal with values for its variables."""
        return Literal(self.predicate, tuple(values[name] for name in self.args), self.holds)


def write_atom(name: str, args: Sequence[str]) -> str:
    """Return the text of a predicate, or of an action, with its arguments."""
    return f"{name}({', '.join(args)})"


def read_literals(text: str, where: str) -> tuple[Literal, ...]:
    """Return the literals of a text, which commas separate.

    Raise InputError, which names `where`, if a part is no literal.
    """
    return tuple(_read_literal(part.strip(), where) for part in _COMMA.split(text) if part.strip())


def _read_literal(text: str, where: str) -> Literal:
    match = _LITERAL.fullmatch(text)
    if match is None:
        example = "literals such as loc(p1, s1), not vacant(s1)"
        raise InputError(where, f"expected {example}; {text[:60]!r} is none")
    return Literal(match[2], split_args(match[3]), holds=match[1] is None)


def split_args(text: str) -> tuple[str, ...]:
    """Return the arguments in a text, which commas separate."""
    return tuple(arg.strip() for arg in text.split(",")) if text.strip() else ()


def check_literal(
    literal: Literal,
    predicates: Mapping[str, Sequence[str]],
    types: Mapping[str, str],
    where: str,
) -> None:
    """Raise InputError, which names `where`, if a literal does not fit.

    `predicates` has the types of each predicate's arguments. `types` has the type of each variable
    or object that the literal may name.
    """
    expected = predicates.get(literal.predicate)
    if expected is None:
        raise InputError(where, f"{literal}: there is no predicate {literal.predicate!r}")
    if len(expected) != len(literal.args):
        raise InputError(where, f"{literal}: expected {len(expected)} arguments")
    for arg, kind in zip(literal.args, expected, strict=True):
        if arg not in types:
            raise InputError(where, f"{literal}: expected one of {', '.join(types)}, not {arg!r}")
        if types[arg] != kind:
            raise InputError(where, f"{literal}: {arg} is of type {types[arg]}, expected {kind}")
