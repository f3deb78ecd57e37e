"""The engine: it carries out the actions of any domain on a set of true predicates.

Every predicate over objects has a number, and what is true is one whole number whose bits are
these. Numbers depend only on the domain and the objects, so that states can be passed between
engines. Actions and timers are grounded when they are first needed.

In a timestep the robots act one after the other, in the order in which the level names them
(`RobotouilleWorld.step`). Then the timers count (`Engine.tick`).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from operator import itemgetter
from typing import NamedTuple

from cookmas.worlds.robotouille.rules.domain_file import ActionRule, DomainFile, Timer
from cookmas.worlds.robotouille.rules.literals import Literal, Query, split_args, write_atom

_CALL = re.compile(r"([\w.-]+)\(([\w, -]*)\)")


class Running(NamedTuple):
    """A timer that runs."""

    key: str
    """The name of the timer: the action, the number of its timer, and the objects."""
    counted: int
    """Timesteps or actions so far."""
    held: bool
    """Whether its condition held in the last timestep that counted."""


class FactState(NamedTuple):
    """A state: the timestep, what is true, and the timers that run, in order of their starts."""

    timestep: int
    true: int
    timers: tuple[Running, ...] = ()


@dataclass(frozen=True, slots=True)
class GroundLiterals:
    """Literals with their objects: as a condition what must hold, as an effect what becomes so."""

    true: int
    false: int

    def hold(self, facts: int) -> bool:
        """Return whether they hold where `facts` are true."""
        return facts & self.true == self.true and not facts & self.false

    def apply(self, facts: int) -> int:
        """Return what is true after they have become so."""
        return facts & ~self.false | self.true


@dataclass(frozen=True, slots=True)
class GroundAction:
    """An action with its objects."""

    needs: GroundLiterals
    makes: GroundLiterals
    timers: tuple[str, ...]
    """Keys of the timers that it starts, or counts for."""


Numbered = tuple[int, str, GroundAction]
"""An action with its place among the worker's possible actions, and its text."""


@dataclass(frozen=True, slots=True)
class GroundTimer:
    """A timer with its objects."""

    about: str
    length: int
    counts_actions: bool
    during: GroundLiterals
    begins: GroundLiterals
    """The literals that are true while the condition holds."""
    ceases: GroundLiterals
    """The same, undone."""
    outcomes: tuple[tuple[int, GroundLiterals], ...]
    """The effect, with a bit that must not be true; more than one if an object is created."""


