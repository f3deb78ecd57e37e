"""What the words of a recipe refer to: `it`, `both`, `the sauce`, `the fish`, `the lot`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from worlds.restaurant.reading import foodwords
from worlds.restaurant.reading.discourse import COOKING, MIXER, Thing, tops
from worlds.restaurant.reading.nouns import Mention
from worlds.restaurant.reading.terms import Term

RECALL = 60
"""How many mixtures back a word can refer."""


@dataclass(slots=True)
class Memory:
    """Everything named so far, and what is being talked about."""

    named: frozenset[str] = frozenset()
    foods: dict[str, Thing] = field(default_factory=dict)
    groups: list[Thing] = field(default_factory=list)
    unmade: list[Thing] = field(default_factory=list)
    focus: list[Thing] = field(default_factory=list)
    history: list[Thing] = field(default_factory=list)
    last_list: list[Thing] = field(default_factory=list)
    topic: Thing | None = None
    plural: set[str] = field(default_factory=set)

    def food(self, name: str) -> Thing:
        """The portion of an ingredient."""
        if name not in self.foods:
            self.foods[name] = Thing(name=name)
        return self.foods[name]

    def note(self, things: Iterable[Thing]) -> None:
        """Take note that things were named."""
        for thing in things:
            if thing in self.history[-8:]:
                self.history.remove(thing)
            self.history.append(thing)

    def forget(self, things: Iterable[Thing]) -> None:
        """Take things for not named: they were named only to be left out."""
        for thing in things:
            if thing in self.history[-8:]:
                self.history.remove(thing)

    def attend(self, things: list[Thing]) -> None:
        """Let things be what is talked about."""
        if things:
            self.focus = list(things)

    def made(self, group: Thing, *, announced: bool = True) -> None:
        """Take note of a new mixture; it is what was announced, if anything was."""
        if group in self.unmade:
            self.unmade.remove(group)
        if group in self.groups:
            return
        self.groups.append(group)
        if announced and self.topic is not None and self.topic in self.unmade:
            self.bind(self.topic, group)

    def bind(self, unmade: Thing, group: Thing) -> None:
        """Let `group` be what was named before it was made."""
        if unmade in self.unmade:
            self.unmade.remove(unmade)
        group.labels |= unmade.labels
        parent = unmade.parent
        if parent is not None and group.parent is None and parent.top() is not group:
            parent.parts[parent.parts.index(unmade)] = group
            group.parent = parent
        for step in unmade.steps:
            own = [s for part in group.parts if (s := part.step_of(step.process)) is not None]
            if group.bond == "vessel" and own:
                for known in own:
                    if not known.told:
                        known.low, known.high, known.span = step.low, step.high, step.span
            elif (step.told or step.process in MIXER) and group.step_of(step.process) is None:
                group.steps.append(step)
        unmade.steps = []
        group.used = True
        self.focus = [group if thing is unmade else thing for thing in self.focus]

    def refer(self, mention: Mention) -> list[Thing]:
        """The things that a mention refers to."""
        term = mention.term
        if term.kind == "food":
            found = [self.food(term.value)]
            many = term.word != term.value and term.word.endswith("s")
            (self.plural.add if many else self.plural.discard)(term.value)
        elif term.kind == "kin":
            found = (
                self._kindred(term)
                or self._of_kind(term.value)
                or [self.mixture(term.value, mention.modifier)]
            )
        elif term.kind == "mixture" and term.word != term.value and self._several(term.value):
            found = self._several(term.value)
        elif term.kind == "mixture":
            found = [self.mixture(term.value, mention.modifier)]
        elif term.kind == "whole":
            found = [self.whole(term.value)]
        else:
            found = self._pronoun(term.value)
        self.note(found)
        return found

    def _several(self, label: str) -> list[Thing]:
        """All mixtures called `label`, if there is more than one."""
        named = [
            group for group in self._alive()
            if group.parent is None and any(word.split()[-1] == label for word in group.labels)
        ]  # fmt: skip
        if len(named) > 1:
            return named
        free = [group for group in self._alive() if group.parent is None and not group.tentative]
        return free[-2:] if len(free) > 1 and not foodwords.MIXTURES[label] else []

    def _kindred(self, term: Term) -> list[Thing]:
        """All foods of a kind that is named in the plural, such as `the vegetables`."""
        if term.value not in _COLLECTIVE or term.word == term.value:
            return []
        kinds = foodwords.KINDS_OF_FOOD[term.value]
        found = [t for t in self.foods.values() if t.name in kinds and t.parent is None]
        return [t for t in found if not any(s.process in COOKING for s in t.steps)]

    def _of_kind(self, kin: str) -> list[Thing]:
        foods = foodwords.KINDS_OF_FOOD[kin]
        if kin == "slice":
            cut = (t for t in reversed(self.history) if t.name and t.step_of("slice"))
            sliced = next(cut, None)
            if sliced is not None:
                return [sliced]
        for thing in reversed(self.history):
            if thing.name in foods:
                return [thing]
        for name in foods:
            if name in self.named:
                return [self.food(name)]
        return []

    def mixture(self, label: str, modifier: str = "") -> Thing:
        """The mixture called `label`; an unmade one where there is none yet."""
        best, score = None, 0
        for age, group in enumerate(reversed(self._alive())):
            fit = self._fit(group, label, modifier) - age
            if fit > score:
                best, score = group, fit
        if best is not None:
            return best
        for unmade in self.unmade[-RECALL:]:
            if f"{modifier} {label}".strip() in unmade.labels:
                return unmade
        named = f"{modifier} {label}".strip()
        thing = Thing(bond="open", labels={named, label} if not modifier else {named})
        self.unmade.append(thing)
        return thing

    def _alive(self) -> list[Thing]:
        return [group for group in self.groups[-RECALL:] if group.parts]

    def _fit(self, group: Thing, label: str, modifier: str) -> int:
        names = group.names()
        named = f"{modifier} {label}".strip()
        fit = 1
        if named in group.labels or label in group.labels:
            fit += 30
        elif any(word.split()[-1] == label for word in group.labels):
            fit += 2 if modifier else 20
        elif group.labels and label not in _ANY:
            fit -= 12
        foods = foodwords.KINDS_OF_FOOD.get(modifier, (modifier,))
        if any(food in self.foods or food in self.named for food in foods):
            fit += 25 if names & set(foods) else -40
        elif modifier in _SHADES and named not in group.labels:
            fit += 5 if names & set(_SHADES[modifier]) else -40
        hints = foodwords.MIXTURES.get(label, ())
        if hints and fit < 20:
            fit += 10 if names & set(hints) else -20
        elif not hints:
            fit += 6
        if label in _RUNNY and group.step_of("knead"):
            fit -= 40
        if group.parent is None:
            fit += 4
        return fit

    def whole(self, label: str) -> Thing:
        """What was put together as a whole; an unmade whole where nothing was."""
        for group in reversed(self._alive()):
            if label in group.labels or group.top().tentative:
                return group.top()
        for unmade in self.unmade[-RECALL:]:
            if label in unmade.labels:
                return unmade
        groups = [group for group in self._alive() if group.parent is None]
        if groups:
            return groups[-1]
        thing = Thing(bond="open", labels={label})
        self.unmade.append(thing)
        return thing

    def _pronoun(self, value: str) -> list[Thing]:
        if value == "it":
            return self.focus[-1:]
        if value == "they":
            return list(self.focus)
        if value.isdigit():
            return self._last(int(value))
        if value == "former" and len(self.focus) == 2:
            self.last_list = list(self.focus)
        if value in ("former", "latter"):
            return self.last_list[:1] if value == "former" else self.last_list[-1:]
        if value in ("former two", "latter two"):
            return self.last_list[:2] if value == "former two" else self.last_list[-2:]
        if value == "rest":
            return [
                thing for thing in tops(self.foods.values())
                if thing.used and thing not in tops(self.focus)
            ]  # fmt: skip
        return self._everything()

    def waiting(self) -> list[Thing]:
        """Foods that were named and have neither been cooked nor put to anything."""
        return [
            food for food in self.foods.values()
            if food.parent is None and not any(step.process in COOKING for step in food.steps)
        ]  # fmt: skip

    def _last(self, count: int) -> list[Thing]:
        if len(self.focus) == count:
            return list(self.focus)
        if len(self.focus) == 1 and len(self.focus[0].parts) == count:
            return list(self.focus)
        if len(self.last_list) == count and self.last_list[-1] in self.history[-count - 1 :]:
            return list(self.last_list)
        return self.history[-count:]

    def _everything(self) -> list[Thing]:
        outer = [t.top() if t.top().tentative or t.top().cooking else t for t in self.focus]
        outer = [t for i, t in enumerate(outer) if t not in outer[:i]]
        if any(thing.parts or thing.bond == "open" for thing in outer):
            return outer if len(outer) == 1 else [t for t in outer if t.parts] or outer
        if len(self.focus) > 1:
            return list(self.focus)
        recent = next((g for g in reversed(self._alive()) if g.top().tentative), None)
        if recent is not None:
            return [recent.top()]
        return list(self.focus)


_COLLECTIVE = frozenset({"vegetable", "herb", "cheese", "fruit"})
_ANY = frozenset({"mixture", "mix", "filling", "liquid", "blend"})
_RUNNY = frozenset({"sauce", "gravy", "broth", "soup", "dressing", "dip", "liquid", "batter"})
_SHADES = {
    "white": ("flour", "milk", "cream"),
    "red": ("tomato",),
    "green": ("mint", "basil", "parsley", "dill"),
    "dry": ("flour",),
    "wet": ("egg", "milk"),
}
