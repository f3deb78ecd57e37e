"""Messages to an open episode, and what their senders are told.

An envelope comes from an untrusted sender: it is bounded, plain data, and nothing in it is
evaluated.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from episodes.errors import InputError

MOST_BYTES = 16_384
"""Bytes of an event, or of its meaning, as JSON."""

MOST_ENTRIES = 50
"""Entries of any list in an event, such as the lines of an order."""

MOST_DEPTH = 8
"""Lists and mappings within each other."""

MOST_WAITING = 2000
"""Messages of one sender that may wait to be taken."""

Name = Annotated[str, Field(min_length=1, max_length=64)]


class Envelope(BaseModel):
    """A message: the same `id` from the same `sender` is the same message, however often sent.

    `meaning` is what the event's words mean, typed, for the judge alone.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    id: Name
    sender: Name
    event: dict[str, Any]
    meaning: dict[str, Any] | None = None

    @field_validator("id", "sender")
    @classmethod
    def _printable(cls, name: str) -> str:
        if not name.isprintable():
            raise ValueError("should have printable characters alone")
        return name

    @field_validator("event", "meaning")
    @classmethod
    def _bounded(cls, data: dict[str, Any] | None) -> dict[str, Any] | None:
        if data is not None:
            _check(data, MOST_DEPTH)
            if len(packed(data)) > MOST_BYTES:
                raise ValueError(f"should have at most {MOST_BYTES} bytes")
        return data


class Answer(BaseModel):
    """What the sender of a message is told.

    `about` names what it is about, such as its order; `why` says in a sentence why it was refused.
    "taken_already" is the answer to a message that was sent again after it was taken; "withdrawn"
    that to a message that the house withdrew while it waited.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    status: Literal["taken", "taken_already", "refused", "withdrawn"]
    about: str | None = None
    why: str | None = None

    def again(self) -> Answer:
        """The same answer to the same message, sent again."""
        repeated = self.status == "taken"
        return self.model_copy(update={"status": "taken_already"}) if repeated else self


def read_envelope(data: Mapping[str, Any]) -> Envelope:
    """A message from plain data. Raises InputError with the field and what was expected."""
    try:
        return Envelope.model_validate(dict(data))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or "message"
        raise InputError(
            f"message, {field[:80]}", first["msg"].removeprefix("Value error, ")
        ) from None


def packed(data: Any) -> bytes:
    """Plain data as JSON. Raises ValueError if it is none."""
    try:
        text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode()
    except UnicodeEncodeError:
        raise ValueError("should have no half characters") from None
    except TypeError:
        raise ValueError("should be plain data") from None


def _check(data: Any, depth: int) -> None:
    if not isinstance(data, dict | list):
        return
    if depth == 0:
        raise ValueError(f"should be at most {MOST_DEPTH} deep")
    if len(data) > MOST_ENTRIES:
        raise ValueError(f"should have lists of at most {MOST_ENTRIES} entries")
    for each in data.values() if isinstance(data, dict) else data:
        _check(each, depth - 1)
