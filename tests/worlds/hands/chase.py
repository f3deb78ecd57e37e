"""A chase: two runners move at the same time, and a hunter comes after them.

Seven rooms lie in a ring. Who reaches room 0, the gate, is out, unless the hunter has come there
too. The hunter moves after the runners, as dice say that nobody sees before: it waits, takes a step
towards the nearest runner, or takes one clockwise. Whoever it meets is caught, and the game is
lost. Both out win it; after ten timesteps the gate is shut.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from cookmas.episodes.base import World
from cookmas.episodes.trace import PlannerClass
from cookmas.episodes.world import (
    DONE,
    Command,
    Commands,
    Ending,
    Json,
    Outcome,
    Ruling,
    Tally,
    Trigger,
)
from cookmas.files.errors import InputError
from cookmas.orchestrator.planner import Observation
from tests.worlds.hands.table import Game, GameDomain

ROOMS = 7
GATE = 0
LAST = 10
RUNNERS = ("ann", "ben")
STEPS = {"left": -1, "stay": 0, "right": 1}
WAITS, FOLLOWS, CLOCKWISE = range(3)

Ring = dict[str, Any]
"""The `timestep`, the `places` of the runners (None: out) and the `hunter`, who was `caught` where,
and the `dice` still to be thrown; None where they are not seen."""


class ChaseWorld(World):
    """The rules of the game."""

    name = "chase"
    rules = "1"
    workers: Sequence[str] = RUNNERS
    characters: Sequence[str] = ("hunter",)
    idle = "stay"
    best_score = float(len(RUNNERS))

    def setup(self) -> dict[str, Any]:
        return {}

    def start(self) -> Ring:
        places = {"ann": 2, "ben": 5}
        return {"timestep": 0, "places": places, "hunter": GATE, "caught": "", "dice": []}

    def apply(self, state: Ring, event: Json) -> tuple[Ring, Ruling]:
        dice = event.get("dice")
        known = isinstance(dice, list) and set(dice) <= {WAITS, FOLLOWS, CLOCKWISE}
        if event.get("kind") != "dice" or not known:
            raise InputError("event", "expected dice, a list of 0, 1 and 2")
        return {**state, "dice": dice}, Ruling()

    def movers(self, state: Ring) -> Sequence[str]:
        return [name for name in RUNNERS if state["places"][name] is not None]

    def step(
        self, state: Ring, commands: Commands
    ) -> tuple[Ring, Mapping[str, Outcome], Sequence[Trigger]]:
        given, before = dict(commands), state["places"]
        places, outcomes = dict(before), dict.fromkeys(RUNNERS, DONE)
        for name in self.movers(state):
            action = given.get(name, "")
            if action not in STEPS:
                outcomes[name] = Outcome("no_action", f"{name} gave no action.")
                continue
            there = (before[name] + STEPS[action]) % ROOMS
            others = [each for each in RUNNERS if each != name]
            if there != GATE and any(there in (before[each], places[each]) for each in others):
                why = f"Somebody else was in room {there}."
                outcomes[name] = Outcome("taken", why, witnesses=RUNNERS)
                continue
            places[name] = there
        dice = state["dice"]
        hunter = _hunted(state["hunter"], places, dice[0] if dice else WAITS)
        triggers = []
        caught = next((name for name in RUNNERS if _met(state, places, hunter, name)), "")
        for name in self.movers(state):
            if not caught and places[name] == GATE:
                places[name] = None
                triggers.append(Trigger(kind="out", cause=f"{name} is out"))
        return (
            {
                "timestep": state["timestep"] + 1,
                "places": places,
                "hunter": hunter,
                "caught": caught,
                "dice": dice[1:],
            },
            outcomes,
            triggers,
        )

    def legal(self, state: Ring, worker: str) -> Sequence[str]:
        if state["places"][worker] is None:
            return [self.idle]
        return [
            action
            for action in STEPS
            if self.step(state, [Command(worker, action)])[1][worker].done
        ]

    def refusal(self, commands: Commands) -> str | None:
        return next(
            (f"{name}: {action!r} is none of left, right, stay" for name, action in commands
             if action not in STEPS),
            None,
        )  # fmt: skip

    def ending(self, state: Ring) -> Ending | None:
        if name := state["caught"]:
            return Ending("lost", f"{name} was caught in room {state['places'][name]}")
        if not self.movers(state):
            return Ending("won", "both are out")
        if state["timestep"] >= LAST:
            return Ending("over", "the gate is shut")
        return None

    def is_finished(self, state: Ring) -> bool:
        return False

    def lookups(self, state: Ring) -> Sequence[str]:
        return ()

    def tally(self, state: Ring) -> Tally:
        out = len(RUNNERS) - len(self.movers(state))
        return Tally(done=out, lost=int(bool(state["caught"])), score=float(out))

    def progress_key(self, state: Ring) -> Json:
        return {"places": state["places"], "hunter": state["hunter"], "t": state["timestep"]}

    def rewards(
        self, before: Ring, after: Ring, outcomes: Mapping[str, Outcome]
    ) -> Mapping[str, float]:
        """Return 1 for a runner who gets out, -1 for a runner who is caught."""
        return {
            name: float(
                (before["places"][name] is not None and after["places"][name] is None)
                - (after["caught"] == name)
            )
            for name in RUNNERS
        }

    def observe(self, state: Ring, worker: str | None = None) -> Ring:
        return {**state, "dice": None}

    def simulable(self, observed: Ring, worker: str | None) -> Ring:
        """Return the observed state without dice; then the hunter waits."""
        return {**observed, "dice": []}

    def draw_alike(self, state: Ring, worker: str, seed: int) -> Ring:
        return {**state, "dice": Random(seed).choices(range(3), k=len(state["dice"]))}

    def dump(self, state: Ring) -> dict[str, Any]:
        return state

    def load(self, data: Json) -> Ring:
        return dict(data)


def _hunted(hunter: int, places: Mapping[str, int | None], die: int) -> int:
    """Return the hunter's next room."""
    if die == CLOCKWISE:
        return (hunter + 1) % ROOMS
    away = [(place - hunter) % ROOMS for place in places.values() if place is not None]
    if die == WAITS or not away or 0 in away:
        return hunter
    nearest = min(away, key=lambda rooms: min(rooms, ROOMS - rooms))
    return (hunter + (1 if nearest <= ROOMS - nearest else -1)) % ROOMS


