"""The state of the graph: the checkpointed part of an episode, as plain data of bounded size."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, NotRequired, final

from typing_extensions import TypedDict

from cookmas.episodes.world import Outcome, Trigger

WORLD, PLANNER, AGENT, WORKER, DOOR = "world", "planner", "agent", "worker", "door"
"""The names of the nodes, which are also in traces."""

ActsBy = dict[str, tuple[str, str | None, str | None]]
"""For each place in the order of commands: a worker, its action, and why it is unavailable.

The action is None if the worker gave none. An unavailable worker has the action that it was
assigned. The last entry is None if the worker is available.
"""


class Acts(TypedDict, total=False):
    """The actions of the workers at a timestep."""

    timestep: int
    """The timestep."""
    by: ActsBy
    """The actions, by their place in the order of commands."""
    reports: dict[str, dict[str, Any]]
    """The reports that say more than that the action was carried out, by worker."""


def merge_acts(old: Acts, new: Acts) -> Acts:
    """Merge the workers' results of one timestep; results of an earlier timestep are dropped."""
    if not old or not new or old["timestep"] != new["timestep"]:
        return new or old
    merged = Acts(timestep=new["timestep"], by={**old["by"], **new["by"]})
    if reports := {**old.get("reports", {}), **new.get("reports", {})}:
        merged["reports"] = reports
    return merged


def acts_of(timestep: int, commands: Iterable[Sequence[str]]) -> Acts:
    """Return the acts of workers that are all available and carry out their commands."""
    by: ActsBy = {str(n): (name, action, None) for n, (name, action) in enumerate(commands)}
    return Acts(timestep=timestep, by=by)


class Opened(TypedDict, total=False):
    """The part of the state that determines what follows after a timestep is opened."""

    timestep: int
    """The present timestep."""
    commands: list[list[str]]
    """The commands of the present timestep; before they are assigned, those of the previous one."""
    apart: list[str]
    """The workers that are asked one by one, because they are not scripted."""
    legal: dict[str, list[str]]
    """The legal actions of the workers whom people play."""
    claimed: dict[str, str]
    """The workers whose actions cannot begin because others claim the same, with the reason."""
    payloads: dict[str, Any]
    """The data that go with the assignments of the present timestep, by worker."""
    running: dict[str, RunningAction]
    """The actions that have outlasted their timestep, by worker."""
    waits: list[str]
    """The agents, or the central planner, that have answered to wait for what is under way."""
    triggers: list[dict[str, Any]]
    """The triggers of the next call of the planner."""
    asked: list[str]
    """The agents of a team that are asked at this timestep."""
    asleep: bool
    """True if the episode waits for a message."""
    behind: int | None
    """By a wall clock, the first of the timesteps that have passed, while more of them are to be
    played; missing or None otherwise.
    """
    ended: str | None
    """The termination; None until the end."""


class RunningAction(TypedDict):
    """An action that has outlasted the timestep in which it was assigned."""

    action: str
    """The action."""
    since: int
    """Timestep at which it was assigned."""
    cancelled: NotRequired[int]
    """Timestep at which it was cancelled."""
    payload: NotRequired[Any]
    """The data that went with the assignment."""


class News(TypedDict):
    """The triggers and FAILs that an agent of a team must still be told."""

    triggers: list[dict[str, Any]]
    """The triggers, oldest first."""
    fails: dict[str, dict[str, Any]]
    """The FAILs, by worker."""


class TeamTalk(TypedDict, total=False):
    """The dialogue of a team at a timestep so far; empty without a dialogue."""

    turns: dict[str, int]
    """The number of turns that each agent has taken."""
    last: str
    """The agent that had the last turn."""
    messages: list[int]
    """Numbers in the trace of the messages."""
    settled: list[int]
    """Numbers of the messages that agents which have decided need not answer."""
    heard: dict[str, int]
    """The number of messages at each agent's last turn."""
    decided: dict[str, list[int]]
    """For each agent that has decided, the number in the trace and the length of its answer."""


class State(Opened, total=False):
    """The state of the graph: checkpointed plain data of bounded size."""

    world: Any
    """The state of the world: itself within a node, its dump in a checkpoint."""
    schedule: ActiveSchedules
    """The active schedules, by reference."""
    acts: Annotated[Acts, merge_acts]
    """The actions of the present timestep so far."""
    news: list[dict[str, Any]]
    """The triggers since the last opening of a timestep, apart from those of FAILs."""
    untold: dict[str, News]
    """For each agent of a team that has waited for its move, the news that it must still be told.
    """
    fails: dict[str, dict[str, Any]]
    """The FAILs of the timestep before, by worker."""
    reports: list[dict[str, Any]]
    """The results of workers and the ends of long actions of which no planner has been told yet."""
    away: dict[str, str]
    """Unavailable workers, each with the reason."""
    fresh: list[str]
    """Keys of texts that an open episode must look up again, because an event changed them."""
    cursor: int
    """Number of the last message taken from the mailbox."""
    created: dict[str, int]
    """For each beginning of names, the number of the last thing that a message created under it."""
    records: int
    """Number of records in the trace."""
    epoch: float
    """With a wall clock, the time of day at which timestep 0 began, in seconds since 1970."""
    uptime: float
    """The same by the uptime of the machine, in seconds."""
    boot: str
    """The id of the start of the machine to which `uptime` belongs."""
    thinking: Thinking
    """The answer that has not taken effect yet; empty if there is none."""
    slowest: int | None
    """The most timesteps that an answer has taken so far; None or missing if none had a price."""
    recent: list[int]
    """By a wall clock, the timesteps that each of the last answers has taken."""
    idled: list[str]
    """By a wall clock, the workers of which the planner knows that they have nothing to do."""
    owed: dict[str, float]
    """For each agent, or the central planner, the tokens or seconds that are left over of its
    answers; missing if none had a price.
    """
    stalled: int
    """Number of calls of the planner in a row without progress."""
    seen: list[str]
    """Digests of the world's progress at the calls that `stalled` counts."""
    memory: dict[str, int]
    """For each agent, or the central planner, the number of the trace record with its memory."""
    instructions: list[list[Any]]
    """The last instructions of the supervisor, with their timesteps."""
    talk: TeamTalk
    """The dialogue of a team at this timestep."""
    said: list[int]
    """Numbers in the trace of the last messages of a team."""
    forked: bool
    """True if a fork begins here; the superstep that opens this timestep is then in the lines of
    the parent.
    """
    episode: str
    """The digest of the episode, if an app chooses the thread of its checkpoints."""


