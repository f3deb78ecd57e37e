"""Kitchens to try the rules in, and ways to bring a cook where a test wants it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cookmas.api import load_scenario
from cookmas.episodes.world import Command
from cookmas.worlds.overcooked.rules.kitchen import KitchenItem, PotContent

OWN = """{
    "grid": '''XPXXOXX
               S1   2D
               XXXXXXX''',
    "start_all_orders": [{"ingredients": ["onion", "onion", "onion"]}],
    "cook_time": 4,
}"""
"""A corridor in which two cooks cannot pass each other."""

ONION, DISH = KitchenItem("onion"), KitchenItem("dish")
SOUP = KitchenItem("soup", ("onion", "onion", "onion"))
COOKS, READY = PotContent(("onion",) * 3, 5), PotContent(("onion",) * 3, 20)


def opened(name: str = "cramped_room", **settings: Any) -> tuple[Any, Any]:
    """Return the world of a scenario, and its first state."""
    world: Any = load_scenario(f"overcooked/{name}", settings=settings).world()
    return world, world.start()


def corridor(tmp_path: Path, **settings: Any) -> tuple[Any, Any]:
    path = tmp_path / "corridor.layout"
    path.write_text(OWN)
    world: Any = load_scenario(str(path), "overcooked", settings).world()
    return world, world.start()


def changed(state: Any, *, hold: KitchenItem | None = None, pot: PotContent | None = None) -> Any:
    """Return a state in which the first cook holds something, and the first pot has this."""
    first, *others = state.scene.cooks
    scene = state.scene._replace(cooks=(first._replace(held=hold), *others))
    pots = {} if pot is None else {(2, 0): pot}
    return state._replace(scene=scene._replace(pots=pots))


def step(world: Any, state: Any, alice: str = "stay", bob: str = "stay") -> Any:
    """Return the state after these commands, those that do not move left out."""
    asked = world.movers(state)
    commands = [
        Command(name, act) for name, act in (("alice", alice), ("bob", bob)) if name in asked
    ]
    state, outcomes, _ = world.step(state, commands)
    assert all(outcome.done for outcome in outcomes.values()), outcomes
    return state


def fail_of(world: Any, state: Any, **acts: str) -> str | None:
    """Return why the command of a cook FAILs; None if it does not."""
    ((name, act),) = acts.items()
    fail: str | None = world.step(state, [Command(name, act)])[1][name].fail
    return fail


def finish(world: Any, state: Any, action: str) -> Any:
    """Return the state after alice has carried out an action."""
    state = step(world, state, action)
    while "alice" not in world.movers(state):
        state = step(world, state)
    return state
