"""The options of an open episode, which `cookmas serve` and `cookmas run --live` share."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cookmas.commands.options.fields import OPEN_EPISODE, with_options
from cookmas.display.terminal import say_error
from cookmas.files.options import LONGEST_WAIT, options_of
from cookmas.orchestrator.options import ADDRESS, OpenFields

if TYPE_CHECKING:
    from cookmas.orchestrator.runs.request import RedisPlace

_TIME = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(ms|s|min|)")
_SECONDS = {"ms": 0.001, "s": 1.0, "": 1.0, "min": 60.0}


def seconds(flag: str, said: str) -> float:
    """Return the seconds of the time `said`, such as 500ms, that the option `flag` has.

    Raises InputError if the time is not valid.
    """
    from cookmas.files.errors import InputError

    found = _TIME.fullmatch(said.strip())
    if found is None:
        raise InputError(flag, f"expected a time such as 1s or 500ms, not {said!r}")
    time = float(found[1]) * _SECONDS[found[2]]
    if time > LONGEST_WAIT:
        raise InputError(flag, f"expected at most {LONGEST_WAIT:.0f} seconds")
    return time


@dataclass(frozen=True, kw_only=True)
class OpenEpisodeOptions(OpenFields):
    """The options of an open episode, and what follows from them."""

    given: tuple[str, ...] = ()
    """Names of the options that the user has given."""

    @property
    def seconds(self) -> float:
        """Seconds of a timestep; 0 without a pace. Raises InputError."""
        from cookmas.files.errors import InputError

        if self.pace is None and self.clock == "wall":
            raise InputError("--clock", "wall needs the duration of a timestep: add --pace")
        if self.pace is None:
            return 0.0
        found = seconds("--pace", self.pace)
        if found == 0:
            raise InputError(
                "--pace", "expected more than 0; without --pace timesteps take no time"
            )
        return found

    @property
    def place(self) -> RedisPlace | None:
        """The episode's place in Redis; None without one. Raises InputError or MissingError.

        Reading this property also sets the environment variable of the address, for the processes
        that this one starts.
        """
        from cookmas.files.errors import InputError
        from cookmas.mailboxes.redis.address import REMEMBERED, is_exposed, need_redis
        from cookmas.orchestrator.runs.request import RedisPlace

        if self.redis is None:
            if self.remember:
                raise InputError("--remember", "needs an episode in Redis: add --redis")
            return None
        need_redis()
        place = RedisPlace.at(self.redis, self.remember or REMEMBERED)
        if is_exposed(self.redis):
            say_error("this Redis has no password: everyone who can connect has full access")
        os.environ[ADDRESS] = self.redis
        return place

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of a `RunRequest` that these options are. Raises as `seconds` and `place`."""
        given = {name: getattr(self, name) for name in options_of(OpenFields) if name != "remember"}
        return {**given, "redis": self.place, "pace": self.seconds}

    def refuse_unless_live(self) -> None:
        """Raise InputError for an option that only an open episode has.

        A Redis address that comes from the environment is allowed.
        """
        from cookmas.files.errors import InputError

        for name in self.given:
            if name != "redis" or self.redis != os.environ.get(ADDRESS):
                flag = options_of(OpenFields)[name].flags
                raise InputError(flag, "needs an open episode: add --live")


def _build(**values: Any) -> OpenEpisodeOptions:
    given = {name: value for name, value in values.items() if value not in (None, ())}
    return OpenEpisodeOptions(**given, given=tuple(given))


with_open_episode = with_options("opened", {OpenFields: OPEN_EPISODE}, _build)
"""A decorator that gives a command one option for each field of its parameter `opened`."""
