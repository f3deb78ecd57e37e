"""Computation of right answers, which takes long and happens in a pool of processes."""

from __future__ import annotations

import os
import signal
import threading
from multiprocessing import parent_process

from cookmas.modelserver.scripts import script_of
from cookmas.worlds.base.script import Planned, Situation


def end_with_parent() -> None:
    """Prepare a process of the pool: it ends when the server ends, even if the server is killed.

    The process ignores Ctrl-C.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def compute_answer(domain: str, task: str, situation: Situation, agent: str) -> Planned:
    """Return the right answer to a task, from a domain's script.

    `domain` is the import path of the domain. `agent` is the agent that answers if the task is a
    turn.
    """
    script = script_of(domain)
    match task:
        case "read":
            return script.read(situation)
        case "turn":
            return script.turn(situation, agent)
    return script.plan(situation)
