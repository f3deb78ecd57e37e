"""Domain files: predicates, kinds of objects, actions with their effects, and words for all.

A domain file is read once, checked, and named by the digest of its rules: another wording is the
same domain. The engine knows of a domain only what the file says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from cookmas.episodes.world import digest
from cookmas.files.errors import InputError
from cookmas.files.reading import FileModel, Title, read_yaml, validate
from cookmas.worlds.robotouille.rules.literals import Literal, check_literal, read_literals

_SHIPPED = Path(__file__).parent.parent / "domains"

_FORMER: Mapping[str, str] = {"kitchen": "9e8dda90e2f2fcd6", "bench": "4e9cb0759f3b8037"}
"""The digests of the shipped files, of the same rules, when a digest still had the words too."""

Word = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]*$", max_length=60)]
Literals = Annotated[str, Field(max_length=2000)]
"""Literals in a domain file, which commas separate."""


class PredicateEntry(FileModel):
    """A predicate: the types of its arguments, and its words."""

    of: Annotated[list[Word], Field(max_length=4)]
    """Type of each argument."""
    words: Title = ""
    """The predicate in words, such as `{0} is at {1}`; empty if nobody is told of it."""
    unmet: Title = ""
    """Why an action FAILs that needs the predicate, such as `{1} is taken`."""


class KindEntry(FileModel):
    """A kind of objects, such as tables: their type, and what is true of a new one."""

    type: Word
    """Type of the objects."""
    has: Annotated[list[Word], Field(max_length=20)] = Field(default_factory=list)
    """Predicates with one argument that are true of a new object, such as `vacant`."""
    most: Word | None = None
    """If objects of the kind are made in an episode: there are at most as many of them as objects
    of this type."""


class TimerEntry(FileModel):
    """An effect that comes later: after some timesteps, or after the action was repeated."""

    about: str
    """The variable whose object people see the timer at."""
    steps: Annotated[int, Field(ge=1, le=1000)] | None = None
    """Number of timesteps, from the one of the action on, until the effect comes."""
    times: Annotated[int, Field(ge=1, le=1000)] | None = None
    """Number of actions until the effect comes."""
    during: Literals = ""
    """The condition under which the timer counts; otherwise it pauses."""
    meanwhile: Literals = ""
    """The literals that are true exactly as long as the timer runs."""
    makes: Literals
    """The literals that become true or false with the effect."""
    creates: dict[str, Word] = Field(default_factory=dict)
    """Variables of the effect that stand for a new object, with its kind."""


class ActionEntry(FileModel):
    """An action: its variables, what it needs, what it makes at once, and its timers."""

    of: Annotated[dict[str, Word], Field(min_length=1, max_length=6)]
    """Type of each variable. The first variable is the worker that acts."""
    words: Title = ""
    """The effect in words, for models and people."""
    needs: Literals = ""
    """The condition of the action."""
    makes: Literals = ""
    """The literals that become true or false at once."""
    timers: Annotated[list[TimerEntry], Field(max_length=4)] = Field(default_factory=list)
    """The effects that come later."""


class ExampleEntry(FileModel):
    """A small task that shows models how an episode goes."""

    wish: Annotated[str, Field(max_length=2000)]
    """The goal in words."""
    objects: Annotated[dict[Word, list[Title]], Field(min_length=1, max_length=50)]
    """The objects, as in a scenario."""
    goal: Literals
    """The goal, written as in a scenario."""


class DomainEntries(FileModel):
    """The content of a domain file."""

    title: Title
    """Title for people."""
    about: Annotated[str, Field(max_length=4000)]
    """The rules in words that no action states."""
    worker: Word
    """Type of the objects that act."""
    rests: Literals = ""
    """The predicates by which an object, `it`, is on, in or with another, `place`, for pictures."""
    predicates: Annotated[dict[Word, PredicateEntry], Field(max_length=100)]
    """The predicates by name."""
    kinds: Annotated[dict[Word, KindEntry], Field(max_length=100)]
    """The kinds of objects by name."""
    puts: Annotated[list[ActionEntry], Field(max_length=20)]
    """How a layout puts an object into a place: the first two variables are these two."""
    actions: Annotated[dict[Word, ActionEntry], Field(min_length=1, max_length=60)]
    """The actions by name."""
    example: ExampleEntry | None = None
    """A small task for the demonstration in a prompt; None: there is no demonstration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timer:
    """A timer of an action, in variables."""

    about: str
    length: int
    counts_actions: bool
    """True if actions count, False if timesteps count."""
    during: tuple[Literal, ...]
    meanwhile: tuple[Literal, ...]
    makes: tuple[Literal, ...]
    creates: Mapping[str, str]

    @property
    def variables(self) -> set[str]:
        """The variables that the timer names, without those of new objects."""
        literals = (*self.during, *self.meanwhile, *self.makes)
        named = {arg for literal in literals for arg in literal.args}
        return {self.about, *named} - self.creates.keys()


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRule:
    """An action, in variables."""

    name: str
    types: Mapping[str, str]
    """Type of each variable; the first one is the worker that acts."""
    needs: tuple[Literal, ...]
    makes: tuple[Literal, ...]
    timers: tuple[Timer, ...]
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainFile:
    """A domain, read and checked."""

    digest: str
    """Digest of the rules in the file."""
    entries: DomainEntries
    """The content of the file."""
    predicates: Mapping[str, Sequence[str]]
    """Types of the arguments of each predicate."""
    actions: Mapping[str, ActionRule]
    """The actions by name."""
    puts: Sequence[ActionRule]
    """How layouts put objects into places."""
    rests: Mapping[str, int]
    """The predicates by which an object is at a place, each with which argument the object is."""
    changing: frozenset[str]
    """The predicates that an action can change."""


