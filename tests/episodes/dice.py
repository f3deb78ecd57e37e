"""A minimal world of turns and chance: two players, then dice that no player moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cookmas.episodes.base import World
from cookmas.episodes.trace import Header
from cookmas.episodes.world import DONE, Commands, Ending, Json, Outcome, Ruling, Tally, Trigger
from cookmas.files.errors import InputError

Table = dict[str, Any]
"""The `timestep`, the `points`, and the numbers of the `dice` in order."""


class DiceWorld(World):
    """Ann moves, then ben, then the dice; ten points win, and exactly seven lose.

    Only ann sees her FAILs; both see ben's. `breaks` names a method that raises.
    """

    name = "dice"
    rules = "1"
    workers = ("ann", "ben")
    idle = "pass"

    def __init__(self, breaks: str = "") -> None:
        self.breaks = breaks

    def setup(self) -> dict[str, Any]:
        return {}

    def start(self) -> Table:
        return {"timestep": 0, "points": 0, "dice": []}

    def apply(self, state: Table, event: Json) -> tuple[Table, Ruling]:
        if event.get("kind") != "dice":
            raise InputError("event", "expected dice")
        news = Trigger(kind="thrown", cause="the dice are on the table")
        return {**state, "dice": event["dice"]}, Ruling(trigger=news)

    def movers(self, state: Table) -> Sequence[str]:
        assert not self.ending(state), "nobody asks whose move it is in a game that is over"
        return (("ann",), ("ben",), ())[state["timestep"] % 3]

    def step(
        self, state: Table, commands: Commands
    ) -> tuple[Table, Mapping[str, Outcome], Sequence[Trigger]]:
        if self.breaks == "step":
            raise KeyError("no dice")
        assert [command.worker for command in commands] == list(self.movers(state))
        after = {**state, "timestep": state["timestep"] + 1}
        if not commands:
            first, *rest = state["dice"] or [0]
            told = [Trigger(kind="rolled", cause=f"a {first}")] if first else []
            return {**after, "points": state["points"] + first, "dice": rest}, {}, told
        ((player, action),) = commands
        if action == "add":
            return {**after, "points": state["points"] + 1}, {player: DONE}, ()
        if action == "pass":
            return after, {player: DONE}, ()
        witnesses = ("ann",) if player == "ben" else ()
        return after, {player: Outcome("no_action", f"{action} is none", witnesses)}, ()

    def legal(self, state: Table, worker: str) -> Sequence[str]:
        if self.breaks == "legal":
            raise KeyError("no dice")
        return ["add", "pass"] if worker in self.movers(state) else []

    def refusal(self, commands: Commands) -> str | None:
        return None

    def ending(self, state: Table) -> Ending | None:
        if state["points"] == 7:
            return Ending("lost", "seven points")
        return Ending("won", "ten points") if state["points"] >= 10 else None

    def is_finished(self, state: Table) -> bool:
        return False

    def lookups(self, state: Table) -> Sequence[str]:
        return ()

    def tally(self, state: Table) -> Tally:
        return Tally(done=state["points"], lost=0)

    def progress_key(self, state: Table) -> Json:
        return {"points": state["points"], "timestep": state["timestep"]}

    def observe(self, state: Table, worker: str | None = None) -> Table:
        return {**state, "dice": []}

    def simulable(self, observed: Table, worker: str | None) -> Table:
        return observed

    def dump(self, state: Table) -> dict[str, Any]:
        return state

    def load(self, data: Json) -> Table:
        return dict(data)


def header(planner: Any, horizon: int) -> Header:
    """Return the first line of a trace in this world."""
    return Header(
        world="dice",
        rules="1",
        workers=["ann", "ben"],
        seed=0,
        horizon=horizon,
        planner=planner.name,
        planner_class=planner.planner_class,
        scenario_name="dice",
        scenario_digest="0",
        scenario={},
        setup={},
    )
