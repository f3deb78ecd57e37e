"""The options that say to which open kitchen a message goes, and from whom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cookmas.commands.folders import kitchen_of, once_open
from cookmas.commands.options.fields import duration, option, with_options
from cookmas.commands.options.output import JsonLine
from cookmas.commands.options.where import At, Redis, Runs

if TYPE_CHECKING:
    from cookmas.client import Client

OPTIONS: Mapping[str, Any] = {
    "at": At,
    "redis": Redis,
    "runs": Runs,
    "sender": option(
        str | None,
        "--sender",
        "Who says it; else the house, or the user where it may not.",
    ),
    "world": option(
        str | None,
        "--world",
        "The world whose messages are sent, where the kitchen does not say; package.module:Domain "
        "for others.",
    ),
    "id": option(str | None, "--id", "The same message, sent again with its id, counts once."),
    "patience": Annotated[float, duration("Seconds to wait for the answer.", "--patience")],
    "json": JsonLine,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """Who sends a message where, for how many seconds its answer is waited for, and is told how."""

    at: Path | None
    redis: str | None
    runs: Path
    sender: str | None
    world: str | None
    id: str | None
    patience: float
    json: bool

    def client(self) -> Client:
        """Return a client of the kitchen, once it is open."""
        return once_open(self._client)

    def _client(self) -> Client:
        """Return it now. Raises NoOpenEpisodeError if there is none, or if it is over."""
        from cookmas.client import Client
        from files.errors import NoOpenEpisodeError

        kitchen = kitchen_of(self.at, self.redis, self.runs)
        with Client(kitchen) as asking:
            status = asking.status() or {}
        if status.get("ended") and not self.at:
            raise NoOpenEpisodeError(
                f"{kitchen}: this kitchen is over; 'cookmas serve' opens another"
            )
        return Client(kitchen, self.sender, self.patience, world=self.world)


def with_sending(command: Callable[..., None]) -> Callable[..., None]:
    """A command that takes `sending`, with an option for each of its fields in the place of it."""
    defaults = {"runs": Path("runs"), "patience": 30.0, "json": False}
    return with_options(command, "sending", OPTIONS, Sending, defaults)
