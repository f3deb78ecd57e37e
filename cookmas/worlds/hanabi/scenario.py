"""Scenarios of Hanabi: a variant of the game, perhaps with a given deck."""

from __future__ import annotations

from cookmas.episodes.scenario import FileScenario
from cookmas.files.errors import InputError
from cookmas.worlds.hanabi.world import HanabiWorld


class HanabiScenario(FileScenario):
    """A game of Hanabi."""

    def check(self) -> None:
        """Raise InputError if the hands need more cards than there are, or if a deal is unsound.

        A deck can be dealt at timestep 0 alone.
        """
        try:
            world = HanabiWorld(self.file)
            for timestep, event in self.events()[1:]:
                if timestep > 0:
                    raise InputError("events", "expected the deal at timestep 0")
                world.receive(world.start(), event)
        except InputError as error:
            raise InputError(str(self.path), str(error)) from None
