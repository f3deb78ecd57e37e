"""Left shift: actions of a schedule that need not wait are done at once.

| constraint | method |
|---|---|
| an action is legal also when it is done sooner | `_carry_out` plays the actions in the simulator |
| every line still gets what it wants | `serves` plays the whole schedule |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cookmas.episodes.world import Outcome
from cookmas.kitchen.actions import Action, Navigate, Serve, Wait
from cookmas.kitchen.components import Component, pair_off
from cookmas.kitchen.foods import Dish
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.simulator import step
from cookmas.kitchen.state import KitchenState
from cookmas.worlds.restaurant.scheduling.decode import Rows

SOON = 3
"""Number of timesteps at the beginning whose actions may be moved to the first timestep."""


def shift_left(
    kitchen: Kitchen,
    state: KitchenState,
    rows: Rows,
    wanted: Mapping[str, tuple[Component, ...]],
) -> Rows:
    """Return a schedule that serves the same, no later.

    A timestep at which nothing changes is left out if everything is still served as `wanted`. If it
    cannot be left out, an equal one right after it cannot either. A worker that is idle at first
    does its next action at once if that action comes soon and the kitchen is afterwards as it would
    have been.
    """
    kept: Rows = []
    now, played = state, 0
    needed: list[Action] | None = None
    for number, idle in enumerate(_find_idle(state, rows)):
        row = rows[number]
        if idle:
            for earlier in kept[played:]:
                now, _ = step(kitchen, now, earlier)
            after, outcomes = step(kitchen, now, row)
            still = after[1:] == now[1:]
            if still and row != needed and serves(kitchen, now, rows[number + 1 :], wanted):
                played = len(kept)
                continue
            needed = row if still and _all_done(outcomes) else None
            now, played = after, len(kept) + 1
        else:
            needed = None
        kept.append(row)
    for worker in range(len(state.workers)):
        kept = _at_once(kitchen, state, kept, worker)
    return kept


def _find_idle(state: KitchenState, rows: Rows) -> Iterator[bool]:
    """Yield for each timestep whether no worker acts or goes anywhere."""
    places = [worker.station for worker in state.workers]
    for row in rows:
        idle = True
        for worker, action in enumerate(row):
            if isinstance(action, Navigate):
                idle = idle and action.station == places[worker]
                places[worker] = action.station
            elif not isinstance(action, Wait):
                idle = False
        yield idle


def _at_once(kitchen: Kitchen, state: KitchenState, rows: Rows, worker: int) -> Rows:
    """Return the rows with a worker's next action moved to the first timestep.

    If the kitchen would then be different after the action's former timestep, return the rows
    unchanged.
    """
    idle = (Wait(), Navigate(state.workers[worker].station))
    following = [number for number, row in enumerate(rows[:SOON]) if row[worker] not in idle]
    if not following or following[0] == 0:
        return rows
    span = following[0] + 1
    old = rows[:span]
    new = [list(row) for row in old]
    new[0][worker], new[-1][worker] = new[-1][worker], Wait()
    for row in new[1:-1]:
        row[worker] = Wait()
    return (
        new + rows[span:]
        if _are_same(_carry_out(kitchen, state, new), _carry_out(kitchen, state, old))
        else rows
    )


def _are_same(one: KitchenState | None, other: KitchenState | None) -> bool:
    return one is not None and one == other


def _carry_out(
    kitchen: Kitchen, state: KitchenState, rows: Sequence[Sequence[Action]]
) -> KitchenState | None:
    """Return the state after some timesteps; None if an action FAILs."""
    for row in rows:
        state, outcomes = step(kitchen, state, row)
        if not _all_done(outcomes):
            return None
    return state


def _all_done(outcomes: Sequence[Outcome]) -> bool:
    """Return whether no action has FAILed."""
    return all(outcome.done for outcome in outcomes)


def serves(
    kitchen: Kitchen, state: KitchenState, rows: Rows, wanted: Mapping[str, tuple[Component, ...]]
) -> bool:
    """Return whether no action FAILs and every open line of `wanted` is served what it wants."""
    left = set(wanted) & set(state.open_lines())
    for row in rows:
        for worker, action in zip(state.workers, row, strict=True):
            if isinstance(action, Serve):
                dish = worker.holding
                if not isinstance(dish, Dish) or action.line not in left:
                    return False
                if pair_off(dish.components, wanted[action.line]) is None:
                    return False
                left.remove(action.line)
        state, outcomes = step(kitchen, state, row)
        if not _all_done(outcomes):
            return False
    return not left
