"""The base class of plain worlds: a new world writes only the rules that distinguish it.

The state is a dictionary of plain data. Some worlds need more members. A world with hidden
knowledge overrides `view_for`, and a world with a score overrides `score` and adds `best_score`. A
world with turns adds `movers`, a world with agents other than workers adds `characters`. See
`cookmas/episodes/capabilities.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import product
from random import Random
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from cookmas.episodes.capabilities import Ending, movers
from cookmas.episodes.world import (
    DONE,
    Commands,
    Json,
    Outcome,
    Ruling,
    Tally,
    Trigger,
    refuse_workers,
)
from cookmas.files.errors import InputError
from cookmas.worlds.plain.level import Level

State = dict[str, Any]
L = TypeVar("L", bound=Level)

ARGUMENT = re.compile(r"[A-Z][A-Z_]*")
"""Pattern of an argument in the form of an action; BELL is the argument in `ring(BELL)`."""

BEGIN = "begin"
"""Kind of the event that begins an episode. The event has the seed if the world draws anything."""


class PlainWorld(Generic[L]):
    """The base class of a world; a subclass needs a name, workers, actions and four methods.

    The methods are `opening`, `legal`, `advance` and `ending`. `actions` maps the form of an
    action, such as `ring(BELL)`, to its effect in words. `choices` maps an argument, such as BELL,
    to its possible values, if they are known beforehand; if all arguments have choices, all actions
    can be listed. `about` has the rules in words, for a model. `drawn` says in words what the seed
    decides; it is empty if the world draws nothing.
    """

    name: str
    rules: str = "1"
    idle: str = "wait"
    about: str = ""
    drawn: str = ""
    workers: Sequence[str]
    actions: Mapping[str, str]
    choices: Mapping[str, Sequence[str]] = MappingProxyType({})

    def __init__(self, level: L) -> None:
        self.level = level

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

    def ending(self, state: State) -> Ending | None:
        """Return how the episode has ended; None if it continues."""
        raise NotImplementedError(f"{self.name} has no ending")

    def deal(self, state: State, draw: Random) -> State:
        """Return the state after the random draws that come before the first timestep.

        By default nothing is drawn then.
        """
        return state

    def view_for(self, state: State, worker: str | None) -> State:
        """Return the part of the state that `worker` sees; by default the whole state.

        As `worker`, None means a central planner.
        """
        return state

    def score(self, state: State) -> float | None:
        """Return the score so far; None if the world has no score."""
        return None

    def triggers(self, before: State, after: State) -> Sequence[Trigger]:
        """Return the triggers of a timestep, other than FAILs; by default none."""
        return ()

    def setup(self) -> dict[str, Any]:
        """Return the fields of the level from which the world is built, as plain data."""
        return self.level.setup()

    def start(self) -> State:
        """Return the state at timestep 0, before anything is drawn."""
        return {"timestep": 0, "seed": None, **self.opening()}

    def apply(self, state: State, event: Json) -> tuple[State, Ruling]:
        """Apply the only event, the beginning. Its seed decides all random draws.

        Raise InputError for any other event.
        """
        ruling = Ruling(trigger=Trigger(kind=BEGIN, cause="the episode begins"))
        match event:
            case {"kind": "begin", "seed": int(seed)} if self.drawn and state["seed"] is None:
                return self.deal({**state, "seed": seed}, Random(f"{seed}/begin")), ruling
            case {"kind": "begin"} if not self.drawn and state["timestep"] == 0:
                return state, ruling
        raise InputError("event", f"expected the beginning, the only event of {self.name}")

    def step(
        self, state: State, commands: Commands
    ) -> tuple[State, Mapping[str, Outcome], Sequence[Trigger]]:
        """Carry out one timestep; all legal actions happen at once."""
        given, asked = dict(commands), movers(self, state)
        outcomes = {
            name: self._outcome(state, name, given.get(name, self.idle), name in asked)
            for name in self.workers
        }
        done = {
            name: given.get(name, self.idle)
            for name in self.workers
            if name in asked and outcomes[name].done
        }
        draw = Random(f"{state.get('seed')}/{state['timestep']}")
        after = {**self.advance(state, done, draw), "timestep": state["timestep"] + 1}
        return after, outcomes, self.triggers(state, after)

    def _outcome(self, state: State, worker: str, action: str, asked: bool) -> Outcome:
        if not asked:
            waits = action == self.idle
            return DONE if waits else Outcome("not_your_turn", f"It is not {worker}'s turn.")
        if action in self.legal(state, worker):
            return DONE
        return Outcome("not_legal", f"{worker} cannot {action} now.")

    def refusal(self, commands: Commands) -> str | None:
        """Return why the commands are malformed; None if they are not.

        They are malformed if a command has no known form, names no worker of the world, or is the
        second command of a worker.
        """
        if strange := refuse_workers(commands, self.workers):
            return strange
        for worker, action in commands:
            if action != self.idle and not any(self._fits(form, action) for form in self.actions):
                known = ", ".join(dict.fromkeys([*self.actions, self.idle]))
                return f"{worker}: {action!r} is no action, but {known} are"
        return None

    def _fits(self, form: str, action: str) -> bool:
        pieces = ARGUMENT.split(form)
        values = [
            "|".join(map(re.escape, self.choices[name])) if name in self.choices else r"[^(),]+"
            for name in ARGUMENT.findall(form)
        ]
        pattern = re.escape(pieces[0]) + "".join(
            f"(?:{value}){re.escape(piece)}"
            for value, piece in zip(values, pieces[1:], strict=True)
        )
        return re.fullmatch(pattern, action) is not None

    def every_action(self) -> Sequence[str] | None:
        """Return all actions of the world; None if an argument has no listed choices."""
        found: list[str] = [self.idle]
        for form in self.actions:
            names = ARGUMENT.findall(form)
            if not all(name in self.choices for name in names):
                return None
            frame = ARGUMENT.sub("{}", form)
            found += [frame.format(*each) for each in product(*(self.choices[n] for n in names))]
        return list(dict.fromkeys(found))

    def is_finished(self, state: State) -> bool:
        """Return whether the episode has ended."""
        return self.ending(state) is not None

    def tally(self, state: State) -> Tally:
        """Return the tally of the only goal: done if the episode is won, lost if it is lost."""
        end = self.ending(state)
        how = end.how if end else None
        return Tally(done=int(how == "won"), lost=int(how == "lost"), score=self.score(state))

    def progress_key(self, state: State) -> State:
        """Return the state without the timestep; a timestep that changes this value is progress."""
        return {name: value for name, value in state.items() if name != "timestep"}

    def lookups(self, state: State) -> Sequence[str]:
        """Return the names of the level's texts."""
        return list(self.level.texts)

    def observe(self, state: State, worker: str | None = None) -> State:
        """Return the part of the state that the worker sees, without the seed."""
        return {name: x for name, x in self.view_for(state, worker).items() if name != "seed"}

    def simulable(self, observed: State, worker: str | None) -> State | None:
        """Return the observed state; None if the world hides or draws anything."""
        hides = type(self).view_for is not PlainWorld.view_for
        return None if hides or self.drawn else observed

    def dump(self, state: State) -> dict[str, Any]:
        """Return the state, which is plain data."""
        return state

    def load(self, data: Json) -> State:
        """Return the state from plain data."""
        return dict(data)
