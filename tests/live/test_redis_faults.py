"""Kitchens in a Redis that is killed, slow, full, refusing or cut off: what was promised holds."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pytest
from redis import Redis

import cookmas
from cookmas.client import Client
from episodes.trace import StepRecord, TriggerRecord

if TYPE_CHECKING:
    from tests.live.conftest import Process, RedisRun

    Verified = Callable[[RedisRun, Sequence[str]], None]

SENDERS = ("anna", "bert", "cleo")


def begin(run: RedisRun, faults: int) -> tuple[Process, list[Process]]:
    """The kitchen, and senders who have enough to say until the faults are over."""
    playing = run.play()
    run.wait_until_taken_up(playing)
    count = 4 + faults // 2
    return playing, [run.send(name, count, seed) for seed, name in enumerate(SENDERS)]


def finish(run: RedisRun, playing: Process, senders: Sequence[Process]) -> None:
    """All is well again: the senders are done, and the kitchen, which went on, is closed."""
    for sender in senders:
        _, said = sender.communicate(timeout=300)
        assert sender.returncode == 0, said.decode()
    assert playing.poll() is None, playing.communicate()[1].decode()
    with Client(run.where, patience=0) as kitchen:
        kitchen.close()
    _, said = playing.communicate(timeout=300)
    assert playing.returncode in (0, 1), said.decode()


def test_redis_killed_and_restarted(redis_run: RedisRun, verified: Verified, faults: int) -> None:
    chance = random.Random(21)
    playing, senders = begin(redis_run, faults)
    for _ in range(faults):
        time.sleep(0.2 + chance.random())
        redis_run.server.kill()
        time.sleep(chance.random())
        redis_run.server.start()
    finish(redis_run, playing, senders)
    verified(redis_run, SENDERS)


def test_redis_and_the_orchestrator_killed_together(
    redis_run: RedisRun, verified: Verified, faults: int
) -> None:
    chance = random.Random(22)
    playing, senders = begin(redis_run, faults)
    for _ in range(faults):
        time.sleep(0.2 + chance.random())
        redis_run.server.kill()
        playing.kill()
        playing.wait()
        redis_run.server.start()
        playing = redis_run.play()
        redis_run.wait_until_taken_up(playing)
    finish(redis_run, playing, senders)
    verified(redis_run, SENDERS)


def test_redis_that_is_slow_or_stands_still(
    redis_run: RedisRun, verified: Verified, faults: int
) -> None:
    chance = random.Random(23)
    playing, senders = begin(redis_run, faults)
    redis_run.proxy.delay = 0.02
    for _ in range(faults):
        time.sleep(chance.random() * 0.5)
        redis_run.server.pause()
        time.sleep(chance.random() * 4)
        redis_run.server.go_on()
    redis_run.proxy.delay = 0.0
    finish(redis_run, playing, senders)
    verified(redis_run, SENDERS)


def test_redis_that_is_full(redis_run: RedisRun, verified: Verified, faults: int) -> None:
    chance = random.Random(24)
    playing, senders = begin(redis_run, faults)
    client = Redis(unix_socket_path=str(redis_run.server.socket))
    client.config_set("maxmemory-policy", "noeviction")
    for _ in range(faults):
        time.sleep(chance.random())
        client.config_set("maxmemory", 1)
        with Client(redis_run.where, "dora", patience=0) as kitchen:
            with pytest.raises(cookmas.CookMASError, match="is full and keeps nothing more"):
                kitchen.order("1 Garden Salad")
        time.sleep(chance.random())
        client.config_set("maxmemory", 0)
    client.close()
    finish(redis_run, playing, senders)
    verified(redis_run, SENDERS)


def test_redis_that_refuses(redis_run: RedisRun, verified: Verified, faults: int) -> None:
    chance = random.Random(25)
    playing, senders = begin(redis_run, faults)
    for _ in range(faults):
        time.sleep(chance.random())
        redis_run.proxy.refuse = True
        redis_run.proxy.cut_all()
        time.sleep(chance.random() * 2)
        redis_run.proxy.refuse = False
    finish(redis_run, playing, senders)
    verified(redis_run, SENDERS)


def test_connections_cut_in_the_middle_of_a_command(
    redis_run: RedisRun, verified: Verified, faults: int
) -> None:
    playing, senders = begin(redis_run, faults)
    redis_run.proxy.cut = 0.05
    until = time.monotonic() + 120
    while redis_run.proxy.cuts < faults and time.monotonic() < until:
        time.sleep(0.05)
    redis_run.proxy.cut = 0.0
    assert redis_run.proxy.cuts >= faults
    finish(redis_run, playing, senders)
    verified(redis_run, SENDERS)


@pytest.mark.parametrize("redis_run", ["remote"], indirect=True)
@pytest.mark.parametrize("fault", ["killed", "stalled", "cut off"])
def test_a_remote_worker_that_does_not_answer_is_left_out_until_it_is_back(
    redis_run: RedisRun, verified: Verified, faults: int, fault: str
) -> None:
    chance = random.Random(26)
    worker = redis_run.work("worker_2")
    playing, senders = begin(redis_run, faults)
    for _ in range(faults):
        time.sleep(0.5 + chance.random())
        if fault == "killed":
            worker.kill()
            worker.wait()
            time.sleep(1.5 + chance.random())
            worker = redis_run.work("worker_2")
        elif fault == "stalled":
            worker.send_signal(signal.SIGSTOP)
            time.sleep(1.5 + chance.random())
            worker.send_signal(signal.SIGCONT)
    finish(redis_run, playing, senders)
    verified(redis_run, SENDERS)
    trace = cookmas.read_trace(redis_run.folder / "trace.jsonl")
    steps = list(trace.of(StepRecord))
    missed = [
        s.timestep
        for s in steps
        if "within 1 s" in (s.fails["worker_2"].why if "worker_2" in s.fails else "")
    ]
    assert missed
    told = [
        t
        for t in trace.of(TriggerRecord)
        if t.trigger == "failure" and "worker_2 did not answer" in t.cause
    ]
    assert told
    back = [t.timestep for t in trace.of(TriggerRecord) if t.trigger == "back"]
    assert back
