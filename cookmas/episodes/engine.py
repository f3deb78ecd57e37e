"""The rules of one timestep. Every episode follows them, with or without a LangGraph graph.

A timestep is opened first: the engine applies its events and collects triggers. Then the decision
table `LADDER` selects how the episode continues. If the workers act, the engine carries out their
commands. All functions are pure: they map a world, its state and the input to new values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto
from heapq import merge
from types import MappingProxyType
from typing import Any, NamedTuple

from cookmas.episodes.base import CLAIMED, NO_ACTION, World, ending, movers, overrides
from cookmas.episodes.parts import OutcomeRecord
from cookmas.episodes.reports import Reports
from cookmas.episodes.trace import StepRecord, Termination
from cookmas.episodes.world import DONE, Command, Commands, Ending, Outcome, Trigger, digest

FAILURE = "failure"
"""Kind of the trigger that reports a FAILed action."""

EXHAUSTED = "exhausted"
"""Kind of the trigger that reports that the schedule has run out."""

LAPS = 16
"""Longest cycle of states that is detected, in planner calls."""

Fails = Mapping[str, tuple[str, Outcome]]
"""The FAILs of one timestep: the action and the outcome of each worker that FAILed."""


class Step(NamedTuple):
    """The result of one timestep."""

    state: Any
    dumped: dict[str, Any]
    """The state after the timestep, as plain data."""
    outcomes: Mapping[str, Outcome]
    record: StepRecord
    happened: Sequence[Trigger]
    """Triggers of changes that the world made on its own."""


def commands_for(world: World, state: Any, wanted: Commands) -> list[Command]:
    """Return the commands of a timestep: the wanted ones, and `idle` for the workers they omit.

    In a turn-based world only the workers whose move it is get commands. In other worlds a command
    for an unknown worker is kept, so that the world itself can reject it.
    """
    asked = movers(world, state)
    if overrides(world, "movers"):
        wanted = [command for command in wanted if command.worker in asked]
    named = {command.worker for command in wanted}
    idle = [Command(name, world.idle) for name in asked if name not in named]
    if not idle:
        return list(wanted)
    rank = {name: number for number, name in enumerate(world.workers)}
    return list(merge(wanted, idle, key=lambda command: rank.get(command.worker, len(rank))))


def step_with(
    world: World,
    before: Any,
    commands: Commands,
    reports: Reports,
    claimed: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Any, Mapping[str, Outcome], Sequence[Trigger]]:
    """Carry out the commands of one timestep, after the world has taken its reports.

    Return the state after it, the outcomes and the triggers as `World.step` does. The worker of a
    failed report has FAILed with the reason in it, and so has one in `claimed`, which idles. No
    rule of a world is about idling, so the world does not get a report on it.
    """
    happened: list[Trigger] = []
    given = dict(commands)
    for worker, report in reports.items():
        idles = (report.action or given.get(worker)) == world.idle
        if report.status != "running" and not idles:
            facts = {"worker": worker, **report.model_dump(exclude_none=True)}
            before, ruling = world.take_report(before, facts)
            happened += [ruling.trigger] if ruling.trigger else []
    if claimed:
        commands = [Command(n, world.idle if n in claimed else act) for n, act in commands]
    after, outcomes, by_itself = world.step(before, commands)
    failed = {name: Outcome(CLAIMED, why) for name, why in claimed.items()}
    failed |= {
        worker: Outcome(NO_ACTION, report.why or f"{worker} gave no action.")
        for worker, report in reports.items()
        if report.status == "failed"
    }
    return after, {**outcomes, **failed} if failed else outcomes, [*happened, *by_itself]


def carry_out(
    world: World,
    before: Any,
    commands: Commands,
    timestep: int,
    away: Mapping[str, str] | None = None,
    reports: Reports = MappingProxyType({}),
    payloads: Mapping[str, Any] = MappingProxyType({}),
    claimed: Mapping[str, str] = MappingProxyType({}),
    *,
    elapsed: bool = False,
) -> Step:
    """Carry out the commands of a timestep, after its reports; `elapsed` if it has passed already.

    `payloads` are the data that go with the assignments, by worker; they are only recorded.
    `claimed` are the workers whose actions cannot begin, as `find_claimed` returns them.
    `away` maps each unavailable worker to the reason. If such a worker FAILs, this reason replaces
    the world's reason.
    """
    after, found, by_itself = step_with(world, before, commands, reports, claimed)
    outcomes = {worker: found.get(worker, DONE) for worker in world.workers}
    fails: dict[str, OutcomeRecord] = {}
    for worker, outcome in outcomes.items():
        if outcome.fail is not None:
            if away and worker in away:
                outcomes[worker] = outcome._replace(why=away[worker])
            fails[worker] = _record_of(outcomes[worker])
    dumped = world.dump(after)
    record = StepRecord(
        timestep=timestep,
        commands=list(commands),
        fails=fails,
        reports=dict(reports) or None,
        claimed=dict(claimed) or None,
        payloads=dict(payloads) or None,
        elapsed=elapsed or None,
        digest=digest(dumped),
    )
    return Step(after, dumped, outcomes, record, by_itself)


def _record_of(outcome: Outcome) -> OutcomeRecord:
    return OutcomeRecord(
        fail=str(outcome.fail), why=outcome.why, witnesses=list(outcome.witnesses) or None
    )


def failures(fails: Fails) -> list[Trigger]:
    """Return a trigger for each FAIL, addressed to its worker and the witnesses."""
    return [
        Trigger(
            kind=FAILURE,
            cause=f"{worker}, {action or 'no action'}: {outcome.why}",
            to=(worker, *outcome.witnesses),
        )
        for worker, (action, outcome) in fails.items()
    ]


def exhaustion_trigger(to: Sequence[str] | None = None) -> Trigger:
    """Return the trigger that reports that the schedule has run out.

    It is addressed to the workers in `to`; None stands for all workers.
    """
    cause = "the schedule has run out before the end"
    return Trigger(kind=EXHAUSTED, cause=cause, to=None if to is None else tuple(to))


def is_futile(world: World, state: Any, timestep: int, horizon: int | None) -> bool:
    """Return whether the world knows that no decision until the horizon can change the result."""
    if horizon is None or not overrides(world, "futile"):
        return False
    return world.futile(state, horizon - timestep)


def progress(stalled: int, seen: Sequence[str], made: str) -> tuple[int, list[str]]:
    """Return the number of planner calls without progress, and the digests of past progress keys.

    `stalled` is the number so far. `made` is the digest of the present `World.progress_key`, and
    `seen` has such digests from earlier planner calls. If `made` is among them, there is no
    progress, and both results are unchanged. Otherwise the number is 0, and `made` is added.
    """
    return (stalled, list(seen)) if made in seen else (0, [*seen, made][-LAPS:])


class Facts(NamedTuple):
    """The facts that decide how an opened timestep continues."""

    ending: Ending | None = None
    """How the episode has ended according to the world; None if it has not."""
    finished: bool = False
    """True if all requests are done or can no longer be done."""
    empty: bool = False
    """True if no event is still to come."""
    quiet: bool = False
    """True if nothing will happen until a sender posts a message."""
    is_open: bool = False
    """True if the episode takes messages and runs until someone closes it."""
    over: bool = False
    """True if the last timestep is over."""
    alone: bool = False
    """True if no worker can move, so that the world moves on its own."""
    ahead: bool = False
    """True if nothing has to be done before a later timestep that is known."""
    deserted: bool = False
    """True if no worker is available."""
    ran_out: bool = False
    """True if no commands are scheduled."""
    triggered: bool = False
    """True if there are triggers."""
    stalled: int = 0
    """Number of successive planner calls without progress."""
    most_stalled: int = 0
    """Greatest allowed value of `stalled` and of `passed`."""
    passed: int = 0
    """Number of successive timesteps in which no worker could move and nothing changed."""

    @property
    def stuck(self) -> bool:
        """True if the next planner call would exceed the limit on calls without progress."""
        return self.triggered and self.stalled > self.most_stalled

    @property
    def at_rest(self) -> bool:
        """True if nothing is requested, nothing is scheduled, and nothing has happened."""
        return self.finished and self.ran_out and not self.triggered

    @property
    def becalmed(self) -> bool:
        """True if no worker can move, and the world moved on its own too often without effect."""
        return self.alone and self.passed > self.most_stalled

    @property
    def waits(self) -> bool:
        """True if the episode can do nothing useful until a sender posts a message."""
        return self.stuck or self.at_rest or self.becalmed


class Next(Enum):
    """The phase of an episode that follows the opening of a timestep."""

    END = auto()
    """The episode ends."""
    MOVE_ALONE = auto()
    """The world moves without commands."""
    REST = auto()
    """All workers idle until something must be done."""
    SLEEP = auto()
    """The episode waits, without timesteps, for a message or for a worker."""
    ASK = auto()
    """The planner is called."""
    ACT = auto()
    """The workers act."""


class Rung(NamedTuple):
    """A row of the decision table `LADDER`."""

    name: str
    holds: Callable[[Facts], bool]
    follows: Next


LADDER = (
    Rung("ending", lambda facts: facts.ending is not None, Next.END),
    Rung("closed", lambda facts: facts.is_open and facts.finished and facts.empty, Next.END),
    Rung("finished", lambda facts: facts.finished and facts.empty, Next.END),
    Rung("horizon", lambda facts: facts.over, Next.END),
    Rung("deserted", lambda facts: facts.is_open and facts.deserted, Next.SLEEP),
    Rung("asleep", lambda facts: facts.quiet and facts.waits, Next.SLEEP),
    Rung("becalmed", lambda facts: facts.is_open and facts.becalmed, Next.END),
    Rung("alone", lambda facts: facts.alone, Next.MOVE_ALONE),
    Rung("ahead", lambda facts: facts.ahead, Next.REST),
    Rung("stuck", lambda facts: facts.stuck, Next.END),
    Rung("ask", lambda facts: facts.triggered, Next.ASK),
    Rung("act", lambda facts: True, Next.ACT),
)
"""The decision table for an opened timestep: the first row whose condition holds is applied."""


def how_it_goes_on(facts: Facts) -> Rung:
    """Return the first row of the decision table whose condition holds."""
    for rung in LADDER:
        if rung.holds(facts):
            return rung
    raise AssertionError("the last row always holds")


def conclusion(rung: Rung, facts: Facts) -> tuple[Termination, str]:
    """Return the termination that a row of the decision table causes, and its explanation."""
    match rung.name:
        case "closed":
            return "closed", "Nothing is left to be done."
        case "finished":
            return "finished", "Nothing is left to be done."
        case "horizon":
            return "horizon", "The last timestep is over."
        case "stuck":
            return "no_progress", (
                f"The planner was called {facts.stalled} times in a row without progress; "
                f"{facts.most_stalled} are allowed (--max-stalled)."
            )
        case "becalmed":
            return "no_progress", (
                f"It was nobody's move for {facts.passed} timesteps in a row, and nothing has "
                f"come of them; {facts.most_stalled} are allowed (--max-stalled)."
            )
    assert facts.ending
    return facts.ending.how, facts.ending.why


def is_over(world: World, state: Any, timestep: int, horizon: int | None) -> bool:
    """Return whether the game has ended or the horizon is reached, so that no event is applied."""
    return is_past(horizon, timestep) or ending(world, state) is not None


def is_past(horizon: int | None, timestep: int) -> bool:
    """Return whether the last timestep is over; an open episode has no last timestep."""
    return horizon is not None and timestep >= horizon
