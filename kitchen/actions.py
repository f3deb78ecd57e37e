"""The action library: every action that a worker can be assigned, described once.

Schedules are validated against these descriptions; prompts and the reference in the documentation
print them. Each action takes one timestep. The text of an action is its name with its argument in
brackets: `navigate(grill_1)`, `pick(onion)`, `pick(slot 2)`, `chop`, `serve(o1.2)`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from cookmas.files.errors import NotationError
from cookmas.kitchen.layout import ASSEMBLE, KIND_OF_PROCESS, WORK


@dataclass(frozen=True, slots=True)
class Navigate:
    """Go to a station."""

    station: str

    def __str__(self) -> str:
        return f"navigate({self.station})"


@dataclass(frozen=True, slots=True)
class Pick:
    """Take a thing into the hand: the named one, or the one in the lowest filled slot."""

    food: str | None = None
    """The name of the thing; None: any."""
    slot: int | None = None
    """The slot from which to take the thing; None: the lowest slot with a thing that fits."""

    def __str__(self) -> str:
        slot = f"slot {self.slot}" if self.slot else ""
        arguments = f"{self.food}, {slot}" if self.food and slot else self.food or slot
        return f"pick({arguments})" if arguments else "pick"


@dataclass(frozen=True, slots=True)
class Place:
    """Put the thing in the hand into the lowest free slot."""

    def __str__(self) -> str:
        return "place"


@dataclass(frozen=True, slots=True)
class Work:
    """Do one timestep of attended work."""

    process: str

    def __str__(self) -> str:
        return self.process


@dataclass(frozen=True, slots=True)
class Start:
    """Start the clocks of everything in an appliance that is not cooking yet."""

    def __str__(self) -> str:
        return "start"


@dataclass(frozen=True, slots=True)
class Serve:
    """Serve the dish in the hand for an order line."""

    line: str

    def __str__(self) -> str:
        return f"serve({self.line})"


@dataclass(frozen=True, slots=True)
class Discard:
    """Throw the thing in the hand away."""

    def __str__(self) -> str:
        return "discard"


@dataclass(frozen=True, slots=True)
class Wait:
    """Do nothing."""

    def __str__(self) -> str:
        return "wait"


Action = Navigate | Pick | Place | Work | Start | Serve | Discard | Wait


_NAME = r"[^\s(),]+(?: [^\s(),]+)*"
_SLOT = r"slot ([1-9][0-9]{0,2})"
_CALL = re.compile(r"([a-z]+)(?:\((.*)\))?")
_ONLY_SLOT = re.compile(_SLOT)
_ONLY_NAME = re.compile(_NAME)
_FOOD = re.compile(rf"(?!slot)({_NAME})(?:, {_SLOT})?")

Read = Callable[[str | None], Action | None]
"""A parser of an action's argument, which is None if the text has no brackets.

It returns None if the argument is invalid.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionSpec:
    """One entry of the action library: the description of an action, and the parser of its text."""

    name: str
    argument: str | None
    """The name of its argument, in words; None if it takes none."""
    where: str
    """The kinds of station at which it can be done, in words."""
    needs: str
    """Its preconditions, in words."""
    effect: str
    """Its effect, in full sentences."""
    forms: tuple[str, ...]
    """All ways to write it."""
    read: Read
    """The parser of its argument."""

    def __str__(self) -> str:
        call = f"{self.name}({self.argument})" if self.argument else self.name
        return f"{call}: at {self.where}. Needs {self.needs}. {self.effect}"


def _parser_without_argument(action: Action) -> Read:
    """Return the parser of an action that takes no argument."""
    return lambda argument: action if argument is None else None


def _parser_of_name(make: Callable[[str], Action]) -> Read:
    """Return the parser of an action that needs a name as its argument."""

    def read(argument: str | None) -> Action | None:
        return make(argument) if argument and _ONLY_NAME.fullmatch(argument) else None

    return read


def _pick(argument: str | None) -> Pick | None:
    if argument is None:
        return Pick()
    if match := _ONLY_SLOT.fullmatch(argument):
        return Pick(None, int(match[1]))
    if match := _FOOD.fullmatch(argument):
        return Pick(match[1], int(match[2]) if match[2] else None)
    return None