class Engine:
    """A domain with objects."""

    def __init__(
        self, domain: DomainFile, kinds: Mapping[str, str], *, lists_ended: bool = False
    ) -> None:
        """Take the kind of each object. `lists_ended` says whether timers are as in the original.

        There a timer of one timestep that ends directly after the timer before it stays in the list
        for this timestep. Its effect is made all the same.
        """
        self.domain = domain
        self.lists_ended = lists_ended
        self.kinds = dict(kinds)
        self.by_type: dict[str, list[str]] = {}
        entries = domain.entries.kinds
        for name, kind in kinds.items():
            self.by_type.setdefault(entries[kind].type, []).append(name)
        new = {kind: self._add_new(kind) for kind, each in entries.items() if each.most}
        self.created = {kind: names for kind, names in new.items() if names}
        """The names of the objects that can be made in an episode, in order, by kind."""
        self._place = {x: n for names in self.by_type.values() for n, x in enumerate(names)}
        self._literals: dict[int, Literal] = {}
        self._first: dict[str, int] = {}
        total = 0
        for name, types in domain.predicates.items():
            self._first[name] = total
            total += math.prod(len(self.by_type.get(each, ())) for each in types)
        self._actions: dict[tuple[str, str], GroundAction] = {}
        self._timers: dict[str, GroundTimer] = {}
        self._indexes: dict[str, tuple[int, dict[int, list[Numbered]]]] = {}
        self.fixed = 0
        """The facts of every state of a layout: the predicates that no action can change."""
        self._bits: dict[tuple[str, tuple[str, ...]], int] = {}
        self._queries: dict[tuple[str, int], Query] = {}

    def _add_new(self, kind: str) -> list[str]:
        """Return the names of the objects of a kind that can be created in an episode."""
        entry = self.domain.entries.kinds[kind]
        count = len(self.by_type.get(entry.most or "", ()))
        taken = [name for name, each in self.kinds.items() if each == kind]
        names = [f"{kind}{n}" for n in range(1, count + len(taken) + 1)]
        fresh = [name for name in names if name not in self.kinds]
        self.by_type.setdefault(entry.type, []).extend(fresh)
        self.kinds.update(dict.fromkeys(fresh, kind))
        return fresh

    # Predicates as bits.

    def bit(self, predicate: str, args: tuple[str, ...]) -> int:
        """Return the number in which only the bit of a predicate over objects is set."""
        key = (predicate, args)
        if key not in self._bits:
            number = 0
            for arg, kind in zip(args, self.domain.predicates[predicate], strict=True):
                number = number * len(self.by_type[kind]) + self._place[arg]
            self._bits[key] = 1 << (self._first[predicate] + number)
        return self._bits[key]

    def literals(self, facts: int) -> Iterator[Literal]:
        """Yield the literals that are true, in the order of the domain file."""
        for bit in bits_of(facts):
            if bit not in self._literals:
                self._literals[bit] = self._literal_of(bit)
            yield self._literals[bit]

    def _literal_of(self, bit: int) -> Literal:
        number, args = bit.bit_length() - 1, list[str]()
        name = next(each for each in reversed(self._first) if self._first[each] <= number)
        number -= self._first[name]
        for each in reversed(self.domain.predicates[name]):
            number, place = divmod(number, len(self.by_type[each]))
            args.append(self.by_type[each][place])
        return Literal(name, tuple(reversed(args)))

    def fix(self, facts: int) -> None:
        """Take what is true at first: of it, what no action can change is true in every state."""
        for name in self.domain.predicates.keys() - self.domain.changing:
            self.fixed |= facts & self._mask(name)

    def _mask(self, predicate: str) -> int:
        """Return the bits of a predicate over all objects."""
        size = math.prod(len(self.by_type.get(x, ())) for x in self.domain.predicates[predicate])
        return ((1 << size) - 1) << self._first[predicate]

    @property
    def moving(self) -> set[str]:
        """The types of the objects that can rest on, in or with another object."""
        return {self.domain.predicates[name][at] for name, at in self.domain.rests.items()}

    def find_standing_bits(self, workers: Sequence[str]) -> int:
        """Return the bits that say where workers stand."""
        bits = 0
        for predicate, position in self.domain.rests.items():
            if self.domain.predicates[predicate][position] == self.domain.entries.worker:
                for worker in workers:
                    bits |= self.bits_with(predicate, position, worker)
        return bits

    def find_places(self, true: int) -> dict[str, str]:
        """Return what each object is directly on, in or with, if the bits of `true` are true."""
        rests = self.domain.rests
        return {
            literal.args[rests[literal.predicate]]: literal.args[1 - rests[literal.predicate]]
            for literal in self.literals(true)
            if literal.predicate in rests
        }

    def bits_with(self, predicate: str, position: int, name: str) -> int:
        """Return the bits of a predicate that have an object as the argument at a position."""
        values = [self.by_type.get(kind, ()) for kind in self.domain.predicates[predicate]]
        values[position] = [name]
        bits = 0
        for args in product(*values):
            bits |= self.bit(predicate, args)
        return bits

    def ground_literals(
        self, literals: Sequence[Literal], values: Mapping[str, str]
    ) -> GroundLiterals:
        """Return literals whose variables have these values."""
        bits = [0, 0]
        for literal in literals:
            args = tuple([values[arg] for arg in literal.args])
            bits[literal.holds] |= self.bit(literal.predicate, args)
        return GroundLiterals(bits[True], bits[False])

    def facts_of(self, name: str) -> int:
        """Return what is true of a new object: the predicates of its kind."""
        facts = 0
        for predicate in self.domain.entries.kinds[self.kinds[name]].has:
            facts |= self.bit(predicate, (name,))
        return facts

    # Actions.

    def read(self, worker: str, text: str) -> tuple[ActionRule, dict[str, str]] | None:
        """Return the action of a text and the values of its variables; None if it is no action."""
        match = _CALL.fullmatch(text)
        action = self.domain.actions.get(match[1]) if match else None
        if match is None or action is None:
            return None
        args = split_args(match[2])
        if len(args) != len(action.types) - 1:
            return None
        values = dict(zip(action.types, [worker, *args], strict=True))
        fits = all(values[x] in self.by_type.get(kind, ()) for x, kind in action.types.items())
        return (action, values) if fits else None

    def ground(self, worker: str, text: str) -> GroundAction | None:
        """Return an action of a worker with its objects; None if the text is no action."""
        known = self._actions.get((worker, text))
        if known is None and (found := self.read(worker, text)):
            known = self._actions[worker, text] = self._ground(*found)
        return known

    def _ground(self, action: ActionRule, values: Mapping[str, str]) -> GroundAction:
        keys = []
        for number, timer in enumerate(action.timers):
            args = [values[name] for name in action.types if name in timer.variables]
            keys.append(write_atom(f"{action.name}.{number}", args))
            if keys[-1] not in self._timers:
                self._timers[keys[-1]] = self._ground_timer(timer, values)
        makes = self.ground_literals(action.makes, values)
        return GroundAction(self.ground_literals(action.needs, values), makes, tuple(keys))

    def unmet(self, worker: str, text: str, facts: int) -> Literal | None:
        """Return the first literal that an action needs and that does not hold; None if all do."""
        found = self.read(worker, text)
        if found is not None:
            action, values = found
            for literal in action.needs:
                ground = literal.replace(values)
                if bool(facts & self.bit(ground.predicate, ground.args)) != ground.holds:
                    return ground
        return None

    def act(self, state: FactState, action: GroundAction) -> FactState:
        """Return the state after an action whose needs hold; the timers do not count yet."""
        timers = list(state.timers)
        for key in action.timers:
            known = next((n for n, running in enumerate(timers) if running.key == key), None)
            if known is None:
                timers.append(Running(key, 0, held=False))
                known = len(timers) - 1
            if self._timers[key].counts_actions:
                timers[known] = timers[known]._replace(counted=timers[known].counted + 1)
        return FactState(state.timestep, action.makes.apply(state.true), tuple(timers))

    # Timers.

    def timer(self, key: str) -> GroundTimer:
        """Return the timer of a key. Raise KeyError if no timer has it."""
        if key not in self._timers:
            match = _CALL.fullmatch(key)
            name, _, number = match[1].rpartition(".") if match else ("", "", "")
            action = self.domain.actions[name]
            timer = action.timers[int(number)]
            named = [each for each in action.types if each in timer.variables]
            args = split_args(match[2]) if match else ()
            values = dict(zip(named, args, strict=True))
            self._timers[key] = self._ground_timer(timer, values)
        return self._timers[key]

    def _ground_timer(self, timer: Timer, values: Mapping[str, str]) -> GroundTimer:
        meanwhile = self.ground_literals(timer.meanwhile, values)
        outcomes = []
        if timer.creates:
            (variable, kind), *_ = timer.creates.items()
            for name in self.created.get(kind, ()):
                facts = self.facts_of(name)
                effect = self.ground_literals(timer.makes, {**values, variable: name})
                outcomes.append((facts, GroundLiterals(effect.true | facts, effect.false)))
        else:
            outcomes.append((0, self.ground_literals(timer.makes, values)))
        return GroundTimer(
            about=values[timer.about],
            length=timer.length,
            counts_actions=timer.counts_actions,
            during=self.ground_literals(timer.during, values),
            begins=meanwhile,
            ceases=GroundLiterals(meanwhile.false, meanwhile.true),
            outcomes=tuple(outcomes),
        )

    def tick(self, state: FactState) -> FactState:
        """Return the state after the timers have counted this timestep, in order."""
        if not state.timers:
            return FactState(state.timestep + 1, state.true)
        facts, left, ended = state.true, list[Running](), False
        for running in state.timers:
            if self.has_ended(running):
                continue
            facts, after = self._count(facts, running)
            last = Running(running.key, 1, held=True)
            if after is not None:
                left.append(after)
            elif ended and self.has_ended(last):
                left.append(last)
            ended = after is None
        return FactState(state.timestep + 1, facts, tuple(left))

    def has_ended(self, running: Running) -> bool:
        """Return whether a timer has ended and is only listed."""
        if not self.lists_ended or running.counted != 1:
            return False
        timer = self.timer(running.key)
        return timer.length == 1 and not timer.counts_actions

    def _count(self, facts: int, running: Running) -> tuple[int, Running | None]:
        """Return what is true after a timer has counted, and the timer; None if it has ended."""
        timer = self.timer(running.key)
        holds = timer.during.hold(facts)
        count = running.counted + (holds and not timer.counts_actions)
        if holds and count >= timer.length:
            for exists, effect in timer.outcomes:
                if not facts & exists:
                    return effect.apply(timer.ceases.apply(facts)), None
        if holds and not running.held:
            facts = timer.begins.apply(facts)
        elif running.held and not holds:
            facts = timer.ceases.apply(facts)
        return facts, Running(running.key, count, holds)

    # What fits.

    def legal(self, worker: str, facts: int) -> list[str]:
        """Return the actions of a worker whose needs hold, in the order of the domain file."""
        return [text for _, text, _ in sorted(self.applicable(worker, facts), key=itemgetter(0))]

    def applicable(self, worker: str, facts: int) -> list[Numbered]:
        """Return the actions of a worker whose needs hold, in any order."""
        shared, index = self._index_of(worker)
        found = []
        for bit in bits_of(facts & shared):
            for each in index[bit]:
                needs = each[2].needs
                if facts & needs.true == needs.true and not facts & needs.false:
                    found.append(each)
        return found

    def list_actions(self, worker: str) -> list[Numbered]:
        """Return all actions of a worker that some state can allow."""
        return [each for group in self._index_of(worker)[1].values() for each in group]

    def _index_of(self, worker: str) -> tuple[int, dict[int, list[Numbered]]]:
        """Return the possible actions of a worker by one bit that each needs, and all these bits.

        The bit of an action is the one that the fewest other actions need.
        """
        if worker in self._indexes:
            return self._indexes[worker]
        numbered: list[Numbered] = []
        for action, values in self.possible(worker):
            text = write_atom(action.name, list(values.values())[1:])
            if (worker, text) not in self._actions:
                self._actions[worker, text] = self._ground(action, values)
            numbered.append((len(numbered), text, self._actions[worker, text]))
        sharing = Counter(bit for _, _, action in numbered for bit in bits_of(action.needs.true))
        index: dict[int, list[Numbered]] = {}
        for each in numbered:
            rarest = min(bits_of(each[2].needs.true), key=sharing.__getitem__)
            index.setdefault(rarest, []).append(each)
        self._indexes[worker] = sum(index), index
        return self._indexes[worker]

    def possible(self, worker: str) -> Iterator[tuple[ActionRule, dict[str, str]]]:
        """Yield the actions of a worker that some state can allow, with their objects.

        They need nothing that is false at first and that no action can change.
        """
        for action in self.domain.actions.values():
            fixed = [x for x in action.needs if x.predicate not in self.domain.changing]
            names = list(action.types)
            query = Query(names, fixed, names[:1], distinct=True)
            choices = {name: self.by_type.get(kind, ()) for name, kind in action.types.items()}
            for values in query.fit(self.bit, choices, {names[0]: worker}, self.fixed):
                yield action, {name: values[name] for name in names}

    def fitting(
        self, action: ActionRule, known: Sequence[str], facts: int
    ) -> Iterator[dict[str, str]]:
        """Yield all values of an action's variables with which its needs hold.

        `known` has the values of its first variables.
        """
        key = (action.name, len(known))
        names = list(action.types)
        if key not in self._queries:
            self._queries[key] = Query(names, action.needs, names[: len(known)])
        choices = {name: self.by_type.get(kind, ()) for name, kind in action.types.items()}
        first = dict(zip(names, known, strict=False))
        for values in self._queries[key].fit(self.bit, choices, first, facts):
            yield {name: values[name] for name in names}


def bits_of(facts: int) -> Iterator[int]:
    """Yield the numbers with one bit each that make up a number."""
    while facts:
        lowest = facts & -facts
        yield lowest
        facts ^= lowest
