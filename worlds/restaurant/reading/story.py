"""The state of a recipe while it is told, and what an operation does to it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from kitchen.components import DonenessTable
from worlds.restaurant.reading import foodwords
from worlds.restaurant.reading.alternatives import Choices
from worlds.restaurant.reading.discourse import COOKING, KNIFE, VESSEL, Bond, Step, Thing
from worlds.restaurant.reading.grammar import Role, is_made_of, level_in, preposition_before
from worlds.restaurant.reading.nouns import Mention, NounPhrase
from worlds.restaurant.reading.phrases import Clause
from worlds.restaurant.reading.references import Memory
from worlds.restaurant.reading.terms import Term
from worlds.restaurant.reading.text import Span
from worlds.restaurant.reading.work import joined, mixture_of, pooled, worked


@dataclass(slots=True)
class Event:
    """Something that was done: the steps it added, in which sentence."""

    process: str
    steps: list[Step]
    sentence: int
    aside: bool = False
    background: bool = False


_ANOTHER = re.compile(r"\b(?:in|into|on) another\b")


class Story:
    """What has been told so far."""

    def __init__(self, named: frozenset[str], doneness: DonenessTable, choices: Choices) -> None:
        self.choices = choices
        self.heard: list[tuple[int, Span]] = []
        self.levels: dict[str, str] = {}
        self.spoken: dict[str, set[int]] = {}
        self.passed_over = 0
        self.memory = Memory(named=named)
        self.doneness = doneness
        self.events: list[Event] = []
        self.sentence = 0
        self.clause = 0
        self.serving = False
        self.place = ""
        self.place_sentence = 0
        self.moving: Bond | None = None
        self.denied = False
        self.heap = False
        self.waiting: Span | None = None
        self.mixing: Span | None = None
        self.in_mixer = False
        self.reduced = False
        self.referred: tuple[str, list[Thing]] | None = None
        self.vacant = False
        self.opening: Clause | None = None
        self.heading = ""
        self.named: list[Thing] = []
        self.said: list[Thing] = []
        self.antecedent: list[Thing] = []

    def _choose(self, kind: str, count: int, position: int = 0) -> int:
        """Which of `count` ways to read what is told now."""
        return self.choices.choose((kind, self.sentence, self.clause, position), count)

    def sentences_of(self, foods: Iterable[str]) -> frozenset[int]:
        """Where foods were named."""
        return frozenset(s for food in foods for s in self.spoken.get(food, ()))

    def _roles(self, clause: Clause) -> list[Role]:
        self.antecedent = self.named
        roles: list[Role] = []
        for position, item in enumerate(clause.items):
            if isinstance(item, NounPhrase):
                role = Role(position, preposition_before(clause, position), item)
                for mention in item.mentions:
                    role.things += self._mention(mention, role)
                if len(item.mentions) > 1:
                    self.memory.last_list = list(role.things)
                if is_made_of(clause, position, roles):
                    made = self._made_from(roles[-1], role)
                    if made is not None:
                        role = roles.pop()
                        role.things = [made]
                roles.append(role)
                self.said += [t for t in role.things if t not in self.said]
                self.named = role.things or self.named
        return roles

    def _made_from(self, mixture: Role, foods: Role) -> Thing | None:
        if len(foods.things) < 2 or not mixture.things or mixture.things[0].bond != "open":
            return None
        unmade = mixture.things[0]
        process = "knead" if "dough" in unmade.labels else "mix"
        made = mixture_of(foods.things, process)
        self._mark_used(foods.things)
        self.memory.made(made, announced=False)
        self.memory.bind(unmade, made)
        self.events.append(Event(process, list(made.steps), self.sentence))
        return made

    def _mention(self, mention: Mention, role: Role) -> list[Thing]:
        things = self.memory.refer(mention)
        for thing in things:
            if thing.name:
                self.spoken.setdefault(thing.name, set()).add(self.sentence)
        if mention.term.value == "they" and len(things) == 1:
            things = self._parallel(things[0])
        for process, span in mention.done:
            if process in KNIFE:
                for thing in things:
                    step = thing.add_step(process, earlier=True)
                    step.tell(span, None)
                    thing.used = True
                    self.events.append(Event(process, [step], self.sentence))
        return [thing for thing in things if thing not in role.things]

    def _parallel(self, thing: Thing) -> list[Thing]:
        """A food together with those that were cut likewise in the same sentence."""
        if thing.parts or not self.events:
            return [thing]
        last = self.events[-1]
        if last.process not in KNIFE or not any(s in thing.steps for s in last.steps):
            return [thing]
        several = thing.name in self.memory.plural
        steps = [
            step for event in self.events[-6:]
            if event.sentence >= last.sentence - 1
            and (event.process == last.process or (event.process in KNIFE and not several))
            for step in event.steps
        ]  # fmt: skip
        return [
            food for food in self.memory.foods.values()
            if food is thing or (
                food.parent is None and any(s in food.steps for s in steps)
                and not any(s.process in COOKING for s in food.steps)
            )
        ]  # fmt: skip

    def _places(self, clause: Clause) -> list[str]:
        found: list[str] = []
        items = clause.items
        for position, item in enumerate(items):
            if not isinstance(item, Term) or item.kind != "place":
                continue
            before = ""
            for other in reversed(items[:position]):
                if isinstance(other, NounPhrase) or other.kind in ("verb", "move", "time"):
                    break
                if other.kind == "preposition":
                    before = other.value
                    break
            heading = before == "for" and not clause.of("verb") and (
                not clause.phrases() or bool(clause.of("be"))
            )  # fmt: skip
            if heading or before not in ("off", "from", "of", "for", "beside", "about"):
                found.append(item.value)
        cooking = [place for place in found if place in COOKING]
        if cooking:
            self.place, self.place_sentence = cooking[0], self.sentence
            self.vacant = not clause.phrases() and not clause.of("verb")
        if not found and self.place and _ANOTHER.search(clause.text) and clause.of("time"):
            found.append(self.place)
        there = any(t.word == "there" for t in clause.of("word")) and not clause.of("be")
        if there and not cooking and self.place and clause.of("time", "move"):
            found.append(self.place)
        return cooking or found

    def _announce(self, clause: Clause, roles: list[Role]) -> None:
        """Keep in mind which mixture is being talked about, so that it has a name when made."""
        if clause.link in ("during", "before", "until", "reason"):
            return
        for role in roles:
            for thing in role.things:
                if role.preposition in ("about", "at", "from"):
                    continue
                if (thing.bond == "open" and not thing.steps) or (
                    role.preposition == "for" and thing in self.memory.unmade
                ):
                    self.memory.topic = thing

    def _do(
        self, clause: Clause, process: str, things: list[Thing], partners: list[Thing],
        span: Span | None, level: str | None, earlier: bool, *, soft: bool = False,
    ) -> None:  # fmt: skip
        if process in COOKING and span is None and level is None and self.waiting is not None:
            span, self.waiting = self.waiting, None
        vague = (
            process == "chop"
            and not clause.of("shape")
            and any(t.value == "cut" for t in clause.of("verb"))
        )
        pool = self._pool(process, things, span)
        if pool is not None:
            steps = pooled(pool, things, process)
            done = [pool]
        else:
            everything = [*things, *(t for t in partners if t not in things)]
            mixtures = any(t.parts or t.bond == "open" for t in everything)
            if process in ("bake", "grill", "deep-fry") and partners and mixtures:
                everything = [joined(everything, "loose")]
            apart = bool({"separate", "separately", "individually", "apart"} & {
                t.word for t in clause.of("word", "adverb")
            })  # fmt: skip
            done, steps = worked(process, everything, earlier=earlier, apart=apart)
        for step in steps:
            step.soft = soft and (step.soft or not step.told)
            if span is not None and span.more and step.told and step.low:
                step.low, step.high = step.low + span.low, step.high + span.high
                step.span = span
            elif process not in COOKING or span is not None or level is not None:
                step.tell(span, level if process in COOKING else None)
        if soft and any(step.told for step in steps):
            for step in steps:
                step.passing = not step.told
        if vague:
            for step in steps:
                step.soft = not step.told
        for thing in done:
            if thing.parts:
                self.memory.made(thing)
        background = clause.link == "during" and clause is not self.opening
        self.events.append(Event(process, steps, self.sentence, self.reduced, background))
        self.memory.note(done)
        self.memory.attend(done)
        self.moving = None

    @staticmethod
    def _idle_stirring(
        verb: Term, process: str, things: list[Thing], partners: list[Thing], span: Span | None
    ) -> bool:
        """Whether this only moves about what is cooking already."""
        return (
            process == "mix" and span is None and not partners
            and verb.word.startswith(("stir", "toss", "fold", "swirl"))
            and all(t.top().bond == "vessel" and not t.top().steps for t in things)
        )  # fmt: skip

    def _pool(self, process: str, things: list[Thing], span: Span | None) -> Thing | None:
        """The vessel in use that things join for the last minutes of it."""
        if process not in VESSEL or span is None or not span.last:
            return None
        if any(thing.bond == "vessel" for thing in things):
            return None
        return self._vessel(process)

    def _vessel(self, process: str | None) -> Thing | None:
        for group in reversed(self.memory.groups):
            if group.bond == "vessel" and group.parts and not group.steps and (
                any(part.step_of(process) if process else part.steps for part in group.parts)
            ):  # fmt: skip
                return group
        return None

    def _vessel_of_focus(self) -> str | None:
        for thing in self.memory.focus:
            top = thing.top()
            if top.bond == "vessel" and not top.steps:
                return next((p.steps[-1].process for p in top.parts if p.steps), None)
            if not thing.parts and thing.steps and thing.steps[-1].process in VESSEL:
                vessel = Thing(bond="vessel", used=True)
                process = thing.steps[-1].process
                if thing.parent is None and self.events and self.events[-1].process == process:
                    vessel.adopt([thing])
                    self.memory.made(vessel)
                    return process
        return None

    def _added(self, pool: Thing, things: list[Thing], process: str, span: Span | None) -> None:
        if span is None:
            span, self.waiting = self.waiting, None
        passing = all(part.steps and part.steps[-1].told for part in pool.parts)
        waiting = [part.steps[-1] for part in pool.parts] if pool.cooking and span is None else []
        steps = pooled(pool, things, process)
        for step in steps:
            step.tell(span, None)
            step.passing = passing
        steps += waiting
        self.events.append(Event(process, steps, self.sentence))
        self.memory.attend([pool])

    @staticmethod
    def _tell(steps: list[Step], span: Span) -> bool:
        open_steps = [step for step in steps if not step.told]
        for step in open_steps:
            step.tell(span, None)
        return bool(open_steps)

    def _tell_named(self, things: list[Thing], span: Span, process: str | None) -> bool:
        told = False
        for thing in things:
            foods = [thing, *thing.parts] if thing.bond == "vessel" else [thing]
            for food in foods:
                step = (
                    food.step_of(process)
                    if process
                    else next(
                        (
                            s
                            for s in reversed(food.steps)
                            if not s.told and (food is thing or s.process in COOKING)
                        ),
                        None,
                    )
                )
                if step is not None and not step.told:
                    step.tell(span, None)
                    told = True
        return told

    def _gap(self, things: list[Thing], span: Span | None) -> bool:
        """Do what was done last in this sentence to further things: `and then the garlic`."""
        if not self.events or self.events[-1].sentence != self.sentence:
            return False
        process = self.events[-1].process
        if process not in KNIFE | COOKING or self.events[-1].aside:
            return False
        fresh = [t for t in things if t.step_of(process) is None and t.bond != "open"
                 and not (process in KNIFE and t.name in foodwords.UNCUT)]  # fmt: skip
        if not fresh or any(t.parts for t in fresh):
            return False
        pool = self._vessel(process) if process in VESSEL else None
        if pool is None and process in VESSEL and not any(s.told for s in self.events[-1].steps):
            self._vessel_of_focus()
            pool = self._vessel(process)
        if pool is not None and pool.cooking:
            self._added(pool, fresh, process, span)
            return True
        done, steps = worked(process, fresh, earlier=False, apart=True)
        for step in steps:
            step.tell(span, None)
        self._mark_used(fresh)
        self.events.append(Event(process, steps, self.sentence))
        self.memory.attend([*(t for t in self.memory.focus if t not in done), *done])
        return True

    def _level_named(self, clause: Clause, roles: list[Role]) -> None:
        """A level may be told of a food after the cooking itself: `we serve it soft`."""
        level = level_in(clause)
        if level is None:
            return
        for thing in (t for r in roles for t in r.things):
            if thing.name and not clause.of("negation"):
                self.levels[thing.name] = level
            for step in thing.steps:
                entry = self.doneness.get((thing.name, step.process))
                if entry is not None and level in entry.levels:
                    step.tell(None, level)

    def _level_of_last(self, clause: Clause) -> None:
        level = level_in(clause)
        if level is None:
            return
        for thing in self.memory.focus:
            if thing.name:
                self.levels[thing.name] = level
        if not self.events:
            return
        for step in self.events[-1].steps:
            if step.process in COOKING:
                step.tell(None, level)

    @staticmethod
    def _mark_used(things: list[Thing]) -> None:
        for thing in things:
            thing.used = True
