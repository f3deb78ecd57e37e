"""What a planner is: an observation in, a schedule out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from episodes.capabilities import Declining
from episodes.engine import EXHAUSTED as EXHAUSTED
from episodes.instruction import INSTRUCTION
from episodes.trace import ModelCall, PlannerClass, SearchRecord, Termination
from episodes.world import Command, Commands, Outcome, Trigger, World
from files.errors import CookMASError, MissingError
from orchestrator.library import Fetch
from orchestrator.models.budget import NOTHING_SPENT, Spent
from orchestrator.models.message import Measured

State = TypeVar("State")


Entry = Mapping[str, str] | Commands
"""What is done at one timestep: worker to action, or the commands; in their order either way."""


async def _no_library(key: str) -> str:
    raise MissingError(f"there is no library in which {key!r} could be looked up")


class Said(NamedTuple):
    """What a member of a team said to the others, and at which timestep."""

    agent: str
    text: str
    timestep: int = 0


class Instruction(NamedTuple):
    """What the supervisor said, and at which timestep."""

    timestep: int
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation(Generic[State]):
    """All that a planner may know when it is called.

    `triggers` say why it is called now; `state` is the state at this timestep without what it may
    not know; `texts` holds what has been looked up in the episode, by their keys;
    `fails` the actions that FAILed at the timestep before, by worker, with what came of them;
    `underway` what is left of the schedule from this timestep on, which the answer replaces; `away`
    are workers that do not answer, with what is known of each; `spent` is what the episode has
    spent on a model so far, and `spent_by` what each member of a team has. `memory` is what the
    planner's last answer in this episode asked to be kept; `look_up` gets one more text by its key,
    which is recorded, and raises MissingError if there is none. `instructions` are the last words
    of the supervisor, oldest first: wishes about the work, from outside and not to be trusted.
    `last` is the last timestep where the scenario itself says it; one that is reckoned from what
    will be ordered is not told. `movers` are the workers whose move it is, and `did` is what was
    done at the timestep before, as far as it is visible.

    In a team `agent` is the worker that plans for itself, `state` what this worker may know,
    `underway` its own part of the schedule, `talk` what has been said at this timestep, and `heard`
    what was said earlier in the episode, oldest first. `rounds` is how many turns each agent may
    have at a timestep; with 0 each has one, and nobody is told anything. `decided` are the actions
    from this timestep on that others have decided on at it or have left, where the world discloses
    them.
    """

    timestep: int
    triggers: tuple[Trigger, ...]
    world: World[State]
    state: State
    texts: Mapping[str, str]
    fails: Mapping[str, tuple[str, Outcome]]
    underway: Sequence[Commands] = ()
    away: Mapping[str, str] = field(default_factory=dict)
    spent: Spent = NOTHING_SPENT
    spent_by: Mapping[str, Spent] = field(default_factory=dict)
    memory: Mapping[str, Any] = field(default_factory=dict)
    look_up: Fetch = _no_library
    agent: str | None = None
    talk: tuple[Said, ...] = ()
    instructions: tuple[Instruction, ...] = ()
    last: int | None = None
    movers: tuple[str, ...] = ()
    did: Commands = ()
    heard: tuple[Said, ...] = ()
    rounds: int = 0
    decided: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def planned(self) -> tuple[str, ...]:
        """The workers that are planned for: the agent alone in a team, else all."""
        return tuple(self.world.workers) if self.agent is None else (self.agent,)

    @property
    def unread(self) -> tuple[str, ...]:
        """The remark of a planner that reads no instructions, if one has been given now."""
        given = any(trigger.kind == INSTRUCTION for trigger in self.triggers)
        return ("the supervisor's instruction is not read by this planner",) if given else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A planner's answer.

    `schedule` has an entry for each timestep from the present one on; a worker that is left out of
    it is idle. `understood` is what was taken from the texts for each thing asked for, in the
    world's notation, where the planner can say; `doubts` is what it did not understand of them;
    `declined` says of what is asked for and will not be done why, by name; `gave_up` says why there
    will be no schedule, and ends the episode; `search` is the result of the search that made the
    schedule, where a search did. `calls` are the calls of a model that were made for
    it, in order, and `measured` what each took, which is kept out of the trace. `memory` is plain
    data of bounded size that the next observation of the episode brings back; None keeps what was
    there.
    """

    schedule: Sequence[Entry]
    reasoning: str = ""
    understood: Mapping[str, Sequence[str]] | None = None
    doubts: Sequence[str] = ()
    declined: Mapping[str, str] = field(default_factory=dict)
    gave_up: str | None = None
    search: SearchRecord | None = None
    calls: Sequence[ModelCall] = ()
    measured: Sequence[Measured] = ()
    memory: Mapping[str, Any] | None = None


