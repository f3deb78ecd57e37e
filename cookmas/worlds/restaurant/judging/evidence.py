"""The evidence for the evaluators: the truth, and the trace, which was simulated again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from cookmas.episodes.trace import EventRecord, PlanRecord
from cookmas.episodes.world import Outcome
from cookmas.evals.evidence import Evidence
from cookmas.evals.judging import RAN_TO_END
from cookmas.evals.rescheduling import PlannedSchedule, find_schedules
from cookmas.files.errors import NotationError
from cookmas.kitchen.actions import Action, Serve, Wait, parse_action
from cookmas.kitchen.components import Component
from cookmas.kitchen.events import RefuseLine, parse_event
from cookmas.kitchen.foods import Dish, Thing
from cookmas.kitchen.state import KitchenState, LineStatus, OrderLine, order_of
from cookmas.kitchen.world import Restaurant
from cookmas.scenarios.truth import ScenarioTruth
from cookmas.worlds.restaurant.judging.comparison import FoodMismatch, compare
from cookmas.worlds.shipped import solved


@dataclass(frozen=True, slots=True, kw_only=True)
class LineEvidence:
    """An order line at the end of the episode."""

    name: str
    """Name of the line."""
    item: str
    """The menu item."""
    note: str
    """The customer's words, as last changed."""
    due: int | None
    """The timestep by which the line was due; None if no time was set."""
    status: LineStatus
    """The status at the end."""
    ordered: int
    """The timestep at which the line was ordered."""
    released: int
    """The timestep from which on the line could be served as it was wanted in the end: that of the
    order, or of the last change."""
    served_at: int | None
    """The timestep at which the line was served; None if it was not served."""
    dish: Dish | None
    """The dish that was served; None if no dish was served."""
    wanted: tuple[Component, ...] | None
    """The components that the dish should have; None if the truth does not say."""

    @property
    def order(self) -> str:
        """Name of its order."""
        return order_of(self.name)

    @property
    def stands(self) -> bool:
        """True if the line was not cancelled."""
        return self.status != "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerMove:
    """One action of a worker at a timestep."""

    timestep: int
    """Number of the timestep."""
    worker: str
    """Name of the worker."""
    action: Action
    """The action; Wait if the worker's text could not be read."""
    stood: str
    """The station at which the worker stood before the action."""
    held: Thing | None
    """The thing in the worker's hand before the action; None if the hand was empty."""
    outcome: Outcome
    """The result of the action: whether it was done and, if not, why."""


