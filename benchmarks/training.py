"""Compare the speed of the training environment with that of the bare simulator, on one core.

    python -m benchmarks.training

Both play the same random legal actions in episodes of level3/08. The figures are CPU seconds,
without the judgement at the end.
"""

from __future__ import annotations

import random
import time
from statistics import median

from cookmas.bridges.pettingzoo import Rewards, TogetherEnv, parallel_env
from cookmas.episodes.trace import EventRecord, StepRecord
from cookmas.kitchen.actions import parse_action
from cookmas.kitchen.simulator import step
from cookmas.kitchen.world import Restaurant

ROUNDS = 5
TIMESTEPS = 1000


def main() -> None:
    """Print the timesteps per second of both, and how much longer the environment takes."""
    env = parallel_env("level3/08", horizon=TIMESTEPS, rewards=Rewards(success=0))
    joints = _draw(env)
    ratios = []
    for number in range(1, ROUNDS + 1):
        ours, bare = _environment(env, joints), _simulator(env)
        ratios.append(ours / bare)
        print(
            f"round {number}: environment {len(joints) / ours:,.0f} timesteps a second, "
            f"simulator {len(joints) / bare:,.0f}: {ours / bare:.1f} times as long"
        )
    print(f"median: {median(ratios):.1f} times as long")


def _draw(env: TogetherEnv) -> list[dict[str, int]]:
    draw = random.Random(1)
    observations, _ = env.reset()
    joints: list[dict[str, int]] = []
    while env.agents:
        masks = {agent: observations[agent]["action_mask"].nonzero()[0] for agent in env.agents}
        joints.append({agent: int(draw.choice(list(legal))) for agent, legal in masks.items()})
        observations, *_ = env.step(joints[-1])
    return joints


def _environment(env: TogetherEnv, joints: list[dict[str, int]]) -> float:
    env.reset()
    begin = time.process_time()
    for joint in joints:
        env.step(joint)
    return time.process_time() - begin


def _simulator(env: TogetherEnv) -> float:
    """Return the CPU seconds of the same timesteps in the simulator, without the events."""
    trace = env.trace()
    world = Restaurant.of_setup(trace.header.setup)
    state, spent = world.start(), 0.0
    for record in trace.records:
        if isinstance(record, EventRecord):
            state, _ = world.apply(state, record.event)
        elif isinstance(record, StepRecord):
            joint = [parse_action(action) for _, action in record.commands]
            begin = time.process_time()
            state, _ = step(world.kitchen, state, joint)
            spent += time.process_time() - begin
    return spent


if __name__ == "__main__":
    main()