def _work_spec(process: str) -> ActionSpec:
    kind = KIND_OF_PROCESS[process].name
    if process == ASSEMBLE:
        return ActionSpec(
            name=process,
            argument=None,
            where="a plating place",
            needs="an empty hand, and there a plate with at least one food, or no plate and at "
            "least two foods",
            effect="With a plate, the plate and the foods become a dish. Without a plate, the "
            "foods become a single food.",
            forms=(process,),
            read=_parser_without_argument(Work(process)),
        )
    return ActionSpec(
        name=process,
        argument=None,
        where=f"a {kind}",
        needs="an empty hand and food there",
        effect="One timestep of this work is done to all food there. Repeat it for as many minutes "
        "as are asked for, and no more.",
        forms=(process,),
        read=_parser_without_argument(Work(process)),
    )


LIBRARY: Mapping[str, ActionSpec] = {
    spec.name: spec
    for spec in (
        ActionSpec(
            name="navigate",
            argument="station",
            where="any station",
            needs="room at the station that is named",
            effect="The worker goes there from anywhere in one timestep.",
            forms=("navigate(station)",),
            read=_parser_of_name(Navigate),
        ),
        ActionSpec(
            name="pick",
            argument="food, slot N",
            where="a dispenser, counter, tool or appliance",
            needs="an empty hand and something there that fits what is named",
            effect="It is then in the hand. At pantry and fridge an ingredient is named, as in "
            "pick(onion). At plates it is pick(plate). At a counter, tool or appliance each "
            "argument may be left out, as in pick(slot 2), or given, as in pick(tortilla, slot 2). "
            "The lowest filled slot that fits is taken. Its clock stops. All that has cooked in a "
            "pot or pan comes out as one food.",
            forms=("pick", "pick(food)", "pick(slot N)", "pick(food, slot N)"),
            read=_pick,
        ),
        ActionSpec(
            name="place",
            argument=None,
            where="a counter, tool or appliance",
            needs="something in the hand that belongs there and a free slot",
            effect="It then lies in the lowest free slot. It does not cook before start.",
            forms=("place",),
            read=_parser_without_argument(Place()),
        ),
        *(_work_spec(process) for process in WORK),
        ActionSpec(
            name="start",
            argument=None,
            where="an appliance",
            needs="an empty hand and food there that is not cooking yet",
            effect="All that food begins to cook, each slot with a clock of its own. It cooks "
            "until it is taken out.",
            forms=("start",),
            read=_parser_without_argument(Start()),
        ),
        ActionSpec(
            name="serve",
            argument="order line",
            where="the pass",
            needs="a dish in the hand and an open order line",
            effect="The line is served for good, whether the dish is right or wrong.",
            forms=("serve(order line)",),
            read=_parser_of_name(Serve),
        ),
        ActionSpec(
            name="discard",
            argument=None,
            where="the bin",
            needs="something in the hand",
            effect="It is thrown away.",
            forms=("discard",),
            read=_parser_without_argument(Discard()),
        ),
        ActionSpec(
            name="wait",
            argument=None,
            where="any station",
            needs="nothing",
            effect="Nothing happens.",
            forms=("wait",),
            read=_parser_without_argument(Wait()),
        ),
    )
}


@lru_cache(maxsize=4096)
def parse_action(text: str) -> Action:
    """Return the action that a text names. Each action has exactly one text, which is its `str`.

    Raises NotationError, which says how the action is written.
    """
    match = _CALL.fullmatch(text)
    spec = LIBRARY.get(match[1]) if match else None
    action = spec.read(match[2]) if match and spec else None
    if action is None:
        raise NotationError(text, _describe_form(text))
    return action


def _describe_form(text: str) -> str:
    """Return how to write the action that a text begins with, or which actions there are."""
    begins = re.match(r"\s*([a-z]+)\b", text)
    spec = LIBRARY.get(begins[1]) if begins else None
    if spec is None:
        return f"is no action; the actions are {', '.join(LIBRARY)}"
    return f"{spec.name} is written {' or '.join(spec.forms)}"
