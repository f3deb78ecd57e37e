"""Layouts and goals: the objects of a level, what is true of them at first, and what is wanted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from cookmas.files.errors import InputError
from cookmas.worlds.robotouille.rules.domain_file import ActionRule, DomainFile
from cookmas.worlds.robotouille.rules.engine import Engine
from cookmas.worlds.robotouille.rules.literals import Query, check_literal, read_literals

Objects = Mapping[str, Sequence[str]]
"""For each object its kind, the name of its place or `-`, and further predicates it has."""

NOWHERE = "-"
"""The place of an object that is put nowhere, such as a table."""


def kinds_of(objects: Objects, domain: DomainFile) -> dict[str, str]:
    """Return the kind of each object. Raise InputError if an object is invalid."""
    kinds: dict[str, str] = {}
    for name, entry in objects.items():
        part = f"objects.{name}"
        if len(entry) < 2:
            raise InputError(part, "expected a kind and a place, such as [bread, table1]")
        kind, place, *more = entry
        known = domain.entries.kinds
        if kind not in known:
            raise InputError(part, f"there is no kind {kind!r}; expected one of {', '.join(known)}")
        if place != NOWHERE and place not in kinds:
            raise InputError(part, f"expected the place {place!r} before the object, or {NOWHERE}")
        for predicate in more:
            if domain.predicates.get(predicate) != (known[kind].type,):
                raise InputError(part, f"{predicate!r} is no predicate of one {known[kind].type}")
        kinds[name] = kind
    if domain.entries.worker not in {domain.entries.kinds[kind].type for kind in kinds.values()}:
        raise InputError("objects", f"expected a {domain.entries.worker}")
    return kinds


def put_objects(objects: Objects, engine: Engine) -> int:
    """Return what is true at first. Raise InputError if an object cannot be put into its place."""
    facts = 0
    for name, (_, _, *more) in objects.items():
        facts |= engine.facts_of(name)
        for predicate in more:
            facts |= engine.bit(predicate, (name,))
    for name, (_, place, *_) in objects.items():
        if place != NOWHERE:
            found = next(_puts(engine, name, place, facts), None)
            if found is None:
                why = f"the rules of the domain put it at no {place}, or {place} is taken"
                raise InputError(f"objects.{name}", why)
            action, values = found
            facts = engine.ground_literals(action.makes, values).apply(facts)
    return facts


def _puts(
    engine: Engine, name: str, place: str, facts: int
) -> Iterator[tuple[ActionRule, Mapping[str, str]]]:
    types = [engine.domain.entries.kinds[engine.kinds[each]].type for each in (name, place)]
    for action in engine.domain.puts:
        if list(action.types.values())[:2] == types:
            for values in engine.fitting(action, (name, place), facts):
                yield action, values


class GoalQuery:
    """The goal: literals over variables such as `bread_1`, each of which is one object.

    The kind before the underscore says which objects a variable can stand for. Different variables
    stand for different objects.
    """

    def __init__(self, text: str, engine: Engine) -> None:
        domain, where = engine.domain, "goal"
        self.literals = read_literals(text, where)
        self._engine = engine
        kinds = {arg: arg.rpartition("_")[0] for x in self.literals for arg in x.args}
        for arg, kind in kinds.items():
            if kind not in domain.entries.kinds:
                raise InputError(where, f"{arg}: expected a kind and a name, such as bread_1")
        types = {arg: domain.entries.kinds[kind].type for arg, kind in kinds.items()}
        for literal in self.literals:
            check_literal(literal, domain.predicates, types, where)
        self.choices = {
            arg: [name for name, each in engine.kinds.items() if each == kind]
            for arg, kind in kinds.items()
        }
        self._query = Query(list(kinds), self.literals, distinct=True)
        anything = Query(list(kinds), (), distinct=True)
        if next(anything.fit(engine.bit, self.choices, {}, 0), None) is None:
            raise InputError(where, "there are not as many objects of a kind as it names")

    @cached_property
    def _possible(self) -> Sequence[int]:
        """For each positive literal, everything that can make it true."""
        masks = []
        for literal in self.literals:
            if literal.holds:
                alone = Query(list(dict.fromkeys(literal.args)), ())
                mask = 0
                for values in alone.fit(self._engine.bit, self.choices, {}, 0):
                    mask |= self._engine.bit(literal.predicate, literal.replace(values).args)
                masks.append(mask)
        return masks

    def is_reached(self, facts: int) -> bool:
        """Return whether all literals hold for some objects."""
        if not all(facts & mask for mask in self._possible):
            return False
        return next(self.solutions(facts), None) is not None

    def solutions(self, facts: int) -> Iterator[dict[str, str]]:
        """Yield the objects of the variables with which all literals hold."""
        return self._query.fit(self._engine.bit, self.choices, {}, facts)

    @cached_property
    def parts(self) -> list[list[int]]:
        """The numbers of the positive literals, in groups that share no variable."""
        groups: list[tuple[set[str], list[int]]] = []
        for number, literal in enumerate(x for x in self.literals if x.holds):
            names, numbers = {*literal.args}, [number]
            for group in [each for each in groups if each[0] & names]:
                groups.remove(group)
                names, numbers = names | group[0], [*group[1], *numbers]
            groups.append((names, numbers))
        return [numbers for _, numbers in groups]

    def any_objects(self) -> dict[str, str]:
        """Return different objects for the variables, whatever is true of them."""
        anything = Query(list(self.choices), (), distinct=True)
        return next(anything.fit(self._engine.bit, self.choices, {}, 0))
