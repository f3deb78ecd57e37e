"""Clauses in which foods go somewhere: into an appliance, together, to the guest."""

from __future__ import annotations

from abc import abstractmethod

from worlds.restaurant.reading.discourse import MIXER, VESSEL, Bond, Thing
from worlds.restaurant.reading.doing import Doing
from worlds.restaurant.reading.grammar import Role, level_in, span_in
from worlds.restaurant.reading.nouns import NounPhrase
from worlds.restaurant.reading.phrases import Clause
from worlds.restaurant.reading.story import Event
from worlds.restaurant.reading.terms import Term
from worlds.restaurant.reading.text import Span
from worlds.restaurant.reading.work import joined

_BUILDING = frozenset(
    [
        "build",
        "built",
        "building",
        "assemble",
        "assembled",
        "make",
        "made",
        "making",
        "prepare",
        "prepared",
        "preparing",
        "consists",
        "consist",
        "formed",
    ]
)


_LYING = frozenset({"come", "comes", "came", "lies", "lie", "sit", "sits", "follow", "follows"})


def goes_in(clause: Clause) -> bool:
    """Whether foods go in, and it need not be said where: `drop in the peas`, `in goes it`."""
    items = [i for i in clause.items if not (isinstance(i, Term) and i.kind == "determiner")]
    if any(isinstance(item, Term) and item.word == "in with" for item in items[:1]):
        return True
    for before, item, after in zip(items, items[1:], [*items[2:], None], strict=False):
        if isinstance(item, Term) and item.word in ("in", "in with"):
            moving = isinstance(before, Term) and before.kind == "move" and before.value in (
                "put", "strew",
            )  # fmt: skip
            closing = after is None or (
                isinstance(after, Term) and after.kind in ("adverb", "word")
            )
            if moving and (isinstance(after, NounPhrase) or closing):
                return True
    return False


