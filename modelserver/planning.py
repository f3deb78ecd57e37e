"""Right answers: they take long and are computed in processes of their own."""

from __future__ import annotations

import os
import signal
import threading
from multiprocessing import parent_process

from modelserver.scripts import script_of
from worlds.script import Planned, Situation


def end_with_parent() -> None:
    """Make a process of the pool end with the server, even if the server is killed.

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
    """Return the answer of a domain's script to a task; in a turn, that of `agent`."""
    script = script_of(domain)
    match task:
        case "read":
            return script.read(situation)
        case "turn":
            return script.turn(situation, agent)
    return script.plan(situation)
