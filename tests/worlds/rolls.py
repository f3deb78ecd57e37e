"""A game of dice for tests: turns, chance, a score, a loss, and rewards of each seat.

Two players take turns. Whose turn it is takes what the die shows, which nobody sees before, or
passes. More than ten points lose the game for both; else the points are the score.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from cookmas.episodes.base import World
from cookmas.episodes.trace import EventRecord, Header, PlannerClass
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
    digest,
)
from cookmas.evals.evidence import Evaluator, Evidence
from cookmas.evals.judging import Judging
from cookmas.evals.verdict import EPISODE, Check, Goal, make_check
from cookmas.files.errors import MissingError
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.worlds.base.domain import Domain
from cookmas.worlds.base.training import Array, Rows, Training

LIMIT = 10
ROLLS = 6
PLAYERS = ("ann", "ben")

Game = dict[str, Any]
"""The `points`, the number of turns taken (`turn`), and the `dice` still to roll."""


class RollsWorld(World):
    """The rules of the game."""

    name = "rolls"
    rules = "1"
    workers: Sequence[str] = PLAYERS
    idle = "pass"
    best_score = float(LIMIT)
    discloses_decisions = True

    def __init__(self, first: int = 0) -> None:
        self._first = first

    def setup(self) -> dict[str, Any]:
        return {"first": self._first}

    def start(self) -> Game:
        return {"points": 0, "turn": 0, "dice": []}

    def apply(self, state: Game, event: Json) -> tuple[Game, Ruling]:
        trigger = Trigger(kind="dice", cause="the game begins")
        return {**state, "dice": event["dice"]}, Ruling(trigger=trigger)

    def movers(self, state: Game) -> Sequence[str]:
        return [PLAYERS[(state["turn"] + self._first) % 2]]

    def step(
        self, state: Game, commands: Commands
    ) -> tuple[Game, Mapping[str, Outcome], Sequence[Trigger]]:
        given, outcomes = dict(commands), dict.fromkeys(PLAYERS, DONE)
        (mover,) = self.movers(state)
        action = given.get(mover, self.idle)
        if action not in ("take", self.idle):
            outcomes[mover] = Outcome("no_action", "Only take and pass are actions.")
        die = state["dice"][0] if action == "take" else 0
        after = {"points": state["points"] + die, "turn": state["turn"] + 1}
        return {**after, "dice": state["dice"][1:]}, outcomes, ()

    def legal(self, state: Game, worker: str) -> Sequence[str]:
        return ["take", self.idle] if worker in self.movers(state) else [self.idle]

    def refusal(self, commands: Commands) -> str | None:
        return None

    def ending(self, state: Game) -> Ending | None:
        if state["points"] > LIMIT:
            return Ending("lost", f"{state['points']} points are too many")
        if state["turn"] == ROLLS:
            return Ending("over", "all dice are rolled")
        return None

    def is_finished(self, state: Game) -> bool:
        return False

    def lookups(self, state: Game) -> Sequence[str]:
        return ()

    def tally(self, state: Game) -> Tally:
        points = state["points"] if state["points"] <= LIMIT else 0
        return Tally(done=state["turn"], lost=0, score=float(points))

    def progress_key(self, state: Game) -> Json:
        return {"points": state["points"], "turn": state["turn"]}

    def rewards(
        self, before: Game, after: Game, outcomes: Mapping[str, Outcome]
    ) -> Mapping[str, float]:
        """Return for each player the number that the player took."""
        gained = float(after["points"] - before["points"])
        return {name: gained * (name in self.movers(before)) for name in PLAYERS}

    def observe(self, state: Game, worker: str | None = None) -> Game:
        return {**state, "dice": []}

    def dump(self, state: Game) -> dict[str, Any]:
        return state

    def load(self, data: Json) -> Game:
        return dict(data)


@dataclass(frozen=True, kw_only=True)
class Rolled:
    """Six rolls of a die with four sides, always the same."""

    name: str
    seed: int = 0
    horizon: int | None = ROLLS

    @property
    def digest(self) -> str:
        return digest(self.name)

    def data(self) -> dict[str, Any]:
        return {"game": self.name}

    def world(self) -> RollsWorld:
        return RollsWorld(self.first)

    @property
    def first(self) -> int:
        """Number of the player who begins."""
        return 0

    def events(self) -> list[tuple[int, dict[str, Any]]]:
        return [(0, {"kind": "dice", "dice": Random(self.seed).choices(range(1, 5), k=ROLLS)})]

    async def look_up(self, key: str) -> str:
        raise MissingError(key)


@dataclass(frozen=True, kw_only=True)
class Chance(Rolled):
    """Rolls that depend on a seed."""

    drawn = "who begins, and the rolls of the die"

    @property
    def first(self) -> int:
        return Random(f"first/{self.seed}").randrange(2)

    def redraw(self, seed: int) -> Chance:
        return replace(self, seed=seed)


class RollsNumbers(Training):
    """The game as arrays; each player sees the number of points."""

    arrays: Mapping[str, Array] = {"points": Array(1, ("points", "turn"))}

    def __init__(self, world: RollsWorld, actions: Sequence[str] = ("pass", "take")) -> None:
        self.actions = actions
        self._world = world

    def text(self, state: Game, number: int) -> str:
        return self.actions[number]

    def legal(self, state: Game, worker: str) -> Sequence[int]:
        return [self.actions.index(each) for each in self._world.legal(state, worker)]

    def encode(self, state: Game) -> Mapping[str, Rows]:
        return {"points": [[state["points"], state["turn"]]]}

    def of(self, worker: str) -> RollsNumbers:
        """Return a player's actions; ben has them in another order, with an invalid one."""
        return self if worker == "ann" else RollsNumbers(self._world, ("take", "pass", "shout"))