_WORDS: Mapping[str, Any] = {
    "title": True,
    "about": True,
    "predicates": {"__all__": {"words", "unmet"}},
    "actions": {"__all__": {"words"}},
    "example": True,
}
"""The fields of a file that change no step: the words, and the example."""


@lru_cache(maxsize=8)
def read_shipped(name: str) -> DomainFile:
    """Return a domain that comes with the world, such as `kitchen`. Raise InputError otherwise."""
    known = sorted(path.stem for path in _SHIPPED.glob("*.yaml"))
    if name not in known:
        expected = f"{', '.join(known)} or a file that ends in .yaml"
        raise InputError("domain", f"expected {expected}, not {name!r}")
    path = _SHIPPED / f"{name}.yaml"
    return check_domain(validate(DomainEntries, read_yaml(path), str(path)), str(path))


def check_domain(entries: DomainEntries, where: str) -> DomainFile:
    """Return the domain of a file's content.

    Raise InputError, which names `where` and the first part that does not fit the others.
    """
    return _Checker(entries, where).check(digest(entries.model_dump(mode="json", exclude=_WORDS)))


def names_domain(name: str, domain: DomainFile) -> bool:
    """Return whether a digest, perhaps an older one of a shipped domain, is that of a domain."""
    if name == domain.digest:
        return True
    return any(name == old and domain == read_shipped(each) for each, old in _FORMER.items())


