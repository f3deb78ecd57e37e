"""Messages to an open episode, and what their senders are told.

An envelope comes from an untrusted sender: it is bounded, plain data, and nothing in it is
evaluated. Its event is normalised: it is what its JSON says.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from files.errors import InfrastructureError, InputError
from files.lines import one_line

HOUSE = "house"
"""The sender's name of whoever runs the episode; its token is made with the mailbox."""

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

    `meaning` is what the event's words mean, typed, for the judge alone. `proof` is the SHA-256
    digest of the sender's token, which itself is never sent; None: the sender has no token.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    id: Name
    sender: Name
    event: dict[str, Any]
    meaning: dict[str, Any] | None = None
    proof: Annotated[str, Field(pattern="^[0-9a-f]{64}$")] | None = Field(
        default=None, repr=False, exclude=True
    )

    @field_validator("id", "sender")
    @classmethod
    def _printable(cls, name: str) -> str:
        if not name.isprintable():
            raise ValueError("should have printable characters alone")
        return name

    @field_validator("event", "meaning", mode="before")
    @classmethod
    def _normalised(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        _check(data, MOST_DEPTH)
        text = packed(data)
        if len(text) > MOST_BYTES:
            raise ValueError(f"should have at most {MOST_BYTES} bytes")
        return json.loads(text)


class Answer(BaseModel):
    """What the sender of a message is told.

    `about` names what it is about, such as its order; `why` says in a sentence why it was refused.
    "taken_already" is the answer to a message that was sent again after it was taken; "withdrawn"
    that to a message that the house withdrew while it waited. "waiting" is no final answer: `place`
    messages are taken before it, unless others change that.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    status: Literal["taken", "taken_already", "refused", "withdrawn", "waiting"]
    about: str | None = None
    why: str | None = None
    place: int | None = None

    def again(self) -> Answer:
        """The same answer to the same message, sent again."""
        repeated = self.status == "taken"
        return self.model_copy(update={"status": "taken_already"}) if repeated else self


def proof_of(token: str) -> str:
    """Return the proof that a sender knows its token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def read_envelope(data: Mapping[str, Any]) -> Envelope:
    """Return the message in plain data. Raises InputError with the field and what is expected."""
    try:
        return Envelope.model_validate(dict(data))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or "message"
        raise InputError(
            f"message, {one_line(field, 80)}", first["msg"].removeprefix("Value error, ")
        ) from None


def read_stored(fields: Mapping[str, Any]) -> Envelope:
    """Return the message that a mailbox stores, with event and meaning as JSON texts.

    An empty meaning or proof is none. Raises InputError if the fields hold no message.
    """
    data = {name: value for name, value in fields.items() if value not in (None, "")}
    for name in ("event", "meaning"):
        if name in data:
            data[name] = read_plain(f"message, {name}", data[name])
    return read_envelope(data)


def read_plain(where: str, text: Any) -> dict[str, Any]:
    """Return the mapping that a JSON text holds. Raises InputError if there is none."""
    try:
        data = json.loads(text) if isinstance(text, str) else None
        packed(data)
    except (ValueError, RecursionError):
        raise InputError(where, "is no JSON") from None
    if not isinstance(data, dict):
        raise InputError(where, "is no mapping")
    return data


def meanings_by_number(rows: Iterable[tuple[Any, Any]]) -> dict[int, dict[str, Any]]:
    """Return the meanings in JSON texts by the numbers of their letters; damaged ones are none."""
    found: dict[int, dict[str, Any]] = {}
    for number, text in rows:
        with suppress(InputError, ValueError):
            found[int(number)] = read_plain("meaning", text)
    return found


def read_answer(text: str) -> Answer:
    """Return the answer in its JSON text. Raises InfrastructureError if the text is damaged."""
    try:
        return Answer.model_validate_json(text)
    except ValueError:
        raise InfrastructureError("the answer that the mailbox holds is damaged") from None


def packed(data: Any) -> bytes:
    """Return plain data as JSON. Raises ValueError if it is not plain."""
    try:
        text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode()
    except UnicodeEncodeError:
        raise ValueError("should have no half characters") from None
    except TypeError:
        raise ValueError("should be plain data") from None


def _check(data: Any, depth: int) -> None:
    if not isinstance(data, dict | list | tuple):
        return
    if depth == 0:
        raise ValueError(f"should be at most {MOST_DEPTH} deep")
    if len(data) > MOST_ENTRIES:
        raise ValueError(f"should have lists of at most {MOST_ENTRIES} entries")
    for each in data.values() if isinstance(data, dict) else data:
        _check(each, depth - 1)
