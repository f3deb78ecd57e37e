"""Measure the speed of Robotouille's engine beside overcooked-ai, in the same run and on one core.

    python -m benchmarks.robotouille.speed

A play of random legal actions is drawn beforehand. `World.step` and the test of the goal are timed,
without listing the legal actions. Then the time to build the largest recorded layout is printed,
with the time of 300 of its first steps.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from random import Random

from benchmarks.overcooked import compare
from cookmas.episodes.world import Command
from cookmas.worlds.robotouille.domain import DOMAIN
from cookmas.worlds.robotouille.world import RobotouilleWorld

STEPS = 300
"""Timesteps of a play."""

REPEATS = 20
"""Plays that are timed together."""

LARGEST = "asynchronous/9-378"
"""The recorded layout with the most objects."""

Play = Sequence[Sequence[Command]]
"""The commands of each timestep."""


def open_world(name: str) -> RobotouilleWorld:
    """Return the world of a scenario."""
    return RobotouilleWorld.of_setup(DOMAIN.scenario(name, {}).world().setup())


def draw_play(world: RobotouilleWorld) -> Play:
    """Return random legal commands for STEPS timesteps."""
    state, draw, play = world.start(), Random(42), list[list[Command]]()
    for _ in range(STEPS):
        actions = [(name, draw.choice(list(world.legal(state, name)))) for name in world.workers]
        play.append([Command(*each) for each in actions])
        state, _, _ = world.step(state, play[-1])
    return play


def run(world: RobotouilleWorld, play: Play) -> None:
    """Carry out a play, and test the goal after each timestep."""
    state = world.start()
    for commands in play:
        state, _, _ = world.step(state, commands)
        world.ending(state)


def speed(name: str) -> Callable[[], float]:
    """Return a function that measures the timesteps of a scenario per CPU second."""
    world = open_world(name)
    play = draw_play(world)

    def measure() -> float:
        begin = time.process_time()
        for _ in range(REPEATS):
            run(world, play)
        return REPEATS * STEPS / (time.process_time() - begin)

    return measure


def time_building(name: str) -> tuple[float, float]:
    """Return the seconds to build a layout, and those of the first STEPS steps in it."""
    level = open_world(name).level
    play = draw_play(open_world(name))
    begin = time.process_time()
    world = RobotouilleWorld(level)
    built = time.process_time()
    run(world, play)
    return built - begin, time.process_time() - built


if __name__ == "__main__":
    names = ("synchronous/0", "asynchronous/9-42")
    compare({f"Robotouille, {name}": speed(name) for name in names})
    built, played = time_building(LARGEST)
    print(f"{LARGEST}: built in {1000 * built:.1f} ms; {STEPS} steps in {1000 * played:.1f} ms")
