"""The ledger of a sweep: what all episodes together have spent on models, and the limits.

The ledger is a file, so that processes share it, and payments are still counted after a kill. It is
also the board on which they share which endpoints are away.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pydantic import BaseModel

from cookmas.files.errors import InfrastructureError
from cookmas.orchestrator.models.budget import find_reached
from cookmas.orchestrator.models.message import Answered, Model, Request, Wrapped
from cookmas.orchestrator.models.patience import Reach
from cookmas.studies.bench.limits import SweepLimits


class SweepSpending(BaseModel):
    """The calls, tokens and money that were spent on models."""

    calls: int = 0
    """Number of answered calls, and of those that a kill cut off."""
    open: int = 0
    """Number of calls that are under way."""
    tokens: int = 0
    """Number of tokens, in prompts and answers."""
    money: float = 0.0
    reached: dict[str, Reach] = {}
    """The state of the addresses of endpoints."""

    def find_reached_limit(self, limits: SweepLimits) -> str | None:
        """Return a sentence that names the limit that is reached; None if no limit is."""
        begun = {"calls": self.calls + self.open, "tokens": self.tokens, "money": self.money}
        if reached := find_reached(limits, begun):
            name, spent, limit = reached
            return f"{spent:g} of {limit:g} {name} of the whole sweep are spent"
        return None


class Ledger:
    """The counter of a sweep's spending, in a file.

    A call counts as spent once it is answered, with its tokens and its money. A call under way
    counts against the limit of calls, which is never exceeded; tokens and money can exceed their
    limits by the calls under way.
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

    def begin_session(self) -> None:
        """Count the calls that a kill cut off, since they may be paid, and forget the outages."""
        with self._change() as spent:
            spent.calls, spent.open, spent.reached = spent.calls + spent.open, 0, {}

    def begin(self) -> None:
        """Note a call that is about to be made. Raise InfrastructureError if no limit allows it."""
        with self._change() as spent:
            if reached := spent.find_reached_limit(self._limits):
                raise InfrastructureError(reached)
            spent.open += 1

    def add(self, tokens: int, money: float) -> None:
        """Count an answered call."""
        with self._change() as spent:
            spent.open, spent.calls = max(0, spent.open - 1), spent.calls + 1
            spent.tokens, spent.money = spent.tokens + tokens, round(spent.money + money, 8)

    def give_back(self) -> None:
        """Note that a call was not answered."""
        with self._change() as spent:
            spent.open = max(0, spent.open - 1)

    def update(self, address: str, change: Callable[[Reach], None]) -> Reach:
        """Change what is known of the address of an endpoint, and return it."""
        with self._change() as spent:
            reach = spent.reached.setdefault(address, Reach())
            change(reach)
        return reach

    @contextmanager
    def _change(self) -> Iterator[SweepSpending]:
        """Yield the content of the file, and write it back unless the block raises."""
        with self._open() as file:
            spent = _read(file)
            before = spent.model_copy(deep=True)
            yield spent
            if spent != before:
                _write(file, spent)

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
    file.write(spent.model_dump_json(exclude_defaults=True) + "\n")
    file.flush()
    file.truncate()


def charge_calls(model: Model, ledger: Ledger) -> Model:
    """Return a model whose answered calls are counted in a ledger.

    Its calls raise InfrastructureError if the sweep has reached a limit.
    """

    async def ask(request: Request) -> Answered:
        ledger.begin()
        try:
            answer, measured = await model.answer(request)
        except BaseException:
            ledger.give_back()
            raise
        ledger.add(answer.usage.total, measured.cost or 0.0)
        return answer, measured

    return Wrapped(model.name, ask)
