"""The child process's side of user-supplied evaluators; planners are in another process."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cookmas.episodes.failure import boundary
from cookmas.episodes.trace_file import read_trace
from cookmas.evals.evidence import Evaluator
from cookmas.files.errors import InputError
from cookmas.judging import truth_of
from cookmas.sandbox.importing import import_named
from cookmas.world_names import world_of


async def find(spec: str) -> None:
    """Raise InputError if there is no such evaluator; `spec` names it as `module:function`."""
    _evaluator(spec)


async def judge(asked: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the checks of one evaluator on the episode in a trace file, as plain data.

    `asked` names the evaluator, the files of the trace and of the truth, and the world.
    """
    spec, path, world = asked["spec"], Path(asked["trace"]), asked["world"]
    with boundary(spec, allowed=()):
        evaluator = _evaluator(spec)
        trace = read_trace(path)
        truth = truth_of(trace, path, Path(asked["truth"]) if asked["truth"] else None, world)
        domain = world_of(trace, world)
        played = domain.world(trace.header.setup)
    _, checks, _ = domain.judging.examine(trace, truth, played, {spec: evaluator})
    return [check.model_dump(mode="json") for check in checks]


def _evaluator(spec: str) -> Evaluator:
    where = f"evaluator {spec!r}"
    found = import_named(spec, where, "module:function")
    if not callable(found):
        raise InputError(where, "is not an evaluator: it cannot be called")
    evaluator: Evaluator = found
    return evaluator
