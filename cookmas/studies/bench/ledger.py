"""The ledger of a sweep: what all episodes together have spent on models, and the limits.

The ledger is a file, so that processes share it, and payments are still counted after a kill.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pydantic import BaseModel

from cookmas.files.errors import InfrastructureError
from cookmas.orchestrator.models.message import CallMeasurements, Model, ModelAnswer, Request
from cookmas.studies.bench.limits import SweepLimits


class SweepSpending(BaseModel):
    """The calls, tokens and money that were spent on models."""

    calls: int = 0
    """Number of calls."""
    tokens: int = 0
    """Number of tokens, in prompts and answers."""
    money: float = 0.0
    """Amount of money."""

    def find_reached_limit(self, limits: SweepLimits) -> str | None:
        """Return a sentence that names the limit that is reached; None if no limit is."""
        for name in ("calls", "tokens", "money"):
            spent, limit = getattr(self, name), getattr(limits, name)
            if limit is not None and spent >= limit:
                return f"{spent:g} of {limit:g} {name} of the whole sweep are spent"
        return None


class Ledger:
    """The counter of a sweep's spending, in a file.

    It counts a call before it is made, so the limit of calls is never exceeded. It counts tokens
    and money when a call is answered, so they can exceed their limits by the calls in progress.
    """

    def __init__(self, path: Path, limits: SweepLimits) -> None:
        self._path = path
        self._limits = limits

    @property
    def spent(self) -> SweepSpending:
        """The amount spent so far."""
        with self._open() as file:
            return _read(file)

    @property
    def reached(self) -> str | None:
        """A sentence that names the limit that is reached; None if no limit is."""
        return self.spent.find_reached_limit(self._limits)

    def begin(self) -> None:
        """Count a call before it is made. Raise InfrastructureError if the limits allow none."""
        with self._open() as file:
            spent = _read(file)
            if reached := spent.find_reached_limit(self._limits):
                raise InfrastructureError(reached)
            _write(file, spent.model_copy(update={"calls": spent.calls + 1}))

    def add(self, tokens: int, money: float) -> None:
        """Count the tokens and the money of an answered call."""
        with self._open() as file:
            spent = _read(file)
            more = {"tokens": spent.tokens + tokens, "money": round(spent.money + money, 8)}
            _write(file, spent.model_copy(update=more))

    @contextmanager
    def _open(self) -> Iterator[IO[str]]:
        handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
        with open(handle, "r+", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield file


def _read(file: IO[str]) -> SweepSpending:
    file.seek(0)
    line = file.readline()
    return SweepSpending.model_validate_json(line) if line else SweepSpending()


def _write(file: IO[str], spent: SweepSpending) -> None:
    """Replace the first line, which is the only one that counts, and then cut off the rest.

    A process that is killed in between leaves what was spent.
    """
    file.seek(0)
    file.write(json.dumps(spent.model_dump()) + "\n")
    file.flush()
    file.truncate()


class Metered:
    """A model whose calls are counted in a ledger."""

    def __init__(self, model: Model, ledger: Ledger) -> None:
        self._model = model
        self._ledger = ledger
        self.name = model.name

    async def answer(self, request: Request) -> tuple[ModelAnswer, CallMeasurements]:
        """Ask the model once. Raise InfrastructureError if the sweep has reached a limit."""
        self._ledger.begin()
        answer, measured = await self._model.answer(request)
        self._ledger.add(answer.usage.total, measured.cost or 0.0)
        return answer, measured
