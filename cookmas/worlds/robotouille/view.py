"""The words for Robotouille: each station with what is stacked on it, and the timers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cookmas.worlds.base.viewing import (
    OPEN,
    Item,
    Panel,
    Terms,
    Viewing,
    VisibleGoal,
    WorkerPlace,
)
from cookmas.worlds.robotouille.rules.engine import FactState
from cookmas.worlds.robotouille.world import RobotouilleWorld

ALONE = 1
"""Number of arguments of a predicate about one object, which is a remark on it."""


class RobotouilleViewing(Viewing):
    """The words for the stations, the stacks and the timers of any domain."""

    terms = Terms(goals="goals", reached="true", doing="working")

    def action(self, world: RobotouilleWorld, state: FactState, worker: str, action: str) -> str:
        """Return an action as the domain file words it."""
        found = world.engine.read(worker, action)
        if found is None or not found[0].words:
            return "waits" if action == world.idle else action
        words = found[0].words.format(**found[1])
        return words.removeprefix(f"{worker} ").rstrip(".")

    def place_workers(self, world: RobotouilleWorld, state: FactState) -> Mapping[str, WorkerPlace]:
        """Return where each robot is, and what it holds."""
        below = world.engine.find_places(state.true)
        held = {place: it for it, place in below.items() if place in world.workers}
        return {
            name: WorkerPlace(at=below.get(name, ""), holds=held.get(name, ""))
            for name in world.workers
        }

    def panels(self, world: RobotouilleWorld, state: FactState) -> Sequence[Panel]:
        """Return the stations with what is on them, and the timers that run."""
        below = world.engine.find_places(state.true)
        remarks = _list_remarks(world, state)
        stations = [name for name in world.level.objects if name not in below]
        items = [
            Item(name=name, what=", ".join(_stack(world.workers, remarks, name, below)) or "-")
            for name in stations
        ]
        timers = []
        for running in state.timers:
            timer = world.engine.timer(running.key)
            pauses = not (running.held or timer.counts_actions)
            what = f"{running.key.partition('.')[0]}: {running.counted} of {timer.length}"
            timers.append(Item(name=timer.about, what=what, note="pauses" if pauses else ""))
        return [Panel(title="stations", items=items), Panel(title="timers", items=timers)]

    def goals(self, world: RobotouilleWorld, state: FactState) -> Sequence[VisibleGoal]:
        """Return the wish as the only goal."""
        reached = world.goal.is_reached(state.true)
        status = "reached" if reached else OPEN
        return [VisibleGoal(name="wish", what=world.level.wish, status=status)]


def _list_remarks(world: RobotouilleWorld, state: FactState) -> dict[str, list[str]]:
    """Return what the domain says about each object alone, such as `is cut`."""
    remarks: dict[str, list[str]] = {}
    for literal in world.engine.literals(state.true):
        words = world.domain.entries.predicates[literal.predicate].words
        alone = len(literal.args) == ALONE and literal.predicate in world.domain.changing
        if alone and words and words.startswith("{0} is "):
            said = words.replace("{0} ", "").format(literal.args[0])
            remarks.setdefault(literal.args[0], []).append(said)
    return remarks


def _stack(
    workers: Sequence[str],
    remarks: Mapping[str, Sequence[str]],
    place: str,
    below: Mapping[str, str],
) -> Iterator[str]:
    """Yield everything on a place from below, with the remarks on each object."""
    for name in [x for x, at in below.items() if at == place and x not in workers]:
        yield f"{name} ({'; '.join(remarks[name])})" if name in remarks else name
        yield from _stack(workers, remarks, name, below)


VIEWING = RobotouilleViewing()
