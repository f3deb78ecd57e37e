"""The base class of worlds: first what a world overrides, then the machinery.

Every world inherits from `World`. A member that a world does not override is how the machinery
knows what the world lacks (`overrides`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from random import Random
from types import MappingProxyType
from typing import Any, Self

from cookmas.episodes.answered import check_ending, check_movers
from cookmas.episodes.codec import from_plain, to_plain
from cookmas.episodes.forms import explain_mistake, is_listed, list_actions, pattern_of
from cookmas.episodes.level import Level
from cookmas.episodes.messages import MOST_OPEN, MessageForm
from cookmas.episodes.world import (
    DONE,
    Commands,
    Ending,
    Json,
    Outcome,
    Ruling,
    Tally,
    Trigger,
    refuse_workers,
)
from cookmas.files.errors import InputError, TraceError

State = Any
"""A state: a dictionary of plain data, unless a world has states of another type."""

BEGIN = "begin"
"""Kind of the event that begins an episode. The event has the seed if the world draws anything."""

NO_ACTION = "no_action"
"""Kind of the FAIL of a worker that gave no action."""

CLAIMED = "claimed"
"""Kind of the FAIL of an action that claims what another action has claimed."""


class World:
    """A world, whose methods are pure functions of their arguments.

    A new world defines `name`, `workers`, `actions`, `opening`, `legal`, `advance` and `ending`.
    Its state is then a dictionary of plain data. A world with states of another type also
    overrides `start` and `step`, and names the type as `state_type` or overrides `dump` and `load`.
    """

    # What a world overrides. These members have no default.

    name: str
    """Name of the kind of world."""
    workers: Sequence[str]
    """Names of the workers; their order breaks ties."""

    def opening(self) -> State:
        """Return the state before the first timestep and before anything is drawn."""
        raise NotImplementedError(f"{self.name} has no opening")

    def legal(self, state: State, worker: str) -> Sequence[str]:
        """Return all actions that `worker` can do now; any other action FAILs.

        They must depend only on what the worker sees. Otherwise they would reveal hidden facts.
        """
        raise NotImplementedError(f"{self.name} has no legal")

    def advance(self, state: State, actions: Mapping[str, str], draw: Random) -> State:
        """Return the state after a timestep in which the workers do these legal actions.

        Workers that FAIL or whose turn it is not are not in `actions`. `draw` is the source of
        all random draws in this timestep.
        """
        raise NotImplementedError(f"{self.name} has no advance")

    # These have a default.

    level: Any
    """The level from which the world is built; its class is `level_type`. None if it has none."""
    level_type: type[Level] = Level
    """Class of the levels."""
    state_type: type | None = None
    """Class of the states, if they are named tuples (`cookmas.episodes.codec`); None: they are
    dictionaries of plain data, or the world overrides `dump` and `load`."""
    rules: str = "1"
    """Version of the rules; traces of other versions cannot be replayed."""
    lasting: bool = False
    """True if actions can last for several timesteps; then the schedule of a model is a queue."""
    idle: str = "wait"
    """The action of a worker without an assignment."""
    about: str = ""
    """The rules in words, for a model."""
    aim: str = ""
    """The goal of the workers in words, for a model; empty: the usual words."""
    actions: Mapping[str, str] = MappingProxyType({})
    """The effect of each form of action, by the form, such as `ring(BELL)`."""
    choices: Mapping[str, Sequence[str]] = MappingProxyType({})
    """The values of an argument, such as BELL, if they are known beforehand."""
    messages: Sequence[MessageForm] = ()
    """The messages that senders may send to an open episode; `receive` knows their events."""
    most_open: int = MOST_OPEN
    """Number of open things at which messages that create more begin to wait in the mailbox."""
    drawn: str = ""
    """What the seed decides, in words; empty if the world draws nothing."""
    central: bool = True
    """Whether one planner may plan for all workers."""
    discloses_decisions: bool = False
    """Whether an agent that decides sees what others have decided on at the same timestep."""
    talk_rounds: int | None = None
    """Greatest number of turns of each agent in the talk at a timestep; None: no limit."""
    timed: bool = False
    """True if the rules of the game set the last timestep; prompts then name it."""
    characters: Sequence[str] = ()
    """Names of the agents that are not workers; the rules decide for them."""
    cancel: str = ""
    """The action that cancels the long action of a worker; empty if none can be cancelled."""

    @property
    def best_score(self) -> float | None:
        """The highest score of an episode, or an upper bound of it; None: the world has none."""
        return None

    def ending(self, state: State) -> Ending | None:
        """Return how the episode has ended by the rules; None if it continues, as by default."""
        return None

    def deal(self, state: State, draw: Random) -> State:
        """Return the state after the draws before the first timestep; by default unchanged."""
        return state

    def receive(self, state: State, event: Json) -> tuple[State, Ruling]:
        """Return the state after an event of the world's own, and the decision on the event.

        By default the world has no such events. Raise InputError if there is no such event.
        """
        raise InputError("event", f"expected the beginning, the only event of {self.name}")

    def duration(self, action: str) -> int:
        """Return the expected duration of an action in timesteps; by default 1.

        An action with a longer duration is long. It begins with its command. Then the worker has no
        other command until it reports the end (`take_report`), which a scripted worker does after
        this number of timesteps. Prompts say how long the actions of a form of `actions` last, such
        as `print(JOB)`, if this method and `longest` return it for the form itself.
        """
        return 1

    def claims(self, action: str) -> Sequence[str]:
        """Return what an action needs for itself alone, such as a station or a job; else nothing.

        It is held as long as the action runs. Of two workers whose actions claim the same, the
        first in the order of the workers begins. The action of the other one FAILs.
        """
        return ()

    def payload(self, state: State, worker: str, action: str) -> Any:
        """Return the data that go with an assignment, as plain JSON; by default None, for no data.

        They are what the worker needs besides the action, such as the words of an order. Workers
        that are not scripted get them, and the trace keeps them. `state` is the whole state.
        """
        return None

    def longest(self, action: str) -> int | None:
        """Return the timesteps after which an action that still runs is stopped; by default None.

        The worker is told to stop, and the action has failed. If the worker does not answer, it is
        out of reach, and the report is `uncertain`: the action may have been done.
        """
        return None

    def take_report(self, state: State, report: Json) -> tuple[State, Ruling]:
        """Return the state after a report of a worker, and the decision on it.

        `report` has `worker` and `status`: `done` or `failed`. It may have the reason `why`, a
        `result`, and of an action that outlasted its timestep the `action` and the timestep
        `since` which it was carried out, with the timestep at which it was `cancelled`, or with
        `uncertain` (see `longest`). A report on an action of this timestep is taken before
        the action is carried out; the report on a long action is its end. There is none on
        idling. By default the state is unchanged. A failure reaches the planner in any case.
        """
        return state, Ruling()

    def triggers(self, before: State, after: State) -> Sequence[Trigger]:
        """Return the triggers of a timestep other than FAILs; by default none."""
        return ()

    def count_open(self, state: State) -> int:
        """Return how many of the things that messages create are open; by default 0."""
        return 0

    def score(self, state: State) -> float | None:
        """Return the score so far; by default None, because the world has none."""
        return None

    def movers(self, state: State) -> Sequence[str]:
        """Return the workers whose move it is; by default all.

        If there are none, the world moves on its own, such as by a roll of dice.
        """
        return self.workers

    def is_idle(self, action: str) -> bool:
        """Return whether an action does nothing; by default only `idle` does."""
        return action == self.idle

    def listeners(self, state: State) -> Sequence[str]:
        """Return who hears and speaks in a talk although it is not its move; by default none."""
        return ()

    def view_for(self, state: State, worker: str | None) -> State:
        """Return the part of the state that a worker, or a central planner (None), sees.

        By default this is the whole state.
        """
        return state

    def spectate(self, state: State) -> State:
        """Return the part of the state that a spectator sees, by default as a central planner."""
        return self.observe(state)

    def filter_commands(self, commands: Commands, worker: str) -> Commands:
        """Return the commands of a timestep that `worker` has seen; by default all."""
        return commands

    def simulable(self, observed: State, worker: str | None) -> State | None:
        """Return a state from which the planner of `worker` may simulate; None if it may not.

        `observed` is what the planner sees. If `worker` is None, the planner is central. By default
        it may simulate what it sees if the world neither hides nor draws anything.
        """
        hides = overrides(self, "view_for") or overrides(self, "observe")
        return None if hides or self.drawn else observed

    def listable(self, observed: State, worker: str | None) -> State | None:
        """Return a state in which `legal` lists the actions of `worker`; None if there is none.

        `observed` is what the worker sees. By default it is the state from which its planner may
        simulate. A world in which nothing may be simulated can still list what is legal, if no
        legal action depends on what is hidden.
        """
        return self.simulable(observed, worker)

    def draw_alike(self, state: State, worker: str, seed: int) -> State:
        """Return a random state that the worker cannot distinguish from this one.

        By default this is the same state.
        """
        return state

    def narrate(self, observed: State, worker: str | None) -> Sequence[str]:
        """Return an observed state in sentences for a worker or a central planner (None).

        By default there are none.
        """
        return ()

    def futile(self, state: State, timesteps: int) -> bool:
        """Return whether no action in these timesteps can change the result; by default False."""
        return False

    def decline_event(self, name: str, why: str) -> Json:
        """Return the event that withdraws the request `name` for the reason `why`.

        By default raise InputError, because planners cannot refuse a request.
        """
        raise InputError(f"request {name!r}", f"nothing can be declined in {self.name}")

    def remove_workers(self, state: State, workers: Sequence[str]) -> State:
        """Return an observed state in which these workers are out of service from now on.

        By default it is unchanged, because workers cannot be out of service.
        """
        return state

    def alter(self, setup: Json, state: State) -> World:
        """Return the world that `setup` describes, in which an episode continues from this state.

        Raise TraceError if the world cannot be altered, as by default, or if the setup is invalid.
        Raise InputError if a part of the state does not fit into the setup.
        """
        raise TraceError(f"the trace alters a {self.name}, which cannot be altered")

    def rewards(
        self, before: State, after: State, outcomes: Mapping[str, Outcome]
    ) -> Mapping[str, float]:
        """Return each worker's reward for the timestep between two states; by default none."""
        return {}

    # The machinery.

    def __init__(self, level: Any = None) -> None:
        self.level = level

    @classmethod
    def of_setup(cls, setup: Json) -> Self:
        """Return the world that `setup` describes. Raise TraceError if it describes none."""
        try:
            return cls(cls.level_type.of_setup(setup, "setup"))
        except (InputError, AttributeError, TypeError) as error:
            why = f"the trace's header does not describe {cls.name}: {error}"
            raise TraceError(why) from None

    def setup(self) -> dict[str, Any]:
        """Return the world as plain data, from which it can be rebuilt.

        These are the fields of `level_type`; a scenario's file may have more, such as the events.
        """
        data: dict[str, Any] = self.level.setup()
        return {name: x for name, x in data.items() if name in self.level_type.model_fields}

    def start(self) -> State:
        """Return the state at timestep 0, before the first event."""
        return {"timestep": 0, "seed": None, **self.opening()}

    def apply(self, state: State, event: Json) -> tuple[State, Ruling]:
        """Apply the beginning, whose seed decides all random draws, or an event of the world's own.

        Raise InputError if the world has no such event.
        """
        ruling = Ruling(trigger=Trigger(kind=BEGIN, cause="the episode begins"))
        match event:
            case {"kind": "begin", "seed": int(seed)} if self.drawn and state["seed"] is None:
                return self.deal({**state, "seed": seed}, Random(f"{seed}/begin")), ruling
            case {"kind": "begin"} if not self.drawn and _timestep_of(state) == 0:
                return state, ruling
        return self.receive(state, event)

    def step(
        self, state: State, commands: Commands
    ) -> tuple[State, Mapping[str, Outcome], Sequence[Trigger]]:
        """Carry out one timestep; all legal actions happen at once."""
        given, asked = dict(commands), check_movers(self, self.movers(state))
        outcomes = {
            name: self._judge_action(state, name, given.get(name), name in asked)
            for name in self.workers
        }
        done = {name: given[name] for name in asked if outcomes[name].done}
        draw = Random(f"{state.get('seed')}/{state['timestep']}")
        after = {**self.advance(state, done, draw), "timestep": state["timestep"] + 1}
        return after, outcomes, self.triggers(state, after)

    def _judge_action(self, state: State, worker: str, action: str | None, asked: bool) -> Outcome:
        if not asked:
            waits = action in (None, self.idle)
            return DONE if waits else Outcome("not_your_turn", f"It is not {worker}'s turn.")
        if action is None:
            return Outcome(NO_ACTION, f"{worker} gave no action.")
        if action in self.legal(state, worker):
            return DONE
        return Outcome("not_legal", f"{worker} cannot {action} now.")

    def refusal(self, commands: Commands) -> str | None:
        """Return why the commands are malformed; None if they are not.

        They are malformed if a command names no worker of the world, is the second command of a
        worker, or has none of the forms in `actions`. Their whole schedule is then invalid: every
        schedule is checked before its first command is carried out. A world may also let malformed
        commands FAIL in `step`.
        """
        if strange := refuse_workers(commands, self.workers):
            return strange
        for worker, action in commands:
            known = not self.actions or action == self.idle
            if not known and not any(each.fullmatch(action) for each in self._patterns):
                forms = [*self.actions, self.idle]
                return f"{worker}: {explain_mistake(action, forms, self.choices)}"
        return None

    @cached_property
    def _patterns(self) -> Sequence[re.Pattern[str]]:
        """The patterns of all actions, one for each form."""
        return [pattern_of(form, self.choices) for form in self.actions]

    def every_action(self) -> Sequence[str] | None:
        """Return all actions of the world; None if an argument has no listed choices."""
        listed = [is_listed(form, self.choices) for form in self.actions]
        if not listed or not all(listed):
            return None
        every = (each for form in self.actions for each in list_actions(form, self.choices))
        return list(dict.fromkeys([self.idle, *every]))

    def is_finished(self, state: State) -> bool:
        """Return whether no request is left that can still be done; by default, at the ending."""
        return self.ending(state) is not None

    def tally(self, state: State) -> Tally:
        """Return the tally of the only goal: done if the episode is won, lost if it is lost."""
        end = self.ending(state)
        how = end.how if end else None
        return Tally(done=int(how == "won"), lost=int(how == "lost"), score=self.score(state))

    def progress_key(self, state: State) -> Json:
        """Return the state without the timestep; a timestep that changes this value is progress.

        A world leaves out useless changes, and the workers' positions unless walking is work.
        """
        data = self.dump(state)
        return {name: value for name, value in data.items() if name != "timestep"}

    def lookups(self, state: State) -> Sequence[str]:
        """Return the keys of the texts that a planner must look up: the level's texts."""
        return list(self.level.texts)

    def observe(self, state: State, worker: str | None = None) -> State:
        """Return the part of the state that the worker sees, without the seed."""
        seen = self.view_for(state, worker)
        if not isinstance(seen, dict):
            return seen
        return {name: value for name, value in seen.items() if name != "seed"}

    def dump(self, state: State) -> dict[str, Any]:
        """Return the state as plain data."""
        data: dict[str, Any] = to_plain(state, self.workers) if self.state_type else state
        return data

    def load(self, data: Json) -> State:
        """Return the state from the plain data of `dump`."""
        kind = self.state_type
        return from_plain(kind, data, self.workers) if kind else dict(data)


