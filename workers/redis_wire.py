"""The wire of a remote worker in Redis: a stream of assignments and a stream of reports."""

from __future__ import annotations

from collections.abc import Mapping

from cookmas.mailboxes.redis.link import RedisLink
from cookmas.mailboxes.redis.records import keys_of
from cookmas.workers.remote import Entry, Stream


class RedisWire:
    """The wire between the orchestrator of an episode in Redis and a worker."""

    def __init__(self, link: RedisLink, episode: str, worker: str) -> None:
        self._link = link
        self._streams = {
            "work": keys_of(episode, f"work:{worker}")[0],
            "reports": keys_of(episode, f"reports:{worker}")[0],
        }
        self._episode, self._seat = keys_of(episode, "episode", f"seat:{worker}")

    async def assign(self, fence: int, fields: Mapping[str, str]) -> str:
        """Replace the assignment, and return the id of its entry in the stream."""
        keys = [self._streams["work"], self._episode]
        arguments = (fields["timestep"], fields["assignment"], fields["facts"])
        return str(await self._link.script("assign", keys, fence, *arguments))

    async def report(self, fields: Mapping[str, str]) -> None:
        """Add a report; this also works while the memory of Redis is full."""
        arguments = (fields["assignment"], fields["action"], fields["report"])
        await self._link.script("report", [self._streams["reports"]], *arguments)

    async def newest(self, stream: Stream) -> str:
        """Return the id of the newest entry of a stream."""
        return await self._link.newest(self._streams[stream])

    async def wait(self, stream: Stream, seen: str, seconds: float) -> list[Entry]:
        """Return the entries since the one with the id `seen`; wait for them, at most BLOCK."""
        return await self._link.wait(self._streams[stream], seen, seconds)

    async def sit(self, holder: str, seconds: float) -> bool:
        """Take or keep the seat for some seconds; another process may take it after them."""
        answer = await self._link.script("seat", [self._seat], holder, int(1000 * seconds))
        return bool(answer == holder)

    async def is_seated(self) -> bool:
        """Return whether a process has taken the seat and its seconds are not over."""
        return bool(await self._link.run(lambda redis: redis.exists(self._seat)))

    async def close(self) -> None:
        """Close the connections."""
        await self._link.close()
