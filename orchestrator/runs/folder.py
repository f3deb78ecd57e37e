"""Runs: episodes that each have a folder of their own, and can continue after they are killed.

    create_run(folder, file)
    run = RunFolder(folder)
    async with open_run(run, scenario, planner) as episode:     # the same again, after a kill
        trace = await episode.run()

Files in the folder: `run.json` describes the run, `trace.jsonl` is the trace, and
`checkpoints.sqlite` has the graph's checkpoints. `measurements.json` has times and costs, which are
never in the trace. An open run also has a `mailbox.sqlite`, to which other processes write.
"""

from __future__ import annotations

import itertools
import json
import re
import uuid
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from cookmas.episodes.trace_file import read_end, read_forks
from cookmas.episodes.world import Json
from cookmas.files.errors import CookMASError, InputError, MissingError
from cookmas.files.naming import make_absolute
from cookmas.files.opening import make_private
from cookmas.files.reading import read_bytes, without_mark
from cookmas.files.wording import describe_error
from cookmas.files.writing import hold_folder, make_folder, sync, write_whole
from cookmas.mailboxes.sqlite.file import create_mailbox, read_meanings
from cookmas.orchestrator.options import WORKER_DEADLINE
from cookmas.orchestrator.planners.naming import is_lineup, parts_of, text_of
from cookmas.orchestrator.runs.request import RunRequest

RUN, TRACE, CHECKPOINTS, MEASUREMENTS, MEANINGS = (
    "run.json",
    "trace.jsonl",
    "checkpoints.sqlite",
    "measurements.json",
    "meanings.json",
)

_MEANINGS = TypeAdapter(dict[int, dict[str, Any]])

MOST_OF_MEANINGS = 2**28
"""Greatest size of a `meanings.json`, in bytes."""

LONGEST_PART = 60
"""Greatest number of characters that a folder's name takes from the name of a scenario or planner.
"""


class RunError(CookMASError):
    """A run cannot be started or resumed."""


class Parent(BaseModel):
    """The run from which a fork branches off."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    run: str
    """Name of the parent's folder."""
    timestep: int
    """Timestep at which the fork branches off."""
    chain: str
    """The digest in the last line that both traces share."""


class RunFile(RunRequest, frozen=True):
    """The content of `run.json`: all data that are needed to resume a run.

    These are the request, in which names replace objects, and values derived from it.
    """

    format: Literal[2] = 2
    """Version of the file's format."""
    created_by: str = Field(description="The CookMAS version that wrote the file.")
    world: str = Field(description="The world, by its name or as `package.module:Domain`.")
    world_code: str | None = Field(
        default=None, description="Digest of the code of a user-supplied world."
    )
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
    episode: str = Field(
        default="", description="Name of the episode in the ids of assignments; no other has it."
    )
    parent: Parent | None = Field(
        default=None, description="For a fork, the run that it branched off."
    )

    @model_validator(mode="before")
    @classmethod
    def _find_remote(cls, data: Any) -> Any:
        """Return the data with the remote workers that an earlier version wrote beside Redis."""
        redis = data.get("redis") if isinstance(data, dict) else None
        if not isinstance(redis, dict) or "workers" not in redis:
            return data
        place = {key: value for key, value in redis.items() if key not in ("workers", "deadline")}
        remote = {
            "remote": redis["workers"],
            "worker_deadline": redis.get("deadline", WORKER_DEADLINE),
        }
        return {**data, **remote, "redis": place}


def create_run(
    folder: Path,
    file: RunFile,
    scheduled: Iterable[tuple[int, Json]] = (),
    begun: Iterable[str] = (),
    meanings: Mapping[int, Mapping[str, Any]] | None = None,
) -> None:
    """Prepare a folder for a run; `file` is the content of its `run.json`.

    `scheduled` are the known events, which go into the mailbox of an open run. `begun` are the
    lines with which the trace of a fork begins, `meanings` those of its parent's events that the
    fork has too. A folder in which a run was begun but not finished is taken up. Raise RunError if
    the folder has a run already, also if another process has just prepared it. Only its owner can
    read the folder of an open run, since it has the token of the house and everybody's messages.
    """
    lasting = file.model_copy(
        update={
            "planner": _with_absolute_paths(file.planner),
            "redis": file.redis.without_password() if file.redis else None,
            "episode": uuid.uuid4().hex,
            "model": file.model.with_absolute_paths() if file.model else None,
            "asking": file.asking.with_absolute_paths() if file.asking else None,
        }
    )
    with hold_folder(folder):
        if (folder / RUN).exists():
            raise RunError(f"{folder}: has a run already; resume it, or name another folder")
        if file.pace is not None:
            make_private(folder)
        if file.pace is not None and file.redis is None:
            create_mailbox(folder, scheduled)
        if text := "".join(f"{line}\n" for line in begun):
            write_whole(folder / TRACE, text)
        if meanings:
            write_whole(folder / MEANINGS, json.dumps(meanings))
        write_data(folder / RUN, lasting.model_dump(mode="json", exclude_none=True))


