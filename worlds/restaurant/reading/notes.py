"""What a customer's words ask for of a dish: cues and foods, joined clause by clause."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from kitchen.components import Component, DonenessTable
from kitchen.customizations import Customization, Done, Extra, Longer, Swap, Without
from worlds.restaurant.reading.cues import WISHES, Item, Part, cues_of, parts_of
from worlds.restaurant.reading.values import HEAT, Doubt, Words
from worlds.restaurant.reading.words import Lexicon

HEAT_ORDER = ("bake", "deep-fry", "grill", "fry", "boil")
"""What is most likely meant by cooking a dish put together, first."""
_STRONG, _PLAIN_LEVELS = frozenset(WISHES["strong"]), frozenset(WISHES["plain_levels"])


@dataclass(slots=True)
class Hearing:
    """What has been heard of a note so far: the one context of its reading."""

    dish: Sequence[Component]
    doneness: DonenessTable
    table: Lexicon
    found: list[Customization] = field(default_factory=list)
    used: set[Words] = field(default_factory=set)
    """Words that a wish took up."""
    context: list[str] = field(default_factory=list)
    """Foods that were spoken of last."""
    rejected: list[str] = field(default_factory=list)
    asked: str = ""
    """The kind of wish that the question before spoke of."""

    def foods(self) -> list[str]:
        """The foods of the dish."""
        return sorted({leaf for component in self.dish for leaf in component.ingredients()})

    def wish(self, wish: Customization, *items: Item) -> None:
        """Add a wish, and remember the words it took up."""
        self.found.append(wish)
        self.used |= {item.words for item in items}

    def fresh(self, part: Part) -> list[Item]:
        """The foods of a part that no wish took up."""
        return [item for item in part.of("food") if item.words not in self.used]

    def levels(self, food: str) -> set[str]:
        """The levels that a food of the dish can be cooked to."""
        steps = [s for c in self.dish for leaf in c.walk() if leaf.name == food for s in leaf.steps]
        entries = [self.doneness.get((food, s.process)) for s in steps if s.level is not None]
        return {level for entry in entries if entry is not None for level in entry.levels}


def hear(
    note: str, dish: Sequence[Component], ingredients: frozenset[str], doneness: DonenessTable
) -> tuple[list[Customization], list[Doubt]]:
    """What a note asks for, in the order of its words, and what no wish takes up."""
    heard = Hearing(dish=dish, doneness=doneness, table=cues_of(ingredients))
    parts = parts_of(note, heard.table, heard.foods())
    for number in dict.fromkeys(part.sentence for part in parts):
        _sentence(heard, [part for part in parts if part.sentence == number])
    swapped = {wish.food for wish in heard.found if isinstance(wish, Swap)}
    wishes = [
        wish for wish in dict.fromkeys(heard.found)
        if not (isinstance(wish, Without) and wish.food in swapped)
    ]  # fmt: skip
    return wishes, list(_doubts(heard, note, parts))


def _sentence(heard: Hearing, parts: list[Part]) -> None:
    cues = {item.kind for part in parts for item in part.items}
    timed = any(part.has("time") and part.has("more", "less") for part in parts)
    if "unchanged" in cues and not cues & {"without", "extra", "level"} and not timed:
        heard.used |= {item.words for part in parts for item in part.items}
        return
    asked, heard.asked = heard.asked, ""
    foods = [item for part in parts for item in part.of("food")]
    _swaps(heard, parts, waiting=asked == "swap")
    if asked == "without" and foods and not cues & {"extra", "without", "swap", "level"}:
        heard.wish(Without(food=foods[0].value), foods[0])
    if parts[0].asks and "swap" in cues and foods and "other" not in cues:
        heard.asked = "swap"
    elif parts[0].asks and "without" in cues and not foods:
        heard.asked = "without"
    for index, part in enumerate(parts):
        left_out = part.has("keep") and part.has("out")
        _done(heard, parts, index)
        if _longer(heard, parts, index):
            continue
        if part.has("extra"):
            _plainly(heard, parts, index, "extra", lambda name: Extra(food=name))
        elif (part.has("without", "not") or left_out) and not part.has("unchanged"):
            _plainly(heard, parts, index, "without", lambda name: Without(food=name))
        if part.has("keep") and not left_out and not part.has("without"):
            heard.used |= {item.words for item in part.of("food")}
        heard.context = [item.value for item in part.of("food")] or heard.context


def _swaps(heard: Hearing, parts: Sequence[Part], *, waiting: bool) -> None:
    """Another food stands for the one of the dish that is nearest, or was spoken of."""
    items = [item for part in parts for item in part.items]
    own = [item for item in items if item.kind == "food"]
    cues = [item for item in items if item.kind == "swap"]
    cued = any(item.kind in ("swap", "not", "without") for item in items)
    for other in (item for item in items if item.kind == "other"):
        targets = [food for food in own if food.words not in heard.used]
        food = ""
        if any(isinstance(wish, Swap) and wish.by == other.value for wish in heard.found):
            heard.used.add(other.words)
        elif targets and cued:
            nearest = min(targets, key=lambda item: abs(item.at - other.at))
            food = nearest.value
            heard.used.add(nearest.words)
        elif not own and heard.rejected:
            food = heard.rejected[-1]
        elif not own and (waiting or cues) and heard.context:
            food = heard.context[-1]
        if food:
            said = [item for item in items if item.kind in ("not", "without")] if targets else []
            heard.wish(Swap(food=food, by=other.value), other, *cues, *said)
    plain = {item.kind for item in items} <= {"food", "swap", "pronoun", "keep", "out"}
    if plain and len(own) == 2 and cues and cues[0].value.endswith((" of", " than")):
        heard.wish(Swap(food=own[1].value, by=own[0].value), *own)


def _done(heard: Hearing, parts: Sequence[Part], index: int) -> None:
    """A level is of the food nearest to it that can be cooked to it."""
    part = parts[index]
    for item in part.of("level"):
        able = [food for food in heard.foods() if item.value in heard.levels(food)]
        after = parts[index + 1 : index + 2]
        near = sorted(part.of("food"), key=lambda food: abs(food.at - item.at))
        before = [food for p in reversed(parts[:index]) for food in p.of("food")]
        later = [food for p in after if not p.has("level") for food in p.of("food")]
        spoken = [food.value for food in (*near, *before)] + heard.context
        could = [name for name in (*spoken, *(food.value for food in later)) if name in able]
        done = {wish.food for wish in heard.found if isinstance(wish, Done)}
        undone = [name for name in able if name not in done]
        could = could or (undone if len(undone) == 1 else able if len(able) == 1 else [])
        if could:
            name = could[0]
            heard.found = [w for w in heard.found if not (isinstance(w, Done) and w.food == name)]
            foods = [food for food in near if food.value == name]
            heard.wish(Done(food=name, level=item.value), item, *foods)


def _longer(heard: Hearing, parts: Sequence[Part], index: int) -> bool:
    """Minutes more or less of a cooking."""
    part, before = parts[index], list(parts[max(0, index - 1) : index])
    around = [part, *parts[index + 1 : index + 2]]
    signed = part.has("more", "less")
    times = part.of("time") or [t for p in before if signed for t in p.of("time")]
    signs = [s for p in around for s in p.of("more", "less")]
    signs = signs or [s for p in before for s in p.of("more", "less")]
    time = next((item for item in times if item.words not in heard.used), None)
    if time is None or time.span is None:
        return False
    extra = time.span.extent == "more" or any(i.value == "extra" for i in part.of("extra"))
    if not signs and not extra:
        return False
    minutes = -time.span.low if any(sign.kind == "less" for sign in signs) else time.span.low
    heats = [i.value for p in around for i in p.of("place", "process") if i.value in HEAT]
    whole = part.has("whole", "mixture")
    foods = [food.value for food in part.of("food")]
    if not foods and not whole:
        later = [p for p in around[1:] if not p.has("time", "without", "extra", "level")]
        foods = [food.value for p in later for food in p.of("food")]
        if not foods and not any(p.has("time") for p in parts[:index]):
            foods = [food.value for p in before for food in p.of("food")]
        foods = foods or heard.context
    for mixture in part.of("mixture") if not foods else ():
        foods += [n for n in heard.table.mixtures.get(mixture.value, ()) if n in heard.foods()]
    found = _cooking(heard, foods, heats)
    if found is None and whole:
        found = _cooking(heard, (), heats or HEAT_ORDER)
    if found is None:
        return False
    named = [f for p in around for f in p.of("food") if foods and f.value == found[0]]
    wish = Longer(food=found[0], process=found[1], minutes=minutes)
    heard.wish(wish, time, *named, *signs, *part.of("extra"))
    return True


def _cooking(heard: Hearing, foods: Sequence[str], heats: Sequence[str]) -> tuple[str, str] | None:
    """Which food is cooked how, by what is said: its last cooking where nothing is."""
    paths = [path for component in heard.dish for path in _paths(component)]
    named = [path for food in foods for path in paths if path[0] == food]
    exact = [path for path in named if path[1] in heats]
    if named:
        own = [path for path in reversed(named) if path[0] == named[0][0]]
        return (exact or named)[0] if heats else own[0]
    placed = [path for path in paths if path[1] in heats and not foods]
    return min(placed, key=lambda path: (heats.index(path[1]), path), default=None)


def _paths(component: Component, above: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Each food of a component with the ways it is cooked, the last first."""
    heats = (*(step.process for step in component.steps if step.process in HEAT), *above)
    if not component.parts:
        yield from ((component.name, process) for process in reversed(heats))
    for part in component.parts:
        yield from _paths(part, heats)


