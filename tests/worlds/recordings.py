"""The recordings that the tests play: they enter every branch that all recordings enter.

    python -m tests.worlds.recordings

The command chooses them again and writes `recordings.json`. It plays each recording with probes at
the conditions of the engine (`benchmarks.unreached`), and takes the one that adds most branches for
its length until none adds any, and so three times. `make conformance` plays all recordings.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import tarfile
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from benchmarks.recordings import archive_of
from benchmarks.unreached import import_with_probes, read_listed
from tests.sampling import CONFORMANCE, covering

CHOSEN = Path(__file__).with_suffix(".json")

TIMES = 3
"""Number of recordings that enter a branch, if there are so many."""

ENGINES = {
    "collab_games/recordings": "recorded",
    "collab_overcooked/recordings": "recorded",
    "hanabi/recordings": "recorded",
    "overcooked_ai/fork": "fork",
    "overcooked_ai/recordings": "recorded",
    "robotouille/recordings": "recorded",
}
"""Archives, each with the module of `benchmarks` that compares its recordings."""


@cache
def read_archive(name: str) -> dict[str, bytes]:
    """Return the recordings of an archive, which is named by its engine and its file."""
    with tarfile.open(archive_of(*name.split("/")), "r:xz") as archive:
        found = ((member.name, archive.extractfile(member)) for member in archive)
        return {each: opened.read() for each, opened in found if opened}


def write_recordings(name: str, folder: Path, kind: str = "") -> list[str]:
    """Write those of a kind that the tests play of an archive: all of them in conformance."""
    recordings = read_archive(name)
    chosen = recordings if CONFORMANCE else json.loads(CHOSEN.read_text())[name]
    paths = [folder / each for each in chosen if each.startswith(kind)]
    for path in paths:
        path.write_bytes(recordings[path.name])
    return [*map(str, paths)]


def main_of(name: str) -> Callable[[Sequence[str]], int]:
    """Return the command that compares the recordings of an archive."""
    engine, _ = name.split("/")
    main: Callable[[Sequence[str]], int]
    main = import_module(f"benchmarks.{engine}.{ENGINES.get(name, 'recorded')}").main
    return main


def agree(
    name: str, said: str, folder: Path, capsys: pytest.CaptureFixture[str], kind: str = ""
) -> None:
    """Compare the chosen recordings with our engine; of all of them the command says `said`."""
    files = write_recordings(name, folder, kind)
    assert main_of(name)(files) == 0
    out = capsys.readouterr().out
    assert out == said if CONFORMANCE else re.match(rf"{len(files)} recordings? .* agree$", out)


def change_step(folder: Path, archive: str, name: str, step: int, **fields: Any) -> Path:
    """Write a recording of an archive as a file of its own, with some fields of a step replaced."""
    lines = [json.loads(line) for line in read_archive(archive)[name].decode().splitlines()]
    lines[step] |= fields
    path = folder / name
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


def choose(name: str) -> list[str]:
    """Return the recordings of an archive that cover what all of them enter."""
    engine = name.partition("/")[0]
    probes, command = import_with_probes(
        f"benchmarks.{engine}.{ENGINES[name]}", read_listed()[engine]
    )
    recordings = read_archive(name)
    entered: dict[str, set[tuple[int, bool]]] = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        for each, content in recordings.items():
            probes.take_entered()
            path = Path(folder, each)
            path.write_bytes(content)
            if command.main([str(path)]) == 0:
                entered[each] = probes.take_entered()
    chosen: list[str] = []
    for _ in range(TIMES):
        left = [each for each in entered if each not in chosen]
        chosen += covering(left, entered.__getitem__, lambda each: len(recordings[each]))
    return chosen


def main() -> None:
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as pool:
        chosen: dict[str, Sequence[str]] = dict(
            zip(ENGINES, pool.map(choose, ENGINES), strict=True)
        )
    CHOSEN.write_text(json.dumps(chosen, indent=1) + "\n")


if __name__ == "__main__":
    main()
