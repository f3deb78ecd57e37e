"""What evaluators look at: the trace simulated again, and the truth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from episodes.errors import NotationError
from episodes.world import Outcome
from evals.evidence import Evidence
from kitchen.actions import Action, Serve, Wait, parse_action
from kitchen.components import Component
from kitchen.foods import Dish, Thing
from kitchen.state import KitchenState, LineStatus, OrderLine
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
class Move:
    """What one worker did at one timestep, with what it held before, and what came of it."""

    timestep: int
    worker: str
    action: Action
    held: Thing | None
    outcome: Outcome


@dataclass(frozen=True, kw_only=True)
class KitchenEvidence(Evidence):
    """A finished episode of the restaurant."""

    truth: ScenarioTruth
    world: Restaurant
    final: KitchenState

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """Everything the workers did, by timestep and worker, read and with what they held."""
        return tuple(self._moves())

    def _moves(self) -> Iterator[Move]:
        held = [worker.holding for frame in self.frames for worker in frame.before.workers]
        for act, thing in zip(self.acts, held, strict=True):
            try:
                action = parse_action(act.action)
            except NotationError:
                action = Wait()
            yield Move(
                timestep=act.timestep,
                worker=act.worker,
                action=action,
                held=thing,
                outcome=act.outcome,
            )

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """All order lines, in the order in which they came in."""
        ordered: dict[str, int] = {}
        known: dict[str, OrderLine] = {}
        for state in (*(frame.before for frame in self.frames), self.final):
            for name in state.lines:
                ordered.setdefault(name, state.timestep)
            known.update(state.lines)
        dishes = {
            move.action.line: move.held
            for move in self.moves
            if isinstance(move.action, Serve) and move.outcome.done
        }
        lines: list[Line] = []
        for name, line in known.items():
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


NO_TRUTH = "the truth does not say what the dish should be"
"""Why a line of unknown meaning is unscored."""
