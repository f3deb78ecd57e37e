"""Workers by what a person calls them: `package.module:Class`."""

from __future__ import annotations

import importlib
from typing import Any

from episodes.errors import InputError
from workers.protocol import Worker
from workers.scripted import ScriptedWorker


def load_worker(spec: str | None) -> Worker:
    """The worker of one's own that `spec` says, or one that does what it is assigned.

    Raises InputError with what is wrong with it.
    """
    if spec is None:
        return ScriptedWorker()
    where = f"worker {spec!r}"
    module_name, _, class_name = spec.partition(":")
    if module_name[:1] in ("", ".") or not class_name:
        raise InputError(where, "expected package.module:Class")
    try:
        found: Any = getattr(importlib.import_module(module_name), class_name)()
    except ImportError as error:
        raise InputError(where, f"cannot be imported ({error})") from None
    except AttributeError:
        raise InputError(where, f"module {module_name} has no {class_name}") from None
    except TypeError as error:
        raise InputError(where, f"cannot be made without arguments ({error})") from None
    if not callable(getattr(found, "act", None)):
        raise InputError(where, "is no worker: it has no method act")
    worker: Worker = found
    return worker
