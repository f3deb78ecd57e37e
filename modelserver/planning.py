"""Right answers, which take their time and are made in processes of their own."""

from __future__ import annotations

import os
import signal
import threading
from multiprocessing import parent_process

from modelserver.scripts import script_of
from worlds.script import Planned, Situation


def end_with_parent() -> None:
    """In a process of the pool: end when the server does, also when it is killed, not by Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def plan(domain: str, situation: Situation) -> Planned:
    """The right schedule, by the script of a domain."""
    return script_of(domain).plan(situation)


def read(domain: str, situation: Situation) -> Planned:
    """What is read in the texts, by the script of a domain."""
    return script_of(domain).read(situation)
