"""The chase for spectators, who see the dice; players and planners do not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cookmas.worlds.base.viewing import Viewing
from tests.worlds.hands import chase
from tests.worlds.hands.table import GameDomain


class WatchedChase(chase.ChaseWorld):
    """Shows spectators the whole state."""

    def spectate(self, state: chase.Ring) -> chase.Ring:
        return state


class Words(Viewing):
    """Describes each action with the visible dice."""

    def action(self, world: Any, state: chase.Ring, worker: str, action: str) -> str:
        dice = state["dice"]
        return f"{action} and {'sees no dice' if dice is None else f'sees {len(dice)} dice'}"


class WatchedDomain(GameDomain):
    """The chase with these descriptions."""

    viewing = Words()


DOMAIN = WatchedDomain(
    replace(chase.GAME, make=WatchedChase),
    chase.DOMAIN.planners,
)
