"""A plain world of the tests: two players roll a hidden die each, and guess who has more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from cookmas.episodes.base import World
from cookmas.episodes.level import Level
from cookmas.episodes.world import Ending
from cookmas.worlds.base.domain import Domain

PLAYERS = ("ann", "bob")


class Sides(Level):
    """A level, with the number of a die's sides."""

    sides: int = 6


class DiceWorld(World):
    """The player with the turn names a number; the other names the winner, which ends the game."""

    name = "dice"
    level: Sides
    level_type = Sides
    workers: Sequence[str] = PLAYERS
    idle = "hush"
    drawn = "what is rolled"
    about = "Each sees its own die alone."
    actions: Mapping[str, str] = {"say(NUMBER)": "say a number.", "more(WHO)": "say who has more."}
    choices: Mapping[str, Sequence[str]] = {"WHO": PLAYERS, "NUMBER": [str(n) for n in range(1, 7)]}
    best_score = 1.0

    def movers(self, state: dict[str, Any]) -> Sequence[str]:
        return [PLAYERS[state["timestep"] % 2]]

    def opening(self) -> dict[str, Any]:
        return {"dice": dict.fromkeys(PLAYERS, 0), "said": None, "guess": None}

    def deal(self, state: dict[str, Any], draw: Random) -> dict[str, Any]:
        return {**state, "dice": {name: draw.randint(1, self.level.sides) for name in PLAYERS}}

    def legal(self, state: dict[str, Any], worker: str) -> Sequence[str]:
        if state["said"] is None:
            return [f"say({number})" for number in range(1, self.level.sides + 1)]
        return [f"more({name})" for name in PLAYERS]

    def advance(
        self, state: dict[str, Any], actions: Mapping[str, str], draw: Random
    ) -> dict[str, Any]:
        for action in actions.values():
            verb, _, what = action.rstrip(")").partition("(")
            state = {**state, "said" if verb == "say" else "guess": what}
        return state

    def view_for(self, state: dict[str, Any], worker: str | None) -> dict[str, Any]:
        dice = {name: value if name == worker else None for name, value in state["dice"].items()}
        return {**state, "dice": dice}

    def ending(self, state: dict[str, Any]) -> Ending | None:
        if state["guess"] is None:
            return None
        right = state["dice"][state["guess"]] == max(state["dice"].values())
        return Ending("won" if right else "lost", f"{state['guess']} was said to have more")

    def score(self, state: dict[str, Any]) -> float:
        end = self.ending(state)
        return float(end is not None and end.how == "won")

    def draw_alike(self, state: dict[str, Any], worker: str, seed: int) -> dict[str, Any]:
        """Return another state that `worker` cannot distinguish from this one."""
        other = PLAYERS[1 - PLAYERS.index(worker)]
        if state["guess"] is not None:
            return state
        dice = {**state["dice"], other: Random(seed).randint(1, self.level.sides)}
        return {**state, "dice": dice}


class DiceDomain(Domain):
    """The domain of dice, and of worlds made from it."""

    folder = Path(__file__).parent / "dice"

    def __init__(self, world_type: type[World] = DiceWorld) -> None:
        self.world_type = world_type


DOMAIN = DiceDomain()
