"""Forged checkpoints: a run that goes on from one runs none of its code, and says one line."""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import shutil
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ormsgpack
import psycopg
import pytest
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from cookmas.api import aresume, create, load_planner, load_scenario
from cookmas.episodes.trace import StepRecord
from cookmas.orchestrator.checkpoints.serializer import (
    MOST_BYTES,
    ForgedCheckpointError,
    PlainSerializer,
)
from cookmas.orchestrator.runs.folder import CHECKPOINTS, TRACE, RunFolder, read_run
from cookmas.orchestrator.runs.opening import open_run
from cookmas.orchestrator.runs.request import RunRequest
from tests.warm import ROOT

Forged = tuple[str, bytes]
Forge = Callable[[Forged], None]

LINE = "holds data that CookMAS does not write, and is rejected"


def extension(code: int, *parts: Any) -> Forged:
    return "msgpack", ormsgpack.packb(ormsgpack.Ext(code, ormsgpack.packb(parts)))


class Touching:
    """Touches a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, (f"touch {self.path}",)


def payloads(path: Path) -> dict[str, Forged]:
    """Every kind of payload with which LangGraph calls what is named, here to make a file."""
    touch = f"touch {path}"
    call = {"args": ["touch", str(path)]}
    named = {"lc": 2, "type": "constructor", "id": ["subprocess", "call"], "kwargs": call}
    inner = ormsgpack.Ext(0, ormsgpack.packb(("os", "system", touch)))
    return {
        "one argument": extension(0, "os", "system", touch),
        "arguments": extension(1, "os", "system", [touch]),
        "keywords": extension(2, "subprocess", "call", call),
        "method": extension(3, "shutil", "os", touch, "system"),
        "pydantic 1": extension(4, "subprocess", "call", call),
        "pydantic 2": extension(5, "subprocess", "call", call, "model_validate_json"),
        "inside a Send": extension(1, "langgraph.types", "Send", ["worker", inner]),
        "json": ("json", json.dumps(named).encode()),
        "pickle": ("pickle", pickle.dumps(Touching(path))),
    }


KINDS = tuple(payloads(Path()))

ONCE = ("method",)
"""Kinds that this version of LangGraph refuses by itself, and that others have called."""

UNREADABLE: dict[str, Forged] = {
    "cut off": ("msgpack", b"\x93\x01"),
    "of no kind": ("yaml", b"1"),
    "not compressed": ("msgpack+zlib", b"x"),
    "too large": ("msgpack+zlib", zlib.compress(bytes(MOST_BYTES + 1), 1)),
    "nested too deeply": ("msgpack", b"\x91" * 5000),
    "a number": ("msgpack", ormsgpack.packb(7)),
}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ONCE])
def test_the_payloads_are_real(tmp_path: Path, kind: str) -> None:
    permissive = JsonPlusSerializer(
        pickle_fallback=True, allowed_json_modules=True, allowed_msgpack_modules=True
    )
    permissive.loads_typed(payloads(tmp_path / "made")[kind])
    assert (tmp_path / "made").exists()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("compressed", [False, True])
def test_no_payload_is_run(tmp_path: Path, kind: str, compressed: bool) -> None:
    name, data = payloads(tmp_path / "made")[kind]
    forged = (f"{name}+zlib", zlib.compress(data)) if compressed else (name, data)
    with pytest.raises(ForgedCheckpointError, match=LINE):
        PlainSerializer("the database").loads_typed(forged)
    assert not (tmp_path / "made").exists()


def test_nothing_is_added_to_the_list_of_types() -> None:
    serializer = PlainSerializer("the database").with_msgpack_allowlist([("os", "system")])
    with pytest.raises(ForgedCheckpointError):
        serializer.loads_typed(extension(0, "os", "system", "true"))


async def begin(folder: Path, checkpoints: str | None = None) -> Path:
    """A run in the corridor that was left in its midst."""
    create(folder, RunRequest(scenario="corridor/two", planner="embedded", checkpoints=checkpoints))
    scenario = load_scenario("corridor/two")
    async with open_run(RunFolder(folder), scenario, load_planner("embedded", scenario)) as episode:
        async for record in episode.stream():
            if isinstance(record, StepRecord) and record.timestep == 3:
                break
    return folder


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return asyncio.run(begin(tmp_path_factory.mktemp("runs") / "begun"))


@pytest.fixture
def run(begun: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(begun, tmp_path / "run"))


def forge(run: Path, column: str, *forged: Any) -> None:
    """Put something in the place of the last checkpoint, of its metadata, or of a write to it."""
    last = "(SELECT max(checkpoint_id) FROM checkpoints)"
    with sqlite3.connect(run / CHECKPOINTS) as database:
        if column == "value":
            query = (
                "INSERT INTO writes (thread_id, checkpoint_ns, checkpoint_id, task_id, idx, "
                "channel, type, value) "
                "SELECT 'episode', '', max(checkpoint_id), 't', 0, 'world', ?, ? FROM checkpoints"
            )
        else:
            kind = "type = ?, " if len(forged) > 1 else ""
            query = f"UPDATE checkpoints SET {kind}{column} = ? WHERE checkpoint_id = {last}"
        assert database.execute(query, forged).rowcount == 1


@pytest.mark.parametrize("column", ["checkpoint", "value"])
@pytest.mark.parametrize("kind", [*KINDS, *UNREADABLE])
async def test_a_run_does_not_go_on_from_it(run: Path, column: str, kind: str) -> None:
    made = run.parent / "made"
    forge(run, column, *{**payloads(made), **UNREADABLE}[kind])
    with pytest.raises(ForgedCheckpointError, match=rf"{CHECKPOINTS}: .*{LINE}"):
        await aresume(run)
    assert not made.exists()


@pytest.mark.parametrize("metadata", [b"{", b"\xff", b"7", b"{}", None])
async def test_metadata_that_is_none_is_one_line(run: Path, metadata: bytes | None) -> None:
    forge(run, "metadata", metadata)
    with pytest.raises(ForgedCheckpointError):
        await aresume(run)


async def test_a_fencing_number_that_is_none_is_one_line(run: Path) -> None:
    with sqlite3.connect(run / CHECKPOINTS) as database:
        database.execute("UPDATE lease SET fence = 'x'")
    with pytest.raises(ForgedCheckpointError):
        await aresume(run)


WRONG: dict[str, Any] = {
    "timestep": "soon",
    "world": {"timestep": 3},
    "schedule": {"": {"plan": "x", "begin": 0, "end": 0}},
    "commands": [["walker_1"]],
    "acts": {"timestep": 1, "by": []},
    "triggers": [1],
    "records": 2,
    "cursor": None,
    "seen": {},
    "channel_values": [],
    "channel_versions": {"world": []},
    "versions_seen": 3,
    "id": 5,
}


@pytest.mark.parametrize("name", WRONG)
async def test_plain_data_that_is_no_state_is_one_line_too(run: Path, name: str) -> None:
    serializer = PlainSerializer("")
    with sqlite3.connect(run / CHECKPOINTS) as database:
        query = "SELECT type, checkpoint FROM checkpoints ORDER BY checkpoint_id DESC LIMIT 1"
        checkpoint = serializer.loads_typed(database.execute(query).fetchone())
        database.execute("DELETE FROM writes")
    within = checkpoint if name in checkpoint else checkpoint["channel_values"]
    within[name] = WRONG[name]
    forge(run, "checkpoint", *serializer.dumps_typed(checkpoint))
    trace = (run / TRACE).read_bytes()
    with pytest.raises(ForgedCheckpointError):
        await aresume(run)
    assert (run / TRACE).read_bytes() == trace


def test_neither_the_environment_nor_the_order_of_imports_matters(run: Path) -> None:
    made = run.parent / "made"
    forge(run, "value", *payloads(made)["one argument"])
    script = "import langgraph.graph; from cookmas.commands.start import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", script, "resume", str(run)],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "LANGGRAPH_STRICT_MSGPACK": "false"},
    )
    assert not made.exists()
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert LINE in done.stderr


@pytest.mark.parametrize("table", ["checkpoint_blobs", "checkpoint_writes"])
async def test_the_same_holds_in_postgres(tmp_path: Path, postgres: Any, table: str) -> None:
    run = await begin(tmp_path / "run", postgres.url)
    thread, made = read_run(run).thread, tmp_path / "made"
    rows = {
        "checkpoint_blobs": "UPDATE checkpoint_blobs SET type = %s, blob = %s "
        "WHERE channel = 'world' AND thread_id = %s",
        "checkpoint_writes": "INSERT INTO checkpoint_writes (thread_id, checkpoint_ns, "
        "checkpoint_id, task_id, idx, channel, type, blob) SELECT thread_id, '', "
        "max(checkpoint_id), 't', 0, 'world', %s, %s FROM checkpoints WHERE thread_id = %s "
        "GROUP BY thread_id",
    }
    for kind in ("one argument", "json", "pickle"):
        with psycopg.connect(postgres.url) as database:
            database.execute("SET session_replication_role = replica")
            database.execute("DELETE FROM checkpoint_writes")
            database.execute("UPDATE cookmas_leases SET holder = NULL")
            forged = payloads(made)[kind]
            assert database.execute(rows[table].encode(), (*forged, thread)).rowcount
        with pytest.raises(ForgedCheckpointError, match=rf"database of the checkpoints: .*{LINE}"):
            await aresume(run)
        assert not made.exists()