def _timestep_of(state: State) -> int:
    """Return the entry or the field `timestep` of a state."""
    timestep: int = state["timestep"] if isinstance(state, Mapping) else state.timestep
    return timestep


def overrides(thing: Any, member: str, base: type = World) -> bool:
    """Return whether a world, or another thing, has a member of its own, not that of its base."""
    default = getattr(base, member)
    return getattr(type(thing), member, default) is not default


def check_base(found: type, base: type, where: str) -> None:
    """Raise InputError, which names `where`, if a class does not inherit from its base class."""
    if not issubclass(found, base):
        raise InputError(
            where,
            f"{found.__name__} does not inherit from cookmas.worlds.base.{base.__name__}; "
            "make that its base class",
        )


def movers(world: World, state: State) -> Sequence[str]:
    """Return the workers whose move it is, in the world's order; by default all of them.

    Raise WorldFailedError if the world does not return a list of its workers.
    """
    if not overrides(world, "movers"):
        return world.workers
    return check_movers(world, world.movers(state))


def ending(world: World, state: State) -> Ending | None:
    """Return how an episode has ended according to its world; None if it continues.

    Raise WorldFailedError if the world returns anything else.
    """
    end = world.ending(state)
    if end is not None:
        check_ending(world, end)
    return end


def limit_talk(world: World, wished: int) -> int:
    """Return the wished number of turns of each agent in a talk, or the world's limit if lower."""
    limit = world.talk_rounds
    return wished if limit is None else min(wished, limit)
