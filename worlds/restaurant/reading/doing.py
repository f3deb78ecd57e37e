"""Clauses with a verb of the kitchen: who does what to which food."""

from __future__ import annotations

from abc import ABC, abstractmethod

from worlds.restaurant.reading import foodwords
from worlds.restaurant.reading.discourse import COOKING, KNIFE, MIXER, VESSEL, Thing
from worlds.restaurant.reading.grammar import Role, level_in, preposition_before, span_in
from worlds.restaurant.reading.nouns import NounPhrase
from worlds.restaurant.reading.phrases import Clause
from worlds.restaurant.reading.story import Story
from worlds.restaurant.reading.terms import Term

WEAK = frozenset(
    [
        "cook",
        "cooks",
        "cooked",
        "cooking",
        "bubble",
        "bubbles",
        "bubbled",
        "bubbling",
        "sear",
        "seared",
        "brown",
        "browned",
        "toast",
        "toasted",
        "char",
        "charred",
        "stew",
        "sizzle",
        "sizzles",
        "sizzling",
        "browning",
        "charring",
        "toasting",
        "sizzled",
        "roast",
        "roasted",
    ]
)
"""Verbs whose process the place decides, where one is named."""


_APPEARANCES = ("bubbl", "brown", "sizzl", "char", "stew")
"""Verbs that, of food that cooks already, only say what it looks or sounds like."""


