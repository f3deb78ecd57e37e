"""Long work of remote workers, whose parts are killed and paused: the device does nothing twice."""

from __future__ import annotations

import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import cookmas
from cookmas.api import create
from cookmas.client import Client
from cookmas.episodes.reports import is_report
from cookmas.episodes.trace import EventRecord
from cookmas.orchestrator.runs.request import RedisPlace, RunRequest
from tests.live.conftest import HURRY, PLAY, TIMES, let_pass
from tests.live.device import Device
from tests.warm import hurried

if TYPE_CHECKING:
    from tests.live.conftest import OpenRun, Process, RedisRun

WORLD = "examples.dispatch:DOMAIN"
VANS = ("van_1", "van_2", "van_3")

DEADLINE = 2.0 * HURRY
"""Seconds in which a worker answers."""

LONG_PAUSE = 3.0 * HURRY
"""Seconds of the first pause of each part, after which its deadline and patience are over."""

SHORT = {
    "cookmas.orchestrator.runs.opening:EPISODE_PATIENCE": HURRY,
    "cookmas.orchestrator.runs.opening:FOLDER_PATIENCE": HURRY,
}

IMPATIENT = hurried(PLAY, SHORT)
"""Code of an orchestrator with little patience for the ways to its workers."""

DRIVE = hurried(
    """
import asyncio, sys
from cookmas.workers import carrying_out
from cookmas.workers.http_worker import HttpWorker
where, van, device = sys.argv[1:]
asyncio.run(carrying_out.work(where, van, HttpWorker(device), print))
""",
    {**TIMES, "cookmas.workers.carrying_out:SEAT": HURRY},
)
"""Code of a process that plays a van and drives the device."""


@pytest.fixture
def device() -> Iterator[Device]:
    device = Device(longest=2.0 * HURRY)
    yield device
    device.close()


def open_dispatch(run: OpenRun, redis: RedisPlace | None = None) -> None:
    """Open the dispatch whose vans are remote workers."""
    request = RunRequest(
        world=WORLD,
        scenario="open",
        pace=0.05,
        redis=redis,
        remote=VANS,
        worker_deadline=DEADLINE,
        keep_checkpoints=10,
    )
    create(run.folder, request)


def pause(process: Process, seconds: float) -> None:
    """Stop a process for some time."""
    process.send_signal(signal.SIGSTOP)
    process.wait_until_stopped()
    time.sleep(seconds)
    process.send_signal(signal.SIGCONT)


def play_with_faults(
    run: OpenRun, device: Device, faults: int, kills: dict[str, Callable[[], None]], seed: int
) -> None:
    """Play deliveries while parts are killed and paused at drawn moments; assert what was promised.

    `kills` kill a part that is no orchestrator and no worker, and start it again.
    """
    chance = random.Random(seed)
    playing = run.play(IMPATIENT)
    run.wait_until_taken_up(playing)
    vans = {van: run.start(DRIVE, run.where, van, device.url) for van in VANS}
    kinds = ["orchestrator", "worker", "orchestrator paused", "worker paused", *kills]
    parts = kinds * (faults // len(kinds) + 1)
    chance.shuffle(parts)
    pauses: Counter[str] = Counter()

    def seconds_of_pause(part: str) -> float:
        pauses[part] += 1
        return LONG_PAUSE if pauses[part] == 1 else LONG_PAUSE * chance.random()

    jobs: list[str] = []

    def order(count: int) -> None:
        with Client(run.where, sender="house", world=WORLD, patience=60) as house:
            for _ in range(count):
                answer = house.say("order", address="Mill Road", seconds="1")
                assert answer
                assert answer.about
                jobs.append(answer.about)

    order(len(VANS))
    for part in parts[: max(faults, len(kinds))]:
        let_pass(chance, 2)
        if part == "orchestrator":
            playing.kill()
            playing.wait()
            let_pass(chance)
            playing = run.play(IMPATIENT)
            run.wait_until_taken_up(playing)
        elif part == "orchestrator paused":
            pause(playing, seconds_of_pause(part))
        elif part == "worker paused":
            pause(vans[chance.choice(VANS)], seconds_of_pause(part))
        elif part == "worker":
            van = chance.choice(VANS)
            vans[van].kill()
            vans[van].wait()
            let_pass(chance, 3)
            vans[van] = run.start(DRIVE, run.where, van, device.url)
        else:
            kills[part]()
        order(2)
    with Client(run.where, world=WORLD, patience=60) as house:
        house.close()
    _, said = playing.communicate(timeout=300)
    assert playing.returncode == 0, said.decode()
    assert_delivered_once(run.folder, device, jobs)


def assert_delivered_once(folder: Path, device: Device, jobs: list[str]) -> None:
    trace = cookmas.read_trace(folder / "trace.jsonl")
    assert trace.end
    assert trace.end.termination == "closed"
    assert [frame.timestep for frame in cookmas.replay(trace, WORLD) if not frame.equal] == []
    ends = [each.event for each in trace.of(EventRecord) if is_report(each.event)]
    assert {end["status"] for end in ends} == {"done"}
    delivered = Counter(end["action"] for end in ends)
    assert delivered == Counter(f"deliver({job})" for job in jobs)
    assert Counter(device.begun.values()) == delivered


def test_long_work_over_the_folder(bare_run: OpenRun, device: Device, faults: int) -> None:
    open_dispatch(bare_run)
    play_with_faults(bare_run, device, faults, {}, seed=31)


def test_long_work_over_redis(bare_redis_run: RedisRun, device: Device, faults: int) -> None:
    server = bare_redis_run.server
    chance = random.Random(32)

    def kill_redis() -> None:
        server.kill()
        let_pass(chance)
        server.start()

    open_dispatch(bare_redis_run, RedisPlace.at(bare_redis_run.where))
    play_with_faults(bare_redis_run, device, faults, {"redis": kill_redis}, seed=33)
