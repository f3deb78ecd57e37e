"""The mailbox protocol: the only channel through which events reach an episode.

An episode takes its events from a `Mailbox`. The mailbox of an open episode (`OpenMailbox`)
receives messages while the episode runs. Senders, mostly in other processes, use a `Letterbox`. A
message passes three stages:
- `post` returns when the message is stored; from then on it is not lost;
- `open` takes the message: it becomes a letter, with a permanent number and timestep;
- `settle` answers the sender, after a checkpoint that contains the letter has become durable.

A message, an `Envelope`, is from an untrusted sender. It has plain data of limited size, and
nothing in it is executed. Its event is normalised: written as JSON and read again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NamedTuple, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from cookmas.episodes.world import Json
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

MOST_LETTERS = 8
"""Maximum number of messages that one call of `open` takes.

The caller applies them before it calls `open` again, so that the room in the world is known.
"""

SENDER_PATIENCE = 10.0
"""Seconds for which a sender retries when the server does not answer."""

EPISODE_PATIENCE = 60.0
"""Seconds for which an orchestrator retries, enough to restart a server."""

LOST = "this episode is run by another process now"
CLOSED = "the episode is closed"
ENDED = "the episode has ended"
FLOODED = "too many messages of this sender wait already; send it again later"
FORGOTTEN = (
    "this message was answered before, and Redis has lost the answer; the trace of the run says "
    "whether it was taken"
)
REUSED = "this id was used for another message of this sender"
UNPROVED = "this sender name belongs to its first user, who has another token"

MOST_QUARANTINED = 1000
"""Maximum number of entries in a quarantine; then the oldest are dropped.

`count_quarantined` also counts the dropped entries.
"""


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
        _check_size(data, MOST_DEPTH)
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
    """How far the message has come.

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """An event that an episode has taken from its mailbox, with a permanent number and timestep."""

    number: int
    """Number of the letter, from 1."""
    timestep: int
    event: dict[str, Any]
    injected: bool
    """True if the event came while the episode ran, rather than from the scenario."""
    sender: str | None = None
    """Sender of the message; None if the event is from the scenario or was injected in Python."""
    waited: float | None = field(default=None, compare=False)
    """Seconds from the storing of the message to the call of `open`; None if they are unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """The world's decision on a letter."""

    number: int
    about: str | None = None
    """Name of the event's subject, such as its order."""
    refused: str | None = None
    """Why the event was rejected; None if it was accepted."""


class Backlog(NamedTuple):
    """The messages that wait to be taken."""

    waiting: int
    oldest: float | None
    """Age of the oldest waiting message, in seconds; None if no message waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quarantined:
    """An unreadable entry of a mailbox."""

    origin: str
    reason: str
    preview: str
    """The first characters of the entry."""


May = Callable[[Json], bool]
"""A function that returns whether an event can be taken now.

