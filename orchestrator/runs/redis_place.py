"""The place of a run's episode in Redis, as `run.json` records it."""

from __future__ import annotations

import os
import uuid
from typing import Self

from pydantic import BaseModel, ConfigDict, Field

from cookmas.mailboxes.redis.address import REMEMBERED, split_address, without_secrets
from cookmas.orchestrator.options import ADDRESS


class RedisPlace(BaseModel):
    """The place of a run's episode in Redis."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    """URL of the server."""
    episode: str
    """Name of the episode on the server."""
    run: str = Field(default_factory=lambda: uuid.uuid4().hex)
    """Identifier of the run that the episode belongs to."""
    remembered: int = REMEMBERED
    """Number of answers that Redis keeps for each sender.

    A message that is sent again after its answer has been dropped counts as new.
    """

    @classmethod
    def at(cls, address: str, remembered: int = REMEMBERED) -> Self:
        """Return the place for an address: a URL, `#`, and the name of the episode."""
        url, episode = split_address(address)
        return cls(url=url, episode=episode, remembered=remembered)

    def without_password(self) -> Self:
        """Return the place without user and password, for `run.json`."""
        return self.model_copy(update={"url": without_secrets(self.url)})

    def reachable(self) -> str:
        """Return the URL to connect to: that of the environment variable ADDRESS if it is set."""
        return split_address(os.environ[ADDRESS])[0] if ADDRESS in os.environ else self.url

    def address(self) -> str:
        """Return the address by which senders reach the episode."""
        return f"{self.reachable()}#{self.episode}"
