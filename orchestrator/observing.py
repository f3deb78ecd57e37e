"""The protocol of observers, and the group of observers that a recorder serves."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from cookmas.episodes.trace import AnyRecord, Header
from cookmas.orchestrator.models.message import CallMeasurements

_log = logging.getLogger(__name__)


class Observer(Protocol):
    """An object that observes an episode while a process plays it.

    Its methods run on the event loop, so they should neither wait nor write files. Clocks belong
    into observers: records have none, so that equal runs write equal bytes.
    """

    def begin(self, header: Header, idle: str) -> None:
        """Learn that this process begins to play the episode, or continues it.

        `idle` is the world's action for doing nothing.
        """
        ...

    def note(self, record: AnyRecord, measured: CallMeasurements | None) -> None:
        """Take a record that has just been appended.

        `measured` are the measurements of a model call; None for other records, and if they are
        unknown.
        """
        ...

    def end(self) -> None:
        """Learn that this process plays no further: the episode ended or was interrupted."""
        ...


@runtime_checkable
class Tracing(Protocol):
    """An observer that makes spans, below which a worker can put its own."""

    def span_of(self, worker: str, action: str, timestep: int, since: int) -> str:
        """Begin the span of an action that a worker is called with, unless it has begun.

        Return it as W3C Trace Context writes it. The action was assigned at timestep `since`.
        """
        ...


class Observers:
    """A group of observers. After an error an observer gets nothing more; the episode continues."""

    def __init__(self, observers: Iterable[Observer] = ()) -> None:
        self._observers = list(observers)

    def begin(self, header: Header, idle: str) -> None:
        """Tell all observers that this process begins to play."""
        for each in self._observers[:]:
            try:
                each.begin(header, idle)
            except Exception:
                self._drop(each)

    def note(self, record: AnyRecord, measured: CallMeasurements | None = None) -> None:
        """Pass a record to all observers."""
        for each in self._observers[:]:
            try:
                each.note(record, measured)
            except Exception:
                self._drop(each)

    def span_of(self, worker: str, action: str, timestep: int, since: int) -> str:
        """Return the span of an action as W3C Trace Context writes it; empty if none is made."""
        for each in self._observers[:]:
            if isinstance(each, Tracing):
                try:
                    return each.span_of(worker, action, timestep, since)
                except Exception:
                    self._drop(each)
        return ""

    def end(self) -> None:
        """Tell all observers that this process plays no further."""
        for each in self._observers[:]:
            try:
                each.end()
            except Exception:
                self._drop(each)
        self._observers.clear()

    def _drop(self, failed: Observer) -> None:
        self._observers.remove(failed)
        _log.warning("%s failed, and observes no more", type(failed).__name__, exc_info=True)