def _plainly(
    heard: Hearing, parts: Sequence[Part], index: int, kind: str,
    wish: Callable[[str], Customization],
) -> None:  # fmt: skip
    """More of a food, or none of it."""
    part, before, after = parts[index], parts[:index], parts[index + 1 : index + 2]
    cues = part.of(kind, "not", "out") if kind == "without" else part.of(kind)
    foods = heard.fresh(part)
    out = part.has("keep") and part.has("out")
    if kind == "without" and not part.has("without") and not out:
        foods = [food for food in foods if 0 < food.at - cues[0].at <= 3]
        if not foods and not (part.has("pronoun") and len(part.items) <= 2):
            return
    if not foods and before and not before[-1].has("extra", "without", "time", "level"):
        foods = heard.fresh(before[-1])
    if not foods:
        foods = [food for p in after if not p.wishes for food in heard.fresh(p)]
    if kind == "extra":
        foods = [food for food in foods if food.at > cues[0].at][:1] or foods[:1]
    names = [food.value for food in foods]
    if not foods and not part.has("other"):
        said = [food.value for p in reversed(before) for food in p.of("food")][:1]
        names = said or heard.context[-1:]
    for more in parts[index + 1 :]:
        if more.opened not in (",", "and", "or") or len(more.of("food")) < len(more.items):
            break
        names += [food.value for food in more.items]
        foods += more.items
    others = {w.food for w in heard.found if not isinstance(w, Without)}
    for name in names:
        if kind == "extra" or name not in others:
            heard.found.append(wish(name))
            heard.rejected += [name] if kind == "without" else []
    heard.used |= {food.words for food in foods} | {cue.words for cue in cues if names}


