"""What a row of the tables of limits says, and what is checked of it."""

from __future__ import annotations

import asyncio
import importlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from cookmas.files.errors import CookMASError

Above = Literal["refused", "shortened", "cut", "oldest dropped", "left out"]
"""What happens above a limit.

`refused`: the call raises an error of one line. `shortened`: a text of at most that length is left,
which begins as the whole. `cut`: the first things are kept. `oldest dropped`: the last things are
kept. `left out`: the call returns False instead of True.
"""

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, kw_only=True)
class Limit:
    """A named limit, and the call that reaches it."""

    name: str
    """Its module below `cookmas`, a colon, and its name."""
    reach: Callable[[int], Any]
    """Does the thing with a size, and returns the text or the numbers that are left."""
    above: Above = "refused"
    """What happens above the limit."""
    patched: int | None = None
    """A smaller value for the test, if the real one takes too long to reach."""
    used_in: tuple[str, ...] = ()
    """Further modules that have imported the name, in which it is patched too."""

    @property
    def module(self) -> str:
        """Name of the module that defines the limit."""
        return self.name.partition(":")[0]

    def patch(self, monkeypatch: pytest.MonkeyPatch) -> int:
        """Set the smaller value, if there is one, and return the value that holds."""
        name = self.name.partition(":")[2]
        if self.patched is not None:
            for module in (self.module, *self.used_in):
                monkeypatch.setattr(f"cookmas.{module}.{name}", self.patched)
        most: int = getattr(importlib.import_module(f"cookmas.{self.module}"), name)
        return most

    def check(self, size: int, most: int) -> None:
        """Check what the call makes of a size, if the limit is `most`."""
        if size > most and self.above == "refused":
            with pytest.raises((CookMASError, ValueError)) as refused:
                self._call(size)
            assert "\n" not in str(refused.value)
            return
        left = self._call(size)
        if self.above == "left out":
            assert left is (size <= most)
        elif self.above == "shortened" and size > most:
            assert len(left) <= most
            assert left[: most // 2] == text(size)[: most // 2]
        elif self.above != "refused":
            whole = text(size) if isinstance(left, str) else list(range(size))
            kept = whole[-most:] if self.above == "oldest dropped" else whole[:most]
            assert left == kept

    def _call(self, size: int) -> Any:
        left = self.reach(size)
        return asyncio.run(left) if inspect.iscoroutine(left) else left


def text(size: int) -> str:
    """Return a text of that many characters, no two of its beginnings and ends alike."""
    return (LETTERS * (size // len(LETTERS) + 1))[:size]