class _Checker:
    """Checks the parts of a domain file against each other."""

    def __init__(self, entries: DomainEntries, where: str) -> None:
        self.entries = entries
        self.where = where
        self.types = {kind.type for kind in entries.kinds.values()}
        self.predicates = {name: tuple(each.of) for name, each in entries.predicates.items()}

    def check(self, digest: str) -> DomainFile:
        entries = self.entries
        self._expect(entries.worker, self.types, "worker", "type")
        for name, predicate in entries.predicates.items():
            for each in predicate.of:
                self._expect(each, self.types, f"predicates.{name}", "type")
            places = {str(number) for number in range(len(predicate.of))}
            self._check_words(predicate.words, places, f"predicates.{name}.words")
            self._check_words(predicate.unmet, places, f"predicates.{name}.unmet")
        rests = read_literals(entries.rests, f"{self.where}, rests")
        for literal in rests:
            self._expect(literal.predicate, set(self.predicates), "rests", "predicate")
            if len(self.predicates[literal.predicate]) != 2 or {*literal.args} != {"it", "place"}:
                self._refuse("rests", f"{literal}: expected it and place as its two arguments")
        for name, kind in entries.kinds.items():
            self._check_kind(name, kind)
        actions = {name: self._action(name, each) for name, each in entries.actions.items()}
        puts = [self._put(number, each) for number, each in enumerate(entries.puts)]
        changing = {literal.predicate for each in actions.values() for literal in _effects(each)}
        made = [kind for kind in entries.kinds.values() if kind.most]
        return DomainFile(
            digest=digest,
            entries=entries,
            predicates=self.predicates,
            actions=actions,
            puts=puts,
            rests={literal.predicate: literal.args.index("it") for literal in rests},
            changing=frozenset(changing | {name for kind in made for name in kind.has}),
        )

    def _refuse(self, part: str, problem: str) -> None:
        raise InputError(f"{self.where}, {part}", problem)

    def _expect(self, name: str, known: set[str], part: str, what: str) -> None:
        if name not in known:
            others = ", ".join(sorted(known))
            self._refuse(part, f"there is no {what} {name!r}; expected one of {others}")

    def _check_words(self, words: str, known: set[str], part: str) -> None:
        for name in re.findall(r"\{(.*?)\}", words):
            self._expect(name, known, part, "variable")

    def _check_kind(self, name: str, kind: KindEntry) -> None:
        for predicate in kind.has:
            self._expect(predicate, set(self.predicates), f"kinds.{name}.has", "predicate")
            if self.predicates[predicate] != (kind.type,):
                self._refuse(
                    f"kinds.{name}.has", f"{predicate}: expected a predicate of one {kind.type}"
                )
        if kind.most is not None:
            self._expect(kind.most, self.types, f"kinds.{name}.most", "type")
            if not kind.has:
                self._refuse(f"kinds.{name}.has", "name what is true of an object that is made")

    def _action(self, name: str, entry: ActionEntry) -> ActionRule:
        part = f"actions.{name}"
        types = list(entry.of.values())
        if types[0] != self.entries.worker or self.entries.worker in types[1:]:
            only = f"the first variable, and no other, is of type {self.entries.worker}"
            self._refuse(f"{part}.of", only)
        rule = self._rule(name, part, entry)
        named = {arg for literal in rule.needs if literal.holds for arg in literal.args}
        made = {kind.type for kind in self.entries.kinds.values() if kind.most}
        for variable, kind in entry.of.items():
            if kind in made and variable not in named:
                why = f"{variable} may not exist yet; name it in something that must be true"
                self._refuse(f"{part}.needs", why)
        return rule

    def _put(self, number: int, entry: ActionEntry) -> ActionRule:
        part = f"puts.{number}"
        if len(entry.of) < 2:
            self._refuse(f"{part}.of", "expected a variable of the object and one of the place")
        if entry.timers:
            self._refuse(f"{part}.timers", "a layout starts no timer; leave it out")
        return self._rule(part, part, entry)

    def _rule(self, name: str, part: str, entry: ActionEntry) -> ActionRule:
        for kind in entry.of.values():
            self._expect(kind, self.types, f"{part}.of", "type")
        self._check_words(entry.words, set(entry.of), f"{part}.words")
        needs = self._literals(entry.needs, entry.of, f"{part}.needs")
        return ActionRule(
            name=name,
            types=dict(entry.of),
            needs=needs,
            makes=self._effect(entry.makes, entry.of, f"{part}.makes"),
            timers=tuple(
                self._timer(each, entry.of, f"{part}.timers.{number}")
                for number, each in enumerate(entry.timers)
            ),
            words=entry.words,
        )

    def _timer(self, entry: TimerEntry, types: Mapping[str, str], part: str) -> Timer:
        self._expect(entry.about, set(types), f"{part}.about", "variable")
        if (entry.steps is None) == (entry.times is None):
            self._refuse(part, "expected either steps or times")
        for variable, kind in entry.creates.items():
            made = {name for name, each in self.entries.kinds.items() if each.most}
            self._expect(kind, made, f"{part}.creates.{variable}", "kind with the field `most`")
            if variable in types:
                self._refuse(f"{part}.creates", f"{variable} is a variable of the action")
        new = {name: self.entries.kinds[kind].type for name, kind in entry.creates.items()}
        if len(new) > 1:
            self._refuse(f"{part}.creates", "a timer creates one object")
        return Timer(
            about=entry.about,
            length=entry.steps or entry.times or 0,
            counts_actions=entry.times is not None,
            during=self._literals(entry.during, types, f"{part}.during"),
            meanwhile=self._effect(entry.meanwhile, types, f"{part}.meanwhile"),
            makes=self._effect(entry.makes, {**types, **new}, f"{part}.makes"),
            creates=entry.creates,
        )

    def _literals(self, text: str, types: Mapping[str, str], part: str) -> tuple[Literal, ...]:
        where = f"{self.where}, {part}"
        literals = read_literals(text, where)
        for literal in literals:
            check_literal(literal, self.predicates, types, where)
        return literals

    def _effect(self, text: str, types: Mapping[str, str], part: str) -> tuple[Literal, ...]:
        literals = self._literals(text, types, part)
        atoms = [literal.atom for literal in literals]
        for atom in atoms:
            if atoms.count(atom) > 1:
                self._refuse(part, f"names {atom} twice")
        return literals


def _effects(action: ActionRule) -> Iterator[Literal]:
    yield from action.makes
    for timer in action.timers:
        yield from (*timer.meanwhile, *timer.makes)
