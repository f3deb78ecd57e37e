"""Matching: which objects can variables stand for, so that all literals about them hold?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from cookmas.worlds.robotouille.rules.literals import Literal

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
