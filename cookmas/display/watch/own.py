"""What the person is told who plays a worker: what that worker may know, and nothing to come."""

from __future__ import annotations

from cookmas.display.watch.following import Following
from episodes.trace import AnyRecord, Lookup, ModelCall, PlanRecord, StepRecord, TriggerRecord
from episodes.world import is_told


def filter_record(record: AnyRecord, following: Following) -> AnyRecord | None:
    """Return the next record as far as the followed worker may know it; None if it may know nothing
    of it. The worker sees its own actions of plans, the texts that it would look up itself, its own
    FAILs and those that it witnesses. It does not see triggers, model calls and reasoning. Without
    a followed worker the record is complete.
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
        case StepRecord() if record.fails.keys() - {worker}:
            fails = {
                name: fail
                for name, fail in record.fails.items()
                if is_told(worker, name, fail.witnesses)
            }
            return record.model_copy(update={"fails": fails})
        case PlanRecord():
            own = [[c for c in entry if c.worker == worker] for entry in record.schedule]
            return PlanRecord(timestep=record.timestep, reasoning="", schedule=own)
    return record
