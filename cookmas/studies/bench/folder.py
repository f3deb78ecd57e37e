"""The folder of a sweep: its origin, the finished episodes, and the traces.

`sweep.json` has the origin, and `traces/` has the traces. `results.jsonl` has a line for each
finished episode, and `measurements.jsonl` its measurements. Incomplete lines and files are ignored.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from cookmas.episodes.trace import split_line
from cookmas.files.errors import CookMASError, InputError, MissingError
from cookmas.files.opening import lock_file, open_file
from cookmas.files.reading import read_bytes, without_mark
from cookmas.files.wording import describe_error
from cookmas.files.writing import make_folder, open_replacement, write_whole
from cookmas.studies.bench.limits import SweepLimits
from cookmas.studies.bench.origin import SweepOrigin
from cookmas.studies.bench.spec import EpisodeJob, EpisodeResult, EpisodeSpec, JobResult

SWEEP, RESULTS, MEASUREMENTS, TRACES, ANSWERS, LEDGER, LOCK = (
    "sweep.json",
    "results.jsonl",
    "measurements.jsonl",
    "traces",
    "answers",
    "spent.json",
    "lock",
)

Line = TypeVar("Line", bound=BaseModel)

Success = bool | None
"""True if an episode is a success, False if not; None if it is unscored or has no verdict."""


class SweepError(CookMASError):
    """A sweep that cannot be started or resumed."""


class Folder:
    """A sweep's folder; only one process writes to it at a time (see `open_sweep`)."""

    def __init__(self, path: Path, origin: SweepOrigin) -> None:
        self.path = path
        self._origin = origin

    @property
    def ledger(self) -> Path:
        """The file that counts what the sweep has spent."""
        return self.path / LEDGER

    def read_successes(self) -> dict[str, Success]:
        """Return for each finished episode, by name, whether it is a success.

        Only this is kept in memory, because the whole results of a sweep may not fit.
        """
        return {
            each.spec.name: success_of(each)
            for each in iterate_lines(self.path / RESULTS, EpisodeResult)
        }

    def job(self, spec: EpisodeSpec, limits: SweepLimits) -> EpisodeJob:
        """Return the job of an episode, with its files."""
        asks = bool(spec.asking_parts)
        answers = self.path / ANSWERS / f"{spec.file}.jsonl"
        return EpisodeJob(
            spec=spec,
            answers=answers.resolve() if asks else None,
            ledger=self.ledger.resolve() if asks else None,
            limits=limits,
        )

    def add(self, job: EpisodeJob, played: JobResult) -> EpisodeResult:
        """Store the result of an episode.

        The trace is written first, and the line in the results last: this line marks the episode as
        finished.
        """
        trace = Path(TRACES) / f"{job.spec.file}.jsonl"
        result = EpisodeResult(
            spec=job.spec,
            suite=self._origin.digest,
            versions=self._origin.versions,
            verdict=played.verdict,
            unjudged=played.unjudged,
            asked_at=played.asked_at,
            trace=str(trace),
            digest=split_line(played.trace[-1])[1] if played.trace else None,
            drawn=played.drawn,
        )
        write_whole(self.path / trace, "".join(f"{line}\n" for line in played.trace))
        if played.measured:
            _append(
                self.path / MEASUREMENTS, played.measured.model_dump_json(exclude_defaults=True)
            )
        _append(self.path / RESULTS, result.line())
        for answers in job.all_answers:
            answers.unlink(missing_ok=True)
        return result

    def put_in_order(self, names: Sequence[str]) -> None:
        """Sort the results by the order of `names`, so that timing does not change the file."""
        path, places, begin = self.path / RESULTS, {}, 0
        for line, result in _lines(path, EpisodeResult):
            places[result.spec.name] = begin, len(line)
            begin += len(line)
        with path.open("rb") as file, open_replacement(path) as draft:
            for name in names:
                if name in places:
                    begin, length = places[name]
                    file.seek(begin)
                    draft.write(file.read(length))


@contextmanager
def lock(path: Path) -> Iterator[None]:
    """Lock a sweep's folder for the block. Raise SweepError if another process has locked it."""
    held = lock_file(path / LOCK)
    if held is None:
        raise SweepError(f"{path}: another process plays this sweep")
    with held:
        yield


@contextmanager
def open_sweep(path: Path, origin: SweepOrigin) -> Iterator[Folder]:
    """Yield the folder of a sweep, new or resumed.

    Raise SweepError if another process plays it, or if the folder has a sweep of another origin.
    """
    make_folder(path / TRACES)
    make_folder(path / ANSWERS)
    with lock(path):
        _begin(path, origin)
        for name in (RESULTS, MEASUREMENTS):
            _mend(path / name)
        yield Folder(path, origin)


def read_origin(path: Path) -> SweepOrigin:
    """Return the origin of a sweep. Raise MissingError or InputError if it cannot be read."""
    try:
        return SweepOrigin.model_validate_json(without_mark(read_bytes(path / SWEEP)))
    except FileNotFoundError:
        raise MissingError(f"{path}: there is no sweep here (no {SWEEP})") from None
    except OSError as error:
        problem = error.strerror or ""
    except ValidationError as error:
        problem = describe_error(error, SweepOrigin)
    raise InputError(str(path / SWEEP), f"is no sweep's file: {problem}")


def success_of(result: EpisodeResult) -> Success:
    """Return whether an episode is a success; None if it is unscored or has no verdict."""
    return result.verdict.success if result.verdict else None


def read_lines(path: Path, kind: type[Line]) -> list[Line]:
    """Return the lines of a file of JSON lines, as models of the class `kind`.

    An incomplete last line is ignored. Raise InputError if a line is invalid.
    """
    return list(iterate_lines(path, kind))


def iterate_lines(path: Path, kind: type[Line]) -> Iterator[Line]:
    """Yield the lines as `read_lines` returns them, one by one, so that they need not fit in
    memory. Raise InputError if a line is invalid.
    """
    return (found for _, found in _lines(path, kind))


def _lines(path: Path, kind: type[Line]) -> Iterator[tuple[bytes, Line]]:
    """Yield each complete line of a file, as bytes and as a model of the class `kind`.

    Raise InputError if a line is invalid.
    """
    if not path.exists():
        return
    with open_file(path) as file:
        for number, line in enumerate(file, start=1):
            if line.endswith(b"\n"):
                try:
                    yield line, kind.model_validate_json(without_mark(line))
                except ValidationError as error:
                    problem = describe_error(error, kind)
                    what = f"is not a {kind.__name__} ({problem})"
                    raise InputError(f"{path}, line {number}", what) from None


def _begin(path: Path, origin: SweepOrigin) -> None:
    if not (path / SWEEP).exists() or read_origin(path).is_extended_by(origin):
        write_whole(path / SWEEP, json.dumps(origin.model_dump(mode="json"), indent=2) + "\n")
        return
    different = read_origin(path).differences(origin)
    if different:
        more = f" (and {len(different) - 3} more)" if len(different) > 3 else ""
        raise SweepError(
            f"{path}: the sweep here differs: {'; '.join(different[:3])}{more}; name another folder"
        )


def _append(path: Path, line: str) -> None:
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(f"{line}\n")
        file.flush()
        os.fsync(file.fileno())


def _mend(path: Path) -> None:
    """Remove the last line if it is incomplete, because a process was killed while writing it."""
    with path.open("a+b") as file:
        file.seek(0)
        file.truncate(file.read().rfind(b"\n") + 1)