class PlanningStoppedError(CookMASError):
    """There is no answer, and the episode ends as `termination` says.

    It carries the calls of a model that were made until then, and what each took.
    """

    def __init__(
        self,
        why: str,
        termination: Termination,
        calls: Sequence[ModelCall] = (),
        measured: Sequence[Measured] = (),
    ) -> None:
        super().__init__(why)
        self.termination = termination
        self.calls = tuple(calls)
        self.measured = tuple(measured)


class Planner(Protocol):
    """Answers an observation with a schedule.

    The answer should depend on nothing but the observation: a resumed episode asks again. One that
    has a true attribute `looks_up` gets no texts with the observation, and looks them up itself.
    """

    @property
    def name(self) -> str:
        """The name under which results are reported."""
        ...

    @property
    def planner_class(self) -> PlannerClass:
        """What helps the planner; results of different classes are never mixed."""
        ...

    async def plan(self, observation: Observation[Any]) -> Plan:
        """The schedule from the observed timestep on.

        Raises InfrastructureError, or PlanningStoppedError where a model has been called before.
        """
        ...


def commands_of(entry: Entry) -> list[Command]:
    """The commands of a well-formed entry, in order."""
    pairs = entry.items() if isinstance(entry, Mapping) else entry
    return [Command(*pair) for pair in pairs]


def own_actions(schedule: Any, worker: str, idle: str) -> list[str]:
    """Return a worker's actions in a schedule, an idle one where it has none or none as text."""
    if isinstance(schedule, str) or not isinstance(schedule, Sequence):
        return []
    own = (dict(_pairs(entry) or ()).get(worker) for entry in schedule)
    return [action if isinstance(action, str) else idle for action in own]


def malformed(plan: Plan, world: World[Any], timestep: int = 0) -> str | None:
    """Why a schedule that begins at `timestep` is refused whole; None if it is well-formed."""
    if plan.declined and not isinstance(world, Declining):
        return f"Nothing can be declined in {world.name}."
    return next(problems_with(plan.schedule, world, timestep), None)


def problems_with(schedule: Any, world: World[Any], timestep: int = 0) -> Iterator[str]:
    """All that a schedule that begins at `timestep` could be refused for, in order."""
    if isinstance(schedule, str) or not isinstance(schedule, Sequence):
        yield "The schedule should be a list of timesteps."
        return
    for now, entry in enumerate(schedule, start=timestep):
        pairs = _pairs(entry)
        if pairs is None:
            yield f"Timestep {now} of the schedule should map workers to actions."
            continue
        yield from (f"Timestep {now}{each}." for each in _problems(entry, pairs, world))


def _problems(entry: Any, pairs: Sequence[tuple[Any, Any]], world: World[Any]) -> Iterator[str]:
    """What is wrong with the commands of one timestep."""
    known: list[Command] = []
    for worker, action in pairs:
        if isinstance(entry, Mapping) and worker not in world.workers:
            yield f": there is no worker {worker!r}, only {', '.join(world.workers)}"
        elif not isinstance(action, str):
            yield f", {worker}: an action should be text, not {action!r}"
        else:
            known.append(Command(worker, action))
    joint = world.refusal(known)
    if joint is not None:
        each = [world.refusal([command]) for command in known]
        yield from (f", {problem}" for problem in [*filter(None, each)] or [joint])


def _pairs(entry: Any) -> list[tuple[Any, Any]] | None:
    """Worker and action of each command; None if that is not what the entry holds."""
    if isinstance(entry, Mapping):
        return list(entry.items())
    if not isinstance(entry, list | tuple):
        return None
    pairs = [tuple(pair) for pair in entry if isinstance(pair, list | tuple) and len(pair) == 2]
    named = all(isinstance(pair[0], str) for pair in pairs)
    return pairs if named and len(pairs) == len(entry) else None