def _met(state: Ring, places: Mapping[str, int | None], hunter: int, name: str) -> bool:
    """Return whether the hunter has entered a runner's room or changed places with the runner."""
    if places[name] is None:
        return False
    passed = places[name] == state["hunter"] and state["places"][name] == hunter
    return places[name] == hunter or passed


@dataclass(frozen=True)
class Runner:
    """Goes to the gate by the shorter way; a wary runner first avoids the hunter."""

    name: str
    distance: int
    planner_class: PlannerClass = "embedded"

    def act(self, observation: Observation[Any]) -> str:
        assert observation.agent
        return self.choose(observation.state, observation.agent)

    def choose(self, seen: Ring, runner: str) -> str:
        """Return the action for what the runner sees."""
        place, hunter = seen["places"][runner], seen["hunter"]
        if place is None:
            return "stay"

        def liking(step: str) -> tuple[int, int]:
            there = (place + STEPS[step]) % ROOMS
            return min(_apart(there, hunter), self.distance), -_apart(there, GATE)

        return max(("left", "right", "stay"), key=liking)


def _apart(one: int, other: int) -> int:
    away = (one - other) % ROOMS
    return min(away, ROOMS - away)


def dash() -> Runner:
    """Return the policy that runs to the gate."""
    return Runner("dash", 0)


def wary() -> Runner:
    """Return the policy that stays two rooms away from the hunter if possible."""
    return Runner("wary", 2)


def thrown(seed: int) -> dict[str, Any]:
    """Return the dice of a seed."""
    return {"kind": "dice", "dice": Random(f"chase/{seed}").choices(range(3), k=LAST)}


GAME = Game(name="ring", make=ChaseWorld, draw=thrown, drawn="the dice that move the hunter")
DOMAIN = GameDomain(
    GAME, {"dash": "tests.worlds.hands.chase:dash", "wary": "tests.worlds.hands.chase:wary"}
)
