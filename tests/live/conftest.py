"""Open kitchens in their own processes, and the guarantees that must hold after any kill."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import signal
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pytest
from redis import Redis

import cookmas
from cookmas.api import create
from cookmas.client import Client
from cookmas.episodes.trace import EventRecord, StepRecord, Trace
from cookmas.orchestrator.runs.request import RedisPlace, RunRequest
from tests.flaky_proxy import FlakyProxy
from tests.redis_process import PERSISTENT, RedisProcess
from tests.warm import QUICKLY, ROOT, Warm, hurried

HERE = Path(__file__).parent

FAULTS = int(os.environ.get("COOKMAS_FAULTS", "1"))
"""Number of faults of each kind: one in the tests, 50 in `make faults`."""

TIMES: Mapping[str, float] = (
    {"cookmas.mailboxes.redis.link:BLOCK": 0.5, "cookmas.mailboxes.redis.link:_ANSWERS": 0.75}
    if FAULTS == 1
    else {}
)
"""How long the processes wait for an answer of Redis: in the tests shorter than in earnest."""

HURRY = 0.4 if FAULTS == 1 else 1.0
"""Part of the seconds of `let_pass` that pass: in the tests less than half."""

DEADLINE = 0.5 if FAULTS == 1 else 1.0
"""Seconds in which a remote worker of a kitchen answers."""

SEND = hurried((HERE / "send.py").read_text(encoding="utf-8"), TIMES)

PLAY = hurried(QUICKLY, TIMES)

FOLLOW = hurried(
    PLAY,
    {
        "cookmas.orchestrator.runs.lease:PATIENCE": 0.5,
        "cookmas.orchestrator.runs.lease:GLANCE": 0.05,
        "cookmas.mailboxes.sqlite.file:PATIENCE": 2.0,
        "cookmas.orchestrator.checkpoints.sqlite:PATIENCE": 2.0,
    },
)
"""Code of an orchestrator that soon takes the lease of one that is dead or stands still."""

WORK = hurried(
    """
