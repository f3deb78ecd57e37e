"""How good and how quick the embedded planner is, over all checked scenarios.

    python -m benchmarks.scheduling

At each call of the planner, at the start and at each replan: the timesteps until everything known
then is served, against the lower bound from that state; the CPU seconds of the whole answer,
reading included; and the seconds (median of three) until the narrowest search has a schedule.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from statistics import mean, median
from typing import Any

from kitchen.world import Restaurant
from orchestrator.episode import episode_of
from orchestrator.planner import Observation, Plan, commands_of
from scenarios.scenario import load_scenario, scenario_names
from worlds.restaurant.planners.embedded import EmbeddedPlanner
from worlds.restaurant.scheduling.bound import state_bound
from worlds.restaurant.scheduling.schedule import make_schedule


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of the planner."""

    scenario: str
    timestep: int
    open_lines: int
    planned: int
    bound: int
    seconds: float
    first: float

    @property
    def gap(self) -> float:
        """How much longer than the bound the plan is."""
        return self.planned / self.bound - 1


class MeasuredPlanner(EmbeddedPlanner):
    """The embedded planner with a stop-watch."""

    def __init__(self, scenario: str) -> None:
        super().__init__()
        self.scenario = scenario
        self.calls: list[Call] = []

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Plan as ever, and note how it went."""
        begin = time.process_time()
        plan = await super().plan(observation)
        seconds = time.process_time() - begin
        world, state = observation.world, observation.state
        assert isinstance(world, Restaurant)
        assert self._reader is not None
        wanted = self._reader.understand(state.open_lines(), observation.texts).wanted
        serves = [
            n
            for n, entry in enumerate(plan.schedule, start=1)
            if any(act.action.startswith("serve") for act in commands_of(entry))
        ]
        if len(serves) and wanted:
            firsts = []
            for _ in range(3):
                begin = time.process_time()
                make_schedule(world.kitchen, state, wanted, effort=1)
                firsts.append(time.process_time() - begin)
            self.calls.append(
                Call(
                    scenario=self.scenario,
                    timestep=observation.timestep,
                    open_lines=len(wanted),
                    planned=serves[-1],
                    bound=state_bound(world.kitchen, state, wanted).value,
                    seconds=seconds,
                    first=median(firsts),
                )
            )
        return plan


def main() -> None:
    """Play all checked scenarios and print a table by open lines."""
    calls: list[Call] = []
    for name in scenario_names():
        planner = MeasuredPlanner(name)
        asyncio.run(episode_of(load_scenario(name), planner).run())
        calls += planner.calls
    print("open lines | calls | mean gap | worst gap | slowest answer | slowest first schedule")
    for low, high in ((1, 1), (2, 3), (4, 6), (7, 9), (10, 12), (1, 12)):
        some = [call for call in calls if low <= call.open_lines <= high]
        if some:
            print(
                f"{low:>4} to {high:<3} | {len(some):5} | {mean(c.gap for c in some):8.1%} "
                f"| {max(c.gap for c in some):9.1%} | {max(c.seconds for c in some):12.2f} s "
                f"| {max(c.first for c in some) * 1000:18.0f} ms"
            )
    worst = max(calls, key=lambda call: call.gap)
    print(
        f"worst: {worst.scenario} at timestep {worst.timestep}: {worst.planned} timesteps, "
        f"bound {worst.bound}"
    )


if __name__ == "__main__":
    main()
