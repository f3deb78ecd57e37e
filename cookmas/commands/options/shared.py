"""Options that many commands share: of a run, its world and scenario, of messages, and of JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cookmas.commands.folders import find_open_episode, once_open
from cookmas.commands.options.fields import CHECKPOINTS, WORK, option_in, with_options
from cookmas.files.options import LONGEST_WAIT, option
from cookmas.orchestrator.options import (
    ADDRESS,
    REDIS,
    CheckpointFields,
    RunFields,
    WorkFields,
)

if TYPE_CHECKING:
    from cookmas.client import Client

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]

with_run_options = with_options(
    "given", {WorkFields: WORK, RunFields: None, CheckpointFields: CHECKPOINTS}
)
"""A decorator that gives a command the options of a `RunRequest`, and their values as `given`."""

with_work_options = with_options("given", {WorkFields: WORK, CheckpointFields: CHECKPOINTS})
"""The same decorator for a command that takes no options of a scenario."""

World = Annotated[str | None, option_in(RunFields, "world")]

DrawSeed = Annotated[int | None, option_in(RunFields, "seed")]

TAKES_SETTINGS = {"ignore_unknown_options": True}
"""Typer settings of commands whose arguments may include a world's options, such as `--agents 2`.
"""


def split_arguments(words: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Return the names among the arguments, and the settings by name.

    Raises InputError for an option without a value.
    """
    from cookmas.files.errors import InputError

    names: list[str] = []
    settings: dict[str, str] = {}
    left = list(words)
    while left:
        word = left.pop(0)
        if not word.startswith("-"):
            names.append(word)
            continue
        name, given, value = word.partition("=")
        if not given:
            if not left or left[0].startswith("--"):
                raise InputError(word, "the option is unknown, or its value is missing")
            value = left.pop(0)
        settings[name.lstrip("-").replace("-", "_")] = value
    return names, settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """The options of a command that sends a message."""

    at: Path | None = option(None, "The folder of its run. [default: the last one played]")
    redis: str | None = option(None, REDIS, envvar=ADDRESS)
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

JsonLine = Annotated[bool, option_in(Sending, "json")]

Runs = Annotated[Path, option_in(Sending, "runs")]

Redis = Annotated[str | None, option_in(Sending, "redis")]

At = Annotated[Path | None, option_in(Sending, "at")]

READER = "embedded"
"""The planner that reports doubts."""

Strict = Annotated[
    bool,
    typer.Option("--strict", help=f"Refuse doubtful order lines: planner {READER}-strict."),
]


def make_strict(planner: str, *, strict: bool) -> str:
    """Return the planner's strict variant if `strict`, else the planner.

    Raises InputError if the planner has no strict variant.
    """
    from cookmas.files.errors import InputError

    if not strict or planner == f"{READER}-strict":
        return planner
    if planner != READER:
        raise InputError("--strict", f"{planner} reports no doubts; expected --planner {READER}")
    return f"{READER}-strict"
