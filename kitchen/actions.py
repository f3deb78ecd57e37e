"""The action library: every action a worker can be assigned, described once.

The descriptions serve the validation of schedules, the text that planners read and the reference
in the documentation. Each action takes one timestep. In text an action is written as its name with
its argument in brackets: `navigate(grill_1)`, `pick(onion)`, `pick(slot 2)`, `chop`, `serve(o1.2)`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from episodes.errors import NotationError
from kitchen.layout import ASSEMBLE, KIND_OF_PROCESS, WORK


@dataclass(frozen=True, slots=True)
class Navigate:
    """Go to a station."""

    station: str

    def __str__(self) -> str:
        return f"navigate({self.station})"


@dataclass(frozen=True, slots=True)
class Pick:
    """Take something into the hand: what is named, or what lies in the first filled slot."""

    food: str | None = None
    slot: int | None = None

    def __str__(self) -> str:
        slot = f"slot {self.slot}" if self.slot else None
        arguments = ", ".join(filter(None, (self.food, slot)))
        return f"pick({arguments})" if arguments else "pick"


@dataclass(frozen=True, slots=True)
class Place:
    """Put what is in the hand into the first free slot."""

    def __str__(self) -> str:
        return "place"


@dataclass(frozen=True, slots=True)
class Work:
    """One timestep of attended work."""

    process: str

    def __str__(self) -> str:
        return self.process


@dataclass(frozen=True, slots=True)
class Start:
    """Start the clock of everything in an appliance that is not cooking yet."""

    def __str__(self) -> str:
        return "start"


@dataclass(frozen=True, slots=True)
class Serve:
    """Hand the dish in the hand over for an order line."""

    line: str

    def __str__(self) -> str:
        return f"serve({self.line})"


@dataclass(frozen=True, slots=True)
class Discard:
    """Throw what is in the hand away."""

    def __str__(self) -> str:
        return "discard"


@dataclass(frozen=True, slots=True)
class Wait:
    """Do nothing."""

    def __str__(self) -> str:
        return "wait"


Action = Navigate | Pick | Place | Work | Start | Serve | Discard | Wait


_CALL = re.compile(r"\s*([a-z]+)\s*(?:\(([^()]*)\))?\s*")
_SLOT = re.compile(r"slot\s*=?\s*(\d{1,3})")


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionSpec:
    """One entry of the action library, in words, and how its text is read.

    `read` makes the action of the whole text and its argument, which is empty where there is none;
    it raises NotationError.
    """

    name: str
    argument: str | None
    where: str
    needs: str
    effect: str
    read: Callable[[str, str], Action]

    def __str__(self) -> str:
        call = f"{self.name}({self.argument})" if self.argument else self.name
        return f"{call}: at {self.where}. Needs {self.needs}. {self.effect}"


def _plain(action: Action) -> Callable[[str, str], Action]:
    """An action that takes no argument."""

    def read(text: str, argument: str) -> Action:
        if argument:
            raise NotationError(text, f"{action} takes no argument")
        return action

    return read


def _about(name: str, of: str, make: Callable[[str], Action]) -> Callable[[str, str], Action]:
    """An action that needs its argument."""

    def read(text: str, argument: str) -> Action:
        if not argument:
            raise NotationError(text, f"{name} needs its argument: {name}({of})")
        return make(argument)

    return read


def _pick(text: str, argument: str) -> Pick:
    food: str | None = None
    slot: int | None = None
    for part in filter(None, map(str.strip, argument.split(","))):
        if match := _SLOT.fullmatch(part):
            slot = int(match[1])
        elif food is None:
            food = part
        else:
            raise NotationError(text, "pick takes one food and one slot: pick(food, slot N)")
    if slot == 0:
        raise NotationError(text, "slots count from 1")
    return Pick(food, slot)


def _work_spec(process: str) -> ActionSpec:
    kind = KIND_OF_PROCESS[process].name
    if process == ASSEMBLE:
        return ActionSpec(
            name=process,
            argument=None,
            where="a plating place",
            needs="an empty hand, and there a plate with at least one food, or no plate and at "
            "least two foods",
            effect="With a plate it becomes a dish; without one the foods become a single food.",
            read=_plain(Work(process)),
        )
    several = " Several foods there become one mixture." if kind == "mixer" else ""
    return ActionSpec(
        name=process,
        argument=None,
        where=f"a {kind}",
        needs="an empty hand and food there",
        effect=f"One timestep of this work is done; repeat it until it is enough.{several}",
        read=_plain(Work(process)),
    )


LIBRARY: Mapping[str, ActionSpec] = {
    spec.name: spec
    for spec in (
        ActionSpec(
            name="navigate",
            argument="station",
            where="any place",
            needs="room at the station: a tool or appliance takes one worker at a time",
            effect="The worker stands at the station; any distance takes one timestep.",
            read=_about("navigate", "station", Navigate),
        ),
        ActionSpec(
            name="pick",
            argument="food, slot N",
            where="a dispenser, counter, tool or appliance",
            needs="an empty hand and something there that fits what is named; a dispenser needs "
            "the name of an ingredient",
            effect="It is in the hand. Elsewhere than at a dispenser both arguments may be left "
            "out: the lowest filled slot that fits is taken. Its clock stops. A pot or pan is "
            "emptied whole.",
            read=_pick,
        ),
        ActionSpec(
            name="place",
            argument=None,
            where="a counter, tool or appliance",
            needs="something in the hand that belongs there and a free slot",
            effect="It lies in the lowest free slot. Nothing cooks before start.",
            read=_plain(Place()),
        ),
        *(_work_spec(process) for process in WORK),
        ActionSpec(
            name="start",
            argument=None,
            where="an appliance",
            needs="an empty hand and food there that is not cooking yet",
            effect="That food begins to cook, each with a clock of its own, until it is taken out.",
            read=_plain(Start()),
        ),
        ActionSpec(
            name="serve",
            argument="order line",
            where="the pass",
            needs="a dish in the hand and an open order line",
            effect="The line is served, rightly or wrongly, for good.",
            read=_about("serve", "order line", Serve),
        ),
        ActionSpec(
            name="discard",
            argument=None,
            where="the bin",
            needs="something in the hand",
            effect="It is gone.",
            read=_plain(Discard()),
        ),
        ActionSpec(
            name="wait",
            argument=None,
            where="any place",
            needs="nothing",
            effect="Nothing happens.",
            read=_plain(Wait()),
        ),
    )
}


@lru_cache(maxsize=4096)
def parse_action(text: str) -> Action:
    """Read an action in text. Raises NotationError with what is wrong and what was expected."""
    match = _CALL.fullmatch(text)
    spec = LIBRARY.get(match[1]) if match else None
    if match is None or spec is None:
        raise NotationError(text, f"is no action; the actions are {', '.join(LIBRARY)}")
    return spec.read(text, (match[2] or "").strip())
