"""The protocol of a worker: the assignment it gets, and the report it answers with.

A worker carries out one assignment at each timestep. Most assignments end in their timestep. An
action that the world calls long, and any action of a worker that is `asynchronous`, may still run
when the timestep ends; the worker gets no other assignment until it has reported the end.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, Self, runtime_checkable

from cookmas.episodes.failure import FailedError, boundary
from cookmas.episodes.secrets import harmless, hide_known, secrets_of
from cookmas.files.errors import CookMASError, InfrastructureError, LeaseLostError, StorageError
from cookmas.files.lines import one_line, replace_lone_surrogates, shorten
from cookmas.files.plain import pack_to_store

_log = logging.getLogger(__name__)

MOST_ACTION = 1000
"""Maximum length of a reported action or reason, in characters; a longer reason is cut."""

MOST_RESULT = 20_000
"""Maximum length of the result of a report as JSON, in characters."""

MOST_REPORT = 256 * 2**10
"""Maximum size of a whole report, before it is read; it holds each result, however it is written.
"""


TRACEPARENT = "traceparent"
"""The header of HTTP, and the field of an assignment, with the span of the action."""


class AwayError(CookMASError):
    """A worker does not answer. The message names the worker and the reason."""


class Assigned(str):
    """The action that a worker is to carry out, as text, and the facts about this assignment.

    `id` is the key of the assignment: no other assignment of any episode has it, and an assignment
    that is repeated after a crash has the same one. A device that remembers the ids of what it has
    done therefore does nothing twice.
    """

    __slots__ = ("episode", "id", "outlasts", "payload", "since", "timesteps", "traceparent")

    id: str
    """Key of the assignment: the episode, the timestep and the worker."""
    episode: str
    """Name of the episode; no two episodes have the same."""
    since: int
    """Timestep at which the assignment was given."""
    timesteps: int
    """Expected duration in timesteps, by the world's rules; above 1 the action is long."""
    outlasts: bool
    """True if the action may still run when its timestep ends."""
    payload: Any
    """The data that the world sends with it (`World.payload`); None if there are none."""
    traceparent: str
    """The span of the action, as W3C Trace Context writes it; empty if no spans are made."""

    def __new__(
        cls,
        action: str,
        worker: str = "",
        since: int = 0,
        episode: str = "",
        timesteps: int = 1,
        *,
        outlasts: bool = False,
        payload: Any = None,
        traceparent: str = "",
    ) -> Self:
        """Return the assignment of an action to a worker."""
        made = super().__new__(cls, action)
        made.id = f"{episode}/{since}/{worker}"
        made.episode, made.since, made.timesteps = episode, since, timesteps
        made.outlasts = outlasts or timesteps > 1
        made.payload = payload
        made.traceparent = traceparent
        return made

    @classmethod
    def of_data(cls, data: Mapping[str, Any], worker: str) -> Self:
        """Return the assignment of a worker that plain data describe, as `data` returns them."""
        facts = (data["since"], data["episode"], data["timesteps"])
        return cls(
            data["action"],
            worker,
            *facts,
            outlasts=data["outlasts"],
            payload=data.get("payload"),
            traceparent=data.get(TRACEPARENT, ""),
        )

    def data(self) -> dict[str, Any]:
        """Return the assignment as plain data, without its worker."""
        return {
            "action": str(self),
            "since": self.since,
            "episode": self.episode,
            "timesteps": self.timesteps,
            "outlasts": self.outlasts,
            **({} if self.payload is None else {"payload": self.payload}),
            **({TRACEPARENT: self.traceparent} if self.traceparent else {}),
        }


