"""A recipe in prose to components: each clause is done, in the telling, to the foods it names."""

from __future__ import annotations

from dataclasses import dataclass, field

from kitchen.components import Component, DonenessTable
from orchestrator.reading import lexicon
from orchestrator.reading.discourse import (
    COOKING,
    KNIFE,
    MIXER,
    VESSEL,
    Bond,
    Step,
    Thing,
    component_of,
)
from orchestrator.reading.phrases import Clause, Mention, NounPhrase, clauses_of
from orchestrator.reading.references import Memory
from orchestrator.reading.terms import Lexicon, Term, lexicon_of, terms_of
from orchestrator.reading.text import Span, sentences
from orchestrator.reading.work import joined, pooled, worked

WEAK = frozenset(
    "cook cooks cooked cooking bubble bubbles bubbled bubbling sear seared brown browned toast "
    "toasted char charred stew sizzle sizzles sizzled roast roasted".split()
)
"""Verbs whose process the place decides, where one is named."""


@dataclass(slots=True)
class Event:
    """Something that was done: the steps it added, in which sentence."""

    process: str
    steps: list[Step]
    sentence: int


@dataclass(slots=True)
class Role:
    """A noun phrase in its clause: the preposition before it, and what it refers to."""

    position: int
    preposition: str
    phrase: NounPhrase
    things: list[Thing] = field(default_factory=list)


