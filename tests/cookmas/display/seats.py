"""Runs that people play on pages, in a thread of their own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from queue import Queue

from playwright.sync_api import Locator, Page

from cookmas.api import Run
from cookmas.orchestrator.runs.folder import RunFolder
from cookmas.people.playing import at_pages
from tests.cookmas.display.conftest import leave


@contextmanager
def playing(folder: Path, *, to_the_end: bool = True) -> Iterator[tuple[list[str], Future[Run]]]:
    """Play the run in a folder; yield the address of each person's page, and what comes of it.

    The block ends when the run has ended, or at once if it need not be played `to_the_end`.
    """
    run, addresses, done = RunFolder(folder), Queue[str](), Future[Run]()
    loop = asyncio.new_event_loop()
    ready = lambda _, address: addresses.put(address)  # noqa: E731
    task = loop.create_task(at_pages(run, "127.0.0.1", 0, ready))

    def play() -> None:
        try:
            done.set_result(loop.run_until_complete(task))
        except asyncio.CancelledError:
            done.cancel()
        except BaseException as error:
            done.set_exception(error)

    thread = threading.Thread(target=play)
    thread.start()
    try:
        yield [addresses.get(timeout=60) for _ in run.file.people or ("orchestrator",)], done
        if to_the_end or done.done():
            done.result(timeout=60)
    finally:
        if not done.done():
            loop.call_soon_threadsafe(task.cancel)
        thread.join()
        loop.close()


@contextmanager
def sitting(folder: Path, *pages: Page, to_the_end: bool = True) -> Iterator[None]:
    """Play the run in a folder, with each person at a page, as in `playing`."""
    with playing(folder, to_the_end=to_the_end) as (addresses, _):
        for page, address in zip(pages, addresses, strict=True):
            page.goto(address)
        yield
        if not to_the_end:
            for page in pages:
                leave(page)


def status(page: Page) -> Locator:
    """Return what the page of a seat says of what is asked."""
    return page.locator(".seat > [role=status]")


def actions(page: Page) -> Locator:
    """Return the actions that the person at a page can choose."""
    return page.get_by_role("group", name="You can:")