def dice(evidence: Evidence) -> Iterator[Check]:
    """Yield a check `rolled` for each roll: whether the dice were those of the truth."""
    for record in evidence.trace.of(EventRecord):
        yield make_check("rolled", EPISODE, record.event["dice"] == evidence.truth["dice"])


class RollsJudging(Judging):
    """The judging of the game, whose goals are the rolls that were taken."""

    evaluators: Mapping[str, Evaluator] = {**Judging.evaluators, "dice": dice}

    def goals(self, evidence: Evidence) -> Sequence[Goal]:
        return [
            Goal(name=f"roll {act.timestep + 1}", what="die", status="taken", when=act.timestep)
            for act in evidence.acts
            if act.action == "take"
        ]


class RollsDomain(Domain):
    """The game with chance, and without."""

    world_type = RollsWorld
    planners: Mapping[str, str] = {
        "taking": "tests.worlds.rolls:Taking",
        "thrice": "tests.worlds.rolls:Thrice",
        "whim": "tests.worlds.rolls:Whim",
    }
    judging: Judging = RollsJudging()

    def names(self, group: str | None = None) -> Sequence[str]:
        if group is not None:
            raise MissingError(group)
        return ["chance", "fixed"]

    def scenario(self, name: str, settings: Mapping[str, str]) -> Rolled:
        if name not in self.names():
            raise MissingError(name)
        return Chance(name=name) if name == "chance" else Rolled(name=name)

    def rebuild(self, header: Header, path: Path) -> Rolled:
        return self.scenario(header.scenario_name, {})

    def world(self, setup: Mapping[str, Any]) -> RollsWorld:
        return RollsWorld(setup.get("first", 0))

    def truth(self, scenario: Rolled, path: Path | None = None) -> Mapping[str, Any]:
        """Return the numbers of the dice, which reveal the scenario's seed."""
        return {"dice": scenario.events()[0][1]["dice"]}

    def row(self, scenario: Rolled) -> Mapping[str, Any]:
        return {"name": scenario.name}

    def training(self, world: RollsWorld) -> RollsNumbers:
        return RollsNumbers(world)


DOMAIN = RollsDomain()
SPEC = "tests.worlds.rolls:DOMAIN"


class Taking:
    """Takes the first rolls, then passes."""

    name = "taking"
    planner_class: PlannerClass = "embedded"
    takes = 2

    async def plan(self, observation: Observation[Any]) -> Plan:
        first = observation.world.setup()["first"]
        return Plan(
            schedule=[
                [Command(PLAYERS[(turn + first) % 2], "take" if turn < self.takes else "pass")]
                for turn in range(observation.timestep, ROLLS)
            ]
        )


class Thrice(Taking):
    """Takes one roll more."""

    name = "thrice"
    takes = 3


class Whim(Taking):
    """Takes a random number of rolls, drawn with its own seed."""

    name = "whim"

    def __init__(self, seed: int | None = None) -> None:
        self.takes = Random(seed).randint(0, ROLLS - 1)
