"""The server process: it listens at a port, starts planning processes, and ends them."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from cookmas.modelserver.answers import Scripted
from cookmas.modelserver.app import AnswerFile, Endpoint, Timing
from cookmas.modelserver.faults import Faults
from cookmas.modelserver.listening import PromptServer, Resettable, listen
from cookmas.modelserver.scripts import Scripts, end_with_parent


def serve(
    *,
    worlds: Mapping[str, str],
    host: str,
    port: int,
    faults: Faults,
    timing: Timing,
    answers: Path | None = None,
    processes: int | None = None,
    ready: Callable[[str], None],
) -> None:
    """Serve until a signal ends the process; call `ready` with the base URL before serving.

    `worlds` are import paths `package.module:Domain` by name. `port` 0 takes any free port.
    `answers` is the file of recorded answers, if there is one. `processes` is the number of
    planning processes, by default one per core. Raise InputError if a world cannot be loaded, the
    address cannot be used, or the file of answers is invalid.
    """
    scripts = Scripts(worlds)
    recorded = AnswerFile(answers, faults) if answers else None
    with listen(host, port) as listener, _pool(processes or os.cpu_count() or 1) as pool:
        app = Endpoint(Scripted(scripts, faults, pool), faults, timing, recorded).app()
        bound, bound_port = listener.getsockname()[:2]
        name = f"[{bound}]" if ":" in bound else bound
        ready(f"http://{name}:{bound_port}/v1")
        try:
            PromptServer(configure(app)).run(sockets=[listener])
        finally:
            end_planning(pool)
            if recorded:
                recorded.close()


def configure(app: Starlette) -> uvicorn.Config:
    """Return how an application is served: its connections can be reset, and nothing is logged."""
    return uvicorn.Config(
        app,
        http=Resettable,
        loop="asyncio",
        ws="none",
        lifespan="off",
        log_level="warning",
        access_log=False,
        timeout_keep_alive=600,
        timeout_graceful_shutdown=1,
    )


def end_planning(pool: ProcessPoolExecutor) -> None:
    """Kill what a pool computes, after what waits in it is cancelled, and wait for its thread.

    The order counts: the thread fails on a cancelled task which it finds after a process was
    killed, and prints a traceback. It must have ended before the pool is shut down once more, as
    `with pool` does: that takes back what it is told here, if it has not read it yet. And Python
    fails at its exit, if the thread ends in the same moment.
    """
    thread = getattr(pool, "_executor_manager_thread", None)
    pool.shutdown(wait=False, cancel_futures=True)
    for planning in multiprocessing.active_children():
        planning.kill()
    if thread:
        thread.join()


def _pool(processes: int) -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(processes, mp_context=context, initializer=end_with_parent)
