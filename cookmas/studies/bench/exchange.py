"""The exchange with other processes: jobs and their results as plain data."""

from __future__ import annotations

from typing import Any

from cookmas.files.errors import CookMASError
from cookmas.studies.bench.play import play
from cookmas.studies.bench.spec import EpisodeJob, JobResult

JobData = dict[str, Any]
"""Plain data: a job or its result."""


class EpisodeError(CookMASError):
    """An error of an episode, reported as text by the process that played it."""


def question(job: EpisodeJob) -> JobData:
    """Return a job as plain data for another process."""
    return job.model_dump(mode="json", exclude_unset=True)


async def answer_job(question: JobData) -> JobData:
    """Play a job for another process; return the result or the error as plain data."""
    try:
        played = await play(EpisodeJob.model_validate(question))
    except CookMASError as error:
        return {"error": str(error)}
    return {"played": played.model_dump(mode="json")}


def result_of(answer: JobData) -> JobResult:
    """Return the result of a job. Raise EpisodeError if the other process reports an error."""
    if "error" in answer:
        raise EpisodeError(answer["error"])
    return JobResult.model_validate(answer["played"])
