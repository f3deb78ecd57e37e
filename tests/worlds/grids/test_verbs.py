"""In both kitchens on a grid a cook can begin just what is listed as legal."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cookmas.api import load_scenario
from cookmas.episodes.world import Command
from cookmas.worlds.grids.lasting import UnableError

KITCHENS = [
    ("overcooked/current/cramped_room", {}),
    ("overcooked/no_counter_door", {}),
    ("overcooked/forced_coordination", {}),
    ("collab-overcooked/level_3/02", {"mode": "default"}),
    ("collab-overcooked/level_3/02", {"mode": "original"}),
]
AWAY = "move_away"
"""Never refused, and listed only if there is a free cell."""


@pytest.mark.parametrize(("name", "settings"), KITCHENS)
def test_legal_is_what_is_not_refused(name: str, settings: dict[str, str]) -> None:
    scenario: Any = load_scenario(name, settings=settings)
    world, draw, begun = scenario.world(), Random(1), set()
    state = world.start()
    for _, event in scenario.events():
        state, _ = world.apply(state, event)
    for _ in range(60):
        commands = []
        for worker in world.movers(state):
            legal = [each for each in world.legal(state, worker) if each != AWAY]
            begins = {text for text in world.every_action() if _begins(world, state, worker, text)}
            assert sorted(legal) == sorted(begins - {AWAY})
            commands.append(Command(worker, draw.choice(legal)))
            begun.add(commands[-1].action.partition("(")[0])
        state, _, _ = world.step(state, commands)
    assert len(begun) > 3


def _begins(world: Any, state: Any, worker: str, text: str) -> bool:
    try:
        world.begin(state, world.workers.index(worker), text)
    except UnableError:
        return False
    return True
