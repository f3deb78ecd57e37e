"""The rules of a plain world: what is left to a new one is what is its own.

The state is a dictionary of plain data. A world with hidden knowledge says in `seen` what is seen,
one with turns has `movers`, one with a score has `score` and `best_score`, one with agents that are
no workers has `characters`, as `episodes/capabilities.py` has them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import product
from random import Random
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from episodes.capabilities import Ending, movers
from episodes.world import DONE, Commands, Json, Outcome, Ruling, Tally, Trigger
from files.errors import InputError
from worlds.plain.level import Level

State = dict[str, Any]
L = TypeVar("L", bound=Level)

ARGUMENT = re.compile(r"[A-Z][A-Z_]*")
"""In the form of an action, such as `ring(BELL)`, what an argument stands in place of."""

BEGIN = "begin"
"""The event with which an episode begins; it has the seed where something is drawn."""


class PlainWorld(Generic[L]):
    """A world of which the name, the workers, the actions and five methods are to be written.

    `actions` are the forms of its actions, such as `ring(BELL)`, each with what it does; `choices`
    says for an argument in capitals what it can be, where that is known beforehand: then the
    actions can be counted. `about` is the rules in words, for a model. `drawn` is what is drawn
    by the seed, in words; a world that draws nothing has none.
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
        """Return the state before the first timestep, without what is drawn."""
        raise NotImplementedError(f"{self.name} has no opening")

    def legal(self, state: State, worker: str) -> Sequence[str]:
        """Return all actions that `worker` can do now; any other one FAILs.

        They follow from what the worker sees: else it could read in them what is hidden from it.
        """
        raise NotImplementedError(f"{self.name} has no legal")

    def after(self, state: State, actions: Mapping[str, str], draw: Random) -> State:
        """Return the state after a timestep in which the workers do these legal actions.

        Who FAILs or does not move is not among them. `draw` is for what is drawn now.
        """
        raise NotImplementedError(f"{self.name} has no after")

    def ending(self, state: State) -> Ending | None:
        """Return how the episode has ended; None if it goes on."""
        raise NotImplementedError(f"{self.name} has no ending")

    def deal(self, state: State, draw: Random) -> State:
        """Return the opening with what is drawn before the first timestep."""
        return state

    def seen(self, state: State, worker: str | None) -> State:
        """Return what `worker` sees, or a central planner: by default everything."""
        return state

    def score(self, state: State) -> float | None:
        """Return the score so far; None in a world without."""
        return None

    def triggers(self, before: State, after: State) -> Sequence[Trigger]:
        """Return the triggers of what happened by itself."""
        return ()

    def setup(self) -> dict[str, Any]:
        """Return the level without its title, its texts and its seed."""
        return self.level.setup()

    def start(self) -> State:
        """Return the opening."""
        return {"timestep": 0, "seed": None, **self.opening()}

    def apply(self, state: State, event: Json) -> tuple[State, Ruling]:
        """Take the one event that there is, the beginning; its seed decides what is drawn."""
        ruling = Ruling(trigger=Trigger(kind=BEGIN, cause="the episode begins"))
        match event:
            case {"kind": "begin", "seed": int(seed)} if self.drawn and state["seed"] is None:
                return self.deal({**state, "seed": seed}, Random(f"{seed}/begin")), ruling
            case {"kind": "begin"} if not self.drawn and state["timestep"] == 0:
                return state, ruling
        raise InputError("event", f"nothing but the beginning comes from outside in {self.name}")

    def step(
        self, state: State, commands: Commands
    ) -> tuple[State, Mapping[str, Outcome], Sequence[Trigger]]:
        """Carry out one timestep: all legal actions at once."""
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
        after = {**self.after(state, done, draw), "timestep": state["timestep"] + 1}
        return after, outcomes, self.triggers(state, after)

    def _outcome(self, state: State, worker: str, action: str, asked: bool) -> Outcome:
        if not asked:
            waits = action == self.idle
            return DONE if waits else Outcome("not_your_turn", f"It is not {worker}'s turn.")
        if action in self.legal(state, worker):
            return DONE
        return Outcome("not_legal", f"{worker} cannot {action} now.")

    def refusal(self, commands: Commands) -> str | None:
        """Return which command is of no known form, or given to nobody, or twice to one worker."""
        names = [worker for worker, _ in commands]
        for worker, action in commands:
            if worker not in self.workers or names.count(worker) > 1:
                return f"{worker!r}: expected each of {', '.join(self.workers)} once"
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
        """Return all actions that there are; None if they cannot be counted."""
        found: list[str] = [self.idle]
        for form in self.actions:
            names = ARGUMENT.findall(form)
            if not all(name in self.choices for name in names):
                return None
            frame = ARGUMENT.sub("{}", form)
            found += [frame.format(*each) for each in product(*(self.choices[n] for n in names))]
        return list(dict.fromkeys(found))

    def finished(self, state: State) -> bool:
        """Return whether the episode has ended."""
        return self.ending(state) is not None

    def tally(self, state: State) -> Tally:
        """Return one thing done if it is won, one lost if it is lost, and the score."""
        end = self.ending(state)
        how = end.how if end else None
        return Tally(done=int(how == "won"), lost=int(how == "lost"), score=self.score(state))

    def made(self, state: State) -> State:
        """Return the state without the time."""
        return {name: value for name, value in state.items() if name != "timestep"}

    def lookups(self, state: State) -> Sequence[str]:
        """Return the names of the level's texts."""
        return list(self.level.texts)

    def observe(self, state: State, worker: str | None = None) -> State:
        """Return what is seen; the seed never is."""
        return {name: x for name, x in self.seen(state, worker).items() if name != "seed"}

    def simulable(self, observed: State, worker: str | None) -> State | None:
        """Return the observed state where nothing is hidden and nothing is drawn."""
        hides = type(self).seen is not PlainWorld.seen
        return None if hides or self.drawn else observed

    def dump(self, state: State) -> dict[str, Any]:
        """Return the state, which is plain data as it is."""
        return state

    def load(self, data: Json) -> State:
        """Return the same back."""
        return dict(data)