class Doing(Story, ABC):
    """Understands clauses with a verb that names a process."""

    def _process(
        self, clause: Clause, position: int, verb: Term, roles: list[Role], places: list[str],
        following: Clause | None,
    ) -> None:  # fmt: skip
        span, level = span_in(clause), level_in(clause)
        reference = clause.link in ("during", "before")
        things = self._patients(clause, position, verb, roles, following)
        readings = self._other_patients(clause, things, roles)
        chosen = self._choose("who", len(readings), position)
        things = readings[chosen]
        process = self._process_of(clause, verb, places, things)
        if process is None or not things:
            return
        direct = any(r.position > position and not r.preposition for r in roles)
        if self.serving and process in MIXER and span is None and not direct:
            return
        if process in KNIFE and "finite" in verb.forms and "past" not in verb.forms and not direct:
            return
        if process in COOKING and span is None and reference:
            later = [t.span for t in clause.of("time") if t.span is not None]
            if later and "ing" in verb.forms:
                span = later[0]
        if reference and process in COOKING and span is None:
            self.referred = (process, things)
            self.memory.attend([t for role in roles for t in role.things])
            return
        if process == "mix" and places and places[0] in VESSEL and span is None:
            self._placed(clause, roles, places[0], None)
            return
        if span is None and level is None and not places and self._looks(verb, things):
            return
        if self._nominal_time(clause, position, process, roles):
            return
        self.reduced = verb.forms == frozenset({"past"}) and not direct and not (
            clause.of("be") or any(t.word.startswith("g") for t in clause.of("move"))
        )  # fmt: skip
        partners = self._partners(process, position, roles)
        if self._idle_stirring(verb, process, things, partners, span):
            return
        announced = [t for t in things if t.bond == "open" and not t.steps and t.parent is None]
        others = [t for t in things if t not in announced] or [
            t for t in self.memory.focus if t not in announced
        ]  # fmt: skip
        hints = {name for t in announced for label in t.labels
                 for name in foodwords.MIXTURES.get(label.split()[-1], ())}  # fmt: skip
        if hints and process in COOKING and not any(hints & t.names() for t in others):
            others = []
        spelled = following is not None and following.link == ":" and any(
            len(phrase.mentions) > 1 or process in COOKING for phrase in following.phrases()
        )  # fmt: skip
        if announced and others and not spelled:
            things = others
            self.memory.topic = announced[0]
        self._mark_used(things + partners)
        earlier = clause.earlier or (clause.link == "during")
        moving, focus = self.moving, self.memory.focus
        self._do(clause, process, things, partners, span, level, earlier)
        among = len(things) == 1 and len(focus) > 1 and things[0] in focus
        if among and "past" in verb.forms and self._reduced(clause, position):
            self.memory.focus = focus
        if moving is not None and clause.link == "where" and not roles:
            self.moving, self.memory.focus = moving, focus

    @staticmethod
    def _reduced(clause: Clause, position: int) -> bool:
        """Whether a clause only says more of what was named before it: `, cut into wedges`."""
        hangs_on = clause.comma or clause.link in ("then", "and")
        return not position and hangs_on and not clause.phrases()

    @staticmethod
    def _looks(verb: Term, things: list[Thing]) -> bool:
        """Whether a verb only says what food that cooks already looks or sounds like."""
        return verb.word.startswith(_APPEARANCES) and all(
            any(step.told and step.process in COOKING for step in thing.steps)
            or any(step.told for part in thing.parts for step in part.steps)
            for thing in things
        )

    def _other_patients(
        self, clause: Clause, things: list[Thing], roles: list[Role]
    ) -> list[list[Thing]]:  # fmt: skip
        """What a verb may be done to: first the likeliest, then other things talked about."""
        named = [t for r in roles for t in r.things]
        readings = [
            things, named, self.antecedent, list(self.memory.focus), self.said,
            self.memory.history[-1:], self.memory.history[-2:-1],
            self.memory.groups[-1:], self.memory.waiting(),
        ]  # fmt: skip
        found: list[list[Thing]] = []
        for reading in readings:
            if reading not in found and (reading or not found):
                found.append(list(reading))
        return found

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
        of_doing = position > 0 and getattr(clause.items[position - 1], "word", "") == "of"
        if not chosen and of_doing:
            chosen = [r for r in roles if r.position > position]
        single = verb.value not in MIXER
        if (
            single
            and len(chosen) == 1
            and chosen[0].phrase.reduced
            and not passive
            and chosen in (left,)
        ):
            chosen = [Role(0, "", chosen[0].phrase, chosen[0].things[-1:])]
        if not chosen:
            fronted = [r for r in roles if r.position < position and r.preposition in ("with",)]
            chosen = fronted if not self.memory.focus else []
        found: list[Thing] = []
        for role in chosen:
            found += [t for t in role.things if t not in found]
        if found:
            accompanied = any(r.preposition in ("with", "in", "to") for r in roles)
            mixing = verb.value in MIXER and len(found) == 1 and not accompanied
            spread = self._spread(found[0]) if mixing else found
            return spread if all(thing.raw for thing in spread) else found
        focus = list(self.memory.focus)
        near = [t for t in focus if t in self.antecedent]
        single = clause.link != "where" and "together" not in clause.text
        if (
            near
            and single
            and verb.value not in MIXER
            and "past" in verb.forms
            and self._reduced(clause, position)
        ):
            return near
        if verb.value in MIXER and len(focus) == 1 and not focus[0].parts:
            return self._spread(focus[0])
        if verb.value in COOKING and len(focus) == 1 and focus[0].top().tentative:
            return [focus[0].top()]
        if verb.value in KNIFE | {"cut"}:
            if "finite" in verb.forms:
                return []
            focus = [t for t in focus if t.bond in ("none", "loose")] or [
                t for t in self.antecedent
                if not t.parts and t.bond != "open"
                and ("base" not in verb.forms or self._reduced(clause, position))
            ]  # fmt: skip
        return focus

    def _spread(self, thing: Thing) -> list[Thing]:
        """A food with all others of its sentence, which are mixed when nothing else is named."""
        said = [t for t in self.said if t.parent is None and t.bond == "none"]
        return said if thing in said else [thing]

    def _nominal_time(
        self, clause: Clause, position: int, process: str, roles: list[Role]
    ) -> bool:  # fmt: skip
        """Whether this only times what was told already: `two minutes of chopping`."""
        span = span_in(clause)
        of_doing = position > 0 and getattr(clause.items[position - 1], "word", "") == "of"
        if span is None or roles or not of_doing:
            return False
        for event in reversed(self.events[-8:]):
            if event.process == process and self._tell(event.steps, span):
                return True
        return False

    def _antecedent(self, clause: Clause, position: int, verb: Term) -> list[Thing]:
        """The food that a participle right after it, or a clause about it, says more of."""
        if "past" not in verb.forms:
            return []
        apart = "together" not in clause.text
        if clause.link == "where" and apart and not clause.phrases() and self.antecedent:
            many = "base" in verb.forms or any(t.word in ("are", "were") for t in clause.of("be"))
            return self.antecedent if many else self.antecedent[-1:]
        before = clause.items[position - 1] if position else None
        plainly = "base" not in verb.forms or verb.value == "cut"
        if not isinstance(before, NounPhrase) or not clause.of("move") or not plainly:
            return []
        if not preposition_before(clause, position - 1):
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
            and not preposition_before(following, following.items.index(item))
        ][:1]  # fmt: skip
        if not objects or objects[0].mentions[0].term.kind == "pronoun":
            return []
        return [t for m in objects[0].mentions for t in self.memory.refer(m)]

    def _partners(self, process: str, position: int, roles: list[Role]) -> list[Thing]:
        """What is worked together with the patients, although it is named after a preposition."""
        wanted = {"with"}
        if process in MIXER:
            wanted |= {"in", "to"}
        if process in VESSEL and not (self.vacant and self.place_sentence == self.sentence):
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
        if vessel is not None and vessel.parts and vessel.parts[0].steps:
            return vessel.parts[0].steps[-1].process
        return self.place or None

    def _shaped(self, clause: Clause, roles: list[Role]) -> bool:
        """Cut what is named into a shape that is named: `and the onion into rings`."""
        shapes = clause.of("shape")
        things = [t for r in roles if not r.preposition for t in r.things]
        into = any(t.word == "into" for t in clause.of("preposition"))
        if not shapes or not into or clause.of("be"):
            return False
        if not things:
            return self._reshaped(clause, shapes[0].value)
        self._mark_used(things)
        self._do(clause, shapes[0].value, things, [], span_in(clause), None, clause.earlier)
        return True

    def _reshaped(self, clause: Clause, process: str) -> bool:
        """Cut what was cut last, or is talked about, into a shape that comes after it."""
        for event in reversed(self.events[-6:]):
            if event.sentence == self.sentence and event.process in ("chop", "slice"):
                event.process = process
                for step in event.steps:
                    step.process = process
                return True
        whole = [t for t in self.memory.focus if not t.parts and t.bond != "open"]
        if whole:
            self._do(clause, process, whole, [], span_in(clause), None, clause.earlier)
        return bool(whole)

    @abstractmethod
    def _placed(
        self, clause: Clause, roles: list[Role], process: str, following: Clause | None
    ) -> None: ...
