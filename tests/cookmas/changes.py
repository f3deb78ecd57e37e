"""Import CookMAS and play; print what this changed in the process: python -m tests.cookmas.changes

Other packages do change something when they are imported, so they are imported before.
"""

from __future__ import annotations

import ast
import asyncio
import faulthandler
import importlib
import json
import locale
import logging
import multiprocessing
import os
import signal
import sys
import tempfile
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "cookmas"


def own_modules() -> Iterator[Path]:
    """Yield the files of CookMAS's modules. They are not imported, nor are their packages."""
    for folder, inner, names in os.walk(FOLDER, followlinks=True):
        inner.sort()
        yield from (Path(folder, name) for name in sorted(names) if name.endswith(".py"))


def name_of(module: Path) -> str:
    parts = module.relative_to(FOLDER.parent).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def imported_by(module: Path) -> Iterator[str]:
    """Yield the modules of other packages that a module imports when it is imported."""
    for node in ast.parse(module.read_bytes()).body:
        names = [node.module] if isinstance(node, ast.ImportFrom) else []
        names = [each.name for each in node.names] if isinstance(node, ast.Import) else names
        yield from (name for name in names if name and name.partition(".")[0] != "cookmas")


def process_state() -> dict[str, Any]:
    """Return what belongs to a process and not to a library in it."""
    mask = os.umask(0)
    os.umask(mask)
    loggers = {"root": logging.root, **logging.root.manager.loggerDict}
    return {
        "environment": dict(os.environ),
        "folder": os.getcwd(),
        "mask of new files": mask,
        "locale": locale.setlocale(locale.LC_ALL),
        "signal handlers": [str(signal.getsignal(each)) for each in signal.valid_signals()],
        "event loop policy": str(asyncio.get_event_loop_policy()),
        "log levels": {
            n: level for n, each in loggers.items() if (level := getattr(each, "level", 0))
        },
        "log handlers": {
            n: str(has) for n, each in loggers.items() if (has := getattr(each, "handlers", []))
        },
        "warning filters": [str(each) for each in warnings.filters],
        "import path": list(sys.path),
        "import hooks": [str(each) for each in (*sys.meta_path, *sys.path_hooks)],
        "hooks": str((sys.excepthook, threading.excepthook, sys.unraisablehook)),
        "show warning": str(warnings.showwarning),
        "streams": str((sys.stdin, sys.stdout, sys.stderr)),
        "recursion limit": sys.getrecursionlimit(),
        "fault handler": faulthandler.is_enabled(),
        "start method": multiprocessing.get_start_method(allow_none=True),
    }


def changed(before: dict[str, Any]) -> dict[str, Any]:
    """Return what differs from an earlier state, with both values."""
    now = process_state()
    return {what: (old, now[what]) for what, old in before.items() if now[what] != old}


def main() -> None:
    own = [module for module in own_modules() if module.name != "__main__.py"]
    for name in sorted({name for module in own for name in imported_by(module)}):
        importlib.import_module(name)
    before = process_state()
    for module in own:
        importlib.import_module(name_of(module))
    imported = changed(before)
    import cookmas

    with tempfile.TemporaryDirectory() as folder:
        cookmas.play("corridor/one")
        cookmas.play("corridor/one", folder=Path(folder, "run"))
    print(json.dumps({"modules": len(own), "imported": imported, "played": changed(before)}))


if __name__ == "__main__":
    main()
