"""Common parts of the two games: a scenario whose chance follows from a seed, and its judges."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cookmas.episodes.base import World, ending
from cookmas.episodes.trace import Header
from cookmas.episodes.world import digest
from cookmas.evals.columns import CALLS, SUCCESS
from cookmas.evals.evidence import Evaluator, Evidence
from cookmas.evals.judging import Judging
from cookmas.evals.verdict import Check
from cookmas.files.errors import InputError, MissingError
from cookmas.worlds.base.domain import Domain
from cookmas.worlds.base.settings import check_name

Event = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Game:
    """A scenario with one event at the beginning that determines all chance."""

    name: str
    make: Callable[[], World]
    draw: Callable[[int], Event]
    drawn: str
    seed: int = 0
    horizon: int | None = 60

    @property
    def digest(self) -> str:
        return digest([self.name, self.make().setup()])

    def redraw(self, seed: int) -> Game:
        return replace(self, seed=seed)

    def data(self) -> dict[str, Any]:
        return {"game": self.name}

    def world(self) -> World:
        return self.make()

    def events(self) -> list[tuple[int, Event]]:
        return [(0, self.draw(self.seed))]

    async def look_up(self, key: str) -> str:
        raise MissingError(f"there is nothing to look up about {key!r}")


class Judges(Judging):
    """A game succeeds if it is won."""

    evaluators: Mapping[str, Evaluator] = {}
    columns = (SUCCESS, *CALLS)
    measures = ()

    def success(self, evidence: Evidence, checks: Sequence[Check]) -> tuple[bool | None, str]:
        end = ending(evidence.world, evidence.final)
        return (
            (False, "it was not played to its end") if end is None else (end.how == "won", end.why)
        )


class GameDomain(Domain):
    """A game with one scenario, whose only setting is a seed."""

    planners: Mapping[str, str] = {}
    judging = Judges()

    def __init__(self, game: Game, planners: Mapping[str, str]) -> None:
        self.world_type = type(game.make())
        self.game = game
        self.planners = planners

    def names(self, group: str | None = None) -> Sequence[str]:
        if group is not None:
            raise MissingError(f"there is no group {group!r}")
        return [self.game.name]

    def scenario(self, name: str, settings: Mapping[str, str]) -> Game:
        seed = settings.get("seed", "0")
        for option in settings:
            check_name(option, ("seed",), self.name)
        if name != self.game.name:
            raise MissingError(f"there is no game {name!r}, only {self.game.name}")
        if not seed.isdecimal():
            raise InputError("--seed", f"expected a number, not {seed!r}")
        return self.game.redraw(int(seed))

    def rebuild(self, header: Header, path: Path) -> Game:
        return self.game.redraw(header.seed)

    def world(self, setup: Mapping[str, Any]) -> World:
        return self.game.make()

    def row(self, scenario: Game) -> Mapping[str, Any]:
        return {"name": scenario.name, "drawn": scenario.drawn}
