"""Calls of planners: an observation goes to a planner, and its answer comes back.

Planners in another process (`cookmas.user_processes`) get the observation as plain data, and answer
in JSON. The answers of planners in this process go through JSON too. So an answer that a trace
cannot store causes the same error everywhere. The fields are described once, in `Observation`,
`Plan` and `Turn`.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar, get_type_hints

from pydantic import BaseModel, TypeAdapter, ValidationError

from cookmas.episodes.base import World
from cookmas.episodes.failure import boundary
from cookmas.files.errors import InfrastructureError, InputError
from cookmas.files.lines import one_line, with_article
from cookmas.orchestrator.library import Fetch
from cookmas.orchestrator.member import Member, Turn
from cookmas.orchestrator.models.budget import restore_spent
from cookmas.orchestrator.models.cassette import CassetteError
from cookmas.orchestrator.models.message import CallMeasurements
from cookmas.orchestrator.planner import (
    Observation,
    Plan,
    Planner,
    PlannerAnswer,
    PlanningStoppedError,
)

Answer = TypeVar("Answer", bound=PlannerAnswer)

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
