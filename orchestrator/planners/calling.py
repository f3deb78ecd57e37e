"""Calls of planners: an observation goes to a planner, and its answer comes back.

Planners in another process (`cookmas.user_processes`) get the observation as plain data, and answer
in JSON. The answers of planners in this process go through JSON too. So an answer that a trace
cannot store causes the same error everywhere. The fields are described once, in `Observation`,
`Plan` and `Turn`.

An outage is the time in which the endpoint of a planner's model is away, and an open episode waits
for it: the planner is asked again, after pauses that double, while messages are taken, and a
fallback planner plans if the episode has one. A process that resumes the episode asks the planner
at once.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from typing import Any, TypeVar, get_type_hints

from pydantic import BaseModel, TypeAdapter, ValidationError

from cookmas.episodes.base import World
from cookmas.episodes.failure import boundary
from cookmas.episodes.trace import ModelCall
from cookmas.files.errors import EndpointAwayError, InfrastructureError, InputError
from cookmas.files.lines import one_line, with_article
from cookmas.orchestrator.library import Fetch
from cookmas.orchestrator.member import Member, Turn
from cookmas.orchestrator.models.budget import restore_spent
from cookmas.orchestrator.models.cassette import CassetteError
from cookmas.orchestrator.models.message import CallMeasurements
from cookmas.orchestrator.models.patience import Reach, check_quickly
from cookmas.orchestrator.planner import (
    Observation,
    Plan,
    Planner,
    PlannerAnswer,
    PlanningStoppedError,
)

Answer = TypeVar("Answer", bound=PlannerAnswer)

_log = logging.getLogger(__name__)

ALLOWED = (InputError, InfrastructureError, CassetteError, PlanningStoppedError)
"""The errors by which a planner may say that it gives no answer."""

OUTSIDE_DATA = ("world", "state", "look_up")
"""The fields of an observation that have other values than plain data."""


async def ask_planner(planner: Planner, observation: Observation[Any]) -> Plan:
    """Return a planner's answer.

    Raise the errors that `Planner.plan` allows. For any other error raise FailedError, or
    WorldFailedError if the world that the planner used is at fault.
    """
    return await _ask(planner.plan, observation, Plan)


async def ask_member(member: Member, observation: Observation[Any]) -> Turn:
    """Return an agent's turn.

    Raise the errors that `Member.turn` allows. For any other error raise FailedError, or
    WorldFailedError if the world that the agent used is at fault.
    """
    return await _ask(member.turn, observation, Turn)


async def _ask(
    method: Callable[[Observation[Any]], Any], observation: Observation[Any], kind: type[Answer]
) -> Answer:
    written = getattr(getattr(method, "__self__", None), "called", method)
    raises = getattr(getattr(method, "__self__", None), "raises", ())
    with boundary(written, world=observation.world, allowed=(*ALLOWED, *raises)):
        answering = method(observation)
        if not inspect.isawaitable(answering):
            raise TypeError(f"{method.__name__} is not async; expected 'async def'")
        with restore_spent(observation.spent, observation.spent_by):
            return read_answer(write_answer(await answering, kind), kind)


AnswerBy = tuple[Plan, Planner]
"""An answer and the planner that gave it."""


class EndpointOutage:
    """The failures of a planner's endpoint since its last answer.

    `now` returns the seconds of a clock, and `sleep` waits some seconds.
    """

    def __init__(
        self,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.why: str | None = None
        """Why there is an outage; None if there is none."""
        self._now = now
        self._sleep = sleep
        self._reach = Reach()
        self._calls: list[ModelCall] = []
        self._measured: list[CallMeasurements] = []

    @property
    def left(self) -> float:
        """The seconds until the planner is asked again; 0 if it may be asked now."""
        return max(0.0, self._reach.probe - self._now()) if self.why is not None else 0.0

    def begin(self, error: EndpointAwayError | PlanningStoppedError) -> None:
        """Take note of a failure, after which the planner is not asked for a while.

        The calls that the endpoint had answered before are kept for the next answer.
        """
        if isinstance(error, PlanningStoppedError):
            self._calls += error.calls
            self._measured += error.measured
        self._reach.fail(self._now())
        self.why = str(error)
        _log.warning("%s; asked again in %g s", error, self._reach.pause)

    def end(self) -> None:
        """Take note of an answer of the planner."""
        self.why = None
        self._reach.recover(self._now())

    def charge(self, answer: Plan) -> Plan:
        """Return an answer with the calls before it whose dialogue a failure has ended."""
        if not self._calls:
            return answer
        calls, measured = [*self._calls, *answer.calls], [*self._measured, *answer.measured]
        self._calls, self._measured = [], []
        numbered = [call.model_copy(update={"number": n}) for n, call in enumerate(calls, start=1)]
        return replace(answer, calls=numbered, measured=measured)

    async def wait(self, news: Awaitable[None] | None = None) -> bool:
        """Wait until the planner may be asked again; return True if `news` came before."""
        waits = [asyncio.ensure_future(self._sleep(self.left))]
        if news is not None:
            waits.append(asyncio.ensure_future(news))
        try:
            done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            return waits[-1] in done and news is not None
        finally:
            for task in waits:
                task.cancel()
            await asyncio.gather(*waits, return_exceptions=True)


async def ask_patiently(
    planner: Planner,
    fallback: Planner | None,
    observation: Observation[Any],
    outage: EndpointOutage,
    news: Callable[[], Awaitable[None]] | None,
    tell: Callable[[], Awaitable[None]],
) -> AnswerBy | None:
    """Return the answer of a planner, and the planner that gave it.

    If the planner's endpoint is away, the `fallback` answers. Without one, wait and ask again;
    return None as soon as `news` come. `tell` is called after each failure.
    Raise what planners raise.
    """
    while True:
        if not outage.left:
            try:
                with check_quickly(fallback is not None):
                    answer = await ask_planner(planner, observation)
            except (EndpointAwayError, PlanningStoppedError) as error:
                if isinstance(error, PlanningStoppedError) and not error.away:
                    raise
                outage.begin(error)
                await tell()
            else:
                outage.end()
                return outage.charge(answer), planner
        if fallback is not None:
            return outage.charge(await ask_planner(fallback, observation)), fallback
        if await outage.wait(news() if news else None):
            return None


def write_answer(answer: object, kind: type[PlannerAnswer]) -> str:
    """Return an answer as JSON, without a check of its form; `read_answer` checks it.

    Raise TypeError or ValueError if it is not of this kind, or if JSON cannot express it.
    """
    if not isinstance(answer, kind):
        method, article = kind.__name__.lower(), with_article(kind.__name__)
        raise TypeError(f"{method} answers {_kind(answer)}; expected {article}")
    data = {each.name: getattr(answer, each.name) for each in fields(kind)}
    text = json.dumps(data, default=_as_json, allow_nan=False, ensure_ascii=False)
    text.encode()
    return text


def _as_json(value: object) -> Any:
    """Return a value as JSON data. Raise TypeError if it is not plain data."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, CallMeasurements):
        return {each.name: getattr(value, each.name) for each in fields(value)}
    raise TypeError(f"an answer is plain data; {_kind(value)} is not")


