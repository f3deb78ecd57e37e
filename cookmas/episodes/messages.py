"""The messages to an open episode, as a world declares them beside its events.

A sender names the kind of message, and the message becomes an event in the mailbox. The desk, the
client, the command line, the page and the checker use only these declarations, so they need no code
for a single world.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from cookmas.files.errors import InputError
from cookmas.files.naming import suggest_name
from cookmas.files.yaml_text import MOST_DIGITS

MOST_OPEN = 40
"""The default number of open things at which messages that create more begin to wait."""

_NUMBER = "([1-9][0-9]{0,14})"
"""The number at the end of the name of a thing that a message created."""

_WHOLE = re.compile(rf"-?[0-9]{{1,{MOST_DIGITS}}}")

Choices = Sequence[str] | Callable[[Any], Sequence[str]]
"""Texts, or a function that returns them for the world that is played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageField:
    """A field of a message. Senders write text; the event has a value of the field's `kind`."""

    name: str
    """Name of the field in the event."""
    label: str = ""
    """Label of the field in a form; empty: its name in words."""
    example: str = ""
    """An example of the text that a sender writes into the field; empty: its first choice."""
    kind: type[str] | type[int] = str
    """Type of the value in the event."""
    choices: Choices = ()
    """The texts that are allowed, and that a form suggests; empty: any text."""
    free: bool = False
    """True if other texts than the choices are allowed too."""
    optional: bool = False
    """True if the field may be left out or empty; then the event does not have it."""

    def in_world(self, world: Any | None) -> MessageField:
        """Return the field with the choices of a world; without any if `world` is None."""
        if not callable(self.choices):
            return self
        return replace(self, choices=() if world is None else tuple(self.choices(world)))

    def read(self, value: Any, where: str) -> str | int:
        """Return a sender's value as the value in the event.

        Raises InputError, which begins with `where`, if the value is invalid.
        """
        if self.kind is int:
            if type(value) is int:
                return value
            if isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
                return int(value)
            raise InputError(where, "expected a whole number")
        if not isinstance(value, str):
            raise InputError(where, "expected text")
        listed = () if callable(self.choices) else self.choices
        if listed and not self.free and value not in listed:
            raise InputError(where, f"expected one of {', '.join(listed)}")
        return value

    def form(self) -> dict[str, Any]:
        """Return the field of a form as plain data."""
        choices = [] if callable(self.choices) else list(self.choices)
        return {
            "name": self.name,
            "label": self.label or _speak(self.name),
            "example": self.shown,
            "choices": choices,
            "optional": self.optional,
        }

    @property
    def shown(self) -> str:
        """The example that people see."""
        first = "" if callable(self.choices) else next(iter(self.choices), "")
        return self.example or first or ("5" if self.kind is int else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageForm:
    """A kind of message to an open episode."""

    kind: str
    """Name of this kind of message."""
    event: str = ""
    """Kind of the event that the message becomes; empty: the message's own name."""
    title: str = ""
    """Text on the button of the message's form; empty: the message's name in words."""
    fields: Sequence[MessageField] = ()
    """The fields of the form, in order."""
    group: str = ""
    """Heading over the forms of a group; forms without a heading come first."""
    subject: str = ""
    """Field of the event that names the thing which the message creates or is about."""
    creates: str = ""
    """Beginning of the name of the thing that the message creates, such as `sample`; its number
    among the things so named follows, from 1. Empty: it creates nothing.
    """
    house_only: bool = False
    """True if only the house may send the message, such as what a machine's operator reports."""

    @property
    def event_kind(self) -> str:
        """Kind of the event that the message becomes."""
        return self.event or self.kind

    def in_world(self, world: Any | None) -> MessageForm:
        """Return the message with the choices of a world; without any if `world` is None."""
        return replace(self, fields=tuple(field.in_world(world) for field in self.fields))

    def form(self) -> dict[str, Any]:
        """Return the form of the message as plain data."""
        return {
            "kind": self.kind,
            "title": self.title or _speak(self.kind),
            "fields": [field.form() for field in self.fields],
            "group": self.group,
            **({"house_only": True} if self.house_only else {}),
        }

    def fill(
        self, values: Sequence[str] = (), named: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Return the event of a message with these values of its fields.

        `values` has the values of the first fields, in order; `named` has those of the other
        fields, by name. Raises InputError if a field is missing, given twice, unknown or invalid.
        """
        given = {**dict(zip((e.name for e in self.fields), values, strict=False)), **(named or {})}
        fields = {field.name: field for field in self.fields}
        for name in given.keys() - fields.keys():
            if near := suggest_name(name, fields):
                raise InputError(f"message {self.kind!r}, {name}", f"there is no such field{near}")
        left = [
            field.name for field in self.fields if not field.optional and field.name not in given
        ]
        if left or len(given) < len(values) + len(named or {}) or not given.keys() <= fields.keys():
            raise InputError(f"message {self.kind!r}", f"expected {self._describe_fields()}")
        event: dict[str, Any] = {"kind": self.event_kind}
        for name, value in given.items():
            if value != "" or not fields[name].optional:
                event[name] = fields[name].read(value, f"message {self.kind!r}, {name}")
        return event

    def usage(self) -> str:
        """Return how `cookmas send` sends the message, with the examples of its fields."""
        fields = []
        for field in self.fields:
            value = f"{field.name}={field.shown}"
            quoted = f"'{value}'" if set(value) & set(' ;:()"') else value
            fields.append(f"[{quoted}]" if field.optional else quoted)
        whose = ("(the house alone)",) if self.house_only else ()
        return " ".join((self.kind, *fields, *whose))

    def _describe_fields(self) -> str:
        """Return the fields with their examples."""
        described = [
            f"{field.name} ({'optional, ' if field.optional else ''}such as {field.shown!r})"
            for field in self.fields
        ]
        return " and ".join(described) or "no fields"


def message_of(messages: Sequence[MessageForm], kind: str) -> MessageForm:
    """Return the message of this kind. Raises InputError if the world has none."""
    for message in messages:
        if message.kind == kind:
            return message
    kinds = [message.kind for message in messages]
    possible = f"{', '.join(kinds) or 'none'}{suggest_name(kind[:60], kinds)}"
    raise InputError(f"message {kind[:60]!r}", f"this world has no such message, only {possible}")


class Numbered(NamedTuple):
    """The name of a thing that a message created, such as `sample3`, in its two parts."""

    beginning: str
    """Beginning of the name."""
    number: int
    """The number that follows it."""


def parse_name(messages: Sequence[MessageForm], name: object) -> Numbered | None:
    """Return the parts of a name that one of these messages can have given; None of another."""
    for form in messages:
        match = form.creates and re.fullmatch(re.escape(form.creates) + _NUMBER, str(name))
        if match:
            return Numbered(form.creates, int(match[1]))
    return None


def parse_created_name(
    messages: Sequence[MessageForm], event: Mapping[str, Any]
) -> Numbered | None:
    """Return the name of the thing that an event creates: of `job3` the beginning and the number.

    Return None if it creates nothing, or if the name is not one that a message gives.
    """
    forms = [form for form in messages if form.event_kind == event.get("kind")]
    names = (parse_name([form], event.get(form.subject)) for form in forms)
    return next(filter(None, names), None)


def _speak(name: str) -> str:
    """Return a name of the notation in words that begin with a capital."""
    return name.replace("_", " ").capitalize()
