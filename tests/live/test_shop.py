"""A print shop over Redis whose machines jam and crash, while its orchestrator is killed, paused,
and continued from a copy of its folder: each job is packed, and no stage is done twice.

`COOKMAS_FAULTS=10 COOKMAS_SHOP_MINUTES=60 pytest tests/live/test_shop.py` runs it for an hour; then
machines also hang until they are told to stop.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import time
from collections import Counter
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import cookmas
from cookmas.api import create
from cookmas.client import Client
from cookmas.episodes.reports import is_report
from cookmas.episodes.trace import EventRecord
from cookmas.orchestrator.runs.request import RedisPlace, RunRequest
from examples.print_shop.world import INKS, STAGES
from tests.live.conftest import FOLLOW, PLAY
from tests.live.faulty_machine import FOLDER, HANGS

if TYPE_CHECKING:
    from tests.live.conftest import RedisRun

WORLD = "examples.print_shop:DOMAIN"
MINUTES = float(os.environ.get("COOKMAS_SHOP_MINUTES", "0.05"))
LONG = MINUTES > 10
MOST_COPIES = 200 if LONG else 8
PATIENCE = 600 if LONG else 120
"""Seconds that an order may wait: a shop with 40 open jobs takes no more until one is packed."""


def order(run: RedisRun, chance: random.Random) -> str:
    """Order something in prose; return the job."""
    copies, size = chance.randint(1, MOST_COPIES), chance.choice((5, 6))
    words = chance.choice(
        ("{0} flyers, A{1}, in {2} please", "Could you do A{1} cards, {2} ink, {0} of them?")
    ).format(copies, size, chance.choice(INKS))
    with Client(run.where, sender="anna", world=WORLD, patience=PATIENCE) as anna:
        answer = anna.say("order", words=words)
    assert answer
    assert answer.about, answer.why
    return answer.about


def test_each_job_is_packed_once_in_spite_of_all_faults(
    bare_redis_run: RedisRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, faults: int
) -> None:
    run, chance, made = bare_redis_run, random.Random(71), tmp_path / "printed"
    made.mkdir()
    monkeypatch.setenv(FOLDER, str(made))
    passed = ["--pass-env", FOLDER]
    if LONG:
        monkeypatch.setenv(HANGS, "1")
        passed += ["--pass-env", HANGS]
    request = RunRequest(
        world=WORLD,
        scenario="open",
        pace=0.2 if LONG else 0.05,
        redis=RedisPlace.at(run.where),
        remote=tuple(STAGES),
        worker_deadline=10.0,
        keep_checkpoints=10,
    )
    create(run.folder, request)
    playing = run.play()
    run.wait_until_taken_up(playing)
    for machine in STAGES:
        run.work(machine, None, "--by", "tests.live.faulty_machine:FaultyMachine", *passed)

    jobs: list[str] = []
    number = count(1)
    todo = ["kill", "pause", "copy"] * faults
    chance.shuffle(todo)
    spacing = MINUTES * 60 / len(todo)
    for fault in todo:
        until = time.monotonic() + spacing * (0.5 + chance.random())
        while time.monotonic() < until:
            jobs.append(order(run, chance))
            time.sleep(min(spacing / 2, 60 * chance.random()))
        if fault == "pause":
            playing.send_signal(signal.SIGSTOP)
            time.sleep(2 + chance.random() * 20 if LONG else 1)
            playing.send_signal(signal.SIGCONT)
            continue
        playing.kill()
        playing.wait()
        script = PLAY
        if fault == "copy":
            script = FOLLOW
            copy = tmp_path / f"copy-{next(number)}"
            shutil.copytree(run.folder, copy, ignore=shutil.ignore_patterns("bell"))
            run.folder = copy
        playing = run.play(script)
        run.wait_until_taken_up(playing)
    jobs.append(order(run, chance))
    with Client(run.where, world=WORLD, patience=120) as house:
        house.close()
    _, said = playing.communicate(timeout=MINUTES * 60 + 600)
    assert playing.returncode == 0, said.decode()

    trace = cookmas.read_trace(run.folder / "trace.jsonl")
    assert [frame.timestep for frame in cookmas.replay(trace, WORLD) if not frame.equal] == []
    ends = [each.event for each in trace.of(EventRecord) if is_report(each.event)]
    done = Counter(end["action"] for end in ends if end["status"] == "done")
    assert done == Counter(f"{stage}({job})" for job in jobs for stage in STAGES.values())
    assert not [end for end in ends if end.get("uncertain")]
    reported = {end["result"]["file"] for end in ends if end["status"] == "done"}
    assert {path.name for path in made.iterdir() if not path.name.startswith("draft-")} == reported
    reasons = Counter(end["why"].partition(":")[0] for end in ends if end["status"] == "failed")
    print(f"{len(jobs)} jobs, {sum(done.values())} stages, {dict(Counter(todo))}, {dict(reasons)}")
