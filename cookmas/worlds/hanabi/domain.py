"""The domain of Hanabi, with its scenarios, planners and judging."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from cookmas.episodes.scenario import FileScenario
from cookmas.files.errors import InputError
from cookmas.files.writing import write_text
from cookmas.files.yaml_text import to_yaml
from cookmas.worlds.base.domain import PLANNERS, Domain
from cookmas.worlds.hanabi.rules import CARDS_BY_PLAYERS
from cookmas.worlds.hanabi.words import COLOURS
from cookmas.worlds.hanabi.world import HanabiLevel, HanabiWorld

_SEATS = "cookmas.solving.hanabi.planners"


class HanabiScenario(FileScenario):
    """A variant of the game, perhaps with a given deck."""

    def check(self) -> None:
        """Raise InputError if the hands need more cards than there are, or if a deal is unsound.

        A deck can be dealt at timestep 0 alone.
        """
        world = HanabiWorld(self.file)
        for timestep, event in self.events()[1:]:
            if timestep > 0:
                raise InputError("events", "expected the deal at timestep 0")
            world.receive(world.start(), event)


class HanabiDomain(Domain):
    """The domain of Hanabi."""

    world_type = HanabiWorld
    scenario_type = HanabiScenario
    options = ("players",)
    planners: Mapping[str, str] = {
        "embedded": f"{_SEATS}:CONVENTIONAL",
        "conventional": f"{_SEATS}:CONVENTIONAL",
        "search": f"{_SEATS}:SEARCH",
        "cautious": f"{_SEATS}:CAUTIOUS",
        "internal": f"{_SEATS}:INTERNAL",
        "outer": f"{_SEATS}:OUTER",
        "iggi": f"{_SEATS}:IGGI",
        "piers": f"{_SEATS}:PIERS",
        **PLANNERS,
        "random": "cookmas.worlds.base.planner:RandomPlayer",
    }
    solving = "cookmas.solving.hanabi"

    def horizon(self, scenario: HanabiScenario) -> int:
        """Return the greatest number of moves of a game in which no action FAILs.

        Each move except a clue draws a card, and gives back one clue token at most.
        """
        game = HanabiWorld(scenario.file).game
        drawn = len(game.cards) - game.players * game.hand
        return 2 * drawn + game.clues + game.players

    def row(self, scenario: HanabiScenario) -> dict[str, Any]:
        """Return the row of a scenario in the list of scenarios."""
        game = HanabiWorld(scenario.file).game
        return {
            **super().row(scenario),
            "players": game.players,
            "cards": len(game.cards),
            "hand": game.hand,
            "best": game.best,
        }

    def generate(self, level: int, size: int | None, seed: int, path: Path) -> tuple[Path]:
        """Write a game of `level` players whose deck is in the file; return the file.

        It has `size` colours, 5 by default. The seed draws the deck. Raise InputError if `level` or
        `size` is out of range.
        """
        colours = len(COLOURS) if size is None else size
        if level not in CARDS_BY_PLAYERS or not 1 <= colours <= len(COLOURS):
            raise InputError(
                "level, size", "expected 2 to 5 players as the level, and 1 to 5 colours"
            )
        fields = {"players": level, "colours": colours}
        game = HanabiWorld(HanabiLevel.model_validate(fields)).game
        deck = game.shuffle(Random(f"{level}/{colours}/{seed}"))
        data = {
            "world": self.name,
            "title": f"{level} players, deck {seed}",
            **fields,
            "events": [{"at": 0, "kind": "deal", "deck": deck}],
        }
        write_text(path, to_yaml(data, flow=None, width=100))
        return (path,)


DOMAIN = HanabiDomain()
