"""The chase for spectators: they see the dice, which whoever plays or plans does not see."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.worlds.hands import chase
from tests.worlds.hands.table import GameDomain
from worlds.viewing import PlainViewing


class WatchedChase(chase.ChaseWorld):
    """Shows spectators all of it."""

    def spectate(self, state: chase.Ring) -> chase.Ring:
        return state


class Words(PlainViewing):
    """Says with each action which dice are seen."""

    def action(self, world: Any, state: chase.Ring, worker: str, action: str) -> str:
        dice = state["dice"]
        return f"{action} and {'sees no dice' if dice is None else f'sees {len(dice)} dice'}"


class WatchedDomain(GameDomain):
    """The chase with these words."""

    viewing = Words()


DOMAIN = WatchedDomain(
    replace(chase.GAME, make=WatchedChase),
    chase.DOMAIN.planners,
)
