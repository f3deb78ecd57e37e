"""What an observer knows to be possible: whether it may simulate, and which actions are legal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cookmas.episodes.base import World

Legal = dict[str, list[str]]
"""The legal actions of workers, by worker."""


def is_simulable(world: World) -> bool:
    """Return whether any planner can simulate from its observation of the initial state."""
    state = world.start()
    observers = (*world.workers, *([None] if world.central else []))
    return any(
        world.simulable(world.observe(state, observer), observer) is not None
        for observer in observers
    )


def is_listable(world: World) -> bool:
    """Return whether any worker can list its legal actions in the initial state."""
    state = world.start()
    return any(
        list_legal(world, world.observe(state, worker), worker, [worker]) is not None
        for worker in world.workers
    )


def list_legal(
    world: World, observed: Any, observer: str | None, workers: Iterable[str]
) -> Legal | None:
    """Return what some workers can do now, as an observer can list it; None if it cannot.

    The observer is a worker, or None for a central planner; `observed` is what it sees.
    """
    listable = world.listable(observed, observer)
    if listable is None:
        return None
    return {worker: list(world.legal(listable, worker)) for worker in workers}


def list_own_legal(world: World, observed: Any, worker: str) -> list[str]:
    """Return what a worker can do now, as it can list it itself; nothing if it cannot."""
    return (list_legal(world, observed, worker, [worker]) or {worker: []})[worker]


def refuse_unlisted(
    world: World, observed: Any, observer: str | None, proposed: Mapping[str, str]
) -> str | None:
    """Return why an observer refuses the actions `proposed` for workers; None if it does not.

    It refuses an action that is not among the legal ones, if it can list these from what it has
    `observed`. The observer is a worker, or None for a central planner.
    """
    legal = list_legal(world, observed, observer, proposed) or {}
    for worker, action in proposed.items():
        if action not in legal.get(worker, (action,)):
            return f"{worker} cannot {action} now."
    return None
