"""The states of random games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from cookmas.episodes.base import World
from cookmas.episodes.play import Play
from cookmas.episodes.scenario import Scenario
from cookmas.episodes.world import Command


def visited(scenario: Scenario, seed: int, world: World | None = None) -> list[Any]:
    """Return the states of an episode in which all movers take random actions, legal or not."""
    play, draw = (
        Play(world or scenario.world(), scenario.events(), scenario.horizon or 60),
        Random(seed),
    )
    found = []
    while not play.ended:
        found.append(play.state)
        play.step([Command(name, draw.choice(_actions(play, name))) for name in play.movers])
    return found


def _actions(play: Play, worker: str) -> Sequence[str]:
    return [*play.world.legal(play.state, worker), play.world.idle, "play(9)"]


def leaking(world: World, **methods: Any) -> World:
    """Return a world of the same kind with some methods replaced."""
    changed: Mapping[str, Any] = methods
    kind: type[Any] = type(f"Leaking{type(world).__name__}", (type(world),), dict(changed))
    made: World = kind()
    return made
