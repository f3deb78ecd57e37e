"""The embedded planner: reads the recipes itself and schedules by search. No model, no truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from episodes.trace import PlannerClass
from kitchen.layout import Kitchen
from kitchen.state import FOREVER, KitchenState, OrderLine, Outage
from kitchen.world import Restaurant
from orchestrator.planner import Observation, Plan
from worlds.restaurant.planners.understanding import Understander, Understanding
from worlds.restaurant.scheduling.schedule import EFFORT, make_schedule, makeable


class EmbeddedPlanner:
    """Understands every open line and serves them all as soon as it can."""

    name = "embedded"
    planner_class: PlannerClass = "embedded"
    effort = EFFORT

    def __init__(self) -> None:
        self._reader: Understander | None = None

    async def plan(self, observation: Observation[KitchenState]) -> Plan:
        """A schedule for all open lines; gives up if it understands none of them."""
        world, state = observation.world, observation.state
        assert isinstance(world, Restaurant)
        kitchen = world.kitchen
        understood = self.understand(kitchen, state.open_lines(), observation.texts)
        wanted, problems = makeable(kitchen, understood.wanted)
        remarks = [*problems, *observation.unread]
        if not wanted and understood.wanted:
            return Plan(
                schedule=(),
                understood=understood.notation(),
                doubts=understood.doubts,
                gave_up="no open order line can be made as it was understood: "
                + "; ".join([*understood.doubts, *remarks]),
            )
        state, later = self.focus(kitchen, state, list(wanted))
        schedule = make_schedule(kitchen, state, wanted, later=later, effort=self.effort)
        summary = f"{len(wanted)} open lines, {len(schedule)} timesteps"
        return Plan(
            schedule=schedule,
            reasoning="; ".join([summary, *remarks]),
            understood=understood.notation(),
            doubts=understood.doubts,
        )

    def understand(
        self, kitchen: Kitchen, lines: Mapping[str, OrderLine], texts: Mapping[str, str]
    ) -> Understanding:
        """What each line wants, as the recipes and the customers' words say."""
        if self._reader is None or self._reader.kitchen is not kitchen:
            self._reader = Understander(kitchen)
        return self._reader.understand(lines, texts)

    def focus(
        self, kitchen: Kitchen, state: KitchenState, lines: list[str]
    ) -> tuple[KitchenState, frozenset[str]]:
        """The state to plan in, and the lines to leave for later."""
        return state, frozenset()


class NaivePlanner(EmbeddedPlanner):
    """One dish after another, all by the first worker that is in service."""

    name = "naive"
    effort = 1

    def focus(
        self, kitchen: Kitchen, state: KitchenState, lines: list[str]
    ) -> tuple[KitchenState, frozenset[str]]:
        """Only the first line, and nobody but one worker."""
        in_service = [worker for worker in kitchen.workers if worker not in state.out]
        others = {worker: Outage(state.timestep, FOREVER) for worker in in_service[1:]}
        return replace(state, out={**state.out, **others}), frozenset(lines[1:])
