"""Runs that somebody plays on pages in a browser."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue

from cookmas.seats.orchestrating.playing import at_pages
from orchestrator.runs.folder import RunFolder


@contextmanager
def played(folder: Path) -> Iterator[str]:
    """A run that somebody plays on a page; yields its address, and ends with the run."""
    with played_by(folder, 1) as pages:
        yield next(iter(pages.values()))


@contextmanager
def played_by(folder: Path, people: int) -> Iterator[dict[str, str]]:
    """A run that some people play; yields the address of each worker's page."""
    addresses: Queue[tuple[str, str]] = Queue()
    failed: list[BaseException] = []

    def run() -> None:
        try:
            ready = lambda *page: addresses.put(page)  # noqa: E731
            asyncio.run(at_pages(RunFolder(folder), "127.0.0.1", 0, ready))
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    yield dict(addresses.get(timeout=60) for _ in range(people))
    thread.join(timeout=60)
    assert not thread.is_alive()
    assert failed == []
