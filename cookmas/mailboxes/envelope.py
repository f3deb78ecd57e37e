"""Messages to an open episode, and the answers to their senders.

An envelope is a message from an untrusted sender. It has plain data of limited size, and nothing in
it is executed. Its event is normalised: written as JSON and read again. A letter is a message that
the episode has taken, with a permanent number.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from cookmas.files.errors import InfrastructureError, InputError
from cookmas.files.lines import one_line
from cookmas.files.plain import pack_to_store

OPERATOR = "house"
"""Sender name of the operator of an episode; the operator's token is created with the mailbox."""

MOST_BYTES = 16_384
"""Maximum size of an event, or of its meaning, in bytes of JSON."""

MOST_ENTRIES = 50
"""Maximum length of any list or mapping in an event, such as the lines of an order."""

MOST_DEPTH = 8
"""Maximum depth of nested lists and mappings."""

MOST_WAITING = 2000
"""Maximum number of waiting messages of one sender."""

Name = Annotated[str, Field(min_length=1, max_length=64)]


class Envelope(BaseModel):
    """A message. If two envelopes have the same `id` and `sender`, they are the same message."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    id: Name
    """Identifier, unique among the sender's messages."""
    sender: Name
    """Name of the sender."""
    event: dict[str, Any]
    """The event as plain data."""
    meaning: dict[str, Any] | None = None
    """The meaning of the event's words as plain data, which only the judge sees."""
    proof: Annotated[str, Field(pattern="^[0-9a-f]{64}$")] | None = Field(
        default=None, repr=False, exclude=True
    )
    """SHA-256 digest of the sender's token; None if there is no token. The token is never sent."""

    @field_validator("id", "sender")
    @classmethod
    def _printable(cls, name: str) -> str:
        if not name.isprintable():
            raise ValueError("should have printable characters only")
        return name

    @field_validator("event", "meaning", mode="before")
    @classmethod
    def _normalise(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        _check(data, MOST_DEPTH)
        text = pack_to_store(data)
        if len(text) > MOST_BYTES:
            raise ValueError(f"should have at most {MOST_BYTES} bytes")
        return json.loads(text)


class Answer(BaseModel):
    """The answer to a message."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    """Identifier of the message."""
    status: Literal["taken", "taken_already", "refused", "withdrawn", "waiting"]
    """What has become of the message.

    "taken_already": the message was sent again after it was taken. "withdrawn": the operator
    withdrew it. "waiting" is the only status that is not final.
    """
    about: str | None = None
    """Name of the message's subject, such as its order."""
    why: str | None = None
    """Why the message was refused, in one sentence."""
    place: int | None = None
    """Number of messages that will be taken before this one; None if unknown."""

    def repeat(self) -> Answer:
        """Return the answer to a repetition of the message."""
        repeated = self.status == "taken"
        return self.model_copy(update={"status": "taken_already"}) if repeated else self


def proof_of(token: str) -> str:
    """Return the digest of a token, by which a sender proves that it knows the token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def read_envelope(data: Mapping[str, Any]) -> Envelope:
    """Return the message in plain data. Raise InputError, which names the first invalid field."""
    try:
        return Envelope.model_validate(dict(data))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or "message"
        raise InputError(
            f"message, {one_line(field, 80)}", first["msg"].removeprefix("Value error, ")
        ) from None


def read_stored(fields: Mapping[str, Any]) -> Envelope:
    """Return the message in the fields that a mailbox has stored; `event` and `meaning` are JSON.

    An empty meaning or proof counts as None. Raise InputError if the fields are invalid.
    """
    data = {name: value for name, value in fields.items() if value not in (None, "")}
    for name in ("event", "meaning"):
        if name in data:
            data[name] = read_plain(f"message, {name}", data[name])
    return read_envelope(data)


def read_plain(where: str, text: Any) -> dict[str, Any]:
    """Return the mapping in a JSON text. Raise InputError, naming `where`, if there is none."""
    try:
        data = json.loads(text) if isinstance(text, str) else None
        pack_to_store(data)
    except (ValueError, RecursionError):
        raise InputError(where, "is no JSON") from None
    if not isinstance(data, dict):
        raise InputError(where, "is no mapping")
    return data


def meanings_by_number(rows: Iterable[tuple[Any, Any]]) -> dict[int, dict[str, Any]]:
    """Return the meanings in pairs of letter number and JSON text; skip damaged pairs."""
    found: dict[int, dict[str, Any]] = {}
    for number, text in rows:
        with suppress(InputError, ValueError):
            found[int(number)] = read_plain("meaning", text)
    return found


def read_stored_answer(text: str) -> Answer:
    """Return the answer in a JSON text. Raise InfrastructureError if the text is damaged."""
    try:
        return Answer.model_validate_json(text)
    except ValueError:
        raise InfrastructureError("the answer that the mailbox holds is damaged") from None


def _check(data: Any, depth: int) -> None:
    if not isinstance(data, dict | list | tuple):
        return
    if depth == 0:
        raise ValueError(f"should be at most {MOST_DEPTH} deep")
    if len(data) > MOST_ENTRIES:
        raise ValueError(f"should have lists of at most {MOST_ENTRIES} entries")
    for each in data.values() if isinstance(data, dict) else data:
        _check(each, depth - 1)