import sys
from cookmas.commands.start import main
sys.argv.insert(1, "worker")
main()
""",
    {**TIMES, "cookmas.workers.carrying_out:SEAT": 1.0},
)
"""Code of `cookmas worker` with a short wait before it replaces a dead process."""


def let_pass(chance: random.Random, seconds: float = 1.0) -> None:
    """Wait for a drawn part of some seconds."""
    time.sleep(chance.random() * seconds * HURRY)


def _sibling(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


Process = Warm[bytes]


@dataclass
class OpenRun:
    """A kitchen in a folder, and the processes that were started for it."""

    folder: Path
    processes: list[Process] = field(default_factory=list)
    before: int = 0

    def start(self, script: str, *arguments: str) -> Process:
        process = Process(
            (script, *arguments),
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        self.processes.append(process)
        return process

    def play(self, script: str = PLAY) -> Process:
        """Start an orchestrator."""
        self.before = self._inode()
        return self.start(script, "resume", str(self.folder), "--quiet")

    def send(self, sender: str, count: int, seed: int, patience: float = 300) -> Process:
        """Start a sender of a number of messages."""
        log = str(self.log(sender))
        arguments = (self.where, sender, str(count), str(seed), log, str(patience))
        return self.start(SEND, *arguments)

    @property
    def where(self) -> str:
        """Address for messages."""
        return str(self.folder)

    def numbers(self) -> dict[str, int]:
        """Return the messages' numbers in the trace by their ids."""
        database = sqlite3.connect(self.folder / "mailbox.sqlite")
        found = dict(database.execute("SELECT id, number FROM messages"))
        database.close()
        return found

    def written(self) -> dict[str, Any]:
        """Return the files of the run's folder by name, and the content of its checkpoint database.

        A reader of SQLite changes the shared-memory file, so that file is left out.
        """
        files = [path for path in self.folder.iterdir() if path.is_file()]
        found: dict[str, Any] = {
            path.name: path.read_bytes() for path in files if not path.name.endswith("-shm")
        }
        if (url := json.loads(found["run.json"]).get("checkpoints")) is not None:
            with psycopg.connect(url) as connection:
                for table in ("checkpoints", "checkpoint_writes", "cookmas_leases"):
                    query = f"SELECT t.*, xmin FROM {table} t ORDER BY t"
                    found[table] = connection.execute(query.encode()).fetchall()
        return found

    def log(self, sender: str) -> Path:
        return self.folder.parent / f"{sender}.log"

    def is_taken_up(self, process: Process) -> bool:
        """Return whether the last started process has begun to play, or has ended before."""
        until = time.monotonic() + 180
        while self._inode() == self.before and process.poll() is None:
            assert time.monotonic() < until
            time.sleep(0.002)
        return process.poll() is None

    def wait_until_taken_up(self, process: Process) -> None:
        """Wait until the last started process has begun to play."""
        assert self.is_taken_up(process), process.communicate()[1].decode()

    def wait_until_taken(self, process: Process, seconds: float) -> None:
        """Wait until a message is taken but unanswered, or until the timeout."""
        query = "SELECT 1 FROM messages WHERE number > 0 AND answer IS NULL AND sender IS NOT NULL"
        until = time.monotonic() + seconds
        database = sqlite3.connect(self.folder / "mailbox.sqlite")
        while process.poll() is None and time.monotonic() < until:
            if database.execute(query).fetchone():
                break
            time.sleep(0.0002)
        database.close()

    def _inode(self) -> int:
        """Return the inode of the trace; an orchestrator that takes over makes a new file."""
        trace = self.folder / "trace.jsonl"
        return trace.stat().st_ino if trace.exists() else 0

    def finish(self) -> None:
        """Close the kitchen, and play it to its end."""
        with Client(self.where, patience=0) as kitchen:
            kitchen.close()
        process = self.play()
        _, said = process.communicate(timeout=300)
        assert process.returncode in (0, 1), said.decode()

    def stop(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
            process.wait()
            if process.stderr:
                process.stderr.close()


@pytest.fixture(scope="module", autouse=True)
def planned_quickly(least_effort: None) -> None:
    """Let the planner use the least effort, since planning is not tested here."""


@pytest.fixture(scope="session")
def postgres() -> Iterator[Any]:
    server = _sibling("postgres").Postgres()
    yield server
    server.stop()


def open_small(folder: Path, planner: str = "embedded", pace: float = 0.0, **more: Any) -> Path:
    """Create a small open kitchen in a folder, and return the folder."""
    small = {"kitchen": "small"}
    request = RunRequest(scenario="open", planner=planner, pace=pace, settings=small, **more)
    return create(folder, request)


@contextmanager
def opened(folder: Path, checkpoints: str | None = None) -> Iterator[OpenRun]:
    run = OpenRun(open_small(folder, checkpoints=checkpoints, keep_checkpoints=1))
    yield run
    run.stop()


@pytest.fixture
def sqlite_run(tmp_path: Path) -> Iterator[OpenRun]:
    with opened(tmp_path / "run") as run:
        yield run


@pytest.fixture
def postgres_run(tmp_path: Path, postgres: Any) -> Iterator[OpenRun]:
    with opened(tmp_path / "run", postgres.url) as run:
        yield run


@pytest.fixture(params=["sqlite_run", "postgres_run"], ids=["sqlite", "postgres"])
def open_run(request: pytest.FixtureRequest) -> OpenRun:
    run: OpenRun = request.getfixturevalue(request.param)
    return run


def verify(run: OpenRun, senders: Sequence[str]) -> None:
    """Assert that nothing is lost, doubled or served after its cancellation, and that answers are
    true.
    """
    _verify_answers(run, senders, verify_trace(run))


def verify_trace(run: OpenRun) -> list[EventRecord]:
    """Assert that each line is served once or cancelled; return the events."""
    trace = cookmas.read_trace(run.folder / "trace.jsonl")
    assert trace.end is not None
    assert trace.end.termination == "closed"
    assert [frame.timestep for frame in cookmas.replay(trace) if not frame.equal] == []
    events = list(trace.of(EventRecord))
    assert [record.number for record in events] == list(range(1, len(events) + 1))
    served = _served(trace)
    assert all(count == 1 for count in Counter(line for _, line in served).values())
    cancelled = _cancelled(events)
    for timestep, line in served:
        assert timestep < cancelled.get(line, timestep + 1), f"{line} was cancelled before"
    ordered = {
        f"{record.event['order']}.{number}"
        for record in events
        if record.event["kind"] == "new_order" and not record.refused
        for number in range(1, len(record.event["lines"]) + 1)
    }
    assert ordered == {line for _, line in served} | set(cancelled)
    return events


def _served(trace: Trace) -> list[tuple[int, str]]:
    return [
        (record.timestep, command.action[len("serve(") : -1])
        for record in trace.of(StepRecord)
        for command in record.commands
        if command.action.startswith("serve(") and command.worker not in record.fails
    ]


def _cancelled(events: Sequence[EventRecord]) -> dict[str, int]:
    found: dict[str, int] = {}
    for record in events:
        if record.event["kind"] == "cancel_order" and not record.refused:
            found[f"{record.event['order']}.1"] = record.timestep
    return found


def _verify_answers(run: OpenRun, senders: Sequence[str], events: Sequence[EventRecord]) -> None:
    """Assert that each sender's answers match the trace, in the order of its messages."""
    numbers = run.numbers()
    taken: Counter[str] = Counter()
    for sender in senders:
        log = [json.loads(line) for line in run.log(sender).read_text().splitlines()]
        own = [numbers[entry["id"]] for entry in log]
        assert own == sorted(own)
        for entry in log:
            answer, record = entry["answer"], events[numbers[entry["id"]] - 1]
            assert (answer["status"] == "refused") == (record.refused is not None)
            assert answer["why"] == record.refused
            if answer["status"] != "refused":
                about = record.event.get("line") or record.event["order"]
                assert answer["about"] == about
        taken[sender] = len(log)
    assert sum(taken.values()) == len(events)


@dataclass
class RedisRun(OpenRun):
    """A kitchen in its own Redis server, which all processes reach through a proxy."""

    server: RedisProcess = field(kw_only=True)
    proxy: FlakyProxy = field(kw_only=True)

    @property
    def where(self) -> str:
        return f"{self.proxy.url}#corner"

    def numbers(self) -> dict[str, int]:
        client = Redis(unix_socket_path=str(self.server.socket), decode_responses=True)
        numbers: dict[str, int] = {}
        for key in client.scan_iter("cookmas:corner:out:*"):
            records: Any = client.hgetall(key)
            found = {name: json.loads(kept) for name, kept in records.items() if name}
            numbers |= {
                name: int(kept["number"]) for name, kept in found.items() if "number" in kept
            }
        client.close()
        return numbers

    def written(self) -> dict[str, Any]:
        client = Redis(unix_socket_path=str(self.server.socket))
        keys: Any = client.keys()
        kept = {key.decode(): client.dump(key) for key in keys}
        client.close()
        return {**super().written(), **kept}

    def work(self, worker: str, where: str | None = None, *options: str) -> Process:
        """Start a process that plays a worker."""
        return self.start(WORK, worker, "--redis", where or self.where, "--quiet", *options)


@dataclass
class ProxiedRun(OpenRun):
    """A kitchen whose checkpoints are in its own PostgreSQL server, which it reaches by a proxy."""

    database: Any = field(kw_only=True)
    proxy: FlakyProxy = field(kw_only=True)
    servers: list[Any] = field(default_factory=list)

    def add_standby(self) -> Any:
        """Start a standby of the present server."""
        self.servers.append(self.database)
        return type(self.database)(self.database)


@pytest.fixture
def proxied_run(tmp_path: Path) -> Iterator[ProxiedRun]:
    database = _sibling("postgres").Postgres()
    proxy = FlakyProxy(database.socket, seed=12)
    host, _, port = proxy.address.partition(":")
    with opened(tmp_path / "run", f"postgresql://cook@{host}:{port}/postgres") as made:
        run = ProxiedRun(made.folder, database=database, proxy=proxy)
        yield run
        run.stop()
        proxy.close()
        for server in (*run.servers, run.database):
            server.stop()


WORKERS = ("worker_1", "worker_2", "worker_3")


@pytest.fixture
def bare_run(tmp_path: Path) -> Iterator[OpenRun]:
    """Yield a run in a folder that has still to be created."""
    run = OpenRun(tmp_path / "run")
    yield run
    run.stop()


@pytest.fixture
def bare_redis_run(tmp_path: Path) -> Iterator[RedisRun]:
    """Yield a run with its own Redis server that has still to be created."""
    (tmp_path / "redis").mkdir()
    server = RedisProcess(tmp_path / "redis", *PERSISTENT)
    proxy = FlakyProxy(server.socket, seed=11)
    run = RedisRun(tmp_path / "run", server=server, proxy=proxy)
    yield run
    run.stop()
    proxy.close()
    run.server.kill()


@pytest.fixture
def redis_run(bare_redis_run: RedisRun, request: pytest.FixtureRequest) -> RedisRun:
    """Return a kitchen in Redis; "remote" makes one worker remote, "all remote" all workers."""
    run = bare_redis_run
    remote = {"remote": WORKERS[1:2], "all remote": WORKERS}.get(getattr(request, "param", ""), ())
    place, pace = RedisPlace.at(run.where), 0.05 if remote else 0.02
    open_small(run.folder, pace=pace, redis=place, remote=remote, worker_deadline=DEADLINE)
    return run


@pytest.fixture
def verified() -> Callable[[OpenRun, Sequence[str]], Any]:
    return verify


@pytest.fixture
def served_once() -> Callable[[OpenRun], list[EventRecord]]:
    return verify_trace


@pytest.fixture
def faults() -> int:
    return FAULTS
