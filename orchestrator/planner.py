"""The protocol of a planner, which takes an observation and returns a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar

from pydantic import ConfigDict, SkipValidation

from cookmas.episodes.base import World, overrides
from cookmas.episodes.conversation import NOTHING_SPENT, Spent
from cookmas.episodes.engine import EXHAUSTED as EXHAUSTED
from cookmas.episodes.instruction import INSTRUCTION
from cookmas.episodes.parts import SearchRecord
from cookmas.episodes.trace import ModelCall, PlannerClass, Termination
from cookmas.episodes.world import Command, Commands, Outcome, Trigger
from cookmas.files.errors import CookMASError, MissingError
from cookmas.orchestrator.library import Fetch
from cookmas.orchestrator.models.message import CallMeasurements
from cookmas.orchestrator.thinking import ThinkingPrice

State = TypeVar("State")


Entry = Mapping[str, str] | Commands
"""The actions of one timestep: a mapping of workers to actions, or a list of commands.

The order of the actions matters in both.
"""


async def _no_library(key: str) -> str:
    raise MissingError(f"there is no library in which {key!r} could be looked up")


class TeamMessage(NamedTuple):
    """A message of an agent to the other agents."""

    agent: str
    """The sender."""
    text: str
    """The message."""
    timestep: int = 0
    """Timestep at which it was sent."""


class WorkerReport(NamedTuple):
    """A worker's report of which the planner has not been told: a result, or the end of an action
    that lasted.
    """

    worker: str
    """Name of the worker."""
    action: str
    """The action."""
    timestep: int
    """Timestep at which the orchestrator took the report."""
    status: Literal["done", "failed"]
    """How the action ended."""
    why: str = ""
    """The reason for a failure; untrusted text."""
    result: Any = None
    """The result as plain data; of a very long one a part of its text. It is untrusted."""
    since: int | None = None
    """Timestep at which the action was assigned, if it lasted longer than a timestep."""
    cancelled: int | None = None
    """Timestep at which it was cancelled, if it was."""


class RunningWork(NamedTuple):
    """An action that a worker is still at."""

    action: str
    """The action."""
    since: int
    """Timestep at which it was assigned."""
    expected: int | None = None
    """Timestep at which it should be done by the world's rules; None if they do not say."""
    latest: int | None = None
    """Timestep at which it is stopped if it still runs; None if the world sets no limit."""


