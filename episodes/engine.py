"""The rule of a timestep: every episode is played by it, with a graph or without.

A timestep is opened: events come in and triggers go out. The `LADDER` says how the episode goes on.
Where the workers are to act they are given commands, which are carried out. All of it is pure:
functions of a world, its state and what has come in.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import Enum, auto
from heapq import merge
from typing import Any, NamedTuple

from episodes.answered import tally_of
from episodes.capabilities import Ending, ending, forecasts, is_turn_based, movers
from episodes.failure import naming
from episodes.instruction import happened
from episodes.trace import (
    AnyRecord,
    End,
    EventRecord,
    OutcomeRecord,
    StepRecord,
    Termination,
)
from episodes.world import DONE, Command, Commands, Json, Outcome, Tally, Trigger, World, digest

FAILURE = "failure"
"""The kind of trigger that says that an action FAILed."""

EXHAUSTED = "exhausted"
"""The kind of trigger that says that the schedule has run out."""

LAPS = 16
"""The longest cycle that is detected, in calls of the planner."""

Fails = Mapping[str, tuple[str, Outcome]]
"""What FAILed at a timestep: by worker the action and what came of it."""

Sink = Callable[[AnyRecord], object]
"""Takes the records of an episode in their order."""


class Step(NamedTuple):
    """What came of a timestep: the `state` after it, and what each worker's action came to.

    `dumped` is that state as plain data, `happened` what happened by itself.
    """

    state: Any
    dumped: dict[str, Any]
    outcomes: Mapping[str, Outcome]
    fails: Fails
    happened: Sequence[Trigger]


def commands_for(world: World[Any], state: Any, wanted: Commands) -> list[Command]:
    """Return what is done at a timestep: what is wanted, and idling of whom that leaves out.

    In a world of turns it is done by those alone whose move it is. A command for somebody who is
    no worker is left to a world without turns, which says what becomes of it.
    """
    asked = movers(world, state)
    if is_turn_based(world):
        wanted = [command for command in wanted if command.worker in asked]
    named = {command.worker for command in wanted}
    idle = [Command(name, world.idle) for name in asked if name not in named]
    if not idle:
        return list(wanted)
    rank = {name: number for number, name in enumerate(world.workers)}
    return list(merge(wanted, idle, key=lambda command: rank.get(command.worker, len(rank))))


def carry_out(
    world: World[Any],
    before: Any,
    commands: Commands,
    timestep: int,
    record: Sink,
    away: Mapping[str, str] | None = None,
) -> Step:
    """Carry out the commands of a timestep; `away` says why a worker is, and so gave no action."""
    after, found, by_itself = world.step(before, commands)
    outcomes = {worker: found.get(worker, DONE) for worker in world.workers}
    fails: dict[str, tuple[str, Outcome]] = {}
    for worker, outcome in outcomes.items():
        if outcome.fail is not None:
            if away and worker in away:
                outcomes[worker] = outcome._replace(why=away[worker])
            fails[worker] = (dict(commands).get(worker, ""), outcomes[worker])
    dumped = world.dump(after)
    record(
        StepRecord(
            timestep=timestep,
            commands=list(commands),
            fails={worker: _recorded(outcome) for worker, (_, outcome) in fails.items()},
            digest=digest(dumped),
        )
    )
    return Step(after, dumped, outcomes, fails, by_itself)


def _recorded(outcome: Outcome) -> OutcomeRecord:
    return OutcomeRecord(
        fail=str(outcome.fail), why=outcome.why, witnesses=list(outcome.witnesses) or None
    )


def failures(fails: Fails) -> list[Trigger]:
    """Return what triggers planning since actions FAILed, for those who are told of them."""
    return [
        Trigger(
            kind=FAILURE,
            cause=f"{worker}, {action or 'no action'}: {outcome.why}",
            to=(worker, *outcome.witnesses),
        )
        for worker, (action, outcome) in fails.items()
    ]


def exhausted(to: Sequence[str] | None = None) -> Trigger:
    """Return what triggers planning where the schedule, or that of some workers, has run out."""
    cause = "the schedule has run out before the end"
    return Trigger(kind=EXHAUSTED, cause=cause, to=None if to is None else tuple(to))


def is_futile(world: World[Any], state: Any, timestep: int, horizon: int | None) -> bool:
    """Return whether the world says that no decision can change anything any more."""
    if horizon is None or not forecasts(world):
        return False
    return world.futile(state, horizon - timestep)


def progress(stalled: int, seen: Sequence[str], made: str) -> tuple[int, list[str]]:
    """The planner's calls in a row without progress so far, and what had been made at its calls.

    There is progress if by this call something has been made, of digest `made`, that had not been
    at one of the last, whose digests are `seen`.
    """
    return (stalled, list(seen)) if made in seen else (0, [*seen, made][-LAPS:])


class Facts(NamedTuple):
    """What decides how an opened timestep goes on.

    `ending` is how the world says that the episode has ended; `finished` whether nothing is wanted,
    `empty` whether nothing is still to come, `quiet` whether nothing comes unless somebody sends
    it; `is_open` whether the episode goes on until somebody closes it, `over` whether its last
    timestep is. `alone` is whether it is nobody's move, `ahead` whether the timestep is known at
    which something is next to be done. `deserted` is whether no worker is there, `ran_out` whether
    nothing is scheduled, `triggered` whether there are triggers, `stalled` how many calls of the
    planner in a row were without progress, of which `most_stalled` are allowed. `passed` is how
    many timesteps in a row were nobody's move and brought nothing; as many are allowed.
    """

    ending: Ending | None = None
    finished: bool = False
    empty: bool = False
    quiet: bool = False
    is_open: bool = False
    over: bool = False
    alone: bool = False
    ahead: bool = False
    deserted: bool = False
    ran_out: bool = False
    triggered: bool = False
    stalled: int = 0
    most_stalled: int = 0
    passed: int = 0

    @property
    def stuck(self) -> bool:
        """Whether the planner would be called once more than is allowed."""
        return self.triggered and self.stalled > self.most_stalled

    @property
    def at_rest(self) -> bool:
        """Whether nothing is wanted, nothing is scheduled, and nothing has happened."""
        return self.finished and self.ran_out and not self.triggered

    @property
    def becalmed(self) -> bool:
        """Whether the world has moved alone in vain as often as is allowed."""
        return self.alone and self.passed > self.most_stalled

    @property
    def waits(self) -> bool:
        """Whether nothing follows unless somebody sends something."""
        return self.stuck or self.at_rest or self.becalmed


class Next(Enum):
    """The next phase of an episode, after a timestep has been opened."""

    END = auto()
    MOVE_ALONE = auto()
    """The world moves without anybody's command."""
    REST = auto()
    """Everybody idles until something is to be done."""
    SLEEP = auto()
    """Nothing is done until somebody sends something, or is back."""
    ASK = auto()
    """Who plans is asked."""
    ACT = auto()
    """The workers act."""


