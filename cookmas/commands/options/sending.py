"""The options of a message to an open kitchen: its episode, sender and answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cookmas.commands.folders import find_open_episode, once_open
from cookmas.commands.options.fields import duration, option, with_options
from cookmas.commands.options.shared import At, JsonLine, Redis, Runs

if TYPE_CHECKING:
    from cookmas.client import Client

OPTIONS: Mapping[str, Any] = {
    "at": At,
    "redis": Redis,
    "runs": Runs,
    "sender": option(
        str | None,
        "--sender",
        "The sender's name. [default: the house, or the user if the house is not allowed]",
    ),
    "id": option(
        str | None,
        "--id",
        "The message's id; a message that is sent again with its id counts once.",
    ),
    "world": option(
        str | None,
        "--world",
        "The world whose messages to send if the episode does not name it; package.module:Domain "
        "for a user-supplied one.",
    ),
    "patience": Annotated[float, duration("Seconds to wait for the answer.", "--patience")],
    "json": JsonLine,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """The options of a command that sends a message."""

    at: Path | None
    """Folder of the run."""
    redis: str | None
    """Address of the open kitchen in Redis."""
    runs: Path
    """Folder of all runs."""
    sender: str | None
    """Name of the sender; None for the house, or for the user if the house is not allowed."""
    world: str | None
    """The world whose messages are sent, if the episode does not name it."""
    id: str | None
    """Id of the message; None for a new id."""
    patience: float
    """Seconds to wait for the answer."""
    json: bool
    """True if the answer is printed as JSON."""

    def client(self) -> Client:
        """Return a client of the episode. Wait for a while if there is no open episode yet."""
        return once_open(self._client)

    def _client(self) -> Client:
        """Return a client of the episode. Raises NoOpenEpisodeError if the episode is missing or
        over.
        """
        from cookmas.client import Client
        from cookmas.files.errors import NoOpenEpisodeError

        episode = find_open_episode(self.at, self.redis, self.runs)
        with Client(episode) as asking:
            status = asking.status() or {}
        if status.get("ended") and not self.at:
            raise NoOpenEpisodeError(
                f"{episode}: this episode is over; 'cookmas serve' opens another"
            )
        return Client(episode, self.sender, self.patience, world=self.world)


def with_sending(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with one option for each field of its parameter `sending`."""
    defaults = {"runs": Path("runs"), "patience": 30.0, "json": False}
    return with_options(command, "sending", OPTIONS, Sending, defaults)
