"""The ingress adapter of an open restaurant.

The episode takes messages from the mailbox as numbered letters. This adapter then checks the
orders, changes and cancellations in the letters, which are plain data or words. For example, this
order in words has three order lines:

    2 Classic Burger: no onion, well done; 1 French Fries

A line has a quantity, a dish and the guest's words, which follow a colon, a comma or a dash, or are
in brackets. Semicolons separate lines, and so does a comma or `and` before another dish.

A line that is closed and no longer in the kitchen's state is found in the trace.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from cookmas.episodes.instruction import is_instruction
from cookmas.episodes.trace import AnyRecord, EventRecord, StepRecord
from cookmas.episodes.world import Json
from cookmas.files.errors import InputError
from cookmas.kitchen.events import (
    LONGEST_NOTE,
    AddLine,
    CancelOrder,
    ChangeLine,
    NewOrder,
    RefuseLine,
    RemoveLine,
    parse_event,
)
from cookmas.kitchen.state import CLOSED_LINES, KitchenState, order_of
from cookmas.kitchen.world import ORDER, Restaurant
from cookmas.mailboxes.desk import Created, Desk, Since
from cookmas.mailboxes.protocol import MOST_ENTRIES
from cookmas.worlds.shipped import solved

_SERVE = re.compile(r"serve\((.+)\)")


class Closing(NamedTuple):
    """The record that one order line was closed, and how."""

    line: str
    how: str
    """How the line was closed: `served`, `cancelled` or `refused`."""


def find_closed_lines(order: str, records: Iterable[AnyRecord]) -> Mapping[str, tuple[str, int]]:
    """Return how and at which timestep each line of an order was closed.

    The order must no longer be in the state. `records` are records of the trace; they must include
    the event that placed the order. The search ends once more than `CLOSED_LINES` other lines were
    closed after the last line of the order. By then the order had left the state and could get no
    new line.
    """
    lines: dict[str, tuple[str, int]] = {}
    waiting: set[str] = set()
    known = others = 0
    for record in records:
        if not isinstance(record, EventRecord | StepRecord):
            continue
        if isinstance(record, EventRecord) and is_instruction(record.event):
            continue
        for line, how in _closings(order, waiting, record):
            if line in waiting:
                waiting.discard(line)
                lines[line] = how, record.timestep
                others = 0
            else:
                others += 1
        for line in _lines_added_by(order, known, record):
            known += 1
            waiting.add(line)
        if known and not waiting and others > CLOSED_LINES:
            break
    return lines


def _lines_added_by(order: str, known: int, record: AnyRecord) -> list[str]:
    """Return the names of the lines that a record adds to the order.

    `known` is the number of lines that the order has already.
    """
    if not isinstance(record, EventRecord) or record.refused:
        return []
    match parse_event(record.event):
        case NewOrder(order=name, lines=lines) if name == order:
            return [f"{order}.{number}" for number in range(1, len(lines) + 1)]
        case AddLine(order=name) if name == order:
            return [f"{order}.{known + 1}"]
    return []


def _closings(
    order: str, open_lines: Iterable[str], record: EventRecord | StepRecord
) -> Iterator[Closing]:
    """Yield every line that a record closes, in the given order or in another.

    `open_lines` are the open lines of the given order. If the record cancels another order, yield
    the name of that order in place of its lines.
    """
    match record:
        case StepRecord():
            for worker, action in record.commands:
                served = _SERVE.fullmatch(action)
                if served and worker not in record.fails:
                    yield Closing(served[1], "served")
        case EventRecord(refused=None):
            match parse_event(record.event):
                case RemoveLine(line=line):
                    yield Closing(line, "cancelled")
                case RefuseLine(line=line):
                    yield Closing(line, "refused")
                case CancelOrder(order=name):
                    closed = sorted(open_lines) if name == order else [name]
                    yield from (Closing(line, "cancelled") for line in closed)


_BEFORE = re.compile(r"(?P<number>\w+?)(?:\s*[x×])?\s+")  # noqa: RUF001 - a sign of prose
_AFTER = re.compile(r"\s*\(?[x×]\s*(?P<number>\d{1,3})\b\)?")  # noqa: RUF001 - a sign of prose
_JOINT = re.compile(r"\s*(?:,\s*and\b|[,&+]|\band\b)\s*")
_NOTE = re.compile(r"\s*(?:[:,]|(?<=\s)[-–—]\s)|\s*[(\[](?P<inside>[^()\[\]]*)[)\]]")  # noqa: RUF001 - dashes
"""What opens the guest's words; or the words, if they are in brackets."""
_OTHER = re.compile(
    r"(?:(?P<number>\d{1,3})(?![\d.,/])\s*(?:x\s+)?)?(?P<item>[^:]+)(?::(?P<note>.*))?", re.S
)
"""A line with a dish that is not on the menu."""


