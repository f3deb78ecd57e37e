"""Runs: episodes in a folder of their own, which survive being killed.

    create_run(folder, file)
    async with open_run(folder, scenario, planner) as episode:      # again after a kill: it goes on
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

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from episodes.trace_file import read_trace
from episodes.world import Json
from files.errors import CookMASError, InputError, MissingError, TraceError
from files.reading import read_bytes
from files.writing import write_whole
from mailboxes.sqlite.file import create_mailbox, read_meanings
from orchestrator.dialogue.options import AskingOptions
from orchestrator.graph.context import MAX_STALLED
from orchestrator.models.options import ModelOptions
from orchestrator.planners.lineup import is_lineup, parts_of, text_of
from orchestrator.runs.redis_place import RedisPlace
from sandbox.child import Limits

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
    """The run that a fork branched off: its folder's name, the timestep, and the `chain` there.

    That is the digest at the end of the last line that both have.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    run: str
    timestep: int
    chain: str


class RunFile(BaseModel):
    """What `run.json` says: all that is needed to go on with a run.

    `world` is a name or `package.module:Domain`; `scenario` a name or the absolute path of a file,
    `settings` what was said of it beside; `planner`, `model` and `asking` are what a planner is
    made of, `judges` the version of the world's evaluators. An open run has a `pace`, in seconds a
    timestep, and no `horizon`; `redis` says where it is, if it is in Redis. `checkpoints`
    is the URL of a PostgreSQL database, in which they are those of a `thread`; of them the last
    `keep_checkpoints` are kept, or all. `limits` are those of a planner that a person wrote;
    `max_stalled` is how many calls of any may pass without progress. `people` are the workers whom
    people play, `suggestions` says whether they are suggested what to do, `supervisor` says whether
    one does who instructs the orchestrator, `limit` how many seconds a person has for an answer.
    `seed` draws what the scenario leaves to chance, where a person has named one. A fork has a
    `parent`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[2] = 2
    created_by: str
    world: str
    scenario: str
    settings: dict[str, str] = {}
    scenario_digest: str
    planner: str
    horizon: int | None = None
    judges: str | None = None
    pace: float | None = None
    redis: RedisPlace | None = None
    checkpoints: str | None = None
    thread: str = "episode"
    keep_checkpoints: int | None = Field(default=None, ge=1)
    limits: Limits = Limits()
    max_stalled: int = MAX_STALLED
    people: tuple[str, ...] = ()
    suggestions: bool = True
    limit: float | None = None
    supervisor: bool = Field(
        default=False, validation_alias=AliasChoices("supervisor", "head_chef")
    )
    model: ModelOptions | None = None
    asking: AskingOptions | None = None
    seed: int | None = None
    parent: Parent | None = None


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
            "planner": _lasting(file.planner),
            "redis": file.redis.lasting() if file.redis else None,
            "model": file.model.lasting() if file.model else None,
            "asking": file.asking.lasting() if file.asking else None,
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


def new_folder(within: Path, scenario: str, planner: str) -> Path:
    """A new folder, for whoever comes first, named after the scenario and the planner."""
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
    """What `run.json` in a folder says. Raises MissingError or InputError."""
    try:
        return RunFile.model_validate_json(read_bytes(folder / RUN))
    except FileNotFoundError:
        raise MissingError(f"{folder}: there is no run here (no {RUN})") from None
    except (OSError, ValidationError) as error:
        problem = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error.strerror
        raise InputError(str(folder / RUN), f"is no run's file: {problem}") from None


def trace_file(run: Path) -> Path:
    """The trace of a run: in its folder, or the file itself."""
    return run / TRACE if run.is_dir() else run


def finished(folder: Path) -> bool:
    """Whether the run in a folder is over. Raises MissingError if there is none."""
    read_run(folder)
    try:
        return read_trace(folder / TRACE).end is not None
    except (MissingError, TraceError):
        return False


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


def _lasting(planner: str) -> str:
    """The planner or the line-up, schedule files by their absolute paths."""
    if is_lineup(planner):
        return text_of({seat: _lasting(each) for seat, each in parts_of(planner, RUN).items()})
    return str(Path(planner).resolve()) if planner.endswith((".yaml", ".yml")) else planner


def write_data(path: Path, data: Mapping[Any, Any]) -> None:
    """Write plain data to a file of a run, wholly or not at all."""
    write_whole(path, json.dumps(dict(data), indent=2) + "\n")
