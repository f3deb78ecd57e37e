"""Recordings of the original engines: their files, and the report of a comparison with ours.

A recording is a file with lines of JSON (`.jsonl`), one for each step. A `.tar.xz` archive may have
several.
"""

from __future__ import annotations

import argparse
import sys
import tarfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from lzma import LZMAError
from pathlib import Path
from typing import NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from cookmas.files.errors import CookMASError, InputError

Step = TypeVar("Step", bound=BaseModel)

ARCHIVES = Path(__file__).parents[1] / "tests" / "worlds"
WORLDS = {"collab_games": "rooms", "overcooked_ai": "overcooked"}
"""Folders of the tests of worlds that have another name than the original engine."""


def archive_of(engine: str, name: str = "recordings") -> Path:
    """Return the archive of recordings of an engine that comes with the tests."""
    return ARCHIVES / WORLDS.get(engine, engine) / f"{name}.tar.xz"


class RecordingDifference(NamedTuple):
    """The first difference between a recording and our engine."""

    where: str
    field: str
    recorded: object
    ours: object

    def __str__(self) -> str:
        return f"{self.where}: {self.field} is {self.recorded} as recorded, {self.ours} in ours"


def read_archive(path: Path, form: type[Step]) -> Iterator[tuple[str, list[Step]]]:
    """Yield the name and the steps of each recording in a file; `form` is the type of a step.

    Raises InputError if the file is invalid.
    """
    try:
        if path.suffix == ".jsonl":
            yield path.name, _read_steps(path.name, path.read_text(encoding="utf-8"), form)
            return
        with tarfile.open(path, "r:xz") as archive:
            for member in archive:
                content = archive.extractfile(member) if member.name.endswith(".jsonl") else None
                if content is not None:
                    text = content.read().decode("utf-8")
                    yield member.name, _read_steps(member.name, text, form)
    except (OSError, EOFError, UnicodeDecodeError, LZMAError, tarfile.TarError) as error:
        problem = str(error).splitlines()[0]
        raise InputError(str(path), f"not a recording: {problem}") from None


def _read_steps(name: str, text: str, form: type[Step]) -> list[Step]:
    steps: list[Step] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line:
            continue
        try:
            steps.append(form.model_validate_json(line))
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(map(str, first["loc"])) or "the line"
            raise InputError(
                f"{name}, line {number}", f"not a recording: {field}: {first['msg']}"
            ) from None
    return steps


def compare_files(
    arguments: Sequence[str],
    what: str,
    read: Callable[[Path], Iterable[tuple[str, Sequence[Step]]]],
    compare: Callable[[str, Sequence[Step]], RecordingDifference | None],
) -> int:
    """Compare the files that the arguments of a command name; return its exit code (see `report`).

    `what` is the help of the command. The first line of a recording is the scene before the first
    step.
    """
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("files", nargs="+", type=Path, help="recordings, or archives of them")
    files = parser.parse_args(arguments).files
    return report(
        (len(lines) - 1, compare(name, lines)) for path in files for name, lines in read(path)
    )


def report(compared: Iterable[tuple[int, RecordingDifference | None]]) -> int:
    """Print the first difference of each recording, and how many agree.

    `compared` has for each recording the number of its steps, and the difference; None if it
    agrees. Returns 0 if all agree, 1 if one differs, 2 if there is none or one is invalid.
    """
    recordings = steps = differing = 0
    try:
        for length, difference in compared:
            if difference is not None:
                print(difference)
                differing += 1
            recordings += 1
            steps += length
    except CookMASError as error:
        print(error, file=sys.stderr)
        return 2
    if not recordings:
        print("the archives hold no recording (no file that ends in .jsonl)", file=sys.stderr)
        return 2
    if differing:
        print(f"{differing} of {recordings} recordings differ")
        return 1
    print(f"{recordings} recordings with {steps} steps agree")
    return 0
