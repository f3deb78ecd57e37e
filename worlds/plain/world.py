"""The rules of a plain world: a new world writes only what distinguishes it.

The state is a dictionary of plain data. A world with hidden knowledge overrides `view_for`. A world
with turns has `movers`, one with a score has `score` and `best_score`, and one with agents other
than workers has `characters`, all as in `episodes/capabilities.py`.
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
"""Pattern of an argument in the form of an action, such as BELL in `ring(BELL)`."""

BEGIN = "begin"
"""Kind of the event that begins an episode; it carries the seed if the world draws anything."""


class PlainWorld(Generic[L]):
    """A world that is complete with a name, workers, actions and five methods.

    `actions` maps the forms of actions, such as `ring(BELL)`, to their effect in words. `choices`
    maps an argument in capitals to its possible values, if they are known beforehand; with all of
    them the actions can be counted. `about` has the rules in words, for a model. `drawn` says in
    words what the seed decides; it is empty if the world draws nothing.
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

        They must follow from what the worker sees. Otherwise they would reveal what is hidden from
        it.
        """
        raise NotImplementedError(f"{self.name} has no legal")

    def advance(self, state: State, actions: Mapping[str, str], draw: Random) -> State:
        """Return the state after a timestep in which the workers do these legal actions.

        Workers that FAIL or do not move are not in `actions`. `draw` is the source of this
        timestep's random draws.
        """
        raise NotImplementedError(f"{self.name} has no advance")

    def ending(self, state: State) -> Ending | None:
        """Return how the episode has ended; None if it continues."""
        raise NotImplementedError(f"{self.name} has no ending")

    def deal(self, state: State, draw: Random) -> State:
        """Return the opening after the draws that precede the first timestep."""
        return state

    def view_for(self, state: State, worker: str | None) -> State:
        """Return what `worker` sees, or a central planner (None); by default everything."""
        return state

    def score(self, state: State) -> float | None:
        """Return the score so far; None if the world has none."""
        return None

    def triggers(self, before: State, after: State) -> Sequence[Trigger]:
        """Return the triggers of what happened by itself in a timestep."""
        return ()

    def setup(self) -> dict[str, Any]:
        """Return the level without its title, texts and seed."""
        return self.level.setup()

    def start(self) -> State:
        """Return the opening."""
        return {"timestep": 0, "seed": None, **self.opening()}

    def apply(self, state: State, event: Json) -> tuple[State, Ruling]:
        """Apply the only event, which is the beginning; its seed decides all draws."""
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
        """Return which command has no known form, names no worker, or is a worker's second; else
        None.
        """
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
        """Return all actions of the world; None if they cannot be counted."""
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
        """Return one goal as done if the episode is won, as lost if it is lost, and the score."""
        end = self.ending(state)
        how = end.how if end else None
        return Tally(done=int(how == "won"), lost=int(how == "lost"), score=self.score(state))

    def progress_key(self, state: State) -> State:
        """Return what counts as progress: the state without the timestep."""
        return {name: value for name, value in state.items() if name != "timestep"}

    def lookups(self, state: State) -> Sequence[str]:
        """Return the names of the level's texts."""
        return list(self.level.texts)

    def observe(self, state: State, worker: str | None = None) -> State:
        """Return what the worker sees, without the seed."""
        return {name: x for name, x in self.view_for(state, worker).items() if name != "seed"}

    def simulable(self, observed: State, worker: str | None) -> State | None:
        """Return the observed state if nothing is hidden and nothing is drawn, else None."""
        hides = type(self).view_for is not PlainWorld.view_for
        return None if hides or self.drawn else observed

    def dump(self, state: State) -> dict[str, Any]:
        """Return the state, which is plain data."""
        return state

    def load(self, data: Json) -> State:
        """Return the state from plain data."""
        return dict(data)
