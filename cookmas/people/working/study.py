"""The study around an episode: people's consent before it, and a questionnaire after it.

Consent and answers are in a file next to the trace, never in the trace. The trace tells which
workers people played, not who the people are.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from cookmas.files.errors import CookMASError, InputError
from cookmas.files.reading import read_bytes, read_text
from cookmas.files.writing import write_whole
from cookmas.people.working.asked import Consent, Survey
from cookmas.people.working.questionnaire import Questionnaire, read_questionnaire
from cookmas.people.working.seat import PersonSeat

PEOPLE = "people.json"
"""The study's file in the folder of a run."""


class RefusedError(CookMASError):
    """A person did not consent."""


class Taking(BaseModel):
    """The answers of one person so far."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    agreed: bool | None = None
    """True if the person agreed to take part, False if not; None before the answer."""
    answers: dict[str, Any] | None = None
    """Answers to the questionnaire, by question; None before the answers."""


class StudyFile(BaseModel):
    """The content of `people.json`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    consent: str | None = None
    """The text that people agree to; None if they are not asked."""
    questionnaire: Questionnaire | None = None
    """The questions after the episode; None if there are none."""
    people: dict[str, Taking] = {}
    """The answers of each person, by worker."""


class Study:
    """The study of the run in a folder. If the folder has no study file, the study asks nothing.

    Raises InputError if the file cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / PEOPLE
        try:
            self._file = StudyFile.model_validate_json(read_bytes(self._path))
        except FileNotFoundError:
            self._file = StudyFile()
        except (OSError, ValidationError) as error:
            raise InputError(
                str(self._path), f"is not a valid study file: {error!s:.200}"
            ) from None

    async def begin(self, seat: PersonSeat) -> None:
        """Ask for consent, unless the person gave it before. Raises RefusedError if the person
        refuses.
        """
        text, taking = self._file.consent, self._taking_of(seat.worker)
        if text is None or taking.agreed:
            return
        agreed = await seat.put(Consent(text=text))
        self._keep(seat.worker, agreed=agreed)
        if not agreed:
            raise RefusedError(
                f"{seat.worker}: this person does not agree; the episode is not played"
            )

    async def end(self, seat: PersonSeat) -> None:
        """Ask the questionnaire, unless the person answered it before."""
        questionnaire, taking = self._file.questionnaire, self._taking_of(seat.worker)
        if questionnaire is None or taking.answers is not None:
            return
        answers = await seat.put(Survey(questionnaire=questionnaire))
        self._keep(seat.worker, answers=answers)

    def _taking_of(self, worker: str) -> Taking:
        return self._file.people.get(worker, Taking())

    def _keep(self, worker: str, **answered: Any) -> None:
        taking = self._taking_of(worker).model_copy(update=answered)
        people = {**self._file.people, worker: taking}
        self._file = self._file.model_copy(update={"people": people})
        _write(self._path, self._file)


def study_of(consent: str | None, questionnaire: Path | None) -> StudyFile | None:
    """Return the study that the options describe; None if neither is given.

    `consent` is the text of the consent, or the path of a file with that text. Raises InputError
    or MissingError.
    """
    if consent is None and questionnaire is None:
        return None
    return StudyFile(
        consent=None if consent is None else _read_consent(consent),
        questionnaire=read_questionnaire(questionnaire) if questionnaire else None,
    )


def _read_consent(consent: str) -> str:
    """Return the text of the file at the path `consent`; `consent` itself if there is no file."""
    path = Path(consent)
    return read_text(path).strip() if len(consent) < 256 and path.is_file() else consent


def create_study(folder: Path, file: StudyFile) -> None:
    """Write the file of a study into the folder of a run."""
    _write(folder / PEOPLE, file)


def _write(path: Path, file: StudyFile) -> None:
    write_whole(path, file.model_dump_json(indent=2) + "\n")
