"""Whether anybody plays an open kitchen."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from cookmas.redis import linked
from episodes.redis_address import is_address
from orchestrator.checkpoints.shared_lease import PATIENCE
from orchestrator.runs.lease import LOCK, is_played


async def heartbeat_age(where: Path | str) -> float | None:
    """Return the seconds since the orchestrator's last heartbeat; None if none holds the lease.

    `where` is the folder of the run, or the address of the kitchen in Redis. Raises
    InfrastructureError if Redis does not answer.
    """
    if is_address(where):
        return await _in_redis(str(where))
    return await asyncio.to_thread(_in_folder, Path(where))


def _in_folder(folder: Path) -> float | None:
    if not is_played(folder):
        return None
    return max(0.0, time.time() - (folder / LOCK).stat().st_mtime)


async def _in_redis(address: str) -> float | None:
    async with linked(address) as (link, kitchen):
        from episodes.redis_letterbox import keys_of

        (lease,) = keys_of(kitchen, "lease")
        left = await link.run(lambda redis: redis.pttl(lease))
    return None if left < 0 else max(0.0, PATIENCE - left / 1000)
