"""The rules of the corridor, in which walkers walk along and ring the bells that are asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from cookmas.episodes.base import NO_ACTION, World
from cookmas.episodes.level import Level
from cookmas.episodes.world import DONE, Commands, Json, Outcome, Ruling, Tally, Trigger
from cookmas.files.errors import InputError

Corridor = dict[str, Any]
"""The state: the `timestep`, the `places` of the walkers by name, and the `bells` by name.

Each bell has a `ringer`, a `knower` and `rung`. The `ringer` is the only walker that may ring the
bell, or None if every walker may. The `knower` is the only walker that may read the text about the
bell, or None if every walker may. `rung` is the place where the bell was rung, or None before that.
"""

_RING = re.compile(r"ring\((.+)\)")
_STEPS = {"left": -1, "stay": 0, "right": 1}

_ABOUT = """
- The places of the corridor are numbered from 0, at the left end, to {length}, at the right end.
  Walkers can pass each other.
- A bell is rung only once. It is rung at the place where the walker that rings it stands. That is
  right only if the bell hangs there. A text says where it hangs. Some bells can be rung by one
  walker only.
- A step against the wall is a FAIL. It changes nothing.
""".strip()


class CorridorLevel(Level):
    """The fields of a scenario's file from which the corridor is built."""

    walkers: Annotated[int, Field(ge=1, le=6)] = 2
    """Number of walkers."""
    length: Annotated[int, Field(ge=1, le=99)] = 9
    """Number of the last place; the first place is 0."""


class CorridorWorld(World):
    """A corridor of places 0 to `length`.

    A walker can ring a bell at any place, and each bell only once. The rules do not check that the
    place is right; an evaluator does.
    """

    name = "corridor"
    level: CorridorLevel
    level_type = CorridorLevel
    idle = "stay"
    actions: Mapping[str, str] = {
        "left": "go one step to the left.",
        "right": "go one step to the right.",
        "stay": "do nothing.",
        "ring(NAME)": "ring the bell of that name at the place where the walker stands.",
    }

    def __init__(self, level: CorridorLevel) -> None:
        super().__init__(level)
        self.workers: Sequence[str] = [f"walker_{n}" for n in range(1, level.walkers + 1)]
        self.length = level.length
        self.about = _ABOUT.format(length=level.length)

    def start(self) -> Corridor:
        """Return the state with every walker at the left end and no bell."""
        return {"timestep": 0, "places": dict.fromkeys(self.workers, 0), "bells": {}}

    def receive(self, state: Corridor, event: Json) -> tuple[Corridor, Ruling]:
        """Apply an event that asks for a bell: `kind`, `name`, and perhaps `ringer` and `knower`.

        A bell that was asked for already is refused. Raise InputError for any other event, or if
        `ringer` or `knower` is no walker.
        """
        match event:
            case {"kind": "bell", "name": str(name)} if name not in state["bells"]:
                people = {key: event.get(key) for key in ("ringer", "knower")}
                for walker in filter(None, people.values()):
                    if walker not in self.workers:
                        raise InputError("event", f"there is no walker {walker!r}")
                bells = {**state["bells"], name: {**people, "rung": None}}
                trigger = Trigger(kind="new_bell", cause=f"bell {name} is asked for")
                return {**state, "bells": bells}, Ruling(trigger=trigger)
            case {"kind": "bell", "name": str(name)}:
                return state, Ruling(refused=f"bell {name} is asked for already")
        raise InputError("event", "expected a bell with a name")

    def step(
        self, state: Corridor, commands: Commands
    ) -> tuple[Corridor, Mapping[str, Outcome], Sequence[Trigger]]:
        """Carry out one timestep, one walker after the other."""
        given = dict(commands)
        after = {**state, "timestep": state["timestep"] + 1}
        outcomes: dict[str, Outcome] = {}
        for walker in self.workers:
            after, outcomes[walker] = self._act(after, walker, given.get(walker, ""))
        return after, outcomes, ()

    def _act(self, state: Corridor, walker: str, action: str) -> tuple[Corridor, Outcome]:
        place = state["places"][walker]
        if action in _STEPS:
            there = place + _STEPS[action]
            if not 0 <= there <= self.length:
                return state, Outcome("wall", f"{walker} stands at the wall.")
            return {**state, "places": {**state["places"], walker: there}}, DONE
        if not (match := _RING.fullmatch(action)):
            return state, Outcome(NO_ACTION, f"{walker} gave no action.")
        bell = open_bells(state).get(name := match[1])
        if bell is None:
            return state, Outcome("no_bell", f"No bell {name} is to be rung.")
        if bell["ringer"] not in (None, walker):
            return state, Outcome("not_yours", f"Only {bell['ringer']} rings {name}.")
        return {**state, "bells": {**state["bells"], name: {**bell, "rung": place}}}, DONE

    def legal(self, state: Corridor, worker: str) -> list[str]:
        """Return the actions that `worker` could do now."""
        actions = [*_STEPS, *(f"ring({name})" for name in open_bells(state))]
        return [action for action in actions if self._act(state, worker, action)[1].done]

    def is_finished(self, state: Corridor) -> bool:
        """Return whether every bell was rung."""
        return not open_bells(state)

    def tally(self, state: Corridor) -> Tally:
        """Return the number of bells that were rung."""
        return Tally(done=len(state["bells"]) - len(open_bells(state)), lost=0)

    def lookups(self, state: Corridor) -> list[str]:
        """Return the names of the open bells whose texts the observer may read."""
        return [name for name, bell in open_bells(state).items() if not bell.get("hidden")]

    def view_for(self, state: Corridor, worker: str | None) -> Corridor:
        """Return the state as `worker` sees it; None stands for a central planner, which sees all.

        In the state that a worker sees, each bell also has `hidden`, which is True if only another
        worker may read the text about the bell.
        """
        if worker is None:
            return state
        bells = {
            name: {**bell, "hidden": bell["knower"] not in (None, worker)}
            for name, bell in state["bells"].items()
        }
        return {**state, "bells": bells}

    def simulable(self, observed: Corridor, worker: str | None) -> Corridor:
        """Return the observed state, because the rules depend on no hidden facts."""
        return observed

    def narrate(self, observed: Corridor, worker: str | None) -> list[str]:
        """Return where everybody stands, how far the ends are, and which bells are asked for."""
        told = [
            f"{'You stand' if name == worker else f'{name} stands'} at place {place}, "
            f"{place} steps from the left end and {self.length - place} from the right end."
            for name, place in observed["places"].items()
        ]
        for name, bell in open_bells(observed).items():
            ringer = "Everybody" if bell["ringer"] is None else f"Only {bell['ringer']}"
            told.append(f"{name} is asked for. {ringer} may ring it.")
        return told


def open_bells(state: Corridor) -> Corridor:
    """Return the bells that were not rung yet, in the order in which they were asked for."""
    return {name: bell for name, bell in state["bells"].items() if bell["rung"] is None}


def walk(place: int, goal: int) -> list[str]:
    """Return the steps from one place to another."""
    return ["right" if goal > place else "left"] * abs(goal - place)