class Instruction(NamedTuple):
    """An instruction of the supervisor."""

    timestep: int
    """Timestep at which it was given."""
    words: str
    """The instruction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation(Generic[State]):
    """Everything that a planner may know when it is called.

    In a team the planner is the agent of one worker, and sees only what this worker may know.
    """

    timestep: int
    """The present timestep."""
    triggers: tuple[Trigger, ...]
    """Why the planner is called."""
    world: World
    """The world with its rules."""
    state: State
    """The state of the world, without what the planner may not know."""
    texts: Mapping[str, str]
    """The texts that were looked up in the episode, by key; for an agent those it needs now."""
    fails: Mapping[str, tuple[str, Outcome]]
    """The FAILs of the previous timestep, and of long actions that have failed since: for each
    worker its action and the outcome.

    An agent of a team gets the FAILs since its last call of which it is told.
    """
    reports: tuple[WorkerReport, ...] = ()
    """The last reports of workers since the call before, oldest first; an agent gets its own."""
    underway: tuple[tuple[Command, ...], ...] = ()
    """The rest of the active schedule, from this timestep on, which the answer replaces.

    An agent of a team sees only its own part.
    """
    away: Mapping[str, str] = field(default_factory=dict)
    """Unavailable workers, each with the reason; those that are busy are among them."""
    running: Mapping[str, RunningWork] = field(default_factory=dict)
    """The actions that still run, by worker.

    As long as something runs, an empty schedule is an answer: the planner is called again when it
    ends, or for another reason, but not because there is no schedule.
    """
    spent: Spent = NOTHING_SPENT
    """Model calls of the episode so far, and their tokens."""
    spent_by: Mapping[str, Spent] = field(default_factory=dict)
    """In a team, the model calls of each agent so far, and their tokens."""
    memory: Mapping[str, Any] = field(default_factory=dict)
    """The data that an earlier answer of the planner stored in `Plan.memory`."""
    look_up: Fetch = _no_library
    """A function that looks up one more text by its key; the trace records the text.

    It raises MissingError if there is no such text.
    """
    agent: str | None = None
    """In a team, the worker that plans for itself; None for a central planner."""
    talk: tuple[TeamMessage, ...] = ()
    """In a team, the messages of this timestep."""
    instructions: tuple[Instruction, ...] = ()
    """The last instructions of the supervisor, oldest first; they are untrusted text."""
    last: int | None = None
    """The last timestep, if the scenario states it.

    It is None if CookMAS has computed the horizon from future orders: the last timestep would
    reveal them.
    """
    movers: tuple[str, ...] = ()
    """The workers that may move now."""
    alike: bool = False
    """In a team, whether the same planner has all seats, so that all are told the same."""
    did: tuple[Command, ...] = ()
    """The visible commands of the previous timestep."""
    heard: tuple[TeamMessage, ...] = ()
    """In a team, the last messages of earlier timesteps, oldest first."""
    rounds: int = 0
    """In a team, the turns that each agent may take at a timestep.

    With 0 each agent takes one turn and cannot send messages.
    """
    decided: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """In a team, the actions from this timestep on that other agents have decided on already, or
    have left of an earlier plan.

    It is empty if the world does not disclose such decisions.
    """
    price: ThinkingPrice | None = None
    """The price of thinking; None if the answer takes effect at once."""
    effect: int | None = None
    """With a price, the timestep at which the answer is expected to take effect.

    Until then the schedule `underway` goes on. A price in timesteps says when. Otherwise it is an
    estimate (`ThinkingPrice.expect`).
    """

    @property
    def planned(self) -> tuple[str, ...]:
        """The workers that the planner plans for: in a team the agent alone, else all."""
        return tuple(self.world.workers) if self.agent is None else (self.agent,)

    @property
    def awaits(self) -> bool:
        """True if work of a worker that is planned for goes on, for whose end a planner may wait.

        A central planner may wait for any worker.
        """
        return any(worker in self.running for worker in self.planned)

    @property
    def tells_price(self) -> bool:
        """True if the answers of models take effect later, of which a prompt tells."""
        return self.price is not None and self.price.for_models

    @property
    def unread(self) -> tuple[str, ...]:
        """The remark that a planner which reads no instructions adds to its reasoning.

        The result is a tuple of one text; it is empty if no new instruction has been given.
        """
        given = any(trigger.kind == INSTRUCTION for trigger in self.triggers)
        return ("the supervisor's instruction is not read by this planner",) if given else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerAnswer:
    """The fields that the answer of a planner and the turn of an agent have in common."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    reasoning: str = ""
    """The explanation of the planner or agent, which other agents do not see."""
    understood: Mapping[str, Sequence[str]] | None = None
    """How the texts were interpreted: by request, in the world's notation.

    None if the planner does not report it. Of a turn, the trace records it only with `actions`.
    """
    doubts: Sequence[str] = ()
    """What was not understood in the texts, one sentence each, recorded as `understood` is."""
    calls: Sequence[ModelCall] = ()
    """The model calls for this answer, in order."""
    measured: Sequence[CallMeasurements] = ()
    """The measurements of these calls, in order; the trace does not record them."""
    memory: Mapping[str, Any] | None = None
    """Plain data of bounded size for the next observation; None keeps the earlier data."""
    seconds: float = 0.0
    """The seconds of thought that the planner declares, for a price of thinking in seconds."""
    queued: bool = False
    """True if the actions of each worker are a queue, in a world whose actions last.

    Otherwise an action is left out if its worker cannot move at its timestep.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(PlannerAnswer):
    """A planner's answer."""

    schedule: SkipValidation[Sequence[Entry]]
    """An entry for each timestep from the present one on; a worker without an action idles."""
    declined: Mapping[str, str] = field(default_factory=dict)
    """The requests that will not be fulfilled, each with the reason."""
    gave_up: str | None = None
    """Why the planner gives up, which ends the episode; None if it does not."""
    search: SearchRecord | None = None
    """The record of the search that found the schedule; None if there was no search."""


class PlanningStoppedError(CookMASError):
    """A planner gave no answer, and the episode ends with `termination`.

    The error carries the model calls until then, and their measurements. It is `away` if the
    endpoint of the planner's model may answer later.
    """

    def __init__(
        self,
        why: str,
        termination: Termination,
        calls: Sequence[ModelCall] = (),
        measured: Sequence[CallMeasurements] = (),
        *,
        away: bool = False,
    ) -> None:
        super().__init__(why)
        self.away = away
        self.termination = termination
        self.calls = tuple(calls)
        self.measured = tuple(measured)