Status = Literal["done", "failed", "running"]
"""What a worker says of its assignment. `running`: ask again at the next timestep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The answer of a worker to an assignment."""

    status: Status
    """Whether the assignment is done, has failed, or is still carried out."""
    action: str | None = None
    """The action that was carried out; None if it is the assigned one."""
    why: str = ""
    """The reason for a failure, in words; the planner is told."""
    result: Any = None
    """The result as plain JSON, such as a measured value; the world may use it."""

    @classmethod
    def done(cls, action: str | None = None, result: Any = None) -> Self:
        """Return the report that an action was carried out, by default the assigned one."""
        return cls(status="done", action=action, result=result)

    @classmethod
    def failed(cls, why: str, result: Any = None) -> Self:
        """Return the report that the assignment was not carried out, and why."""
        kept = shorten(replace_lone_surrogates(why), MOST_ACTION)
        return cls(status="failed", why=kept, result=result)

    @classmethod
    def running(cls) -> Self:
        """Return the report that the assignment is still carried out."""
        return cls(status="running")

    @classmethod
    def of(cls, answer: object) -> Self:
        """Return the report in the answer of a worker: a report, or the text of its action.

        Raise ValueError if the answer is neither, or a part of it is invalid or too long.
        """
        if isinstance(answer, str):
            answer = cls(status="done", action=answer)
        if not isinstance(answer, Report):
            raise ValueError(f"expected a Report or the text of an action, not {answer!r:.60}")
        return cls.of_data(answer.data())

    @classmethod
    def of_data(cls, data: object) -> Self:
        """Return the report that plain data describe, as `data` returns them.

        Raise ValueError, in one line, if they describe none, or a part is too long or cannot be
        stored. A question mark replaces each lone surrogate.
        """
        if not isinstance(data, Mapping) or data.get("status") not in ("done", "failed", "running"):
            raise ValueError(f"expected a report with a status, not {data!r:.60}")
        action, why, result = data.get("action"), data.get("why", ""), data.get("result")
        if action is not None and (not isinstance(action, str) or len(action) > MOST_ACTION):
            raise ValueError(f"action: expected text of at most {MOST_ACTION} characters")
        if not isinstance(why, str):
            raise ValueError("why: expected text")
        try:
            written = pack_to_store(result, "replace").decode()
        except ValueError as error:
            raise ValueError(f"result: {error}") from None
        if len(written) > MOST_RESULT:
            raise ValueError(f"result: expected at most {MOST_RESULT} characters of JSON")
        return cls(
            status=data["status"],
            action=None if action is None else replace_lone_surrogates(action),
            why=shorten(replace_lone_surrogates(why), MOST_ACTION),
            result=json.loads(written),
        )

    def without_secrets(self) -> Self:
        """Return the report without the secrets of this process, such as the device's token."""
        secrets = secrets_of(os.environ)
        return replace(
            self,
            action=harmless(self.action, secrets),
            why=harmless(self.why, secrets),
            result=harmless(self.result, secrets),
        )

    def data(self) -> dict[str, Any]:
        """Return the report as plain data, without what it leaves out."""
        parts = {"action": self.action, "why": self.why or None, "result": self.result}
        return {
            "status": self.status,
            **{name: part for name, part in parts.items() if part is not None},
        }


class Worker(Protocol):
    """A worker, which carries out one assignment at each timestep.

    A class attribute `asynchronous = True` declares that nobody waits for the worker: each of its
    actions may still run when a timestep ends, and counts in the timestep in which it ends.
    A worker elsewhere may have a method `stop`, which takes an assignment that lasts too long
    (`World.longest`), tells it to stop, and returns when it has answered.
    """

    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report | str:
        """Carry out an assignment at `timestep`, and report on it; plain text is a done action.

        If the action is long or the worker asynchronous, this method may take as long as it needs.
        It is cancelled if the planner cancels the action. It may also return `Report.running()`;
        then it is called again with the same assignment at the next timestep. After a restart it
        is called again with the same assignment.

        If this method raises AwayError, the worker is unavailable until it answers again, and the
        orchestrator plans without it. An InfrastructureError, as of the way to the worker, means
        the same, but a StorageError stops the episode. If this method raises any other error or
        takes too long, there is no action, which is a FAIL with the error as its reason.
        """
        ...


async def call_worker(worker: Worker, timestep: int, name: str, assignment: Assigned) -> Report:
    """Call a worker and return its report; a failed one with the reason if it raises an error.

    The report has no secret of this process. Raise AwayError if the worker is away or the way to it
    is cut: neither says what has become of its work. Raise StorageError if this machine cannot
    write: then the episode stops, as after any other file of it that fails.
    """
    act = worker.act
    try:
        with boundary(act, allowed=(AwayError, InfrastructureError)):
            return Report.of(await act(timestep, name, assignment)).without_secrets()
    except FailedError as error:
        why = hide_known(str(error))
        _log.warning("%s gave no action at timestep %d: %s", name, timestep, why)
        return Report.failed(why)
    except (LeaseLostError, StorageError):
        raise
    except (AwayError, InfrastructureError) as error:
        raise AwayError(hide_known(one_line(error))) from None


@runtime_checkable
class Returning(Protocol):
    """A worker that can be unavailable, and for whose return the orchestrator can wait."""

    async def wait_until_back(self) -> None:
        """Wait until the worker answers again."""
        ...


class ScriptedWorker:
    """A worker that carries out its assignment exactly, a long one in its expected duration."""

    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
        runs = assignment.timesteps > 1 and timestep < assignment.since + assignment.timesteps
        return Report.running() if runs else Report.done()
