"""The embedded planner: it reads recipes by rules, then searches for a schedule.

It uses neither a model nor the truth. The oracle, its variant, is told what to serve.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from cookmas.episodes.trace import PlannerClass
from cookmas.kitchen.components import Component
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import FOREVER, KitchenState, OrderLine, Outage
from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.dialogue.look_ahead import foreseeing
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.solving.restaurant.planners.understanding import Understander, Understanding
from cookmas.solving.restaurant.scheduling.schedule import (
    EFFORT,
    Improve,
    find_dead_end,
    find_problem,
    make_schedule,
)


class EmbeddedPlanner:
    """A planner that interprets every open line and serves all of them as soon as it can."""

    name = "embedded"
    planner_class: PlannerClass = "embedded"
    effort = EFFORT
    improve: Improve | None = None
    rule: str | None = None
    """The name of a dispatching rule that takes the place of the search."""

    def __init__(self) -> None:
        self._reader: Understander | None = None

    @foreseeing
    async def plan(self, observation: Observation[KitchenState]) -> Plan:
        """Return a schedule for all open lines; give up if none of them can be made.

        While a worker or a station is out of service, wait if no schedule is found.
        """
        world, state = observation.world, observation.state
        assert isinstance(world, Restaurant)
        kitchen = world.kitchen
        understood = self.understand(kitchen, state.open_lines(), observation.texts)
        problems = understood.problems
        declined = self.declines(understood.doubts, problems)
        left_out = problems.keys() | declined.keys()
        wanted = {line: each for line, each in understood.wanted.items() if line not in left_out}
        remarks = [f"{line}: {why}" for line, why in problems.items()] + [*observation.unread]
        answer = Plan(
            schedule=(),
            understood=understood.notation(),
            doubts=understood.list_doubts(),
            declined=declined,
        )
        if not wanted and understood.wanted.keys() - declined.keys():
            why = "no open order line can be made as it was understood: "
            return replace(answer, gave_up=why + "; ".join([*answer.doubts, *remarks]))
        if not wanted and declined:
            return answer
        state, later = self.focus(kitchen, state, list(wanted))
        underway = [dict(entry) for entry in observation.underway]
        result = make_schedule(
            kitchen,
            state,
            wanted,
            later=later,
            underway=underway,
            effort=self.effort,
            improve=self.improve,
            rule=self.rule,
        )
        answer = replace(answer, search=result.record())
        if hopeless := find_dead_end(observation.state, result):
            return replace(answer, gave_up="; ".join([hopeless, *remarks]))
        summary = f"{len(wanted)} open lines, {len(result.schedule)} timesteps"
        waits = [f"waits: {why}" for why in result.blocked if result.fallback]
        return replace(
            answer,
            schedule=result.schedule,
            reasoning="; ".join([summary, *waits, *remarks]),
        )

    def understand(
        self, kitchen: Kitchen, lines: Mapping[str, OrderLine], texts: Mapping[str, str]
    ) -> Understanding:
        """Return the components that each line asks for, by its recipe and the customer's words.

        `texts` has the recipe of each menu item.
        """
        if self._reader is None or self._reader.kitchen is not kitchen:
            self._reader = Understander(kitchen)
        return self._reader.understand(lines, texts)

    def declines(
        self, doubts: Mapping[str, Sequence[str]], problems: Mapping[str, str]
    ) -> Mapping[str, str]:
        """Return the lines that the planner refuses, each with the reason.

        This planner refuses none. `doubts` has the reader's doubts about each line. `problems` has
        the reason for each line that cannot be made.
        """
        return {}

    def focus(
        self, kitchen: Kitchen, state: KitchenState, lines: list[str]
    ) -> tuple[KitchenState, frozenset[str]]:
        """Return the state from which to plan, and the lines that the schedule leaves for later.

        This planner returns the given state, and leaves no line.
        """
        return state, frozenset()


class StrictPlanner(EmbeddedPlanner):
    """A planner that refuses every line about which its reader has a doubt."""

    name = "embedded-strict"

    def declines(
        self, doubts: Mapping[str, Sequence[str]], problems: Mapping[str, str]
    ) -> Mapping[str, str]:
        """Return every line that is in doubt or cannot be made, each with the reason."""
        return {**problems, **{line: "; ".join(reasons) for line, reasons in doubts.items()}}


class NaivePlanner(EmbeddedPlanner):
    """A planner that makes one dish after another, all with the first worker that is in service."""

    name = "naive"
    effort = 1

    def focus(
        self, kitchen: Kitchen, state: KitchenState, lines: list[str]
    ) -> tuple[KitchenState, frozenset[str]]:
        """Return a state with one worker in service; leave all lines but the first for later."""
        in_service = [worker for worker in kitchen.workers if worker not in state.out]
        others = {worker: Outage(state.timestep, FOREVER) for worker in in_service[1:]}
        return state._replace(out={**state.out, **others}), frozenset(lines[1:])


Wanted = Callable[[str, OrderLine], tuple[Component, ...]]
"""A function that takes a line's name and the line, and returns the components to serve."""


class OraclePlanner(EmbeddedPlanner):
    """A planner that schedules like the embedded planner, but does not read.

    The function `wanted` tells it the components of each line. Comparison with it shows how much
    other planners lose by reading.
    """

    name = "oracle"
    planner_class: PlannerClass = "oracle"

    def __init__(self, wanted: Wanted) -> None:
        super().__init__()
        self._wanted = wanted

    def understand(
        self, kitchen: Kitchen, lines: Mapping[str, OrderLine], texts: Mapping[str, str]
    ) -> Understanding:
        """Return the given components of each line; the recipes are ignored."""
        wanted = {name: self._wanted(name, line) for name, line in lines.items()}
        found = {name: find_problem(kitchen, components) for name, components in wanted.items()}
        problems = {name: problem for name, problem in found.items() if problem}
        return Understanding(wanted=wanted, doubts={}, problems=problems)
