"""The options of an open episode, which `cookmas serve` and `cookmas run --live` share."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from cookmas.commands.options.fields import OPEN_EPISODE, with_options
from cookmas.display.terminal import say_error
from cookmas.files.options import LONGEST_WAIT, option
from cookmas.workers.remote import DEADLINE
from cookmas.worlds.options import redis_option

if TYPE_CHECKING:
    from cookmas.orchestrator.runs.redis_place import RedisPlace

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


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenEpisodeOptions:
    """The options of an open episode. An option that is not given is None."""

    pace: str | None = option(
        None, "Duration of a timestep, such as 1s or 500ms. [default: as fast as possible]"
    )
    clock: Literal["simulated", "wall"] | None = option(
        None,
        "simulated: a timestep waits for planner and workers; wall: it is an interval of real "
        "time. [default: simulated]",
    )
    fallback: str | None = option(
        None, "One of the world's planners, which plans while the model of --planner is away."
    )
    redis: str | None = redis_option()
    remote: tuple[str, ...] = option((), "A worker that 'cookmas worker' plays; may be repeated.")
    worker_deadline: float | None = option(
        None,
        f"Seconds for a remote worker to act. [default: {DEADLINE:g}]",
        least=0.001,
        most=LONGEST_WAIT,
    )
    remember: int | None = option(
        None,
        "Answers that Redis keeps for each sender, to recognise repeated messages. "
        "[default: 10000]",
        least=1,
    )

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
        from cookmas.orchestrator.runs.redis_place import ADDRESS, RedisPlace

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
        return {
            "redis": self.place,
            "pace": self.seconds,
            "clock": self.clock or "simulated",
            "fallback": self.fallback,
            "remote": self.remote,
            "worker_deadline": self.worker_deadline or DEADLINE,
        }

    def refuse_unless_live(self) -> None:
        """Raise InputError for an option that only an open episode has.

        A Redis address that comes from the environment is allowed.
        """
        from cookmas.files.errors import InputError
        from cookmas.orchestrator.runs.redis_place import ADDRESS

        said = {
            "--pace": self.pace,
            "--fallback": self.fallback,
            "--clock": self.clock,
            "--redis": None if self.redis == os.environ.get(ADDRESS) else self.redis,
            "--remote": self.remote or None,
            "--worker-deadline": self.worker_deadline,
            "--remember": self.remember,
        }
        for flag, value in said.items():
            if value is not None:
                raise InputError(flag, "needs an open episode: add --live")


with_open_episode = with_options("opened", {OpenEpisodeOptions: OPEN_EPISODE})
"""A decorator that gives a command one option for each field of its parameter `opened`."""