class Planner(Protocol):
    """A planner, which answers an observation with a plan.

    The answer should depend only on the observation, because a resumed episode may call the planner
    again. A planner with a true attribute `looks_up` gets no texts with the observation, and looks
    them up itself. If thinking takes time, a planner may have a quicker one as its attribute
    `meanwhile`, which answers all triggers until the answer of this one takes effect.
    """

    @property
    def name(self) -> str:
        """Name under which results are reported."""
        ...

    @property
    def planner_class(self) -> PlannerClass:
        """The class of the planner, such as `embedded` or `pure`.

        Results of different classes are never mixed.
        """
        ...

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return the plan from the observed timestep on.

        Raise InfrastructureError, or PlanningStoppedError, which carries the model calls.
        """
        ...


_LISTS = (list, tuple)
_MAPPINGS = (dict, Mapping)


def commands_of(entry: Entry) -> list[Command]:
    """Return the commands of a well-formed entry, in order."""
    pairs = entry.items() if isinstance(entry, _MAPPINGS) else entry
    return list(map(Command._make, pairs))


def actions_of_worker(schedule: Any, worker: str, idle: str) -> list[str]:
    """Return a worker's actions in a schedule, one for each timestep.

    An action is `idle` where the schedule has no action for the worker, or one that is not text.
    """
    if isinstance(schedule, str) or not isinstance(schedule, Sequence):
        return []
    own = (dict(pairs if whole else ()).get(worker) for pairs, whole in map(_pairs, schedule))
    return [action if isinstance(action, str) else idle for action in own]


def check_plan(
    plan: Plan, world: World, timestep: int = 0
) -> tuple[list[list[Command]], str | None]:
    """Return the commands of a plan that begins at `timestep`, and why it is rejected as a whole.

    Of a plan that is rejected, these are all that can be told, of whatever workers. The reason is
    None if the plan is not rejected.
    """
    if plan.declined and not overrides(world, "decline_event"):
        return _legible(plan.schedule), f"Nothing can be declined in {world.name}."
    schedule, problems = check_schedule(plan.schedule, world, timestep)
    return (_legible(plan.schedule), problems[0]) if problems else (schedule, None)


def _legible(schedule: Any) -> list[list[Command]]:
    """Return the commands of a schedule that can be told, of whatever workers."""
    return [
        [Command(str(worker), action) for worker, action in pairs if isinstance(action, str)]
        for pairs, _ in map(_pairs, schedule if isinstance(schedule, _LISTS) else ())
    ]


def check_schedule(
    schedule: Any, world: World, timestep: int = 0
) -> tuple[list[list[Command]], list[str]]:
    """Return the readable commands of a schedule that begins at `timestep`, and all its problems.

    Both are in order; there is a list of commands for each entry.
    """
    if isinstance(schedule, str) or not isinstance(schedule, Sequence):
        return [], ["The schedule should be a list of timesteps."]
    checked: list[list[Command]] = []
    problems: list[str] = []
    for now, entry in enumerate(schedule, start=timestep):
        commands, wrong = _check(entry, world)
        checked.append(commands)
        problems += [f"Timestep {now}{problem}." for problem in wrong]
    return checked, problems


def _check(entry: Any, world: World) -> tuple[list[Command], list[str]]:
    """Return the readable commands of one timestep, and all problems of the timestep."""
    known: list[Command] = []
    problems: list[str] = []
    pairs, whole = _pairs(entry)
    if not whole:
        return known, [" of the schedule should map workers to actions"]
    workers = world.workers if isinstance(entry, _MAPPINGS) else None
    for worker, action in pairs:
        if workers is not None and worker not in workers:
            problems.append(f": there is no worker {worker!r}, only {', '.join(workers)}")
        elif not isinstance(action, str):
            problems.append(f", {worker}: an action should be text, not {action!r}")
        else:
            known.append(Command(worker, action))
    joint = world.refusal(known)
    if joint is not None:
        each = [world.refusal([command]) for command in known]
        problems += [f", {problem}" for problem in [*filter(None, each)] or [joint]]
    return known, problems


def _pairs(entry: Any) -> tuple[list[tuple[Any, Any]], bool]:
    """Return each worker with its action, and whether the entry is well-formed."""
    if isinstance(entry, _MAPPINGS):
        return list(entry.items()), True
    listed = entry if isinstance(entry, _LISTS) else ()
    pairs = [tuple(pair) for pair in listed if isinstance(pair, _LISTS) and len(pair) == 2]
    whole = isinstance(entry, _LISTS) and len(pairs) == len(entry)
    return pairs, whole and all(isinstance(worker, str) for worker, _ in pairs)
