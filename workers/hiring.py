"""Hiring: the workers of an episode by their specs, such as `robot=lab:Robot`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from cookmas.files.errors import InputError
from cookmas.files.naming import suggest_name
from cookmas.sandbox.child import Limits
from cookmas.workers.http_worker import TOKEN, HttpWorker, is_url
from cookmas.workers.own import OwnWorker
from cookmas.workers.protocol import Worker


def split_workers(specs: Iterable[str]) -> dict[str, str]:
    """Return the spec of each worker, from texts such as `robot=lab:Robot`. Raise InputError."""
    found: dict[str, str] = {}
    for text in specs:
        name, mark, spec = text.partition("=")
        if not mark or not name or ":" not in spec:
            expected = "expected NAME=package.module:Class or NAME=http://HOST:PORT/PATH"
            raise InputError("--worker", f"{expected}, not {text!r:.80}")
        if "@" in spec.partition("://")[2].partition("/")[0]:
            expected = f"{name}: expected an address without user and password"
            raise InputError("--worker", f"{expected}; a token goes into the variable {TOKEN}")
        if name in found:
            raise InputError("--worker", f"{name} is named twice")
        found[name] = spec
    return found


def check_worker(name: str, workers: Sequence[str]) -> None:
    """Raise InputError if no worker of the world has this name."""
    if name not in workers:
        expected = f"expected one of {', '.join(workers)}{suggest_name(name, workers)}"
        raise InputError(f"worker {name}", expected)


@contextlib.contextmanager
def hire(
    specs: Mapping[str, str | Worker],
    workers: Sequence[str],
    limits: Limits | None = None,
) -> Iterator[dict[str, Worker]]:
    """Yield the workers by name; at the end of the block their processes end.

    A spec is a worker, the URL of one, or a class as `package.module:Class`, which runs in a
    subprocess. `workers` are the names that the world knows. Raise InputError if a worker is
    unknown or cannot be made.
    """
    limits = limits or Limits()
    for name in specs:
        check_worker(name, workers)
    with contextlib.ExitStack() as ending:
        hired: dict[str, Worker] = {}
        for name, spec in specs.items():
            if not isinstance(spec, str):
                hired[name] = spec
            elif is_url(spec):
                hired[name] = HttpWorker(spec)
            else:
                own = OwnWorker(spec, limits.environment, limits.seconds)
                hired[name] = ending.enter_context(contextlib.closing(own))
        yield hired
