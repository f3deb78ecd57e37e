"""The options of a message to an open episode: its episode, sender and answer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cookmas.commands.folders import find_open_episode, once_open
from cookmas.commands.options.fields import with_options
from cookmas.files.options import LONGEST_WAIT, option
from cookmas.worlds.options import redis_option

if TYPE_CHECKING:
    from cookmas.client import Client


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """The options of a command that sends a message."""

    at: Path | None = option(None, "The folder of its run. [default: the last one played]")
    redis: str | None = redis_option()
    runs: Path = option(Path("runs"), "The folder of the runs.")
    sender: str | None = option(
        None, "The sender's name. [default: the house, or the user if the house is not allowed]"
    )
    id: str | None = option(
        None, "The message's id; a message that is sent again with its id counts once."
    )
    world: str | None = option(
        None,
        "The world whose messages to send if the episode does not name it; package.module:Domain "
        "for a user-supplied one.",
    )
    patience: float = option(30.0, "Seconds to wait for the answer.", least=0.0, most=LONGEST_WAIT)
    json: bool = option(False, "One line of JSON.", flag="--json")

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


with_sending = with_options("sending", {Sending: None})
"""A decorator that gives a command one option for each field of its parameter `sending`."""