def read_answer(text: str, kind: type[Answer]) -> Answer:
    """Return the answer that JSON describes. Raise ValueError if it is invalid."""
    try:
        answer: Answer = _adapter_of(kind).validate_json(text, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"{field} of the answer: {one_line(first['msg'])}") from None
    return answer


def observation_data(observation: Observation[Any]) -> dict[str, Any]:
    """Return an observation as plain data, without the world, which both processes have."""
    data = {
        name: adapter.dump_python(getattr(observation, name), mode="json")
        for name, adapter in _adapters_of_observation().items()
    }
    return {**data, "state": observation.world.dump(observation.state)}


def observation_of(data: Mapping[str, Any], world: World, look_up: Fetch) -> Observation[Any]:
    """Return the observation from plain data."""
    plain: dict[str, Any] = {
        name: adapter.validate_python(data[name])
        for name, adapter in _adapters_of_observation().items()
    }
    return Observation(world=world, state=world.load(data["state"]), look_up=look_up, **plain)


_adapter_of: Callable[[type], TypeAdapter[Any]] = cache(TypeAdapter)
"""Return the reader of a type; the result is cached, because it takes milliseconds to make."""


@cache
def _adapters_of_observation() -> Mapping[str, TypeAdapter[Any]]:
    hints = get_type_hints(Observation)
    names = [each.name for each in fields(Observation) if each.name not in OUTSIDE_DATA]
    return {name: TypeAdapter(hints[name]) for name in names}


def _kind(value: object) -> str:
    return "None" if value is None else with_article(type(value).__name__)