class Placing(Doing):
    """Understands clauses that move foods."""

    def _placed(
        self, clause: Clause, roles: list[Role], process: str, following: Clause | None
    ) -> None:
        """Something goes to where one process happens."""
        span, level = span_in(clause), level_in(clause)
        if clause.link in ("during", "before", "until") and span is None:
            self.memory.attend([t for role in roles for t in role.things])
            return
        adding = any(t.value == "add" for t in clause.of("move")) or any(
            t.word == "same" for t in clause.of("word")
        )
        wanted = ("", "with", "of") if span is not None or clause.of("move") else ("", "with")
        if adding or process == "blend":
            wanted = (*wanted, "to")
        direct = [t for r in roles if r.preposition in wanted for t in r.things]
        if self._lists(roles, following):
            return
        others = [r for r in roles if r.preposition in wanted]
        if others and all(r.preposition == "with" for r in others) and clause.of("move"):
            direct = [*(t for t in self.memory.focus if t not in direct), *direct]
        if not roles and span is not None and self.events:
            last = self.events[-1]
            if last.process == process and self._tell(last.steps, span):
                return
        if not direct and span is not None:
            direct = [t for r in roles if r.preposition == "for" for t in r.things]
        if not direct:
            opening = clause.link == "." and span is None and not clause.of("move")
            terse = (
                len(clause.items) < 3
                and following is not None
                and (following.items[:1] == following.of("time")[:1])
            )
            unmoved = span is None and not clause.of("move", "preposition") and not terse
            governed = bool(clause.of("preposition")) or not clause.of("move")
            if roles or opening or unmoved or not governed:
                self.heading = (
                    "" if roles or following is None or following.link != ":" else process
                )
                self.memory.attend([t for r in roles if r.preposition == "for" for t in r.things])
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
        if adding and process in VESSEL:
            pool = self._vessel(process)
            if pool is not None and not any(t.top() is pool for t in direct):
                self._added(pool, direct, process, span)
                return
        self._do(clause, process, direct, [], span, level, clause.earlier, soft=True)

    def _in_mixer(self, clause: Clause, roles: list[Role]) -> None:
        """Things are in the mixer for a time; what is done to them there has no other name."""
        things = [t for r in roles for t in r.things if t.bond != "open"]
        if things and all(r.preposition == "with" for r in roles):
            things = [*self.memory.focus, *things]
        last = self.events[-1] if self.events else None
        if last is not None and last.process in MIXER and self._tell(
            last.steps, span_in(clause) or Span(1, 1)
        ):  # fmt: skip
            return
        if not things and (
            len(self.memory.focus) > 1 or any(t.tentative for t in self.memory.focus[-1:])
        ):  # fmt: skip
            things = list(self.memory.focus)
        if things:
            self._mark_used(things)
            self._do(clause, "mix", things, [], span_in(clause), None, earlier=False)
        else:
            self.mixing = span_in(clause)

    def _lists(self, roles: list[Role], following: Clause | None) -> bool:
        """Whether `everything` is spelled out in what follows, which then tells it all."""
        if following is None or following.link != ":" or len(roles) != 1:
            return False
        mentions = roles[0].phrase.mentions
        spelled = following.phrases()
        return (
            len(mentions) == 1 and mentions[0].term.value in ("all", "rest") and bool(spelled)
            and len(spelled[0].mentions) > 1
        )  # fmt: skip

    def _moved(self, clause: Clause, roles: list[Role], places: list[str]) -> None:
        """Things are put together, or somewhere where nothing happens to them yet."""
        moves = clause.of("move")
        bonds = [t.value for t in moves]
        span = span_in(clause)
        things = [
            t for r in roles if r.preposition not in ("beside", "about", "for") and not (
                r.preposition in ("from", "off")
                and not any(m.word in _BUILDING for m in moves)
            )
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
        whole = self.memory.focus[-1].top() if self.memory.focus else None
        if not things and "coat" in bonds and clause.link in ("and", "then") and (
            whole is not None and whole.tentative and span is not None
        ):  # fmt: skip
            whole.bond = "coated"
            return
        if not things and "coat" in bonds:
            self.moving, self.heap = "coated", True
            return
        if goes_in(clause) and "add" not in bonds:
            bonds.append("add")
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
        near = self.sentence - 1 if self.vacant else self.sentence
        here = self.place in VESSEL and self.place_sentence >= near
        if "add" in bonds and here and self._vessel_of_focus() != self.place and (
            goes_in(clause)
            or (len(things) > 1 and (self.vacant or self.place_sentence == self.sentence))
        ):  # fmt: skip
            self._placed(clause, roles, self.place, None)
            return
        recent = (
            self.place and self.place not in VESSEL and self.place_sentence >= self.sentence - 1
        )
        subject = [t for r in roles[:1] if not r.preposition for t in r.things]
        if "add" in bonds and span is not None and recent and subject:
            self._do(clause, self.place, subject, [], span, None, clause.earlier)
            return
        late = any(told is not None and told.last for told in (self.waiting, span))
        process = self._vessel_of_focus() if "add" in bonds or late else None
        topped = any(t.word == "on top" for t in clause.of("adverb"))
        if late and process is None:
            pool = self._vessel(None)
            if pool is not None:
                process = next((p.steps[-1].process for p in pool.parts if p.steps), None)
        if ("add" in bonds or late) and process is not None and not topped:
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
        elif "add" in bonds or "make" in bonds or ("dish" in places and len(things) > 1):
            bond = "loose"
        elif _LYING & {t.word for t in moves} and any(r.preposition == "on" for r in roles):
            bond = "strewn"
        elif related and set(bonds) & {"put"}:
            bond = "strewn" if "dish" not in places else "loose"
        if bond is None:
            if span is not None:
                self._timed(clause, roles)
                return
            self.memory.attend(things)
            return
        alone = (
            len(things) == 1
            or ("add" in bonds and goes_in(clause))
            or (
                "add" in bonds
                and not any(r.preposition in ("in", "on", "with", "to") for r in roles)
            )
        )
        if alone and "dish" not in places and "make" not in bonds:
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

    def _served(self, roles: list[Role]) -> None:
        self.serving = True
        things = [t for r in roles for t in r.things]
        self._mark_used(things)
        self.memory.attend(things)

    @abstractmethod
    def _timed(self, clause: Clause, roles: list[Role]) -> None: ...

    @abstractmethod
    def _mentioned(self, clause: Clause, roles: list[Role]) -> None: ...
