"""Where a run's episode is in Redis, as the run's file says it."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterable
from typing import Self

from pydantic import BaseModel, ConfigDict, Field

from mailboxes.redis.address import REMEMBERED, split_address, without_secrets

ADDRESS = "COOKMAS_REDIS"
"""The environment variable that says where Redis is, with user and password, in place of a URL."""


class RedisPlace(BaseModel):
    """Where a run's episode is: a server, the episode's name there, and the run that it belongs to.

    `workers` are those that carry out assignments elsewhere, `deadline` the seconds that each has.
    `remembered` answers of each sender are kept: a message sent again after that is a new one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    episode: str
    run: str = Field(default_factory=lambda: uuid.uuid4().hex)
    workers: tuple[str, ...] = ()
    deadline: float = 10.0
    remembered: int = REMEMBERED

    @classmethod
    def at(
        cls,
        address: str,
        workers: Iterable[str] = (),
        deadline: float = 10.0,
        remembered: int = REMEMBERED,
    ) -> Self:
        """The place of an address, which is a URL with the episode's name behind `#`."""
        url, episode = split_address(address)
        return cls(
            url=url,
            episode=episode,
            workers=tuple(workers),
            deadline=deadline,
            remembered=remembered,
        )

    def without_password(self) -> Self:
        """The same without user and password, which are not kept in a run's folder."""
        return self.model_copy(update={"url": without_secrets(self.url)})

    def reachable(self) -> str:
        """The URL; the environment may say where the server is and who asks."""
        return split_address(os.environ[ADDRESS])[0] if ADDRESS in os.environ else self.url

    def address(self) -> str:
        """What those who send messages call it."""
        return f"{self.reachable()}#{self.episode}"
