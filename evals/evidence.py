"""What evaluators look at: the trace simulated again, and the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from episodes.replay import Frame, final_state, replay
from episodes.trace import Trace
from episodes.world import Outcome
from evals.verdict import Check
from kitchen.actions import Action, Serve, Wait, parse_action
from kitchen.components import Component
from kitchen.foods import Dish, Thing
from kitchen.state import KitchenState, LineStatus
from kitchen.world import Restaurant
from scenarios.truth.truth import ScenarioTruth


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """An order line at the end of the episode.

    `ordered` is the timestep at which it came in, `due` and `served_at` are timesteps too; `dish`
    is what was served, `wanted` what should have been (None: the truth does not say).
    """

    name: str
    item: str
    note: str
    due: int | None
    status: LineStatus
    ordered: int
    served_at: int | None
    dish: Dish | None
    wanted: tuple[Component, ...] | None

    @property
    def order(self) -> str:
        """Name of its order."""
        return self.name.rpartition(".")[0]

    @property
    def stands(self) -> bool:
        """Whether it was not cancelled."""
        return self.status != "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """What one worker did at one timestep, with what it held before, and what came of it."""

    timestep: int
    worker: str
    action: Action
    held: Thing | None
    outcome: Outcome


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """A finished episode as evaluators see it.

    `frames` are its timesteps simulated again, `final` the state at the end.
    """

    trace: Trace
    truth: ScenarioTruth
    world: Restaurant
    frames: tuple[Frame, ...]
    final: KitchenState

    @cached_property
    def acts(self) -> tuple[Act, ...]:
        """Everything the workers did, by timestep and worker."""
        return tuple(self._acts())

    def _acts(self) -> Iterator[Act]:
        for frame in self.frames:
            for worker, place in zip(self.world.workers, frame.before.workers, strict=True):
                text = frame.actions.get(worker, self.world.idle)
                readable = self.world.unreadable(text) is None
                yield Act(
                    timestep=frame.timestep,
                    worker=worker,
                    action=parse_action(text) if readable else Wait(),
                    held=place.holding,
                    outcome=frame.outcomes[worker],
                )

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """All order lines, in the order in which they came in."""
        ordered: dict[str, int] = {}
        for state in (*(frame.before for frame in self.frames), self.final):
            for name in state.lines:
                ordered.setdefault(name, state.timestep)
        dishes = {
            act.action.line: act.held
            for act in self.acts
            if isinstance(act.action, Serve) and act.outcome.done
        }
        lines: list[Line] = []
        for name, line in self.final.lines.items():
            dish = dishes.get(name)
            lines.append(
                Line(
                    name=name,
                    item=line.item,
                    note=line.note,
                    due=line.due,
                    status=line.status,
                    ordered=ordered[name],
                    served_at=line.closed_at if line.status == "served" else None,
                    dish=dish if isinstance(dish, Dish) else None,
                    wanted=self._wanted(line.item, name, line.note),
                )
            )
        return tuple(lines)

    def _wanted(self, item: str, line: str, note: str) -> tuple[Component, ...] | None:
        try:
            return self.truth.dish(item, line, note)
        except KeyError:
            return None

    @property
    def standing(self) -> tuple[Line, ...]:
        """The lines that were not cancelled."""
        return tuple(line for line in self.lines if line.stands)


Evaluator = Callable[[Evidence], Iterable[Check]]
"""Judges one aspect of an episode from the evidence alone."""

Evaluators = Mapping[str, Evaluator]

NO_TRUTH = "the truth does not say what the dish should be"
"""Why a line of unknown meaning is unscored."""


def gather(trace: Trace, truth: ScenarioTruth) -> Evidence:
    """Simulate a trace again for the evaluators.

    Raises TraceError if it is not of a restaurant, or of one under other rules.
    """
    world = Restaurant.of_trace(trace)
    return Evidence(
        trace=trace,
        truth=truth,
        world=world,
        frames=tuple(replay(trace, world)),
        final=final_state(trace, world),
    )
