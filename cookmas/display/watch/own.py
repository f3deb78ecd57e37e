"""The records that the player of a worker may see: only the parts that this worker may know."""

from __future__ import annotations

from collections.abc import Sequence

from cookmas.display.watch.following import Following
from cookmas.episodes.trace import (
    AnyRecord,
    Lookup,
    ModelCall,
    PlanRecord,
    StepRecord,
    TriggerRecord,
)
from cookmas.episodes.world import is_told


class Continuations:
    """Finds the answers by which an agent only continues its earlier plan, without a decision."""

    def __init__(self) -> None:
        self._plans: dict[str | None, Sequence[object]] = {}

    def has(self, plan: PlanRecord) -> bool:
        """Return whether an answer has what was left of the plan before it, and no reasons."""
        left = self._plans.get(plan.agent, [])[1:]
        self._plans[plan.agent] = [] if plan.refused else plan.schedule
        goes_on = plan.refused is None and not plan.reasoning
        return goes_on and bool(left) and plan.schedule == left


def filter_record(record: AnyRecord, following: Following) -> AnyRecord | None:
    """Return the part of the next record that the followed worker may know, or None.

    The worker sees its own actions in plans, the texts that it could look up itself, the actions
    that its world lets it see, its own FAILs and those that it witnesses. It sees no triggers,
    model calls or reasoning. A spectator and the orchestrator get the whole record.
    """
    worker = following.worker
    if worker is None or following.central:
        return record
    match record:
        case TriggerRecord() | ModelCall():
            return None
        case Lookup() if record.key not in following.world.lookups(following.seen):
            return None
        case PlanRecord() if record.agent not in (None, worker):
            return None
        case StepRecord():
            fails = {
                name: fail
                for name, fail in record.fails.items()
                if is_told(worker, name, fail.witnesses)
            }
            commands = following.world.filter_commands(record.commands, worker)
            return record.model_copy(update={"fails": fails, "commands": list(commands)})
        case PlanRecord():
            own = [[c for c in entry if c.worker == worker] for entry in record.schedule]
            return PlanRecord(timestep=record.timestep, reasoning="", schedule=own)
    return record
