"""The options that say how a kitchen is open, of `cookmas serve` and of `cookmas run --live`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from cookmas.commands.options.fields import duration, option, with_options
from cookmas.commands.options.panels import CHECKPOINTS, OPEN_KITCHEN
from cookmas.commands.options.where import Redis
from cookmas.display.terminal import say_error
from orchestrator.bounds import LONGEST_WAIT

if TYPE_CHECKING:
    from orchestrator.runs.redis_place import RedisPlace

OPTIONS: Mapping[str, Any] = {
    "pace": option(
        str | None, "--pace", "Time a timestep has, such as 1s or 500ms; else as it can."
    ),
    "redis": Redis,
    "remote": option(
        list[str] | None, "--remote", "A worker for 'cookmas worker' to stand in for."
    ),
    "worker_deadline": Annotated[
        float | None,
        duration("Seconds a remote worker has to act; else 10.", "--worker-deadline", least=0.001),
    ],
    "remember": option(
        int | None,
        "--remember",
        "Answers of each sender that Redis keeps, to recognise a message sent again; else 10000.",
        min=1,
    ),
    "checkpoints": option(str | None, "--checkpoints", "A PostgreSQL database, by its URL."),
    "keep_checkpoints": option(
        int | None,
        "--keep-checkpoints",
        "How many of the last checkpoints are kept; else 1000 of an open kitchen, or all.",
        min=1,
    ),
}

PANELS = {
    name: CHECKPOINTS if name in ("checkpoints", "keep_checkpoints") else OPEN_KITCHEN
    for name in OPTIONS
}
"""The group of each option in the help."""

_TIME = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(ms|s|min|)")
_SECONDS = {"ms": 0.001, "s": 1.0, "": 1.0, "min": 60.0}


def seconds(flag: str, said: str) -> float:
    """Return the seconds of a time such as 500ms. Raises InputError."""
    from files.errors import InputError

    found = _TIME.fullmatch(said.strip())
    if found is None:
        raise InputError(flag, f"expected a time such as 1s or 500ms, not {said!r}")
    time = float(found[1]) * _SECONDS[found[2]]
    if time > LONGEST_WAIT:
        raise InputError(flag, f"expected at most {LONGEST_WAIT:.0f} seconds")
    return time


@dataclass(frozen=True, slots=True, kw_only=True)
class KitchenOptions:
    """What was said of an open kitchen."""

    pace: str | None
    redis: str | None
    remote: Sequence[str] | None
    worker_deadline: float | None
    remember: int | None
    checkpoints: str | None
    keep_checkpoints: int | None

    @property
    def seconds(self) -> float:
        """The seconds of a timestep; 0 where nothing is said. Raises InputError."""
        from files.errors import InputError

        if self.pace is None:
            return 0.0
        found = seconds("--pace", self.pace)
        if found == 0:
            raise InputError("--pace", "expected more than 0; without it nothing is waited for")
        return found

    @property
    def place(self) -> RedisPlace | None:
        """Where in Redis it is. Raises InputError or MissingError."""
        from files.errors import InputError
        from mailboxes.redis.address import REMEMBERED, is_exposed, need_redis
        from orchestrator.runs.redis_place import ADDRESS, RedisPlace

        if self.redis is None:
            if self.remote:
                raise InputError("--remote", "remote workers are reached over Redis: say --redis")
            if self.remember:
                raise InputError("--remember", "is of a kitchen in Redis: say --redis")
            return None
        need_redis()
        place = RedisPlace.at(
            self.redis,
            self.remote or (),
            self.worker_deadline or 10.0,
            self.remember or REMEMBERED,
        )
        if is_exposed(self.redis):
            say_error("this Redis has no password: whoever reaches it can do anything there")
        os.environ[ADDRESS] = self.redis
        return place

    def refuse_unless_live(self) -> None:
        """Raises InputError for what only an open kitchen has; the environment may say more."""
        from files.errors import InputError
        from orchestrator.runs.redis_place import ADDRESS

        said = {
            "--pace": self.pace,
            "--redis": None if self.redis == os.environ.get(ADDRESS) else self.redis,
            "--remote": self.remote or None,
            "--worker-deadline": self.worker_deadline,
            "--remember": self.remember,
        }
        for flag, value in said.items():
            if value is not None:
                raise InputError(flag, "is of an open kitchen: say --live")


def with_kitchen_options(command: Callable[..., None]) -> Callable[..., None]:
    """A command that takes `opened`, with an option for each of its fields in the place of it."""
    return with_options(command, "opened", OPTIONS, KitchenOptions, panels=PANELS)
