"""A corridor with keys, to play on the page."""

from __future__ import annotations

from collections.abc import Mapping

from cookmas.worlds.corridor.domain import CorridorDomain
from cookmas.worlds.corridor.view import CorridorViewing
from cookmas.worlds.corridor.world import Corridor, CorridorWorld

KEYED = f"{__name__}:KeyedCorridor"


class KeyedWords(CorridorViewing):
    """The words of the corridor, with keys to walk by."""

    def keys(self, world: CorridorWorld, state: Corridor, worker: str) -> Mapping[str, str]:
        """Return the keys to walk, and the one that rings the first bell that is asked for."""
        keys = {"ArrowLeft": "left", "ArrowRight": "right", ".": "stay"}
        bells = [name for name, bell in state["bells"].items() if bell["rung"] is None]
        legal = world.legal(state, worker)
        wanted = {**keys, " ": f"ring({bells[0]})"} if bells else keys
        return {key: action for key, action in wanted.items() if action in legal}


class KeyedCorridor(CorridorDomain):
    """The domain of the corridor, with keys."""

    @property
    def viewing(self) -> KeyedWords:
        """The words and the drawing, with keys."""
        return KeyedWords()
