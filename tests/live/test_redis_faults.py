"""Kitchens in a Redis that is killed, slow, full, refusing or cut off: what was promised holds."""

from __future__ import annotations

import random
import re
import signal
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pytest
from redis import Redis

import cookmas
from cookmas.client import Client
from cookmas.episodes.trace import StepRecord, Trace, TriggerRecord
from cookmas.files.errors import InfrastructureError
from tests.flaky_proxy import FlakyProxy
from tests.live.conftest import DEADLINE, let_pass

if TYPE_CHECKING:
    from tests.live.conftest import OpenRun, Process, RedisRun

    Verified = Callable[[RedisRun, Sequence[str]], None]

SENDERS = ("anna", "bert", "cleo")


def begin(run: OpenRun, faults: int, patience: float = 300) -> tuple[Process, list[Process]]:
    """The kitchen, and senders who have enough to say until the faults are over."""
    playing = run.play()
    run.wait_until_taken_up(playing)
    count = 4 + faults // 2
    return playing, [run.send(name, count, seed, patience) for seed, name in enumerate(SENDERS)]


def finish(run: OpenRun, playing: Process, senders: Sequence[Process]) -> None:
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
        let_pass(chance)
        redis_run.server.kill()
        let_pass(chance)
        redis_run.server.start()
    finish(redis_run, playing, senders)
    verified(redis_run, SENDERS)


def test_redis_and_the_orchestrator_killed_together(
    redis_run: RedisRun, verified: Verified, faults: int
) -> None:
    chance = random.Random(22)
    playing, senders = begin(redis_run, faults)
    for _ in range(faults):
        let_pass(chance)
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
        let_pass(chance, 0.5)
        redis_run.server.pause()
        let_pass(chance, 4)
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
        let_pass(chance)
        client.config_set("maxmemory", 1)
        full = pytest.raises(InfrastructureError, match="is full and keeps nothing more")
        with Client(redis_run.where, "dora", patience=0) as kitchen, full:
            kitchen.order("1 Garden Salad")
        let_pass(chance)
        client.config_set("maxmemory", 0)
    client.close()
    finish(redis_run, playing, senders)
    verified(redis_run, SENDERS)


def test_redis_that_refuses(redis_run: RedisRun, verified: Verified, faults: int) -> None:
    chance = random.Random(25)
    playing, senders = begin(redis_run, faults)
    for _ in range(faults):
        let_pass(chance)
        redis_run.proxy.refuse = True
        redis_run.proxy.cut_all()
        let_pass(chance, 2)
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
    way = FlakyProxy(redis_run.server.socket, seed=27)
    worker = redis_run.work("worker_2", f"{way.url}#corner")
    playing = redis_run.play()
    redis_run.wait_until_taken_up(playing)
    caused = 0
    while caused < faults or b'"trigger":"back"' not in trace_of(redis_run):
        caused += 1
        order_until(redis_run, lambda: is_cooking(redis_run) and not is_away(redis_run))
        let_pass(chance)
        if fault == "killed":
            worker.kill()
            worker.wait()
        elif fault == "stalled":
            worker.send_signal(signal.SIGSTOP)
        else:
            way.refuse = True
            way.cut_all()
        order_until(redis_run, lambda: is_away(redis_run))
        let_pass(chance)
        if fault == "killed":
            worker = redis_run.work("worker_2", f"{way.url}#corner")
        elif fault == "stalled":
            worker.send_signal(signal.SIGCONT)
        way.refuse = False
        order_until(redis_run, lambda: not is_away(redis_run))
    finish(redis_run, playing, [redis_run.send("bert", 3, 1)])
    way.close()
    verified(redis_run, ["anna", "bert"])
    trace = cookmas.read_trace(redis_run.folder / "trace.jsonl")
    why = f"worker_2 did not answer within {DEADLINE:g} s."
    fails = [step.fails["worker_2"] for step in trace.of(StepRecord) if "worker_2" in step.fails]
    assert why in {fail.why for fail in fails}
    told = {trigger.cause for trigger in trace.of(TriggerRecord) if trigger.trigger == "failure"}
    assert any(cause.endswith(why) for cause in told)
    assert {"back"} <= {trigger.trigger for trigger in trace.of(TriggerRecord)}
    assert_used_again(trace)


def order_until(run: RedisRun, holds: Callable[[], bool]) -> None:
    """Anna orders one thing after the other until something holds."""
    until = time.monotonic() + 120
    while not holds():
        assert time.monotonic() < until
        log = run.log("anna")
        answers = len(log.read_text().splitlines()) if log.exists() else 0
        anna = run.send("anna", answers + 1, 1)
        _, said = anna.communicate(timeout=120)
        assert anna.returncode == 0, said.decode()


def is_cooking(run: RedisRun) -> bool:
    return b'"kind":"step"' in trace_of(run)


def is_away(run: RedisRun) -> bool:
    """Whether the kitchen has found out that the worker does not answer, and waits for it.

    That it is back is a trigger only while an order is open; else it is known once it acts.
    """
    _, missed, since = trace_of(run).rpartition(b"did not answer within")
    acts = re.search(rb'"kind":"step".*\["worker_2","(?!wait")', since)
    return bool(missed) and b'"trigger":"back"' not in since and acts is None


def trace_of(run: RedisRun) -> bytes:
    return (run.folder / "trace.jsonl").read_bytes()


def assert_used_again(trace: Trace) -> None:
    """After it came back the worker has done something."""
    since = min(t.timestep for t in trace.of(TriggerRecord) if t.trigger == "back")
    done = [
        command.action
        for step in trace.of(StepRecord)
        for command in step.commands
        if step.timestep >= since and command.worker == "worker_2"
    ]
    assert set(done) - {"wait"}


@pytest.mark.parametrize("redis_run", ["all remote"], indirect=True)
def test_a_kitchen_without_workers_stands_still_until_one_is_back(
    redis_run: RedisRun, verified: Verified
) -> None:
    playing = redis_run.play()
    redis_run.wait_until_taken_up(playing)
    sender = redis_run.send("anna", 2, 1)
    with Client(redis_run.where, patience=0) as kitchen:
        while (status := kitchen.status()) is None or status["letters"] < 2 or not status["asleep"]:
            assert playing.poll() is None
            time.sleep(0.05)
    trace = redis_run.folder / "trace.jsonl"
    size = trace.stat().st_size
    time.sleep(1)
    assert trace.stat().st_size == size
    for worker in ("worker_1", "worker_3"):
        redis_run.work(worker)
    finish(redis_run, playing, [sender])
    verified(redis_run, ["anna"])


def test_a_run_that_redis_has_lost_is_told_how_to_go_on(redis_run: RedisRun) -> None:
    playing = redis_run.play()
    redis_run.wait_until_taken_up(playing)
    playing.kill()
    playing.wait()
    client = Redis(unix_socket_path=str(redis_run.server.socket))
    client.flushall()
    client.close()
    again = redis_run.play()
    _, said = again.communicate(timeout=60)
    line = said.decode().splitlines()[-1]
    assert again.returncode == 2
    assert "has none of this run (any more); restore a backup, or continue" in line
    assert "'cookmas fork'" in line