class Teller:
    """Follows a recipe as it is told."""

    def __init__(self, named: frozenset[str], doneness: DonenessTable) -> None:
        self.memory = Memory(named=named)
        self.doneness = doneness
        self.events: list[Event] = []
        self.sentence = 0
        self.serving = False
        self.place = ""
        self.moving: Bond | None = None
        self.denied = False
        self.heap = False
        self.waiting: Span | None = None

    def follow(self, told: list[Clause]) -> None:
        """Take in the clauses of one sentence."""
        self.sentence += 1
        self.serving = False
        self.moving = None
        self.denied = False
        self.heap = False
        self.waiting = None
        for index, clause in enumerate(told):
            following = told[index + 1] if index + 1 < len(told) else None
            self._clause(clause, following)

    def _clause(self, clause: Clause, following: Clause | None) -> None:
        if clause.link == "reason":
            if not self.memory.focus:
                self.memory.attend([t for role in self._roles(clause) for t in role.things])
            return
        if clause.link in ("until", "so"):
            self._level_of_last(clause)
            if not any(t.span is not None and t.span.last for t in clause.of("time")):
                return
        denied = self.denied and clause.link in ("or", "where") and not clause.comma
        cut = next(
            (i for i, it in enumerate(clause.items)
             if isinstance(it, Term) and it.kind == "negation"), None,
        )  # fmt: skip
        self.denied = cut is not None or denied
        if denied:
            return
        if cut is not None:
            clause = Clause(
                clause.items[:cut], clause.link, clause.text, clause.earlier, clause.question,
                clause.comma,
            )  # fmt: skip
            if not clause.of("verb", "time"):
                roles = self._roles(clause)
                self.memory.attend([t for role in roles for t in role.things])
                return
        self._say(clause, following)

    def _say(self, clause: Clause, following: Clause | None) -> None:
        roles = self._roles(clause)
        verbs = [
            (i, item) for i, item in enumerate(clause.items)
            if isinstance(item, Term) and item.kind == "verb" and not self._nominal(clause, i)
        ]  # fmt: skip
        if clause.question:
            self.memory.attend([t for role in roles for t in role.things])
            return
        self._announce(clause, roles)
        self._level_named(clause, roles)
        places = self._places(clause)
        if verbs:
            for position, verb in verbs:
                self._process(clause, position, verb, roles, places, following)
        elif places and (places[0] in COOKING or places[0] == "blend"):
            self._placed(clause, roles, places[0], following)
        elif self._serves(clause):
            self._served(roles)
        elif clause.of("move"):
            self._moved(clause, roles, places)
        elif clause.of("time"):
            self._timed(clause, roles)
        else:
            self._mentioned(clause, roles)

    # ---- what the words of a clause are

    def _roles(self, clause: Clause) -> list[Role]:
        roles: list[Role] = []
        for position, item in enumerate(clause.items):
            if isinstance(item, NounPhrase):
                role = Role(position, self._preposition(clause, position), item)
                for mention in item.mentions:
                    role.things += self._mention(mention, role)
                if len(item.mentions) > 1:
                    self.memory.last_list = list(role.things)
                roles.append(role)
        return roles

    def _mention(self, mention: Mention, role: Role) -> list[Thing]:
        things = self.memory.refer(mention)
        for process, span in mention.done:
            if process in KNIFE:
                for thing in things:
                    step = thing.add_step(process, earlier=True)
                    step.tell(span, None)
                    thing.used = True
                    self.events.append(Event(process, [step], self.sentence))
        return [thing for thing in things if thing not in role.things]

    @staticmethod
    def _preposition(clause: Clause, position: int) -> str:
        for item in reversed(clause.items[:position]):
            if isinstance(item, NounPhrase) or item.kind in (
                "verb", "move", "time", "be", "place",
            ):  # fmt: skip
                return ""
            if item.kind == "preposition" and item.value != "of":
                return item.value
        return ""

    @staticmethod
    def _nominal(clause: Clause, position: int) -> bool:
        verb = clause.items[position]
        previous = clause.items[position - 1] if position else None
        return (
            isinstance(verb, Term) and "ing" in verb.forms
            and isinstance(previous, Term) and previous.kind == "determiner"
        )  # fmt: skip

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
            if before not in ("off", "from", "of", "for", "beside", "about"):
                found.append(item.value)
        cooking = [place for place in found if place in COOKING]
        if cooking:
            self.place = cooking[0]
        there = any(t.word == "there" for t in clause.of("word"))
        if there and not cooking and self.place and clause.of("time", "move"):
            found.append(self.place)
        return cooking or found

    @staticmethod
    def _serves(clause: Clause) -> bool:
        return any(t.value == "serve" for t in clause.of("move")) or any(
            t.value == "plate" for t in clause.of("place")
        )

    @staticmethod
    def _span(clause: Clause) -> Span | None:
        spans = [t.span for t in clause.of("time") if t.span is not None and not t.span.later]
        return spans[0] if spans else None

    @staticmethod
    def _level(clause: Clause) -> str | None:
        levels = clause.of("level")
        return levels[0].value if levels else None

    def _announce(self, clause: Clause, roles: list[Role]) -> None:
        """Keep in mind which mixture is being talked about, so that it has a name when made."""
        for role in roles:
            for thing in role.things:
                if thing.bond == "open" and not thing.steps:
                    self.memory.topic = thing
                elif role.preposition == "for" and thing in self.memory.unmade:
                    self.memory.topic = thing

    # ---- what is done

    def _process(
        self, clause: Clause, position: int, verb: Term, roles: list[Role], places: list[str],
        following: Clause | None,
    ) -> None:  # fmt: skip
        span, level = self._span(clause), self._level(clause)
        reference = clause.link in ("during", "before")
        things = self._patients(clause, position, verb, roles, following)
        process = self._process_of(clause, verb, places, things)
        if process is None or not things:
            return
        direct = any(r.position > position and not r.preposition for r in roles)
        if process in KNIFE and "finite" in verb.forms and "past" not in verb.forms and not direct:
            return
        if reference and process in COOKING and span is None:
            self.memory.attend([t for role in roles for t in role.things])
            return
        if process == "mix" and places and places[0] in VESSEL and span is None:
            self._placed(clause, roles, places[0], None)
            return
        partners = self._partners(process, position, roles)
        if self._idle_stirring(verb, process, things, partners, span):
            return
        announced = [t for t in things if t.bond == "open" and not t.steps and t.parent is None]
        others = [t for t in things if t not in announced] or [
            t for t in self.memory.focus if t not in announced
        ]  # fmt: skip
        if announced and others:
            things = others
            self.memory.topic = announced[0]
        self._mark_used(things + partners)
        earlier = clause.earlier or (clause.link == "during")
        self._do(clause, process, things, partners, span, level, earlier)

    def _do(
        self, clause: Clause, process: str, things: list[Thing], partners: list[Thing],
        span: Span | None, level: str | None, earlier: bool, *, soft: bool = False,
    ) -> None:  # fmt: skip
        if process in COOKING and span is None and level is None and self.waiting is not None:
            span, self.waiting = self.waiting, None
        vague = process == "chop" and not clause.of("shape") and any(
            t.value == "cut" for t in clause.of("verb")
        )
        pool = self._pool(process, things, span)
        if pool is not None:
            steps = pooled(pool, things, process)
            done = [pool]
        else:
            everything = [*things, *(t for t in partners if t not in things)]
            if process in ("bake", "grill", "deep-fry") and partners:
                if any(t.parts or t.bond == "open" for t in everything):
                    everything = [joined(everything, "loose")]
            apart = bool({"separate", "separately", "individually", "apart"} & {
                t.word for t in clause.of("word", "adverb")
            })  # fmt: skip
            done, steps = worked(process, everything, earlier=earlier, apart=apart)
        for step in steps:
            step.soft = soft and (step.soft or not step.told)
            if span is not None and span.more and step.told and step.low:
                step.low, step.high = step.low + span.low, step.high + span.high
            elif process not in COOKING or span is not None or level is not None:
                step.tell(span, level if process in COOKING else None)
        if vague:
            for step in steps:
                step.soft = not step.told
        for thing in done:
            if thing.parts:
                self.memory.made(thing)
        self.events.append(Event(process, steps, self.sentence))
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
                process is None or any(part.step_of(process) for part in group.parts)
            ):  # fmt: skip
                return group
        return None

    def _patients(
        self, clause: Clause, position: int, verb: Term, roles: list[Role],
        following: Clause | None,
    ) -> list[Thing]:  # fmt: skip
        left = [r for r in roles if r.position < position and not r.preposition]
        right = [r for r in roles if r.position > position and not r.preposition]
        passive = "past" in verb.forms and any(
            isinstance(item, Term) and item.kind == "be" for item in clause.items[:position]
        )
        intransitive = "finite" in verb.forms and "base" not in verb.forms
        chosen = (left or right) if passive or intransitive else (right or left)
        own = self._antecedent(clause, position, verb)
        if own:
            return own
        if not chosen and following is not None and not passive and not clause.of("time"):
            shared = self._shared(following)
            if shared:
                return shared
        if not chosen and any(r.preposition == "of" for r in roles):
            chosen = [r for r in roles if r.preposition == "of"]
        if len(chosen) == 1 and chosen[0].phrase.reduced and not passive and chosen in (left,):
            chosen = [Role(0, "", chosen[0].phrase, chosen[0].things[-1:])]
        if not chosen:
            fronted = [r for r in roles if r.position < position and r.preposition in ("with",)]
            chosen = fronted if not self.memory.focus else []
        found: list[Thing] = []
        for role in chosen:
            found += [t for t in role.things if t not in found]
        if found:
            return found
        focus = list(self.memory.focus)
        if verb.value in KNIFE | {"cut"}:
            if "finite" in verb.forms:
                return []
            focus = [t for t in focus if t.bond in ("none", "loose")]
        return focus

    def _antecedent(self, clause: Clause, position: int, verb: Term) -> list[Thing]:
        """The food that a participle right after it, or a clause about it, says more of."""
        if "past" not in verb.forms:
            return []
        if clause.link == "where" and not clause.phrases() and self.memory.history:
            return self.memory.history[-1:]
        before = clause.items[position - 1] if position else None
        if not isinstance(before, NounPhrase) or not clause.of("move") or "base" in verb.forms:
            if not (verb.value == "cut" and isinstance(before, NounPhrase) and clause.of("move")):
                return []
        if not self._preposition(clause, position - 1):
            return []
        return self.memory.refer(before.mentions[-1])

    def _shared(self, following: Clause) -> list[Thing]:
        """The object that `peel` shares with what follows in `peel and slice the potatoes`."""
        if following.link not in (",", "and") or not following.items:
            return []
        items = [i for i in following.items if not (isinstance(i, Term) and i.kind == "adverb")]
        if not items or not isinstance(items[0], Term) or items[0].kind != "verb":
            return []
        objects = [
            item for item in items[1:3] if isinstance(item, NounPhrase)
        ] or [
            item for i, item in enumerate(items[1:], 1) if isinstance(item, NounPhrase)
            and not self._preposition(following, following.items.index(item))
        ][:1]  # fmt: skip
        if not objects or objects[0].mentions[0].term.kind == "pronoun":
            return []
        return [t for m in objects[0].mentions for t in self.memory.refer(m)]

    def _partners(self, process: str, position: int, roles: list[Role]) -> list[Thing]:
        """What is worked together with the patients, although it is named after a preposition."""
        wanted = {"with"}
        if process in MIXER:
            wanted |= {"in", "to"}
        if process in VESSEL:
            wanted |= {"in"}
        if process in KNIFE:
            wanted = set()
        return [t for r in roles if r.preposition in wanted for t in r.things if not (
            t.bond == "open" and r.preposition in ("in", "to")
        )]  # fmt: skip

    def _process_of(
        self, clause: Clause, verb: Term, places: list[str], things: list[Thing]
    ) -> str | None:
        cooking = [place for place in places if place in COOKING]
        if verb.value == "cut":
            shapes = clause.of("shape")
            if shapes:
                return shapes[0].value
            thin = any(t.word in ("thin", "thinly", "finely") for t in clause.of("word", "adverb"))
            return "slice" if thin else "chop"
        if "deep-fry" in cooking and verb.value == "fry":
            return "deep-fry"
        if cooking and (verb.word in WEAK or verb.value == "cook"):
            return cooking[0]
        if verb.value != "cook":
            return verb.value
        for thing in things:
            for food in (thing, *thing.parts):
                if food.steps and not food.steps[-1].told and food.steps[-1].process in COOKING:
                    return food.steps[-1].process
        vessel = next((t for t in things if t.bond == "vessel"), None)
        if vessel is not None and vessel.parts[0].steps:
            return vessel.parts[0].steps[-1].process
        return self.place or None

    def _placed(
        self, clause: Clause, roles: list[Role], process: str, following: Clause | None
    ) -> None:
        """Something goes to where one process happens."""
        span, level = self._span(clause), self._level(clause)
        if clause.link in ("during", "before", "until") and span is None:
            self.memory.attend([t for role in roles for t in role.things])
            return
        wanted = ("", "with", "of") if span is not None or clause.of("move") else ("", "with")
        direct = [t for r in roles if r.preposition in wanted for t in r.things]
        if self._lists(roles, following):
            return
        if not direct and span is not None:
            direct = [t for r in roles if r.preposition == "for" for t in r.things]
        if not direct:
            opening = clause.link == "." and span is None and not clause.of("move")
            if roles or opening or (span is None and not clause.of("move", "preposition")):
                return
            direct = list(self.memory.focus)
        if span is None:
            direct = [t for t in direct if t.bond != "open"]
        if not direct:
            return
        on = [t for r in roles if r.preposition == "on" for t in r.things]
        if on:
            direct = [joined([*direct, *on], "coated")]
        self._mark_used(direct)
        adding = any(t.value == "add" for t in clause.of("move")) or any(
            t.word == "same" for t in clause.of("word")
        )
        if adding and process in VESSEL:
            pool = self._vessel(process)
            if pool is not None and not any(t.top() is pool for t in direct):
                self._added(pool, direct, process, span)
                return
        self._do(clause, process, direct, [], span, level, clause.earlier, soft=True)

    def _lists(self, roles: list[Role], following: Clause | None) -> bool:
        """Whether `everything` is spelled out in what follows, which then tells it all."""
        if following is None or following.link != "." or len(roles) != 1:
            return False
        mentions = roles[0].phrase.mentions
        spelled = following.phrases()
        return (
            len(mentions) == 1 and mentions[0].term.value in ("all", "rest") and bool(spelled)
            and len(spelled[0].mentions) > 1
        )  # fmt: skip

    def _added(
        self, pool: Thing, things: list[Thing], process: str, span: Span | None
    ) -> None:
        if span is None:
            span, self.waiting = self.waiting, None
        steps = pooled(pool, things, process)
        for step in steps:
            step.tell(span, None)
        self.events.append(Event(process, steps, self.sentence))
        self.memory.attend([pool])

    def _moved(self, clause: Clause, roles: list[Role], places: list[str]) -> None:
        """Things are put together, or somewhere where nothing happens to them yet."""
        moves = clause.of("move")
        bonds = [t.value for t in moves]
        span = self._span(clause)
        things = [
            t for r in roles if r.preposition not in ("beside", "from", "off", "about", "for")
            for t in r.things
        ]  # fmt: skip
        self._mark_used(things)
        if clause.link in ("during", "before"):
            if span is not None and span.last:
                self.waiting = span
            self.memory.attend(things)
            return
        if "make" in bonds and any(t.bond == "open" for t in things):
            self._made_of(things)
            return
        if not things and "coat" in bonds:
            self.moving, self.heap = "coated", True
            return
        placed = {"add", "coat", "strew"} & set(bonds)
        if span is not None and not placed and not places:
            self._timed(clause, roles)
            return
        if self.serving or not things:
            if span is not None:
                self._timed(clause, roles)
            else:
                self._mentioned(clause, roles)
            return
        process = self._vessel_of_focus() if "add" in bonds else None
        topped = any(t.word == "on top" for t in clause.of("adverb"))
        if "add" in bonds and process is not None and not topped:
            pool = self._vessel(process)
            fresh = [t for t in things if pool is not None and t.top() is not pool]
            if pool is not None and fresh:
                self._added(pool, fresh, process, span)
                return
        related = topped or any(r.preposition in ("in", "on", "with") for r in roles)
        if "strew" in bonds and any(t.value in ("on", "in") for t in clause.of("preposition")):
            related = True
        bond: Bond | None = None
        if "coat" in bonds:
            bond = "coated"
        elif "strew" in bonds and related:
            bond = "strewn"
        elif "add" in bonds or "make" in bonds:
            bond = "loose"
        elif "dish" in places and len(things) > 1:
            bond = "loose"
        elif related and set(bonds) & {"put"}:
            bond = "strewn" if "dish" not in places else "loose"
        if bond is None:
            if span is not None:
                self._timed(clause, roles)
                return
            self.memory.attend(things)
            return
        if len(things) == 1 and "dish" not in places and "make" not in bonds:
            things = [*self.memory.focus, *things]
        if len({t.top() for t in things}) > 1:
            whole = joined(things, bond)
            self.memory.made(whole, announced=False)
            things = [whole]
            self.events.append(Event("join", [], self.sentence))
        self.moving = bond
        self.memory.attend(things)

    def _made_of(self, things: list[Thing]) -> None:
        """A mixture is announced, and perhaps what it is made of."""
        announced = next(t for t in things if t.bond == "open")
        parts = [t for t in things if t is not announced]
        self.memory.topic = announced
        if parts:
            whole = joined(parts, "loose") if len(parts) > 1 else parts[0]
            if len(parts) > 1:
                self.memory.made(whole)
            self.memory.attend([whole])

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

    def _served(self, roles: list[Role]) -> None:
        self.serving = True
        things = [t for r in roles for t in r.things]
        self._mark_used(things)
        self.memory.attend(things)

    def _timed(self, clause: Clause, roles: list[Role]) -> None:
        """A time by itself belongs to what was done last, or to what it names."""
        span = self._span(clause)
        self._mark_used([t for r in roles for t in r.things])
        if span is None:
            return
        gerund = next((t.value for t in clause.of("verb")), None)
        named = [t for r in roles for t in r.things]
        if span.last and named:
            pool = self._vessel(None)
            fresh = [t for t in named if pool is not None and t.top() is not pool]
            if pool is not None and fresh:
                process = next(p.steps[-1].process for p in pool.parts if p.steps)
                self._added(pool, fresh, process, span)
                return
        if gerund is not None:
            shapes = clause.of("shape")
            process = shapes[0].value if gerund == "cut" and shapes else gerund
            for event in reversed(self.events):
                if event.process == process:
                    if not (named and self._tell_named(named, span, process)):
                        self._tell(event.steps, span)
                    return
            return
        if named and self._tell_named(named, span, None):
            return
        if named and self._gap(named, span):
            return
        if span.last:
            self.waiting = span
            return
        if any(t.value == "board" for t in clause.of("place")):
            for event in reversed(self.events):
                if event.process in KNIFE:
                    self._tell(event.steps, span)
                    break
            return
        if not self.events:
            self.waiting = span
        else:
            last = self.events[-1]
            if not self._tell(last.steps, span) and last.sentence != self.sentence:
                self.waiting = span
            if " each" in clause.text:
                for event in self.events:
                    if event.sentence == self.sentence and event.process == last.process:
                        self._tell(event.steps, span)

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
                step = food.step_of(process) if process else next(
                    (s for s in reversed(food.steps) if not s.told), None
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
        if process not in KNIFE | COOKING:
            return False
        fresh = [t for t in things if t.step_of(process) is None and t.bond != "open"]
        if not fresh or any(t.parts for t in fresh):
            return False
        done, steps = worked(process, fresh, earlier=False, apart=True)
        for step in steps:
            step.tell(span, None)
        self._mark_used(fresh)
        self.events.append(Event(process, steps, self.sentence))
        self.memory.attend([*(t for t in self.memory.focus if t not in done), *done])
        return True

    def _mentioned(self, clause: Clause, roles: list[Role]) -> None:
        things = [t for r in roles for t in r.things]
        if not things:
            self._level_of_last(clause)
            return
        if clause.link in ("during", "before"):
            if clause.of("be", "have", "verb", "move"):
                self.memory.attend(things)
            return
        self._mark_used(things)
        direct = [t for r in roles if not r.preposition for t in r.things]
        likewise = any(t.value == "likewise" for t in clause.of("adverb"))
        direct += [t for r in roles if r.preposition == "with" for t in r.things if self.moving]
        if direct and self.moving and not self.serving and not clause.of("be"):
            base = [t for t in self.memory.focus if not self.heap or (t.bond == "open" and t.steps)]
            self.heap = False
            if len({t.top() for t in (*base, *direct)}) > 1:
                whole = joined([*base, *direct], self.moving)
                self.memory.made(whole, announced=False)
                direct = [whole]
            self.memory.attend(direct)
            return
        bare = not clause.of("be", "have", "move", "preposition")
        if direct and not self.serving and (bare or likewise) and self._gap(direct, None):
            return
        self.memory.attend(things)

    def _level_named(self, clause: Clause, roles: list[Role]) -> None:
        """A level may be told of a food after the cooking itself: `we serve it soft`."""
        level = self._level(clause)
        if level is None:
            return
        for thing in (t for r in roles for t in r.things):
            for step in thing.steps:
                entry = self.doneness.get((thing.name, step.process))
                if entry is not None and level in entry.levels:
                    step.tell(None, level)

    def _level_of_last(self, clause: Clause) -> None:
        level = self._level(clause)
        if level is None or not self.events:
            return
        for step in self.events[-1].steps:
            if step.process in COOKING:
                step.tell(None, level)

    @staticmethod
    def _mark_used(things: list[Thing]) -> None:
        for thing in things:
            thing.used = True

    # ---- the end

    def finish(self) -> tuple[list[Component], list[str]]:
        """What is on the plate when all is told, and what was not understood."""
        doubts: list[str] = []
        self._bind_unmade()
        roots: list[Thing] = []
        for thing in [*self.memory.foods.values(), *self.memory.groups, *self.memory.unmade]:
            top = thing.top()
            if top not in roots and (top.used or top.steps or thing.used):
                roots.append(top)
        components: list[Component] = []
        for root in roots:
            for thing in self._served_as(root):
                component = component_of(thing, self.doneness, doubts)
                if component is not None:
                    components.append(component)
        for unmade in self.memory.unmade:
            if unmade.steps or unmade.parent is not None:
                doubts.append(f"It is not said what the {min(unmade.labels)} is made of.")
        return sorted(components, key=str), doubts

    def _served_as(self, thing: Thing) -> list[Thing]:
        unused_pool = thing.bond == "vessel" and len(thing.parts) > 1 and not thing.steps and not (
            any(part.steps for part in thing.parts)
        )
        if thing.tentative or unused_pool:
            return [served for part in thing.parts for served in self._served_as(part)]
        return [thing]

    def _bind_unmade(self) -> None:
        for unmade in list(self.memory.unmade):
            if not unmade.steps and unmade.parent is None:
                continue
            label = sorted(unmade.labels, key=len)[-1]
            hints = set(lexicon.MIXTURES.get(label.split()[-1], ()))
            free = [g for g in self.memory.groups if g.parts and g.parent is None
                    and g is not unmade.top()]  # fmt: skip
            fitting = [g for g in free if g.names() & hints] or free
            if fitting:
                self.memory.bind(unmade, fitting[-1])


def read(prose: str, ingredients: frozenset[str], doneness: DonenessTable) -> tuple[
    list[Component], list[str]
]:
    """The components a recipe asks for, and what could not be understood."""
    table = lexicon_of(ingredients)
    told = [clauses_of(sentence, table) for sentence in sentences(prose)]
    named = frozenset(
        mention.term.value
        for clauses in told for clause in clauses for phrase in clause.phrases()
        for mention in phrase.mentions if mention.term.kind == "food"
    )  # fmt: skip
    teller = Teller(named, doneness)
    for clauses in told:
        teller.follow(clauses)
    return teller.finish()


__all__ = ["Lexicon", "read", "terms_of"]
