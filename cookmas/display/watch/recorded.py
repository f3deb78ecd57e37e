"""An episode as its records alone tell it, for a trace whose world is not at hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cookmas.episodes.base import World
from cookmas.episodes.trace import AnyRecord, Header, StepRecord
from cookmas.worlds.base.viewing import Item, Panel, Viewing, speak_name


class RecordedWorld(World):
    """A world without rules: its state is the latest recorded action and FAIL of each worker."""

    def __init__(self, header: Header) -> None:
        self.name, self.rules, self.workers = header.world, header.rules, header.workers

    def opening(self) -> dict[str, Any]:
        """Return the state before the first record."""
        return {"actions": {}, "fails": {}}

    def state_after(self, record: AnyRecord, state: dict[str, Any]) -> dict[str, Any]:
        """Return the state after the next record, which only a timestep changes."""
        if not isinstance(record, StepRecord):
            return state
        return {
            **state,
            "timestep": record.timestep + 1,
            "actions": dict(record.commands),
            "fails": {worker: fail.why for worker, fail in record.fails.items()},
        }


class RecordedViewing(Viewing):
    """The generic picture of an episode: one panel, with a line for each worker."""

    def panels(self, world: RecordedWorld, state: dict[str, Any]) -> Sequence[Panel]:
        """Return the panel of the latest actions, with the reasons of the FAILs."""
        actions, fails = state["actions"], state["fails"]
        lines = [
            Item(
                name=speak_name(worker),
                what=actions.get(worker, ""),
                note=f"FAIL: {fails[worker]}" if worker in fails else "",
                alarming=worker in fails,
            )
            for worker in world.workers
        ]
        return [Panel(title="latest actions", items=lines)]


RECORDED = RecordedViewing()
