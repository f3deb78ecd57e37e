"""Measure Collab Capture and Collab Escape beside overcooked-ai, in the same run and on one core.

    python -m benchmarks.collab_games.speed

Plays of random legal actions are drawn beforehand. Two functions are timed: the bare transition of
an engine, for Escape with the draw of the killer, and `World.step` with the test of the ending.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from benchmarks.overcooked import compare
from cookmas.episodes.world import Command
from cookmas.world_names import domain_of
from cookmas.worlds.rooms.world import RoomWorld

PLAYS = 300
"""Plays of each game."""

REPEATS = 5
"""How often all plays are timed together."""

Play = Sequence[Mapping[str, str]]
"""The actions of each turn."""


def draw_plays(world: RoomWorld) -> list[Play]:
    """Return plays of random legal actions, of at most 30 turns each."""
    plays: list[Play] = []
    for number in range(PLAYS):
        draw, state, play = Random(number), start(world, number), list[Mapping[str, str]]()
        while world.ending(state) is None and len(play) < 30:
            joint = {name: draw.choice(list(world.legal(state, name))) for name in world.workers}
            play.append(joint)
            state, _, _ = world.step(state, [Command(*each) for each in joint.items()])
        plays.append(play)
    return plays


def start(world: RoomWorld, seed: int) -> Any:
    """Return the state after the beginning."""
    event = {"kind": "begin", "seed": seed} if world.drawn else {"kind": "begin"}
    state, _ = world.apply(world.start(), event)
    return state


def time_steps(world: RoomWorld, plays: Sequence[Play]) -> Callable[[], float]:
    """Return a function that measures the timesteps of `World.step` per CPU second."""
    commands = [[[Command(*each) for each in joint.items()] for joint in play] for play in plays]

    def measure() -> float:
        begin = time.process_time()
        for _ in range(REPEATS):
            for number, play in enumerate(commands):
                state = start(world, number)
                for joint in play:
                    state, _, _ = world.step(state, joint)
                    world.ending(state)
        return REPEATS * sum(map(len, plays)) / (time.process_time() - begin)

    return measure


def time_transitions(world: RoomWorld, plays: Sequence[Play]) -> Callable[[], float]:
    """Return a function that measures the transitions of the engine per CPU second."""
    engine: Any = world.engine
    first = world.position(world.start())
    moves = [[world.joint_move(joint) for joint in play] for play in plays]
    draw = Random(0)

    def chase() -> None:
        for play in moves:
            position = first
            for joint in play:
                position = engine.turn(position, joint)

    def flee() -> None:
        for play in moves:
            position = first
            for joint in play:
                goals = engine.goals(position)
                goal = goals[int(draw.random() * len(goals))]
                position = engine.turn(position, joint, goal)

    run = flee if world.drawn else chase

    def measure() -> float:
        begin = time.process_time()
        for _ in range(REPEATS):
            run()
        return REPEATS * sum(map(len, plays)) / (time.process_time() - begin)

    return measure


if __name__ == "__main__":
    timed = {}
    for name in ("collab-capture", "collab-escape"):
        scenario: Any = domain_of(name).scenario("building", {})
        world = scenario.world()
        plays = draw_plays(world)
        timed[f"{name}, bare transition"] = time_transitions(world, plays)
        timed[f"{name}, World.step"] = time_steps(world, plays)
    compare(timed)