class OrderedDish(NamedTuple):
    """A line of an order in words."""

    quantity: int
    """How often the dish is ordered."""
    item: str
    """Its name on the menu, or the given words if they name no dish of the menu."""
    note: str = ""
    """The guest's words."""


class _Named(NamedTuple):
    """A dish of the menu that is named in a text, with its quantity."""

    quantity: int
    item: str
    end: int
    """Position after its name and quantity."""
    counted: bool
    """Whether its quantity is given."""


class OrderWords:
    """Reads orders in words for a menu."""

    def __init__(self, items: Iterable[str]) -> None:
        names = sorted(items, key=len, reverse=True)
        self._dishes = [(re.compile(_pattern_of(item)), item) for item in names]

    def read(self, words: str) -> Iterator[OrderedDish]:
        """Yield the lines of an order; words with no dish of the menu are a line, too.

        Raises InputError if words beside a dish have no place.
        """
        for text in filter(None, map(str.strip, words.split(";"))):
            yield from self._lines(text)

    def _lines(self, text: str) -> Iterator[OrderedDish]:
        plain, at = _fold(text), 0
        while at < len(text):
            start, dish = at, self._find_dish(plain, at)
            if dish is None:
                break
            at, note = dish.end, ""
            opened = None if self._find_next(plain, at) else _NOTE.match(plain, at)
            if opened is not None and opened["inside"] is not None:
                note, at = text[slice(*opened.span("inside"))], opened.end()
            elif opened is not None:
                ends = (joint.start() for joint in _JOINT.finditer(plain, opened.end()))
                at = next(
                    (end for end in ends if self._find_next(plain, end, counted=True)), len(text)
                )
                note = text[opened.end() : at]
            following = self._find_next(plain, at)
            if at < len(text) and not following:
                at = start
                break
            yield OrderedDish(dish.quantity, dish.item, note.strip())
            at = following or at
        rest = text[at:]
        known = next((item for dish, item in self._dishes if dish.search(plain, at)), None)
        other = _OTHER.fullmatch(rest)
        if rest and (known is not None or other is None):
            form = f"1 {known or 'DISH'}: no onion; 2 {known or 'DISH'}"
            raise InputError(repr(rest[:60]), f"expected NUMBER DISH: WORDS, such as {form!r}")
        if other is not None:
            item, said = " ".join(other["item"].split()), (other["note"] or "").strip()
            yield OrderedDish(int(other["number"] or 1), item, said)

    def _find_next(self, plain: str, at: int, *, counted: bool = False) -> int:
        """Return where another dish begins after a comma or `and` at a position; 0 if none does."""
        joint = _JOINT.match(plain, at)
        dish = self._find_dish(plain, joint.end()) if joint else None
        return joint.end() if joint and dish and (dish.counted or not counted) else 0

    def _find_dish(self, plain: str, at: int) -> _Named | None:
        """Return the dish that is named at a position; None if none is."""
        before = _BEFORE.match(plain, at)
        number = (
            solved("restaurant", "reading.times:number_of")(before["number"]) if before else None
        )
        for start, quantity in ((at, None), (before.end() if before else at, number)):
            for pattern, item in self._dishes if start == at or quantity is not None else ():
                if found := pattern.match(plain, start):
                    after = _AFTER.match(plain, found.end()) if quantity is None else None
                    count = int(after["number"]) if after else 1 if quantity is None else quantity
                    end = after.end() if after else found.end()
                    return _Named(count, item, end, quantity is not None or after is not None)
        return None


def _fold(text: str) -> str:
    """Return a text of the same length with plain digits, signs and small letters."""
    plain = (unicodedata.normalize("NFKC", sign).casefold() for sign in text)
    return "".join(new if len(new) == 1 else old for old, new in zip(text, plain, strict=True))


def _pattern_of(item: str) -> str:
    """Return the pattern of a dish's name, also in the plural and with `&` for `and`."""
    *words, last = (re.escape(word) for word in _fold(item).split())
    joined = [r"(?:and|&)" if word in ("and", r"\&") else word for word in words]
    many = f"{last[:-1]}s?" if last.endswith("s") else f"{last}(?:e?s)?"
    return r"\s+".join([*joined, many]) + r"(?!\w)"