class Thinking(TypedDict, total=False):
    """An answer that takes effect later, because thinking takes time.

    By a wall clock nobody knows how long. Then there are only `begin`, `triggers` and `expected`.
    """

    begin: int
    """Timestep at which the planner was called."""
    triggers: list[dict[str, Any]]
    """The reasons of the call, for a process that has to call the planner again."""
    due: int
    """Timestep at which the answer takes effect."""
    expected: int
    """Timestep at which the answer was expected to take effect."""
    answers: dict[str, list[int]]
    """For each agent, or the central planner, the number in the trace and the length of its answer.
    """


class ActiveSchedule(TypedDict):
    """A reference to a planner's active schedule; a checkpoint never holds the schedule itself."""

    plan: int
    """Number of the answer in the trace."""
    begin: int
    """Timestep of the schedule's first entry."""
    end: int
    """First timestep without an entry."""
    begun: NotRequired[dict[str, int]]
    """The number of actions that each worker has begun, if the actions are queues."""


ActiveSchedules = dict[str, ActiveSchedule]
"""The active schedules: by agent in a team, under THE_PLANNER otherwise."""

THE_PLANNER = ""
"""The name under which the state has the schedule and the memory of a central planner."""


@final
class Together(TypedDict):
    """The assignments of all scripted workers at a timestep, sent to the node `worker` together."""

    timestep: int
    """The timestep."""
    together: list[list[str]]
    """For each worker: its place in the order of commands, its name and its action."""


@final
class Assignment(TypedDict):
    """The assignment of one worker at a timestep.

    It is sent to the node `worker` by itself, because that worker is not scripted.
    """

    timestep: int
    """The timestep."""
    place: str
    """Place of the worker's command in the order of commands."""
    worker: str
    """Name of the worker."""
    action: str
    """The assigned action."""
    legal: NotRequired[list[str]]
    """The legal actions, if a person plays the worker."""
    running: NotRequired[RunningAction]
    """The earlier action that the worker is still at."""
    payload: NotRequired[Any]
    """The data that go with the assignment."""


def must_plan(state: Mapping[str, Any]) -> bool:
    """Return whether the planner or an agent is called next."""
    return bool(state["triggers"] or state.get("asked"))


def is_behind(state: Mapping[str, Any]) -> bool:
    """Return whether more timesteps have passed that are to be played."""
    return state.get("behind") is not None


def trigger_data(trigger: Trigger) -> dict[str, Any]:
    """Return a trigger in the form in which the state holds it."""
    data: dict[str, Any] = {"kind": trigger.kind, "cause": trigger.cause}
    return data if trigger.to is None else {**data, "to": list(trigger.to)}


def trigger_of(data: Mapping[str, Any]) -> Trigger:
    """Return the trigger from the form in which the state holds it."""
    to = data.get("to")
    return Trigger(kind=data["kind"], cause=data["cause"], to=None if to is None else tuple(to))


def fails_of(data: Mapping[str, Mapping[str, Any]]) -> dict[str, tuple[str, Outcome]]:
    """Return FAILs from the form in which the state holds them."""
    return {
        worker: (
            fail["action"],
            Outcome(fail["fail"], fail["why"], tuple(fail.get("witnesses", ()))),
        )
        for worker, fail in data.items()
    }


def references(state: State) -> list[int]:
    """Return the numbers of the records (plans, memories, messages) to which a state refers."""
    plans = [part["plan"] for part in state["schedule"].values()]
    talk = state["talk"]
    answers = [talk.get("decided", {}), state["thinking"].get("answers", {})]
    decided = [number for each in answers for number, _ in each.values()]
    messages = (*state["said"], *talk.get("messages", ()))
    return [*plans, *decided, *state["memory"].values(), *messages]


FIRST_STATE = State(
    timestep=0,
    schedule={},
    commands=[],
    acts={},
    triggers=[],
    news=[],
    fails={},
    reports=[],
    running={},
    waits=[],
    thinking={},
    away={},
    fresh=[],
    cursor=0,
    created={},
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
"""The state at the beginning of an episode, without its world and its number of records."""

ANEW = State(
    **{**FIRST_STATE, "acts": Acts(timestep=-1, by={})},
    apart=[],
    legal={},
    payloads={},
    claimed={},
    epoch=0.0,
    uptime=0.0,
    boot="",
    behind=None,
    slowest=None,
    recent=[],
    idled=[],
    owed={},
)
"""The same for a thread that holds an ended episode, of which no part may stay."""
