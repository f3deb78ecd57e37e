"""What people are asked around an episode that they play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cookmas.people.study import StudyFile


def study_of(consent: str | None, questionnaire: Path | None) -> StudyFile | None:
    """The study that is asked for, if one is: `consent` is a line, or a file with a text.

    Raises InputError or MissingError.
    """
    from cookmas.people.questionnaire import read_questionnaire
    from cookmas.people.study import StudyFile

    if consent is None and questionnaire is None:
        return None
    return StudyFile(
        consent=_text(consent),
        questionnaire=read_questionnaire(questionnaire) if questionnaire else None,
    )


def _text(consent: str | None) -> str | None:
    """A line as it is, or what is in a file."""
    from episodes.files import read_text

    if consent is None:
        return None
    path = Path(consent)
    return read_text(path).strip() if len(consent) < 256 and path.is_file() else consent
