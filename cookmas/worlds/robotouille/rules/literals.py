"""Literals, such as `not loc(p1, s1)`: a predicate over objects or variables, true or false.

A `Query` says which objects variables can stand for, so that all literals about them hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
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


BitOf = Callable[[str, tuple[str, ...]], int]
"""Function that returns the number in which only the bit of a predicate over objects is set."""


class Query:
    """Literals over variables. The order in which the variables get values is chosen once."""

    def __init__(
        self,
        variables: Sequence[str],
        literals: Sequence[Literal],
        known: Sequence[str] = (),
        *,
        distinct: bool = False,
    ) -> None:
        """Take the variables whose values are `known` before, in order.

        If `distinct`, no two variables stand for the same object.
        """
        self._distinct = distinct
        self._known = list(known)
        self._first = _due(literals, set(), self._known)
        self._order: list[tuple[str, Sequence[Literal]]] = []
        left = [name for name in variables if name not in known]
        chosen = list(known)
        while left:
            name = max(left, key=lambda each: _count_tests(literals, each, chosen))
            left.remove(name)
            self._order.append((name, _due(literals, {name}, [*chosen, name])))
            chosen.append(name)

    def fit(
        self,
        bit_of: BitOf,
        choices: Mapping[str, Sequence[str]],
        known: Mapping[str, str],
        facts: int,
    ) -> Iterator[dict[str, str]]:
        """Yield all values of the variables with which all literals hold.

        `choices` has the objects that each variable can stand for, `known` the values of the
        variables that are known before.
        """
        values = dict(known)

        def holds(literals: Sequence[Literal]) -> bool:
            return all(
                (facts & bit_of(x.predicate, tuple(values[arg] for arg in x.args)) != 0) == x.holds
                for x in literals
            )

        def extend(depth: int) -> Iterator[dict[str, str]]:
            if depth == len(self._order):
                yield dict(values)
                return
            name, due = self._order[depth]
            taken = set(values.values()) if self._distinct else set()
            for value in choices[name]:
                values[name] = value
                if value not in taken and holds(due):
                    yield from extend(depth + 1)
            values.pop(name, None)

        if holds(self._first):
            yield from extend(0)


def _due(literals: Sequence[Literal], new: set[str], chosen: Sequence[str]) -> list[Literal]:
    """Return the literals over the `chosen` variables that name all `new` ones."""
    return [x for x in literals if new <= {*x.args} <= {*chosen}]


def _count_tests(literals: Sequence[Literal], name: str, chosen: Sequence[str]) -> int:
    """Return how many literals can be tested once this variable has a value too."""
    return sum(literal.holds for literal in _due(literals, {name}, [*chosen, name]))
