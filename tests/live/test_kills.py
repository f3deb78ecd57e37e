"""Open kitchens whose parts are killed for real: what was promised holds."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.live.conftest import OpenRun

    Verified = Callable[[OpenRun, Sequence[str]], None]

SENDERS = ("anna", "bert", "cleo")


def test_an_orchestrator_killed_at_random_moments_loses_nothing(
    open_run: OpenRun, verified: Verified, faults: int
) -> None:
    chance = random.Random(3)
    count = 4 + faults // 2
    senders = [open_run.send(name, count, seed) for seed, name in enumerate(SENDERS)]
    kills = 0
    while kills < faults:
        process = open_run.play()
        open_run.wait_until_taken_up(process)
        time.sleep(chance.random() * 1.5)
        if kills % 2:
            open_run.wait_until_taken(process, 5)
        assert process.poll() is None, process.communicate()[1].decode()
        process.kill()
        kills += 1
    process = open_run.play()
    for sender in senders:
        _, said = sender.communicate(timeout=300)
        assert sender.returncode == 0, said.decode()
    process.kill()
    process.wait()
    open_run.finish()
    verified(open_run, SENDERS)


def test_senders_killed_at_random_moments_order_nothing_twice(
    open_run: OpenRun, verified: Verified, faults: int
) -> None:
    chance = random.Random(5)
    count = 6 + faults // 2
    process = open_run.play()
    for _ in range(faults):
        running = {name: open_run.send(name, count, seed) for seed, name in enumerate(SENDERS)}
        time.sleep(0.3 + chance.random() * 1.5)
        for sender in running.values():
            sender.kill()
            sender.wait()
    for sender in [open_run.send(name, count, seed) for seed, name in enumerate(SENDERS)]:
        _, said = sender.communicate(timeout=300)
        assert sender.returncode == 0, said.decode()
    assert process.poll() is None
    process.kill()
    process.wait()
    open_run.finish()
    verified(open_run, SENDERS)
