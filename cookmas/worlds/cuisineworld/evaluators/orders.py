"""The orders of an episode: when each came, and whether it was completed or failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from cookmas.episodes.instruction import is_instruction
from cookmas.episodes.trace import EventRecord
from cookmas.evals.evidence import Evidence
from cookmas.evals.verdict import EPISODE, Check, make_check, make_unscored
from cookmas.worlds.cuisineworld.bound import find_fewest, upper_bound
from cookmas.worlds.cuisineworld.engine import CuisineTask
from cookmas.worlds.cuisineworld.kitchen import STEPS
from cookmas.worlds.cuisineworld.state import CuisineState
from cookmas.worlds.cuisineworld.world import CuisineWorld


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """An order of an episode, and how it ended."""

    name: str
    """Name of the order, such as `order 1`."""
    dish: str
    """The dish."""
    arrived: int
    """Timestep at which the order came."""
    status: str
    """`completed`, `failed` or `open`."""
    at: int | None
    """Timestep at which the order was completed or expired; None if it is open at the end."""


@dataclass(frozen=True, kw_only=True)
class OrderEvidence(Evidence):
    """A finished episode of CuisineWorld, without a truth, because the rules decide everything."""

    world: CuisineWorld
    final: CuisineState

    @cached_property
    def orders(self) -> tuple[Closed, ...]:
        """All orders that came, in the order in which they came.

        Among orders for the same dish the earliest is closed first, because it expires first.
        """
        came = [
            (record.timestep, str(record.event["dish"]))
            for record in self.trace.of(EventRecord)
            if record.refused is None and not is_instruction(record.event)
        ]
        closings = [
            (dish, status, frame.timestep)
            for frame in self.frames
            for status in ("completed", "failed")
            for dish in _find_added(getattr(frame.before, status), getattr(frame.after, status))
        ]
        ends: dict[str, list[tuple[str, int]]] = {}
        for dish, status, timestep in closings:
            ends.setdefault(dish, []).append((status, timestep))
        orders: list[Closed] = []
        for number, (timestep, dish) in enumerate(came, start=1):
            status, at = ends[dish].pop(0) if ends.get(dish) else ("open", None)
            name = f"order {number}"
            orders.append(Closed(name=name, dish=dish, arrived=timestep, status=status, at=at))
        return tuple(orders)

    @property
    def steps(self) -> int:
        """The number of timesteps that the episode has at most."""
        return self.trace.header.horizon or STEPS

    @cached_property
    def task(self) -> CuisineTask | None:
        """The kitchen with the orders that came; None if no bound is known for such an episode.

        A bound is known if exactly one order came in each interval and no fork altered the kitchen.
        """
        kitchen = self.world.kitchen
        if self.altered or any(
            order.arrived != number * kitchen.interval for number, order in enumerate(self.orders)
        ):
            return None
        return CuisineTask(kitchen=kitchen, stream=tuple(order.dish for order in self.orders))

    @cached_property
    def most(self) -> int | None:
        """An upper bound on the orders that such an episode completes; None if none is known."""
        return None if self.task is None else upper_bound(self.task, self.steps)

    @cached_property
    def impossible(self) -> Mapping[str, str]:
        """The reason for each expiring order that nobody could complete, by the order's name.

        Even agents that had cooked for nothing else since the beginning, before the order came,
        would have its dish on the table too late.
        """
        kitchen = self.world.kitchen
        found: dict[str, str] = {}
        for order in self.expiring if self.altered is None else ():
            if order.dish not in kitchen.servable:
                found[order.name] = "the kitchen has no tool for it"
            elif (fewest := find_fewest(kitchen, order.dish)) > self.expiry(order):
                found[order.name] = f"it takes at least {fewest} timesteps"
        return found

    def expiry(self, order: Closed) -> int:
        """Return the timestep at which an order expires if it is not completed before."""
        return order.arrived + self.world.kitchen.lifetimes[order.dish]

    @property
    def expiring(self) -> Sequence[Closed]:
        """The orders that are completed or expire if the episode has its full length."""
        return [order for order in self.orders if self.expiry(order) < self.steps]


def _find_added(before: Sequence[str], after: Sequence[str]) -> Sequence[str]:
    return after[len(before) :]


def orders(evidence: OrderEvidence) -> Iterator[Check]:
    """Yield the `completed`, `failed` and `arrived` orders, and the shares of the paper.

    `completed_by_dish` and `failed_by_dish` are the numbers for each dish. `served` says of each
    closed order whether it was completed. `completed_of_closed` is completed / (completed +
    failed), as in MindAgent (Section 3, equation 1). `completed_of_arrived` is completed / arrived,
    so it also counts orders that are open at the end.
    """
    status = Counter(order.status for order in evidence.orders)
    completed, failed = status["completed"], status["failed"]
    yield Check(name="completed", subject=EPISODE, value=completed)
    yield Check(name="failed", subject=EPISODE, value=failed)
    yield Check(name="arrived", subject=EPISODE, value=len(evidence.orders))
    for name, of in (
        ("completed_of_closed", completed + failed),
        ("completed_of_arrived", len(evidence.orders)),
    ):
        if of:
            share = round(completed / of, 4)
            yield Check(name=name, subject=EPISODE, value=share, reason=f"{completed} of {of}")
        else:
            yield make_unscored(
                name, EPISODE, "no order was closed" if evidence.orders else "no order"
            )
    for what in ("completed", "failed"):
        by_dish = Counter(order.dish for order in evidence.orders if order.status == what)
        for dish in evidence.world.kitchen.dishes:
            yield Check(name=f"{what}_by_dish", subject=dish, value=by_dish[dish])
    for order in evidence.orders:
        if order.status != "open":
            yield make_check("served", order.name, order.status == "completed", reason=order.dish)
