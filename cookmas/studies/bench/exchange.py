"""How a job goes to another process, and how what came of it comes back: as plain data."""

from __future__ import annotations

from typing import Any

from cookmas.studies.bench.play import play
from cookmas.studies.bench.spec import Job, Played
from files.errors import CookMASError

Said = dict[str, Any]
"""Plain data: a job, or what came of it."""


class EpisodeError(CookMASError):
    """What another process says is wrong with an episode, in its words."""


def question(job: Job) -> Said:
    """A job, to be answered in another process."""
    return job.model_dump(mode="json", exclude_unset=True)


async def answered(question: Said) -> Said:
    """Play the episode of a job that another process asks for."""
    try:
        played = await play(Job.model_validate(question))
    except CookMASError as error:
        return {"error": str(error)}
    return {"played": played.model_dump(mode="json")}


def played_of(answer: Said) -> Played:
    """What came of a job. Raises EpisodeError if the other process says that there is an error."""
    if "error" in answer:
        raise EpisodeError(answer["error"])
    return Played.model_validate(answer["played"])
