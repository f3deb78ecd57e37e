"""Whether a process plays a run: the age of the last heartbeat, for display.

Which process may play a run is decided by `orchestrator.runs.lease`, which compares no clocks. An
age does compare clocks: after a clock has jumped it is wrong until the next heartbeat.
"""

from __future__ import annotations

import time
from pathlib import Path

from mailboxes.redis.address import is_address, need_redis
from orchestrator.runs.lease import LOCK, is_played


async def heartbeat_age(episode: str | Path) -> float | None:
    """Return the seconds since the last heartbeat of a run's orchestrator; None without one.

    `episode` is the folder of a run, or the address of an episode in Redis. A process that plays
    sends a heartbeat every BEAT seconds; after PATIENCE seconds without one another process may
    follow. In a folder, None says that no process plays the run now; a paused one has an age. In
    Redis, None says that none has played it yet; the age of one that ended or was killed grows.

    Raises InfrastructureError if Redis does not answer.
    """
    if is_address(episode):
        need_redis()
        from orchestrator.runs.redis_runs import heartbeat_age_in_redis

        return await heartbeat_age_in_redis(str(episode))
    if not is_played(Path(episode)):
        return None
    return max(0.0, time.time() - (Path(episode) / LOCK).stat().st_mtime)
