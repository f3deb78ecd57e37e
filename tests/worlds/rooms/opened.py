"""Worlds of rooms for tests."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

import cookmas
from cookmas.episodes.world import Command
from cookmas.evals.verdict import Verdict
from cookmas.world_names import domain_of
from cookmas.worlds.rooms.world import RoomState, RoomWorld

CAPTURE = "collab-capture"
ESCAPE = "collab-escape"


def opened(name: str, **changed: Any) -> RoomWorld:
    """Return a world on the map of the paper, with some fields of its level changed."""
    scenario: Any = domain_of(name).scenario("building", {})
    world: Any = scenario.world()
    again: RoomWorld = type(world)(world.level.model_copy(update=changed))
    return again


def fields_of(name: str) -> dict[str, Any]:
    """Return the fields of the map of the paper."""
    data: dict[str, Any] = yaml.safe_load((domain_of(name).folder / "building.yaml").read_text())
    return data


def write_map(path: Path, name: str, changed: dict[str, Any]) -> Path:
    """Write the map of the paper with some fields changed; return its file."""
    path.write_text(yaml.safe_dump({**fields_of(name), **changed}))
    return path


def step(world: RoomWorld, state: RoomState, one: str, two: str) -> RoomState:
    """Return the state after a turn."""
    alice, bob = world.workers
    after, _, _ = world.step(state, [Command(alice, one), Command(bob, two)])
    return after


def judge(world: str, planner: Any, horizon: int | None = None, **options: Any) -> Verdict:
    """Return the verdict on an episode on the map of the paper."""
    scenario: Any = cookmas.load_scenario(f"{world}/building")
    if horizon is not None:
        scenario = replace(scenario, file=scenario.file.model_copy(update={"horizon": horizon}))
    run = cookmas.play(scenario, planner, world=world, **options)
    assert run.verdict is not None
    return run.verdict


def value(verdict: Verdict, name: str, subject: str = "episode") -> Any:
    """Return the value of the check `name`; None if there is none."""
    return next((x.value for x in verdict.of(name) if x.subject == subject), None)
