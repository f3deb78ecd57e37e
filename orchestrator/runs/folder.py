"""Runs: episodes in a folder of their own, which survive being killed.

    create_run(folder, file)
    run = RunFolder(folder)
    async with open_run(run, scenario, planner) as episode:         # again after a kill: it goes on
        trace = await episode.run()

In the folder: `run.json` says what is played, `trace.jsonl` is the trace, `checkpoints.sqlite` the
graph's checkpoints, `measurements.json` what was measured, which is never in the trace. An open
run has a `mailbox.sqlite` too, to which other processes write.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from episodes.trace import ForkRecord
from episodes.trace_file import TraceFile
from episodes.world import Json
from files.errors import CookMASError, InputError, MissingError, TraceError
from files.reading import read_bytes
from files.writing import write_whole
from mailboxes.sqlite.file import create_mailbox, read_meanings
from orchestrator.planners.lineup import is_lineup, parts_of, text_of
from orchestrator.runs.request import RunRequest

RUN, TRACE, CHECKPOINTS, MEASUREMENTS, MEANINGS = (
    "run.json",
    "trace.jsonl",
    "checkpoints.sqlite",
    "measurements.json",
    "meanings.json",
)

_MEANINGS = TypeAdapter(dict[int, dict[str, Any]])

MOST_OF_MEANINGS = 2**28
"""Bytes of a `meanings.json`."""

LONGEST_PART = 60
"""Characters of a scenario's or a planner's name that are in the name of a folder."""


class RunError(CookMASError):
    """A run that cannot be started or resumed."""


class Parent(BaseModel):
    """The run that a fork branched off."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    run: str
    """Name of its folder."""
    timestep: int
    """Timestep at which the fork branches off."""
    chain: str
    """The digest in the last line that both traces share."""


class RunFile(RunRequest):
    """The content of `run.json`: the request, with objects by name, and values derived from it.

    It is sufficient to resume the run.
    """

    format: Literal[2] = 2
    """Version of the file's format."""
    created_by: str = Field(description="The CookMAS version that wrote the file.")
    world: str = Field(description="The world, by its name or as `package.module:Domain`.")
    scenario: str = Field(description="The name of the scenario, or the absolute path of a file.")
    scenario_digest: str = Field(description="Digest of the scenario.")
    planner: str = Field(
        description="The planner: a name, a `package.module:Class`, a schedule file, a line-up."
    )
    suggestions: bool = Field(default=True, description="Whether people see the planned actions.")
    horizon: int | None = Field(
        default=None, description="Number of timesteps after which the run ends; None: an open run."
    )
    judges: str | None = Field(default=None, description="Version of the world's evaluators.")
    thread: str = Field(
        default="episode", description="Thread of its checkpoints in their database."
    )
    parent: Parent | None = Field(
        default=None, description="For a fork, the run that it branched off."
    )


def create_run(
    folder: Path,
    file: RunFile,
    scheduled: Iterable[tuple[int, Json]] = (),
    begun: Iterable[str] = (),
) -> None:
    """Prepare a folder for a run, an open one with the events that are known beforehand.

    `begun` are the lines that a fork's trace begins with. Raises RunError if it has one already.
    """
    lasting = file.model_copy(
        update={
            "planner": _with_absolute_paths(file.planner),
            "redis": file.redis.without_password() if file.redis else None,
            "model": file.model.with_absolute_paths() if file.model else None,
            "asking": file.asking.with_absolute_paths() if file.asking else None,
        }
    )
    if (folder / RUN).exists():
        raise RunError(f"{folder}: has a run already; resume it, or name another folder")
    folder.mkdir(parents=True, exist_ok=True)
    if file.pace is not None and file.redis is None:
        create_mailbox(folder, scheduled)
    if text := "".join(f"{line}\n" for line in begun):
        write_whole(folder / TRACE, text)
    write_data(folder / RUN, lasting.model_dump(mode="json", exclude_none=True))


def create_folder(within: Path, scenario: str, planner: str) -> Path:
    """Create and return a new folder, named after the scenario and the planner."""
    parts = (
        re.sub(r"[^\w.]+", "-", part).strip("-.")[:LONGEST_PART] for part in (scenario, planner)
    )
    name = "-".join(parts)
    for number in itertools.count(1):
        folder = within / (name if number == 1 else f"{name}-{number}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        return folder
    raise AssertionError


def read_run(folder: Path) -> RunFile:
    """Return the content of `run.json` in a folder. Raises MissingError or InputError."""
    try:
        return RunFile.model_validate_json(read_bytes(folder / RUN))
    except FileNotFoundError:
        raise MissingError(f"{folder}: there is no run here (no {RUN})") from None
    except ValidationError as error:
        problem = error.errors()[0]["msg"]
    except OSError as error:
        problem = error.strerror or ""
    except InputError as error:
        problem = str(error)
    raise InputError(str(folder / RUN), f"is no run's file: {problem}")


def trace_file(run: Path) -> Path:
    """Return the path of a run's trace: in its folder, or the file itself."""
    return run / TRACE if run.is_dir() else run


class RunFolder:
    """A run in its folder. What it says is read once, its trace again only if it has changed.

    Raises MissingError or InputError.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file = read_run(path)
        self.trace = TraceFile(path / TRACE)

    @classmethod
    def of(cls, where: str | Path | RunFolder) -> RunFolder:
        """Return the run in a folder, as it is where it has been read before."""
        return where if isinstance(where, RunFolder) else cls(Path(where))

    @property
    def over(self) -> bool:
        """True if the run is over."""
        try:
            return self.trace.read().trace.end is not None
        except (MissingError, TraceError):
            return False

    def read_alteration(self) -> Json | None:
        """Return the world as the forks of the run have altered it; None if none has."""
        if self.file.parent is None:
            return None
        forks = self.trace.read().trace.of(ForkRecord)
        return next((fork.setup for fork in reversed(list(forks)) if fork.setup), None)


def is_finished(folder: Path) -> bool:
    """Return whether the run in a folder is over. Raises MissingError if there is none."""
    return RunFolder(folder).over


def meanings_of(folder: Path) -> Mapping[int, dict[str, Any]]:
    """Return what the senders to a run said their events mean, by the number of the letter.

    Raises InputError if its file is damaged.
    """
    path = folder / MEANINGS
    try:
        return _MEANINGS.validate_json(read_bytes(path, MOST_OF_MEANINGS))
    except FileNotFoundError:
        return read_meanings(folder)
    except ValidationError as error:
        raise InputError(str(path), f"is damaged ({error.errors()[0]['msg']})") from None


def _with_absolute_paths(planner: str) -> str:
    """Return the planner or the line-up, with absolute paths of schedule files."""
    if is_lineup(planner):
        return text_of(
            {seat: _with_absolute_paths(each) for seat, each in parts_of(planner, RUN).items()}
        )
    return str(Path(planner).resolve()) if planner.endswith((".yaml", ".yml")) else planner


def write_data(path: Path, data: Mapping[Any, Any]) -> None:
    """Write plain data to a file of a run, wholly or not at all."""
    write_whole(path, json.dumps(dict(data), indent=2) + "\n")