class Rung(NamedTuple):
    """A row of the ladder: its name, when it holds, and what follows then."""

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
"""How an opened timestep goes on: as the first row says that holds."""


def how_it_goes_on(facts: Facts) -> Rung:
    """Return the first row of the ladder that holds."""
    for rung in LADDER:
        if rung.holds(facts):
            return rung
    raise AssertionError("the last row always holds")


def conclusion(rung: Rung, facts: Facts) -> tuple[Termination, str]:
    """Return how the episode has ended by a row that says that it has, and why."""
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


def is_over(world: World[Any], state: Any, timestep: int, horizon: int | None) -> bool:
    """Return whether no event is taken any more: the world says so, or the horizon is reached."""
    return is_past(horizon, timestep) or ending(world, state) is not None


def is_past(horizon: int | None, timestep: int) -> bool:
    """Return whether the last timestep is over; an open episode has none."""
    return horizon is not None and timestep >= horizon


class Play:
    """An episode whose events are known, played from outside, timestep by timestep.

    `state` is what the next commands meet. Timesteps in which it is nobody's move pass by
    themselves. `ended` is how it ended. Raises InputError for an event that is none of this world.
    """

    def __init__(
        self,
        world: World[Any],
        events: Iterable[tuple[int, Json]],
        horizon: int | None = None,
        record: Sink = lambda _: None,
    ) -> None:
        self.world = world
        self.timestep = 0
        self.ended: Termination | None = None
        self._horizon = horizon
        self._record = record
        self._coming = list(enumerate(sorted(events, key=lambda event: event[0]), start=1))
        with naming(world):
            self.state = world.start()
            self._open()

    @property
    def tally(self) -> Tally:
        """How the episode stands."""
        return tally_of(self.world, self.state)

    @property
    def movers(self) -> Collection[str]:
        """Whose move it is; nobody's once it has ended."""
        return () if self.ended else movers(self.world, self.state)

    def step(self, wanted: Commands) -> Step:
        """Carry out one timestep, in which those idle whom `wanted` leaves out.

        The outcomes are those of this timestep; `state` is that of the next one in which somebody
        is to move. Not once it has ended.
        """
        with naming(self.world):
            commands = commands_for(self.world, self.state, wanted)
            done = self._carry_out(commands)
            self._open()
        return done

    def _carry_out(self, commands: Commands) -> Step:
        done = carry_out(self.world, self.state, commands, self.timestep, self._record)
        self.state = done.state
        self.timestep += 1
        return done

    def _open(self) -> None:
        """Apply the events of this timestep, and see how it goes on."""
        rung, facts = self._opened()
        while rung.follows is Next.MOVE_ALONE:
            self._carry_out([])
            rung, facts = self._opened()
        if rung.follows is Next.END:
            self.ended, why = conclusion(rung, facts)
            self._record(
                End(timestep=self.timestep, termination=self.ended, why=why, tally=self.tally)
            )

    def _opened(self) -> tuple[Rung, Facts]:
        world, horizon = self.world, self._horizon
        over = is_over(world, self.state, self.timestep, horizon)
        while not over and self._coming and self._coming[0][1][0] <= self.timestep:
            number, (_, event) = self._coming.pop(0)
            self.state, ruling = happened(world, self.state, event)
            self._record(
                EventRecord(
                    timestep=self.timestep, number=number, event=dict(event), refused=ruling.refused
                )
            )
        ended = ending(world, self.state)
        facts = Facts(
            ending=ended,
            finished=world.finished(self.state),
            empty=not self._coming,
            over=is_past(horizon, self.timestep),
            alone=not ended and not movers(world, self.state),
        )
        return how_it_goes_on(facts), facts
