"""The planners of the restaurant that need no model: they read recipes by rules, then schedule.

They use neither a model nor the truth. The embedded planner searches for a schedule. The oracle,
its variant, is told what to serve; a solver shortens the schedules of the planner `optimal`. Others
do not search: they dispatch by a rule. Those are the lines that a planner with a model must beat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from cookmas.episodes.trace import PlannerClass
from cookmas.kitchen.components import Component
from cookmas.kitchen.customizations import customise
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import FOREVER, KitchenState, OrderLine, Outage
from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.dialogue.look_ahead import foreseeing
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.solving.restaurant.reading import Larder, Reading, read_note, read_recipe
from cookmas.solving.restaurant.scheduling.schedule import (
    EFFORT,
    Improve,
    find_dead_end,
    find_problem,
    make_schedule,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Understanding:
    """The interpretation of some order lines."""

    wanted: Mapping[str, tuple[Component, ...]]
    """The components that each line asks for, sorted by their notation."""
    doubts: Mapping[str, tuple[str, ...]]
    """The reader's doubts, for each line that has any."""
    problems: Mapping[str, str]
    """The reason for each line that cannot be made from the kitchen's ingredients."""

    def notation(self) -> dict[str, list[str]]:
        """Return the components of each line in notation, as texts."""
        return {line: [str(c) for c in components] for line, components in self.wanted.items()}

    def list_doubts(self) -> list[str]:
        """Return all doubts, each with its line."""
        return [f"{line}: {doubt}" for line, doubts in self.doubts.items() for doubt in doubts]


class Understander:
    """The embedded reader of recipes and notes, which reads each text only once."""

    def __init__(self, kitchen: Kitchen) -> None:
        self.kitchen = kitchen
        self._larder = Larder(ingredients=frozenset(kitchen.larder), doneness=kitchen.doneness)
        self._read = lru_cache(maxsize=512)(self._recipe)
        self._understand = lru_cache(maxsize=512)(self._line)

    def _recipe(self, prose: str) -> Reading:
        return read_recipe(prose, self._larder)

    def _line(
        self, prose: str, note: str
    ) -> tuple[tuple[Component, ...], tuple[str, ...], str | None]:
        """Return the components that a recipe and a note ask for, the doubts about them, and the
        reason if they cannot be made.
        """
        reading = self._read(prose)
        wishes, unclear = read_note(note, reading.components, self._larder)
        wanted = customise(reading.components, wishes, self.kitchen.doneness)
        doubts = tuple(map(str, (*reading.doubts, *unclear)))
        return wanted, doubts, find_problem(self.kitchen, wanted)

    def understand(
        self, lines: Mapping[str, OrderLine], recipes: Mapping[str, str]
    ) -> Understanding:
        """Return the components that each line asks for, with the doubts about them.

        `recipes` has the recipe of each menu item.
        """
        wanted: dict[str, tuple[Component, ...]] = {}
        doubts: dict[str, tuple[str, ...]] = {}
        problems: dict[str, str] = {}
        for name, line in lines.items():
            wanted[name], unclear, problem = self._understand(recipes[line.item], line.note)
            if unclear:
                doubts[name] = unclear
            if problem:
                problems[name] = problem
        return Understanding(wanted=wanted, doubts=doubts, problems=problems)


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


UNITS = 0.5
"""Deterministic units for each call, about two seconds. With more units more schedules of more than
six lines become shorter; with fewer, some of six lines are not optimal.
"""


class OptimalPlanner(EmbeddedPlanner):
    """A planner that reads by rules, searches like the embedded planner, and then asks CP-SAT for a
    shorter schedule.

    If the solver finds none within its limit, the embedded schedule stands. The record says which
    it is. Raises MissingError if OR-Tools is not installed.
    """

    name = "optimal"

    def __init__(self) -> None:
        # No other planner loads the solver.
        from cookmas.solving.restaurant.solver.cpsat import load_cpsat
        from cookmas.solving.restaurant.solver.improving import improve

        super().__init__()
        load_cpsat()
        self.improve = partial(improve, limit=UNITS)


class DispatchingPlanner(EmbeddedPlanner):
    """A planner that serves every open line by the dispatching rule that has its name.

    It reads like the embedded planner. If the rule leads to a dead end, it searches like it. The
    trace says so.
    """

    def __init__(self, rule: str) -> None:
        super().__init__()
        self.name = self.rule = rule


FIRST_COME = partial(DispatchingPlanner, "first-come")
SHORTEST_FIRST = partial(DispatchingPlanner, "shortest-first")
MOST_WORK = partial(DispatchingPlanner, "most-work")
MOST_URGENT = partial(DispatchingPlanner, "most-urgent")
