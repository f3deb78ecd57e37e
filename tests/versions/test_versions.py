"""The oldest and the newest LangGraph that we allow go on from each other's checkpoints.

In `make test` the installed version goes on from checkpoints that the oldest has written; they are
recorded in `oldest.json` by `make langgraph-versions`, which plays each version against the other.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from cookmas.api import aresume, play
from cookmas.orchestrator.runs.folder import CHECKPOINTS, RUN, TRACE, read_run
from tests.versions.bounds import bounds
from tests.versions.leave import DIES, SCENARIO

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RECORDED = HERE / "oldest.json"

PUTS = (1, 2, 3, 4, 5, 8, 11)
"""The checkpoints at which a run is left: LangGraph's own, and some of each node."""


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("runs") / "whole"
    play(SCENARIO, folder=folder)
    return (folder / TRACE).read_bytes()


def recorded() -> dict[str, Any]:
    """What the oldest version has written: the versions, and the files of each run as text."""
    found: dict[str, Any] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return found


def test_the_record_is_of_the_oldest_version_that_is_allowed() -> None:
    assert recorded()["versions"] == bounds("oldest"), "run make langgraph-versions"


@pytest.mark.parametrize("number", PUTS)
async def test_the_installed_version_goes_on_from_what_the_oldest_has_written(
    number: int, tmp_path: Path, undisturbed: bytes
) -> None:
    run = recorded()["runs"][str(number)]
    (tmp_path / RUN).write_text(run[RUN])
    (tmp_path / TRACE).write_text(run[TRACE])
    with closing(sqlite3.connect(tmp_path / CHECKPOINTS)) as database:
        database.executescript(run[CHECKPOINTS])
    await aresume(tmp_path)
    assert (tmp_path / TRACE).read_bytes() == undisturbed


def python(version: str, *arguments: str) -> int:
    """Run Python where a version is installed; its exit code."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    interpreter = Path(os.environ["COOKMAS_VERSIONS"]) / version / "bin" / "python"
    done = subprocess.run(
        [interpreter, *arguments],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment,
    )
    assert done.returncode in (0, DIES), done.stderr
    return done.returncode


@pytest.mark.langgraph_versions
@pytest.mark.parametrize(("writer", "reader"), [("oldest", "newest"), ("newest", "oldest")])
@pytest.mark.parametrize("database", ["sqlite", "postgres"])
@pytest.mark.parametrize("number", PUTS)
def test_each_version_goes_on_from_what_the_other_has_written(
    tmp_path: Path,
    undisturbed: bytes,
    writer: str,
    reader: str,
    database: str,
    number: int,
    request: pytest.FixtureRequest,
) -> None:
    urls = [request.getfixturevalue("postgres").url] if database == "postgres" else []
    folder = tmp_path / "run"
    left = python(writer, "-m", "tests.versions.leave", str(folder), str(number), *urls)
    assert left == DIES
    for url in urls:
        with psycopg.connect(url) as connection:
            connection.execute("UPDATE cookmas_leases SET holder = NULL")
    assert python(reader, "-m", "cookmas", "resume", str(folder), "--quiet") == 0
    assert (folder / TRACE).read_bytes() == undisturbed


@pytest.mark.langgraph_versions
def test_what_the_oldest_writes_is_recorded(tmp_path: Path) -> None:
    runs = {}
    for number in PUTS:
        folder = tmp_path / str(number)
        python("oldest", "-m", "tests.versions.leave", str(folder), str(number))
        assert read_run(folder)
        with closing(sqlite3.connect(folder / CHECKPOINTS)) as database:
            dump = "\n".join(database.iterdump())
        texts = {name: (folder / name).read_text() for name in (RUN, TRACE)}
        runs[str(number)] = {**texts, CHECKPOINTS: dump}
    record = {"versions": bounds("oldest"), "runs": runs}
    RECORDED.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
