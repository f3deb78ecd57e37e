"""The wires of an open run, by its address in Redis or its folder."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from cookmas.mailboxes.redis.address import is_address, need_redis, split_address
from cookmas.workers.remote import RemoteWorker, Wire, WireChannel


def wire_at(
    where: str | Path, worker: str, patience: float, tell: Callable[[str], None] | None = None
) -> Wire:
    """Return the wire of a worker: by the address of the episode in Redis, or the run's folder.

    The wire waits for `patience` seconds until it is reached; `tell` is called with one line each
    time it begins to wait. Raise InputError or MissingError if there can be no such wire.
    """
    if is_address(where):
        need_redis()
        from cookmas.mailboxes.redis.link import RedisLink
        from cookmas.workers.redis_wire import RedisWire

        url, episode = split_address(str(where))
        return RedisWire(RedisLink(url, patience, tell), episode, worker)
    from cookmas.workers.sqlite_wire import SqliteWire

    return SqliteWire(Path(where), worker, patience, tell)


@asynccontextmanager
async def open_wires(
    where: str | Path, workers: Iterable[str], patience: float
) -> AsyncIterator[Mapping[str, Wire]]:
    """Yield the wire of each worker, as `wire_at` returns it; close all of them at the end."""
    wires = {name: wire_at(where, name, patience) for name in workers}
    try:
        yield wires
    finally:
        for wire in wires.values():
            await wire.close()


def remote_workers(
    wires: Mapping[str, Wire], fence: int, deadline: float
) -> dict[str, RemoteWorker]:
    """Return the workers at the other ends of the wires, each with `deadline` seconds to report."""
    return {name: RemoteWorker(WireChannel(wire, fence), deadline) for name, wire in wires.items()}