If an event cannot be taken, all waiting events of its kind wait too.
"""


def allow_all(event: Json) -> bool:
    """Return True for every event."""
    return True


def kind_of(event: Json) -> str:
    """Return the kind of an event; empty if the sender gave none."""
    kind = event.get("kind")
    return kind if isinstance(kind, str) else ""


class Mailbox(Protocol):
    """The place where events wait until an episode takes them, in this process or elsewhere.

    `open` numbers the events that are due at a timestep. Numbers are permanent, so that a resumed
    episode can open the same timestep again.
    """

    async def open(self, timestep: int, after: int, may: May = allow_all) -> Sequence[Letter]:
        """Return the letters due by `timestep` with a number above `after`, in order.

        Events that are due become letters first; of the messages, only those that `may` allows. One
        call may leave letters out, so the caller repeats the call until it returns none.
        """
        ...

    async def tell_places(self) -> None:
        """Tell the sender of each waiting message, once, how many messages are taken before it."""
        ...

    async def empty(self, after: int) -> bool:
        """Return whether no event comes after letter number `after`."""
        ...

    async def due(self, after: int) -> int | None:
        """Return the timestep at which the next letter after number `after` is due.

        Return None if there is no such letter, or if a sender may post a message earlier.
        """
        ...

    async def idle(self, after: int) -> bool:
        """Return whether no event comes after letter number `after` unless a sender posts one."""
        ...

    async def wait(self, after: int) -> None:
        """Wait, without busy waiting, until the mailbox is no longer idle."""
        ...

    async def settle(self, settled: Sequence[Settled]) -> None:
        """Tell the senders the results of letters that a durable checkpoint contains.

        Settling the same letter again changes nothing.
        """
        ...

    async def end(self) -> int:
        """Refuse every message that has no answer, now and later, since the episode has ended.

        All letters that it has taken are settled before. Return how many messages were refused;
        ending again changes nothing.
        """
        ...

    def restore(self, letters: Sequence[Letter]) -> None:
        """Restore the letters that the episode took before it was resumed."""
        ...


class Letterbox(Protocol):
    """The sender's side of an open episode."""

    async def post(self, envelope: Envelope) -> Answer | None:
        """Send a message. Return its answer if there is one already, else None.

        If None is returned, the message is stored.

        Raise InfrastructureError if it is uncertain whether the message is stored. The caller may
        then send the message again with the same id: a message is taken only once.
        """
        ...

    async def answer(self, envelope: Envelope) -> Answer | None:
        """Return the answer to a message; while the message waits, an answer with its place.

        Return None if the place is not known yet, or if the message was never sent.
        """
        ...

    async def close(self) -> None:
        """Accept no more messages; the episode ends when the accepted ones are done."""
        ...

    async def status(self) -> dict[str, Any] | None:
        """Return the last published status of the episode; None if there is none."""
        ...

    async def backlog(self) -> Backlog:
        """Return the number of waiting messages, and the age of the oldest."""
        ...

    async def withdraw(self, sender: str | None = None, id: str | None = None) -> int:  # noqa: A002
        """Withdraw all waiting messages, or only those of a sender or id; return their number.

        Their senders get the answer "withdrawn". Messages that were taken cannot be withdrawn.
        """
        ...

    async def house_token(self) -> str | None:
        """Return the token of the operator (`house`); None if the caller may not read it."""
        ...

    async def quarantine(self) -> Sequence[Quarantined]:
        """Return the entries of the quarantine, newest first."""
        ...

    async def count_quarantined(self) -> int:
        """Return the number of quarantined entries since the quarantine was last emptied."""
        ...

    async def empty_quarantine(self) -> None:
        """Delete all entries of the quarantine."""
        ...

    async def leave(self) -> None:
        """Close all connections; nothing can be sent afterwards."""
        ...


class OpenMailbox(Mailbox, Protocol):
    """The mailbox of an episode that takes messages while it runs.

    Messages are taken in fair order: the sender whose last turn is the longest ago comes first.
    Messages of one sender keep their order, but a message that has to wait lets later messages of
    other kinds pass.
    """

    async def meanings(self) -> Mapping[int, dict[str, Any]]:
        """Return the meanings that senders stated for their events, by letter number."""
        ...

    async def publish(self, status: Json) -> None:
        """Publish the status of the episode."""
        ...


StoredT = TypeVar("StoredT", bound=Answer | None)


def refusal(envelope: Envelope, why: str) -> Answer:
    """Return the answer that refuses a message."""
    return Answer(id=envelope.id, status="refused", why=why)


def find_refusal(
    *,
    proved: bool,
    over: str | None = None,
    waiting: int = 0,
    most_waiting: int = MOST_WAITING,
) -> str | None:
    """Return why a mailbox refuses a message whose id is new; None if the message may wait.

    `proved` is true if the sender has the proof to which its name is bound. `over` says why the
    episode takes no messages any more. `waiting` messages of the sender wait already.
    """
    if not proved:
        return UNPROVED
    return over or (FLOODED if waiting >= most_waiting else None)


def answer_again(envelope: Envelope, stored: StoredT, *, same: bool) -> StoredT | Answer:
    """Return the answer that is `stored` under the id of a message; None if there is none yet.

    If the id was used for another event, so that the message is not the `same`, refuse it: only the
    first message with an id counts.
    """
    return stored if same else refusal(envelope, REUSED)


def waiting_answer(id: str, place: int) -> Answer:  # noqa: A002
    """Return the preliminary answer to message `id`: `place` messages are taken before it."""
    return Answer(id=id, status="waiting", place=place)


def answer_to(id: str, settled: Settled) -> Answer:  # noqa: A002
    """Return the final answer to message `id`, which follows from the decision on its letter."""
    return Answer(
        id=id,
        status="taken" if settled.refused is None else "refused",
        about=settled.about if settled.refused is None else None,
        why=settled.refused,
    )


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


def _check_size(data: Any, depth: int) -> None:
    if not isinstance(data, dict | list | tuple):
        return
    if depth == 0:
        raise ValueError(f"should be at most {MOST_DEPTH} deep")
    if len(data) > MOST_ENTRIES:
        raise ValueError(f"should have lists of at most {MOST_ENTRIES} entries")
    for each in data.values() if isinstance(data, dict) else data:
        _check_size(each, depth - 1)