def _doubts(heard: Hearing, note: str, parts: Sequence[Part]) -> Iterator[Doubt]:
    """Foods of the dish, wish words, levels and times that no wish takes up."""
    wished = {wish.food for wish in heard.found}
    wished |= {wish.by for wish in heard.found if isinstance(wish, Swap)}
    if any(part.has("unchanged") for part in parts) and not heard.found:
        return
    told = {part.sentence for part in parts if part.has("told")}
    for part in parts:
        tale = part.sentence in told and not part.has("without", "extra", "swap")
        for item in part.items:
            reason = "" if item.words in heard.used else _reason(heard, part, item)
            naming = item.kind in ("food", "other")
            if reason and not (naming and (tale or item.passing or item.value in wished)):
                yield Doubt(reason, item.words, item.words.of(note))


def _reason(heard: Hearing, part: Part, item: Item) -> str:
    """What is doubtful about something that no wish takes up; empty where nothing is."""
    if item.kind in ("food", "other"):
        return "a food, and no wish about it"
    if item.kind == "extra" or (item.kind == "without" and item.value in _STRONG):
        return "a wish about no food of the dish"
    if item.kind == "time" and part.has("more", "less") and item.span and item.span.sure:
        return "minutes of no step"
    possible = any(item.value in heard.levels(food) for food in heard.foods())
    if item.kind == "level" and (item.value in _PLAIN_LEVELS or possible):
        return "a level of no food"
    return ""
