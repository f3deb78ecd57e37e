"""The example of dispatch works, and survives the death of its orchestrator."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cookmas.display.live.metrics import metrics_text
from cookmas.episodes.level import Level
from cookmas.episodes.world import Ruling
from cookmas.status import Status, status_of
from examples.dispatch.world import DispatchWorld
from tests.warm import COOKMAS, Warm

EXAMPLES = Path(__file__).parents[2] / "examples"
KILLS = max(2, int(os.environ.get("COOKMAS_FAULTS", "1")))
JOBS = 6


@pytest.fixture
def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(EXAMPLES.parent)}


@pytest.fixture
def depot(tmp_path: Path, environment: dict[str, str]) -> Iterator[str]:
    command = [sys.executable, "-m", "examples.dispatch.depot", "--port", "0", "--at", "runs/open"]
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE)
    assert process.stdout
    yield process.stdout.readline().decode().strip()
    process.terminate()
    process.communicate()


def ask(url: str, data: Any = None) -> Any:
    body = None if data is None else json.dumps(data).encode()
    with urllib.request.urlopen(urllib.request.Request(url, body), timeout=60) as answer:
        return json.loads(answer.read())


def wait_for_work(folder: Path) -> Status:
    """Return the status as soon as a delivery has lasted for a timestep and a moment."""
    while True:
        found = asyncio.run(status_of(folder))
        if any(each.timesteps and each.seconds for each in found.running.values()):
            return found
        time.sleep(0.05)


def test_jobs_are_delivered_once_though_the_orchestrator_is_killed(
    tmp_path: Path, environment: dict[str, str], depot: str
) -> None:
    workers = [part for n in (1, 2, 3) for part in ("--worker", f"van_{n}={depot}/act")]

    def cookmas(*arguments: str) -> Warm[bytes]:
        return Warm[bytes](
            (COOKMAS, *arguments),
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def serve() -> Warm[bytes]:
        return cookmas("serve", "--world", "examples.dispatch:DOMAIN", "--pace", "50ms", *workers)

    process = serve()
    mailbox = tmp_path / "runs/open/mailbox.sqlite"
    until = time.monotonic() + 60
    while not mailbox.exists() and time.monotonic() < until:
        time.sleep(0.1)
    jobs = [
        ask(f"{depot}/jobs", {"address": f"Mill Road {n}", "seconds": 1 + n % 3})["job"]
        for n in range(JOBS)
    ]
    assert len(set(jobs)) == JOBS
    busy = wait_for_work(tmp_path / "runs/open")
    assert {each.action.partition("(")[0] for each in busy.running.values()} == {"deliver"}
    for van, job in busy.running.items():
        labels = f'{{worker="{van}",action="{job.action}"}}'
        assert f"cookmas_job_age_seconds{labels} {job.seconds}" in metrics_text(busy)
        assert f"cookmas_job_age_timesteps{labels} {float(job.timesteps)}" in metrics_text(busy)
        assert job.timesteps + job.since == busy.timestep
    for _ in range(KILLS):
        time.sleep(1.5)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        process = serve()
    closing = cookmas("close", "--at", "runs/open")
    closing.answered()
    assert closing.returncode == 0
    said, _ = process.answered()
    assert process.returncode == 0, said.decode()
    deliveries = ask(f"{depot}/deliveries")
    done = Counter(each["job"] for each in deliveries if each["status"] == "done")
    assert done == Counter(jobs)
    trace = (tmp_path / "runs/open/trace.jsonl").read_text()
    replayed = cookmas("replay", "runs/open", "--world", "examples.dispatch:DOMAIN")
    said, errors = replayed.answered()
    assert replayed.returncode == 0, (said + errors).decode()
    assert trace.count('"kind":"report"') == len(deliveries)


def test_a_van_that_failed_to_wait_leaves_the_jobs_as_they_are() -> None:
    world = DispatchWorld(Level())
    report = {"worker": "van_1", "action": world.idle, "status": "failed", "why": "no way"}
    assert world.take_report(world.opening(), report) == (world.opening(), Ruling())


def test_the_example_is_short() -> None:
    files = [*(EXAMPLES / "dispatch").rglob("*.py")]
    assert sum(len(each.read_text().splitlines()) for each in files) <= 400
