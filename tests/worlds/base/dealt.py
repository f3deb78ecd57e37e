"""The game of dice with a dealer, who is no worker, and with its own descriptions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cookmas.worlds.base.viewing import Item, Panel, Terms, Viewing, VisibleGoal, WorkerPlace
from tests.worlds.base.dice import DiceDomain, DiceWorld

SPEC = "tests.worlds.base.dealt:DOMAIN"


class DealtWorld(DiceWorld):
    """The game with a dealer, who does nothing."""

    name = "dealt"
    characters = ("dealer",)


class Words(Viewing):
    """The descriptions of the game."""

    terms = Terms(goals="bets", reached="won", texts="house rules", doing="gambling")

    def place_workers(self, world: Any, state: Any) -> Mapping[str, WorkerPlace]:
        dealer = "the table" if state["said"] is None else "the bar"
        return {
            "dealer": WorkerPlace(at=dealer, holds="a cup"),
            **{name: WorkerPlace(at="a chair") for name in world.workers},
        }

    def panels(self, world: Any, state: Any) -> Sequence[Panel]:
        said = str(state["said"] or "nothing")
        return [Panel(title="on the table", items=[Item(name="said", what=said, alarming=True)])]

    def goals(self, world: Any, state: Any) -> Sequence[VisibleGoal]:
        guess = state["guess"]
        return [
            VisibleGoal(name="bet", what="who has more", status=f"on {guess}" if guess else "open")
        ]


WORDS = Words()


class DealtDomain(DiceDomain):
    """The domain with its own descriptions."""

    viewing_spec = "tests.worlds.base.dealt:WORDS"


DOMAIN = DealtDomain(DealtWorld)
