"""CookMAS from Python: play a scenario, judge it, replay it.

    run = cookmas.play("level1/01")
    print(run.verdict.success, run.verdict.why)
    for frame in cookmas.replay(run.trace):
        assert frame.equal

Inside a running event loop use `await cookmas.aplay(...)`. `__init__.pyi` declares the names, for
type checkers and for this module, which imports each name when it is first used.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

__version__ = "0.1.0"

_DECLARED = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")

_HOMES = {
    line.split()[-1]: line.split()[1] for line in _DECLARED.splitlines() if line.startswith("from ")
}
"""The module of each name: a line of the declaration is `from MODULE import NAME as NAME`."""

__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
