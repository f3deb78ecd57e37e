"""The state of the graph: what of an episode is checkpointed, as plain data of bounded size."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NotRequired, final

from typing_extensions import TypedDict

from episodes.engine import Fails
from episodes.world import Outcome, Trigger


class Acts(TypedDict, total=False):
    """What is done at a timestep, by place in the order of commands.

    Of each worker: its name; the action, None where it gave none; and why it is away, if it is. Of
    one that is away the action is what it was assigned.
    """

    timestep: int
    by: dict[str, tuple[str, str | None, str | None]]


def merge_acts(old: Acts, new: Acts) -> Acts:
    """Put the workers' results of one timestep together; those of another are dropped."""
    if not old or not new or old["timestep"] != new["timestep"]:
        return new or old
    return {"timestep": new["timestep"], "by": {**old["by"], **new["by"]}}


class Opened(TypedDict, total=False):
    """The part of the state that says what follows an opened timestep."""

    timestep: int
    commands: list[list[str]]
    apart: list[str]
    legal: dict[str, list[str]]
    triggers: list[dict[str, Any]]
    asked: list[str]
    asleep: bool
    ended: str | None


class State(Opened, total=False):
    """What is checkpointed: plain data of bounded size.

    `world` is the world's dump, `schedule` the active schedules by reference, `commands` who is to
    do what now, or has just done it, `apart` the workers that are asked each by itself, since they
    are not scripted, `legal` what those could do whom people play, `fails` what FAILed at the
    timestep before, `away` the unavailable workers with why, `fresh` the keys of texts that an open
    episode must look up anew since something came in, `cursor` the number of the last message taken
    from the mailbox, `records` how many records the trace has, `stalled` the planner's calls in a
    row without progress, `seen` digests of what had been made at its last calls, `memory` the
    number in the trace of what each agent asked to be kept, `instructions` the last words of the
    supervisor with their timesteps, `talk` what a team has said and decided at this timestep,
    `said` the numbers in the trace of what was said last, `asked` who of a team is asked at this
    timestep, `untold` what those of a team who have not been asked since are still to be told,
    `asleep` whether nothing is done until somebody sends something, `forked` whether a fork begins
    here, in whose parent's lines the superstep is that opens this timestep, `ended` the
    termination.
    """

    world: dict[str, Any]
    schedule: ActiveSchedules
    acts: Annotated[Acts, merge_acts]
    untold: dict[str, dict[str, Any]]
    fails: dict[str, dict[str, Any]]
    away: dict[str, str]
    fresh: list[str]
    cursor: int
    records: int
    stalled: int
    seen: list[str]
    memory: dict[str, int]
    instructions: list[list[Any]]
    talk: dict[str, Any]
    said: list[int]
    forked: bool


class ActiveSchedule(TypedDict):
    """The active schedule of one who plans, by reference: it is never in a checkpoint itself.

    `plan` is the number of the answer in the trace; its first entry is for timestep `begin`, and
    from timestep `end` on it has none.
    """

    plan: int
    begin: int
    end: int


ActiveSchedules = dict[str, ActiveSchedule]
"""The active schedules, by who plans: in a team by its agents."""

THE_PLANNER = ""
"""The name under which the state has the schedule and the memory of a central planner."""


@final
class Together(TypedDict):
    """What scripted workers are sent: of each its place, its name and its action."""

    timestep: int
    together: list[list[str]]


@final
class Assignment(TypedDict):
    """What any other worker is sent; `place` is that of the command in the order of the timestep.

    `legal` is what the worker could do, if a person plays it.
    """

    timestep: int
    place: str
    worker: str
    action: str
    legal: NotRequired[list[str]]


def must_plan(state: Mapping[str, Any]) -> bool:
    """Return whether who plans is asked next: there is a trigger, or agents that need none."""
    return bool(state["triggers"] or state.get("asked"))


def trigger_data(trigger: Trigger) -> dict[str, Any]:
    """Return a trigger as the state holds it."""
    data: dict[str, Any] = {"kind": trigger.kind, "cause": trigger.cause}
    return data if trigger.to is None else {**data, "to": list(trigger.to)}


def trigger_of(data: Mapping[str, Any]) -> Trigger:
    """Return the trigger that the state holds."""
    to = data.get("to")
    return Trigger(kind=data["kind"], cause=data["cause"], to=None if to is None else tuple(to))


def fails_data(fails: Fails) -> dict[str, dict[str, Any]]:
    """Return FAILs as the state holds them."""
    return {
        worker: {
            "action": action,
            "fail": str(outcome.fail),
            "why": outcome.why,
            **({"witnesses": list(outcome.witnesses)} if outcome.witnesses else {}),
        }
        for worker, (action, outcome) in fails.items()
    }


def fails_of(data: Mapping[str, Mapping[str, Any]]) -> dict[str, tuple[str, Outcome]]:
    """Return the FAILs that the state holds."""
    return {
        worker: (
            fail["action"],
            Outcome(fail["fail"], fail["why"], tuple(fail.get("witnesses", ()))),
        )
        for worker, fail in data.items()
    }


def references(state: State) -> list[int]:
    """Return the numbers of the records to which a state refers.

    These are plans, memories and messages.
    """
    plans = [part["plan"] for part in state.get("schedule", {}).values()]
    decided = [number for number, _ in state.get("talk", {}).get("decided", {}).values()]
    return [*plans, *decided, *state.get("memory", {}).values(), *state.get("said", ())]


FIRST_STATE = State(
    timestep=0,
    schedule={},
    commands=[],
    acts={},
    triggers=[],
    fails={},
    away={},
    fresh=[],
    cursor=0,
    stalled=0,
    seen=[],
    memory={},
    instructions=[],
    talk={},
    said=[],
    asked=[],
    untold={},
    asleep=False,
    forked=False,
    ended=None,
)
"""The state with which an episode begins, but for its world and its records."""
