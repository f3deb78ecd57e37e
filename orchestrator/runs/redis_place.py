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
    """The place of a run's episode in Redis."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    """URL of the server."""
    episode: str
    """Name of the episode on the server."""
    run: str = Field(default_factory=lambda: uuid.uuid4().hex)
    """Identifier of the run that the episode belongs to."""
    workers: tuple[str, ...] = ()
    """The workers that run elsewhere."""
    deadline: float = 10.0
    """Seconds that each of them has for an action."""
    remembered: int = REMEMBERED
    """Number of answers kept for each sender; a message that is repeated after that counts as new.
    """

    @classmethod
    def at(
        cls,
        address: str,
        workers: Iterable[str] = (),
        deadline: float = 10.0,
        remembered: int = REMEMBERED,
    ) -> Self:
        """Return the place of an address, which is a URL with the episode's name after `#`."""
        url, episode = split_address(address)
        return cls(
            url=url,
            episode=episode,
            workers=tuple(workers),
            deadline=deadline,
            remembered=remembered,
        )

    def without_password(self) -> Self:
        """Return the place without user and password, which a run's folder does not keep."""
        return self.model_copy(update={"url": without_secrets(self.url)})

    def reachable(self) -> str:
        """Return the URL; the environment may set server, user and password."""
        return split_address(os.environ[ADDRESS])[0] if ADDRESS in os.environ else self.url

    def address(self) -> str:
        """Return the address under which senders reach the episode."""
        return f"{self.reachable()}#{self.episode}"
