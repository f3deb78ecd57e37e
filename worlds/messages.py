"""What may be sent to an open world: its messages, with their fields.

A message is sent by its name, and becomes an event of the world's mailbox. Clients, the command
line and the page are made from these descriptions, and know no world.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from files.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A text field of a message."""

    name: str
    """Name of the field in the event."""
    label: str
    """Its label."""
    example: str
    """An example of its text."""
    choices: Sequence[str] = ()
    """Suggested texts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageForm:
    """A kind of message to an open episode."""

    kind: str
    """Name of this kind of message."""
    event: str
    """Kind of the event that it becomes."""
    title: str
    """Text on the button of its form."""
    fields: Sequence[Field]
    """The fields of its form."""
    group: str = ""
    """Heading that forms share; forms without one come first."""

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
        """Return the event of `values` in the order of the fields, and of others by their names.

        Raises InputError if a field is missing, said twice or unknown, or holds no text.
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
    """Return the message of a name. Raises InputError if there is none."""
    for each in messages:
        if each.kind == kind:
            return each
    known = ", ".join(each.kind for each in messages) or "none"
    raise InputError(f"message {kind[:60]!r}", f"this world has no such message, only {known}")
