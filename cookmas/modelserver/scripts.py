"""Scripts: the worlds that the server knows, the script that answers for each world, and the
processes that compute its right answers, which takes long.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing import parent_process
from typing import Any

from cookmas.files.errors import InputError
from cookmas.worlds.base.loading import load_domain
from cookmas.worlds.base.script import Planned, Script, Situation


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A world that the server knows."""

    domain: str
    """Import path of the domain, `package.module:Domain`, so that other processes can load it."""
    script: Script


class Scripts:
    """The scripts of the worlds that the server knows.

    `worlds` maps the name of each world to its import path, `package.module:Domain`. The mark of a
    script is the name of the block that identifies its world in a prompt. The constructor raises
    InputError if a world cannot be loaded, or has the same mark as another world.
    """

    def __init__(self, worlds: Mapping[str, str]) -> None:
        self._served: dict[str, Served] = {}
        for name, domain in worlds.items():
            script = script_of(domain)
            if script.mark in self._served:
                other = self._served[script.mark].domain
                raise InputError(
                    f"world {name!r}", f"has the same mark as {other}, ### {script.mark}"
                )
            self._served[script.mark] = Served(domain=domain, script=script)

    def of(self, blocks: Mapping[str, Any]) -> Served:
        """Return the world whose mark is among the blocks of a request.

        Raise InputError if there is no such world, or there are several.
        """
        marks = [mark for mark in self._served if mark in blocks]
        if len(marks) == 1:
            return self._served[marks[0]]
        if marks:
            raise InputError("prompt", f"has blocks of several worlds, ### {', ### '.join(marks)}")
        raise InputError("prompt", f"has no block ### {' or ### '.join(self._served)}")


def script_of(domain: str) -> Script:
    """Return the script of a domain. Raise InputError if the domain has none."""
    return load_domain(domain).script


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