Admitted = NewOrder | AddLine | ChangeLine | RemoveLine | CancelOrder


class RestaurantDesk(Desk):
    """The ingress adapter of a kitchen.

    It numbers the orders that it admits: `live1`, `live2`, and so on.
    """

    def __init__(self, world: Restaurant, known: Mapping[str, str] = MappingProxyType({})) -> None:
        super().__init__(world, known)
        self._words = OrderWords(world.kitchen.menu)

    def admit(self, event: Json, created: Created) -> dict[str, Any]:
        """Return an order, a change or a cancellation in the form of the kitchen's own events.

        The given event may have that form already. It may also have `words` in place of `lines`, or
        in place of `item` and `note`. An event of the kind `cancel` has the `name` of an order or
        of a line. A new order gets its name here, with the next number after those that are
        `created`. Raises InputError.
        """
        data = dict(event)
        if data.get("kind") == "new_order":
            name = self.name_next(ORDER, created)
            data.setdefault("order", name)
            if data["order"] != name:
                raise InputError("order", "the kitchen names orders, expected no name")
            if "words" in data:
                data["lines"] = self._lines(data.pop("words"))
        elif data.get("kind") == "add_line" and "words" in data:
            lines = self._lines(data.pop("words"))
            if len(lines) != 1:
                raise InputError("add_line", "has several lines, expected one")
            data |= lines[0]
        elif data.get("kind") == "cancel":
            name = str(data.get("name", ""))
            of_line = {"kind": "remove_line", "line": name}
            data = of_line if "." in name else {"kind": "cancel_order", "order": name}
        admitted = parse_event(data)
        if not isinstance(admitted, Admitted):
            raise InputError(
                f"event {admitted.kind}",
                "is not for guests, expected an order, a change or a cancellation",
            )
        plain = admitted.model_dump(exclude_none=True)
        _check_words(plain)
        return plain

    def _lines(self, words: Any) -> list[dict[str, str]]:
        if not isinstance(words, str):
            raise InputError("words", "expected text")
        lines: list[dict[str, str]] = []
        for dish in self._words.read(words):
            line = {"item": dish.item} | ({"note": dish.note} if dish.note else {})
            lines += [line] * dish.quantity
            if len(lines) > MOST_ENTRIES:
                raise InputError("order", f"has more than {MOST_ENTRIES} lines")
        if not lines:
            raise InputError("words", "expected NUMBER ITEM: WORDS, with a semicolon between lines")
        return lines

    def count_created(self, event: Json) -> int:
        """Return how many dishes an event adds; 1 if it cannot be read."""
        if event.get("kind") not in ("new_order", "add_line"):
            return 0
        try:
            lines = self._lines(event["words"]) if "words" in event else event.get("lines")
        except InputError:
            return 1
        return max(1, len(lines)) if isinstance(lines, list) else 1

    def recall(self, event: Json, state: KitchenState, since: Since) -> str | None:
        """Return a text that says how and when the line or order of an event was closed.

        `since` yields the records of the trace from the event that placed an order on. Returns None
        if the order is still in the state, or if there never was such a line or order.
        """
        line = str(event.get("line", ""))
        order = order_of(line) or str(event.get("order", ""))
        if any(order_of(name) == order for name in state.lines):
            return None
        origin = self.origin(event)
        if origin is None:
            return None
        closed = find_closed_lines(order, since(origin))
        if line in closed:
            how, timestep = closed[line]
            return f"order line {line} was {how} at timestep {timestep}"
        if line or not closed:
            return None
        return f"order {order} was closed at timestep {max(t for _, t in closed.values())}"

    def name_thing(self, event: Json) -> str | None:
        """Return the order that an event refers to; None for a new order."""
        if event.get("kind") == "new_order":
            return None
        return order_of(str(event.get("line", ""))) or str(event.get("order", ""))

    def name_subject(self, event: Json) -> str | None:
        """Return the name of the line or order that an event refers to."""
        name = event.get("line") or event.get("order")
        return name if isinstance(name, str) else None


def _check_words(event: Json) -> None:
    """Raise InputError if a note is too long: notes go to models and are shown to people."""
    for line in (event, *event.get("lines", ())):
        if len(line.get("note", "")) > LONGEST_NOTE:
            raise InputError("note", f"has more than {LONGEST_NOTE} characters")
