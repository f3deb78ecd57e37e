"""The child process's side of user-supplied evaluators; planners are in another process."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cookmas.episodes.failure import failure_of
from cookmas.episodes.trace_file import read_trace
from cookmas.evals.evidence import Evaluator
from cookmas.files.errors import CookMASError, InputError
from cookmas.judging import truth_of
from cookmas.sandbox.host import Ask
from cookmas.sandbox.importing import import_named
from cookmas.world_names import world_of


class HostedEvaluators:
    """User-supplied evaluators, each named as `module:function`."""

    def __init__(self, ask: Ask) -> None:
        """Ignore `ask`, since evaluators ask for nothing."""

    async def find(self, spec: str) -> None:
        """Raise InputError if there is no such evaluator."""
        _evaluator(spec)

    async def judge(self, asked: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the checks of one evaluator on the episode in a trace file, as plain data.

        `asked` names the evaluator, the files of the trace and of the truth, and the world.
        """
        spec, path, world = asked["spec"], Path(asked["trace"]), asked["world"]
        try:
            evaluator = _evaluator(spec)
            trace = read_trace(path)
            truth = truth_of(trace, path, Path(asked["truth"]) if asked["truth"] else None, world)
            domain = world_of(trace, world)
            played = domain.world(trace.header.setup)
        except CookMASError as error:
            raise failure_of(error) from error
        _, checks, _ = domain.judging.examine(trace, truth, played, {spec: evaluator})
        return [check.model_dump(mode="json") for check in checks]


def _evaluator(spec: str) -> Evaluator:
    where = f"evaluator {spec!r}"
    found = import_named(spec, where, "module:function")
    if not callable(found):
        raise InputError(where, "is not an evaluator: it cannot be called")
    evaluator: Evaluator = found
    return evaluator
