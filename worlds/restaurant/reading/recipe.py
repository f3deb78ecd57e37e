"""Each clause of a recipe is done, in the telling, to the foods it names."""

from __future__ import annotations

from worlds.restaurant.reading.discourse import COOKING, KNIFE, VESSEL
from worlds.restaurant.reading.grammar import Role, is_nominal, is_put_away, is_serving, span_in
from worlds.restaurant.reading.nouns import is_unknown_verb
from worlds.restaurant.reading.phrases import Clause
from worlds.restaurant.reading.placing import Placing, goes_in
from worlds.restaurant.reading.terms import Term
from worlds.restaurant.reading.work import joined


class Teller(Placing):
    """Follows a recipe as it is told."""

    def follow(self, told: list[Clause]) -> None:
        """Take in the clauses of one sentence."""
        self.sentence += 1
        self.said = []
        self.serving = False
        self.moving = None
        self.denied = False
        self.heap = False
        self.waiting = None
        self.mixing = None
        self.referred = None
        self.in_mixer = False
        self.heading = ""
        self.opening = told[0] if told else None
        for index, clause in enumerate(told):
            self.clause = index
            if len(told) == 1 and is_put_away(clause):
                continue
            if self._choose("skip", 2):
                self._pass_over(clause)
                continue
            following = told[index + 1] if index + 1 < len(told) else None
            self._clause(clause, following)

    def _pass_over(self, clause: Clause) -> None:
        """Take a clause for mere talk, which costs something."""
        self.passed_over += 1
        if not clause.of("negation"):
            self.passed_over += 2 * sum(len(role.things) for role in self._roles(clause))
            self._hear(clause)

    def _hear(self, clause: Clause) -> None:
        self.heard += [(self.sentence, t.span) for t in clause.of("time") if t.span is not None]

    def _clause(self, clause: Clause, following: Clause | None) -> None:
        if clause.link == "reason" and not clause.question:
            if not self.memory.focus:
                self.memory.attend([t for role in self._roles(clause) for t in role.things])
            return
        if clause.link in ("until", "so"):
            self._level_of_last(clause)
            if not any(t.span is not None and t.span.last for t in clause.of("time")):
                return
        idle = clause.link == "where" and not clause.of("verb", "time", "move")
        denied = self.denied and (clause.link == "or" or idle) and not clause.comma
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
            if not clause.of("verb", "time") and not any(
                t.value != "be" for t in clause.of("move")
            ):
                roles = self._roles(clause)
                if any(t.word.startswith("need") for t in clause.of("move")):
                    self._mark_used([t for role in roles for t in role.things])
                known = [t for role in roles for t in role.things if t.used or t.parent]
                modal = any(term.word in ("must", "should") for term in clause.of("word"))
                subject = [t for r in roles if modal and not r.preposition for t in r.things]
                self.memory.attend(known or subject)
                self.memory.forget(
                    t for role in roles for t in role.things if t not in (*known, *subject)
                )
                return
        self._hear(clause)
        self._say(clause, following)

    def _say(self, clause: Clause, following: Clause | None) -> None:
        roles = self._roles(clause)
        verbs = [
            (i, item) for i, item in enumerate(clause.items)
            if isinstance(item, Term) and item.kind == "verb" and not is_nominal(clause, i)
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
        elif "mixer" in places and span_in(clause) is not None:
            self._in_mixer(clause, roles)
        elif "mixer" in places and not roles:
            self.in_mixer = True
        elif is_serving(clause):
            self._served(roles)
        elif clause.of("move") or goes_in(clause):
            self._moved(clause, roles, places)
        elif self._shaped(clause, roles):
            return
        elif clause.of("time"):
            self._timed(clause, roles)
        else:
            self._mentioned(clause, roles)

    def _timed(self, clause: Clause, roles: list[Role]) -> None:
        """A time by itself belongs to what was done last, or to what it names."""
        span = span_in(clause)
        self._mark_used([t for r in roles for t in r.things])
        if span is None:
            last = self.events[-1] if self.events else None
            anew = any(r.phrase.mentions[0].term.kind != "pronoun" for r in roles)
            if last is not None and last.process in COOKING and not anew:
                for later in (t.span for t in clause.of("time") if t.span is not None):
                    self._tell(last.steps, later)
            return
        idle = not self.events or self.events[-1].sentence != self.sentence
        if self.referred is not None and (clause.link == "where" or (idle and not roles)):
            process, things = self.referred
            self._mark_used(things)
            self._do(clause, process, things, [], span, None, earlier=False)
            return
        if self.in_mixer and not roles:
            self.mixing = span
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
            for event in reversed(self.events[-40:]):
                if event.process == process or (process == "cut" and event.process in KNIFE):
                    if not (named and self._tell_named(named, span, process)):
                        self._tell(event.steps, span)
                    return
            return
        if named and self._tell_named(named, span, None):
            return
        if named and self._gap(named, span):
            return
        here = [event for event in self.events[-1:] if event.sentence == self.sentence]
        if span.last and here and self._tell(here[0].steps, span):
            return
        if span.last:
            self.waiting = span
            return
        if any(t.value == "board" for t in clause.of("place")):
            for event in reversed(self.events[-40:]):
                if event.process in KNIFE:
                    self._tell(event.steps, span)
                    break
            return
        if not self.events:
            self.waiting = span
        else:
            last = next(
                (
                    event
                    for event in reversed(self.events)
                    if not event.background or clause.link == "where"
                ),
                self.events[-1],
            )
            if not self._tell(last.steps, span) and last.sentence != self.sentence:
                self.waiting = span
            if " each" in clause.text:
                for event in self.events[-40:]:
                    if event.sentence == self.sentence and event.process == last.process:
                        self._tell(event.steps, span)

    def _mentioned(self, clause: Clause, roles: list[Role]) -> None:
        things = [t for r in roles for t in r.things]
        if not things:
            self._level_of_last(clause)
            return
        if clause.link in ("during", "before"):
            if clause is self.opening and clause.of("be", "have", "verb", "move"):
                self.memory.attend(things)
            return
        self._mark_used(things)
        direct = [t for r in roles if not r.preposition for t in r.things]
        if self.heading and direct and not self.serving:
            self._do(clause, self.heading, direct, [], None, None, clause.earlier, soft=True)
            return
        if self.mixing is not None and len(direct) > 1:
            self._do(clause, "mix", direct, [], self.mixing, None, earlier=False)
            self.mixing = None
            return
        likewise = any(t.value == "likewise" for t in clause.of("adverb"))
        if self.moving:
            direct += [t for r in roles if r.preposition in ("with", "in", "on") for t in r.things]
        if self._explains(roles):
            return
        unmade = next(
            (t for t in self.memory.focus if t.bond == "open" and not t.parts
             and not any(step.process in COOKING - VESSEL for step in t.steps)), None,
        )  # fmt: skip
        if clause.link == ":" and len(direct) > 1 and unmade is not None and not self.serving:
            cooking = next((s.process for s in unmade.steps if s.process in VESSEL), None)
            if cooking is not None:
                self.memory.topic = unmade
                self._do(clause, cooking, direct, [], None, None, clause.earlier)
                return
            whole = joined(direct, "loose")
            self.memory.made(whole, announced=False)
            self.memory.bind(unmade, whole)
            self.memory.attend([whole])
            return
        if direct and self.moving and not self.serving and not clause.of("be"):
            base = [t for t in self.memory.focus if not self.heap or (t.bond == "open" and t.steps)]
            self.heap = False
            if len({t.top() for t in (*base, *direct)}) > 1:
                whole = joined([*base, *direct], self.moving)
                self.memory.made(whole, announced=False)
                direct = [whole]
            self.memory.attend(direct)
            return
        unknown = is_unknown_verb(clause.items[0], (*clause.items, None)[1])
        bare = not unknown and not clause.of("be", "have", "move", "preposition")
        if direct and not self.serving and (bare or likewise) and self._gap(direct, None):
            return
        topping = any(term.word == "on top" for term in clause.of("adverb"))
        if direct and topping and not self.serving and self.memory.focus:
            whole = joined([*self.memory.focus, *direct], "strewn")
            self.memory.made(whole, announced=False)
            self.memory.attend([whole])
            return
        over = [
            t for r in roles for t in r.things
            if r.preposition == "on" or (r.preposition == "in" and t.bond == "mixed")
        ]  # fmt: skip
        if direct and over and not self.serving and not clause.of("be", "place"):
            whole = joined([*direct, *over], "strewn")
            self.memory.made(whole, announced=False)
            self.moving = "strewn"
            self.memory.attend([whole])
            return
        last = self.events[-1] if self.events else None
        aside = last is not None and last.aside and last.sentence == self.sentence
        if aside and bare and clause.link != ":":
            things = [*(t for t in self.memory.focus if t not in things), *things]
        self.memory.attend(things)

    def _explains(self, roles: list[Role]) -> bool:
        """Whether foods are named for a mixture that is made of them: `for the batter an egg`."""
        announced = [
            t for r in roles if r.preposition == "for" for t in r.things
            if t.bond == "open" and not t.parts
        ]  # fmt: skip
        parts = [t for r in roles if not r.preposition for t in r.things]
        if not announced or len(parts) < 2 or self.serving:
            return False
        self._made_of([announced[0], *parts])
        return True
