"""Observations and answers as plain data and back, for planners in another process.

Answers of planners in the same process are converted too. So an answer that a trace cannot store
causes the same error everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from cookmas.episodes.conversation import Usage
from cookmas.episodes.parts import SearchRecord
from cookmas.episodes.trace import ModelCall
from cookmas.episodes.world import AnyWorld, Command, Outcome, Trigger
from cookmas.files.lines import one_line, with_article
from cookmas.orchestrator.library import Fetch
from cookmas.orchestrator.member import Turn
from cookmas.orchestrator.models.budget import Spent
from cookmas.orchestrator.models.message import CallMeasurements
from cookmas.orchestrator.planner import Instruction, Observation, Plan, TeamMessage


def observation_data(observation: Observation[Any]) -> dict[str, Any]:
    """Return an observation as plain data, without the world, which both processes have."""
    return {
        "timestep": observation.timestep,
        "triggers": [[each.kind, each.cause, each.to] for each in observation.triggers],
        "state": observation.world.dump(observation.state),
        "texts": dict(observation.texts),
        "fails": {name: [act, *outcome] for name, (act, outcome) in observation.fails.items()},
        "underway": observation.underway,
        "away": dict(observation.away),
        "spent": _data_of_spent(observation.spent),
        "spent_by": {name: _data_of_spent(spent) for name, spent in observation.spent_by.items()},
        "memory": dict(observation.memory),
        "agent": observation.agent,
        "talk": observation.talk,
        "instructions": observation.instructions,
        "last": observation.last,
        "movers": observation.movers,
        "did": observation.did,
        "heard": observation.heard,
        "rounds": observation.rounds,
        "decided": dict(observation.decided),
    }


def observation_of(
    data: Mapping[str, Any], world: AnyWorld[Any], look_up: Fetch
) -> Observation[Any]:
    """Return the observation from plain data."""
    return Observation(
        timestep=data["timestep"],
        triggers=tuple(
            Trigger(kind=kind, cause=cause, to=None if to is None else tuple(to))
            for kind, cause, to in data["triggers"]
        ),
        world=world,
        state=world.load(data["state"]),
        texts=data["texts"],
        fails={
            name: (action, Outcome(fail, why, tuple(witnesses)))
            for name, (action, fail, why, witnesses) in data["fails"].items()
        },
        underway=tuple(tuple(Command(*each) for each in entry) for entry in data["underway"]),
        away=data["away"],
        spent=_read_spent(data["spent"]),
        spent_by={name: _read_spent(spent) for name, spent in data["spent_by"].items()},
        memory=data["memory"],
        look_up=look_up,
        agent=data["agent"],
        talk=tuple(TeamMessage(*each) for each in data["talk"]),
        instructions=tuple(Instruction(*each) for each in data["instructions"]),
        last=data["last"],
        movers=tuple(data["movers"]),
        did=tuple(Command(*each) for each in data["did"]),
        heard=tuple(TeamMessage(*each) for each in data["heard"]),
        rounds=data["rounds"],
        decided=data["decided"],
    )


def _data_of_spent(spent: Spent) -> dict[str, Any]:
    return {"calls": spent.calls, "usage": spent.usage.model_dump()}


def _read_spent(data: Mapping[str, Any]) -> Spent:
    return Spent(calls=data["calls"], usage=Usage(**data["usage"]))


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    reasoning: str
    calls: list[dict[str, Any]]
    measured: list[dict[str, Any]]
    memory: dict[str, Any] | None
    understood: dict[str, list[str]] | None
    doubts: list[str]


class _PlanAnswer(_Answer):
    schedule: Any
    declined: dict[str, str]
    gave_up: str | None
    search: SearchRecord | None = None


class _TurnAnswer(_Answer):
    say: str
    actions: list[str] | None


_Form = TypeVar("_Form", bound=_Answer)


def plan_data(plan: object) -> dict[str, Any]:
    """Return a planner's answer as plain data; `plan_of` checks their form.

    Raise TypeError or ValueError if JSON cannot express the answer.
    """
    if not isinstance(plan, Plan):
        raise TypeError(f"plan answers {_kind(plan)}; expected a Plan")
    return _as_json(
        {
            "schedule": plan.schedule,
            "declined": plan.declined,
            "gave_up": plan.gave_up,
            "search": plan.search and plan.search.model_dump(exclude_none=True),
            **_common(plan),
        }
    )


def plan_of(data: Mapping[str, Any]) -> Plan:
    """Return the planner's answer from plain data. Raise ValueError if the data are invalid."""
    answer = _check(data, _PlanAnswer)
    return Plan(
        schedule=answer.schedule,
        declined=answer.declined,
        gave_up=answer.gave_up,
        search=answer.search,
        **_common_arguments(answer),
    )


def turn_data(turn: object) -> dict[str, Any]:
    """Return an agent's turn as plain data; `turn_of` checks their form.

    Raise TypeError or ValueError if JSON cannot express the turn.
    """
    if not isinstance(turn, Turn):
        raise TypeError(f"turn answers {_kind(turn)}; expected a Turn")
    return _as_json({"say": turn.say, "actions": turn.actions, **_common(turn)})


def turn_of(data: Mapping[str, Any]) -> Turn:
    """Return the agent's turn from plain data. Raise ValueError if the data are invalid."""
    answer = _check(data, _TurnAnswer)
    return Turn(say=answer.say, actions=answer.actions, **_common_arguments(answer))


def calls_data(calls: Sequence[ModelCall], measured: Sequence[CallMeasurements]) -> dict[str, Any]:
    """Return model calls and their measurements as plain data."""
    return {
        "calls": [call.model_dump(mode="json") for call in calls],
        "measured": [asdict(each) for each in measured],
    }


def calls_of(data: Mapping[str, Any]) -> tuple[list[ModelCall], list[CallMeasurements]]:
    """Return the model calls and the measurements from plain data."""
    calls = [ModelCall.model_validate_json(json.dumps(call)) for call in data["calls"]]
    return calls, [CallMeasurements(**each) for each in data["measured"]]


def _common(answer: Plan | Turn) -> dict[str, Any]:
    return {
        "reasoning": answer.reasoning,
        "memory": answer.memory,
        "understood": answer.understood,
        "doubts": answer.doubts,
        **calls_data(answer.calls, answer.measured),
    }


def _common_arguments(answer: _Answer) -> dict[str, Any]:
    calls, measured = calls_of({"calls": answer.calls, "measured": answer.measured})
    return {
        "reasoning": answer.reasoning,
        "memory": answer.memory,
        "understood": answer.understood,
        "doubts": answer.doubts,
        "calls": calls,
        "measured": measured,
    }


def _as_json(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return an answer as JSON data. Raise TypeError or ValueError if JSON cannot express it."""
    text = json.dumps(answer, default=_sequence, allow_nan=False, ensure_ascii=False)
    text.encode()
    data: dict[str, Any] = json.loads(text)
    return data


def _sequence(value: object) -> Any:
    """Return a mapping as a dict and a sequence as a list. Raise TypeError for any other value."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    raise TypeError(f"an answer is plain data; {_kind(value)} is not")


def _check(data: Mapping[str, Any], form: type[_Form]) -> _Form:
    try:
        return form.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"{field} of the answer: {one_line(first['msg'])}") from None


def _kind(value: object) -> str:
    return "None" if value is None else with_article(type(value).__name__)
