"""The recordings that the tests play: they enter every branch that all recordings enter.

    python -m tests.benchmarks.covering

The command chooses them again and writes `covering.json`. It plays each recording with probes at
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
from multiprocessing import get_context
from pathlib import Path

import pytest

from benchmarks.unreached import import_with_probes, read_listed
from tests.sampling import CONFORMANCE, covering

CHOSEN = Path(__file__).with_suffix(".json")

TIMES = 3
"""Number of recordings that enter a branch, if there are so many."""

ARCHIVES = {
    "collab_games/recordings": "recorded",
    "collab_overcooked/recordings": "recorded",
    "hanabi/recordings": "recorded",
    "overcooked_ai/fork": "fork",
    "overcooked_ai/recordings": "recorded",
    "robotouille/recordings": "recorded",
}
"""Archives, each with the module of `benchmarks` that compares its recordings."""


def read_archive(name: str) -> dict[str, bytes]:
    """Return the recordings of an archive."""
    with tarfile.open(CHOSEN.parent / f"{name}.tar.xz", "r:xz") as archive:
        found = ((member.name, archive.extractfile(member)) for member in archive)
        return {each: opened.read() for each, opened in found if opened}


def recordings_of(name: str, folder: Path) -> list[str]:
    """Return the files that the tests play of an archive; the archive itself in conformance."""
    if CONFORMANCE:
        return [str(CHOSEN.parent / f"{name}.tar.xz")]
    recordings = read_archive(name)
    chosen = [folder / each for each in json.loads(CHOSEN.read_text())[name]]
    for path in chosen:
        path.write_bytes(recordings[path.name])
    return [*map(str, chosen)]


def agree(
    main: Callable[[Sequence[str]], int],
    name: str,
    said: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Compare the chosen recordings with our engine; of all of them the command says `said`."""
    files = recordings_of(name, folder)
    assert main(files) == 0
    out = capsys.readouterr().out
    assert out == said if CONFORMANCE else re.match(rf"{len(files)} recordings? .* agree$", out)


def choose(name: str) -> list[str]:
    """Return the recordings of an archive that cover what all of them enter."""
    engine = name.partition("/")[0]
    probes, command = import_with_probes(
        f"benchmarks.{engine}.{ARCHIVES[name]}", read_listed()[engine]
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
        chosen = dict(zip(ARCHIVES, pool.map(choose, ARCHIVES), strict=True))
    CHOSEN.write_text(json.dumps(chosen, indent=1) + "\n")


if __name__ == "__main__":
    main()
