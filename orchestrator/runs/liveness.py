"""The age of a run's last heartbeat, to display whether a process plays the run.

The age is only for display, because it compares clocks: if a clock jumps, the age is wrong until
the next heartbeat. `cookmas.orchestrator.runs.lease`, which compares no clocks, decides which
process may play a run.
"""

from __future__ import annotations

import time
from pathlib import Path

from cookmas.mailboxes.redis.address import is_address, need_redis
from cookmas.orchestrator.runs.lease import LOCK, is_played


async def heartbeat_age(episode: str | Path) -> float | None:
    """Return the seconds since the last heartbeat of a run's orchestrator; None if there is none.

    `episode` is the folder of a run, or the address of an episode in Redis. An orchestrator sends a
    heartbeat every BEAT seconds; after PATIENCE seconds without a heartbeat another process may
    take over.

    For a folder, None means that no process plays the run now; a paused process has an age. For
    Redis, None means that no process has played the run yet; after a process has ended, the age
    grows. Raise InfrastructureError if Redis does not answer.
    """
    if is_address(episode):
        need_redis()
        from cookmas.orchestrator.runs.redis_runs import heartbeat_age_in_redis

        return await heartbeat_age_in_redis(str(episode))
    if not is_played(Path(episode)):
        return None
    return max(0.0, time.time() - (Path(episode) / LOCK).stat().st_mtime)