@dataclass(frozen=True, kw_only=True)
class KitchenEvidence(Evidence):
    """The evidence of a finished episode of the restaurant."""

    truth: ScenarioTruth
    """The truth of the scenario."""
    world: Restaurant
    """The world at the end."""
    final: KitchenState
    """The state at the end."""

    @cached_property
    def schedules(self) -> Sequence[PlannedSchedule]:
        """The central schedules, in the order in which they took effect."""
        return find_schedules(self)

    @cached_property
    def moves(self) -> tuple[WorkerMove, ...]:
        """All actions of the workers, by timestep and worker."""
        return tuple(self._moves())

    def _moves(self) -> Iterator[WorkerMove]:
        before = [worker for frame in self.frames for worker in frame.before.workers]
        for act, place in zip(self.acts, before, strict=True):
            try:
                action = parse_action(act.action)
            except NotationError:
                action = Wait()
            yield WorkerMove(
                timestep=act.timestep,
                worker=act.worker,
                action=action,
                stood=place.station,
                held=place.holding,
                outcome=act.outcome,
            )

    @cached_property
    def lines(self) -> tuple[LineEvidence, ...]:
        """All order lines, in the order in which they came in."""
        ordered: dict[str, int] = {}
        released: dict[str, int] = {}
        known: dict[str, OrderLine] = {}
        for state in (*(frame.before for frame in self.frames), self.final):
            for name, line in state.lines.items():
                ordered.setdefault(name, state.timestep)
                if name not in known or known[name].note != line.note:
                    released[name] = state.timestep
            known.update(state.lines)
        dishes = {
            move.action.line: move.held
            for move in self.moves
            if isinstance(move.action, Serve) and move.outcome.done
        }
        lines: list[LineEvidence] = []
        for name, line in known.items():
            dish = dishes.get(name)
            lines.append(
                LineEvidence(
                    name=name,
                    item=line.item,
                    note=line.note,
                    due=line.due,
                    status=line.status,
                    ordered=ordered[name],
                    released=released[name],
                    served_at=line.closed_at if line.status == "served" else None,
                    dish=dish if isinstance(dish, Dish) else None,
                    wanted=self._components_of(line.item, name, line.note),
                )
            )
        return tuple(lines)

    def _components_of(self, item: str, line: str, note: str) -> tuple[Component, ...] | None:
        try:
            return self.truth.dish(item, line, note)
        except KeyError:
            return None

    @cached_property
    def refusals(self) -> Mapping[str, str]:
        """The lines that the planner refused, each with `refused:` and the reason."""
        events = [parse_event(r.event) for r in self.trace.of(EventRecord) if not r.number]
        return {e.line: f"refused: {e.why}" for e in events if isinstance(e, RefuseLine)}

    @cached_property
    def understood(self) -> Mapping[str, Sequence[str]]:
        """For each line, the components that the planner last understood.

        For a served line, only the plans before it was served count.
        """
        served = {line.name: line.served_at for line in self.lines}
        last: dict[str, Sequence[str]] = {}
        for answer in self.trace.of(PlanRecord):
            for name, components in (answer.understood or {}).items():
                at = served.get(name)
                if at is None or answer.timestep <= at:
                    last[name] = components
        return last

    @cached_property
    def doubts(self) -> Mapping[str, Sequence[str]]:
        """For each line, the planner's doubts, without repetitions."""
        doubts: dict[str, dict[str, None]] = {}
        for answer in self.trace.of(PlanRecord):
            for doubt in answer.doubts or ():
                doubts.setdefault(doubt.partition(": ")[0], {})[doubt] = None
        return {name: tuple(each) for name, each in doubts.items()}

    @property
    def standing(self) -> tuple[LineEvidence, ...]:
        """The lines that were not cancelled."""
        return tuple(line for line in self.lines if line.stands)

    @cached_property
    def findings(self) -> Mapping[str, list[FoodMismatch]]:
        """For each served line whose truth is known, the foods that are not as wanted."""
        return {
            line.name: compare(line.dish.components, line.wanted, self.truth.doneness)
            for line in self.standing
            if line.dish is not None and line.wanted is not None
        }

    @cached_property
    def flaw(self) -> str | None:
        """The reason why the episode is not known to be correct; None if it is correct.

        An episode is correct if it ran to its end and every standing line was served as asked.
        Measures of efficiency say nothing about an episode that is not correct.
        """
        lines = self.standing
        unserved = [line.name for line in lines if line.dish is None]
        wrong = [name for name, findings in self.findings.items() if findings]
        unknown = [line.name for line in lines if line.wanted is None]
        if unserved:
            return f"some lines were not served: {', '.join(unserved)}"
        if wrong:
            return f"not as asked: {', '.join(wrong)}"
        if self.end.termination not in RAN_TO_END:
            return "the episode ended early"
        return f"{NO_TRUTH}: {', '.join(unknown)}" if unknown else None

    @property
    def is_open(self) -> bool:
        """True if the kitchen is open, so that the episode has no last timestep."""
        return self.trace.header.horizon is None

    @cached_property
    def bound(self) -> Any:
        """The `Bound` of the makespan of the standing lines.

        It assumes that work on a dish begins no earlier than its line is ordered. Because food of a
        cancelled line may be reused, work may also begin when the first cancelled line is ordered,
        if that is earlier. None if the truth of a line is unknown, or if the kitchen was altered
        during the episode.
        """
        cancelled = [line.ordered for line in self.lines if not line.stands]
        reusable = min(cancelled, default=self.final.timestep)
        demand = solved("restaurant", "bound:Demand")
        demands = [
            demand(release=min(line.ordered, reusable), components=line.wanted)
            for line in self.standing
            if line.wanted is not None
        ]
        if self.altered or len(demands) < len(self.standing):
            return None
        return solved("restaurant", "bound:makespan_bound")(self.world.kitchen, demands)

    @cached_property
    def clairvoyant(self) -> int | None:
        """The lower bound of `clairvoyant_bound`, for a planner that knows all events; or None."""
        wanted = {line.name: line.wanted for line in self.standing if line.wanted is not None}
        if self.altered or len(wanted) < len(self.standing):
            return None
        release = {line.name: line.released for line in self.standing}
        least: int | None = solved("restaurant", "bound:clairvoyant_bound")(
            self.world.kitchen, wanted, release
        )
        return least

    @property
    def no_bound(self) -> str:
        """The reason why a bound is None."""
        return f"the kitchen was {self.altered}" if self.altered else NO_TRUTH


NO_TRUTH = "the truth does not say what the dish should be"
"""The reason that a check gives if the truth does not know the components of its line."""