def create_folder(within: Path, scenario: str, planner: str) -> Path:
    """Create and return a new folder, named after the scenario and the planner."""
    parts = (
        re.sub(r"[^\w.]+", "-", part).strip("-.")[:LONGEST_PART] for part in (scenario, planner)
    )
    name = "-".join(parts)
    make_folder(within)
    for number in itertools.count(1):
        folder = within / (name if number == 1 else f"{name}-{number}")
        try:
            folder.mkdir()
        except FileExistsError:
            continue
        sync(within)
        return folder
    raise AssertionError


def read_run(folder: Path) -> RunFile:
    """Return the content of `run.json` in a folder.

    Raise MissingError if there is no such file, InputError if it cannot be read.
    """
    content = b""
    try:
        content = read_bytes(folder / RUN)
        return RunFile.model_validate_json(without_mark(content))
    except FileNotFoundError:
        raise MissingError(f"{folder}: there is no run here (no {RUN})") from None
    except ValidationError as error:
        problem = describe_error(error, RunFile)
    except OSError as error:
        problem = error.strerror or ""
    except InputError as error:
        problem = str(error)
    if b'"created_by"' in content:
        problem += "; if nobody has changed it, continue with the version that made it"
    raise InputError(str(folder / RUN), f"is no run's file: {problem}")


def trace_file(run: Path) -> Path:
    """Return the path of the trace in a run's folder; a path of a file is returned unchanged."""
    return run / TRACE if run.is_dir() else run


class RunFolder:
    """A run in its folder.

    `run.json` is read once. The constructor raises MissingError or InputError, as `read_run` does.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file = read_run(path)

    @classmethod
    def of(cls, where: str | Path | RunFolder) -> RunFolder:
        """Return the run in a folder; a `RunFolder` is returned unchanged."""
        return where if isinstance(where, RunFolder) else cls(Path(where))

    @property
    def over(self) -> bool:
        """True if the run is over. A run that an infrastructure error has ended can go on."""
        end = read_end(self.path / TRACE)
        return end is not None and not end.interrupted

    def read_alteration(self) -> Json | None:
        """Return the world's setup after the last fork that altered the world; None without one."""
        if self.file.parent is None:
            return None
        forks = read_forks(self.path / TRACE)
        return next((fork.setup for fork in reversed(forks) if fork.setup), None)


def is_finished(folder: Path) -> bool:
    """Return whether the run in a folder is over. Raise MissingError if there is no run."""
    return RunFolder(folder).over


def meanings_of(folder: Path) -> Mapping[int, dict[str, Any]]:
    """Return the meaning that each sender stated for its event, by the number of the message.

    A meaning is what the words of an event mean as plain data; only evaluators see it. Raise
    InputError if the file with the meanings is damaged.
    """
    path = folder / MEANINGS
    try:
        return _MEANINGS.validate_json(read_bytes(path, MOST_OF_MEANINGS))
    except FileNotFoundError:
        return read_meanings(folder)
    except ValidationError as error:
        raise InputError(str(path), f"is damaged ({describe_error(error)})") from None


def _with_absolute_paths(planner: str) -> str:
    """Return `planner` with the paths of schedule files made absolute.

    It is a planner or a line-up, which is a text such as `alice=llm,bob=greedy`.
    """
    if is_lineup(planner):
        return text_of(
            {seat: _with_absolute_paths(each) for seat, each in parts_of(planner, RUN).items()}
        )
    return make_absolute(planner)


def write_data(path: Path, data: Mapping[Any, Any]) -> None:
    """Write plain data to a file of a run as a whole, so that no process sees a part of them."""
    write_whole(path, json.dumps(dict(data), indent=2) + "\n")
