"""Descriptions of the messages that senders may send to an open episode of a world.

A sender names the kind of message, and the message becomes an event in the mailbox. Clients, the
command line and the page use only these descriptions, so they need no code for a single world.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cookmas.files.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A text field of a message."""

    name: str
    """Name of the field in the event."""
    label: str
    """Label of the field in a form."""
    example: str
    """An example of the text that a sender writes into the field."""
    choices: Sequence[str] = ()
    """Texts that a form suggests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageForm:
    """A kind of message to an open episode."""

    kind: str
    """Name of this kind of message."""
    event: str
    """Kind of the event that the message becomes."""
    title: str
    """Text on the button of the message's form."""
    fields: Sequence[Field]
    """The fields of the form, in order."""
    group: str = ""
    """Heading over the forms of a group; forms without a heading come first."""

    def form(self) -> dict[str, Any]:
        """Return the form of the message as plain data."""
        fields = [
            {
                "name": each.name,
                "label": each.label,
                "example": each.example,
                "choices": list(each.choices),
            }
            for each in self.fields
        ]
        return {"kind": self.kind, "title": self.title, "fields": fields, "group": self.group}

    def fill(
        self, values: Sequence[str] = (), named: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Return the event of a message with these values of its fields.

        `values` has the values of the first fields, in order; `named` has those of the other
        fields, by name. Raises InputError if a field is missing, given twice, unknown or not a
        text.
        """
        names = [each.name for each in self.fields]
        given = {**dict(zip(names, values, strict=False)), **(named or {})}
        if len(given) < len(values) + len(named or {}) or sorted(given) != sorted(names):
            raise InputError(f"message {self.kind!r}", f"expected {self._describe_fields()}")
        for name, value in given.items():
            if not isinstance(value, str):
                raise InputError(f"message {self.kind!r}, {name}", "expected text")
        return {"kind": self.event, **given}

    def _describe_fields(self) -> str:
        """Return the fields with their examples."""
        return " and ".join(f"{each.name} (such as {each.example!r})" for each in self.fields)


def message_of(messages: Sequence[MessageForm], kind: str) -> MessageForm:
    """Return the message of this kind. Raises InputError if the world has none."""
    for each in messages:
        if each.kind == kind:
            return each
    known = ", ".join(each.kind for each in messages) or "none"
    raise InputError(f"message {kind[:60]!r}", f"this world has no such message, only {known}")
