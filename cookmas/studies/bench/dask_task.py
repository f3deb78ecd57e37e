"""What a worker of a Dask cluster is asked to do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

Task = Callable[[dict[str, Any], Mapping[str, str]], Awaitable[dict[str, Any]]]


def task() -> Task:
    """Plays the episode of a job, if the code there is the one that is asked for.

    It is a function inside a function, which is sent whole: a worker without CookMAS can still
    say so.
    """

    async def play_job(question: dict[str, Any], code: Mapping[str, str]) -> dict[str, Any]:
        try:
            from cookmas.studies.bench.exchange import answered
            from cookmas.studies.bench.origin import code_of
            from cookmas.studies.bench.spec import Job

            here = code_of([Job.model_validate(question).spec])
        except (ImportError, ValueError) as error:
            why = str(error).splitlines()[0]
            return {"error": f"a worker of the cluster lacks code that is needed ({why})"}
        other = [name for name in code if here.get(name) != code[name]]
        if other:
            return {"error": f"a worker of the cluster has another {other[0]}"}
        return await answered(question)

    return play_job
