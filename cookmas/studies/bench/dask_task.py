"""The task that a worker of a Dask cluster runs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

Task = Callable[[dict[str, Any], Mapping[str, str]], Awaitable[dict[str, Any]]]


def task() -> Task:
    """Return a function that plays the episode of a job if the worker has the expected code.

    The function is nested, so that Dask sends its code as a whole. So a worker without CookMAS can
    run the function too, which then reports what the worker lacks.
    """

    async def play_job(question: dict[str, Any], code: Mapping[str, str]) -> dict[str, Any]:
        try:
            from cookmas.studies.bench.exchange import answer_job
            from cookmas.studies.bench.origin import code_of
            from cookmas.studies.bench.spec import EpisodeJob

            here = code_of([EpisodeJob.model_validate(question).spec])
        except (ImportError, ValueError) as error:
            why = str(error).splitlines()[0]
            return {"error": f"a worker of the cluster lacks code that the episode needs ({why})"}
        other = [name for name in code if here.get(name) != code[name]]
        if other:
            return {"error": f"a worker of the cluster has another {other[0]}"}
        return await answer_job(question)

    return play_job
