"""What people are asked: whether they agree, what their worker does, what they thought of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from cookmas.seats.people.questionnaire import Questionnaire
from files.errors import InputError
from orchestrator.planners.sheet import LONGEST_ACTION
from workers.person import Asked


class Question(Protocol):
    """Something that one person is asked."""

    @property
    def kind(self) -> str:
        """What is asked, in a word."""
        ...

    def data(self) -> dict[str, Any]:
        """The question as plain data, for a page."""
        ...

    def checked(self, said: object) -> Any:
        """The answer as it is kept. Raises InputError if it is none."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """Whether the person agrees to what the `text` says."""

    text: str
    kind = "consent"

    def data(self) -> dict[str, Any]:
        """The text."""
        return {"text": self.text}

    def checked(self, said: object) -> bool:
        """Yes or no."""
        if not isinstance(said, bool):
            raise InputError("answer", "expected true or false")
        return said


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """What the worker does at a timestep: what is suggested, or anything else that is legal.

    Where no legal actions are listed, since nothing may be simulated, any action may be written;
    `forms` are those that actions have, each with what it does, as far as the world says it.
    `until` is when it is too late, by the clock of the event loop; `words` say what an action does
    where the action does not say so itself. Unless it `suggests` anything, what is assigned is not
    told, and is no answer where it is not legal.
    """

    asked: Asked
    until: float | None
    words: Mapping[str, str]
    suggests: bool = True
    forms: Mapping[str, str] = field(default_factory=dict)
    kind = "move"

    @property
    def suggested(self) -> str | None:
        """What the schedule has the worker do; None where that is not told."""
        return self.asked["assignment"] if self.suggests else None

    def data(self) -> dict[str, Any]:
        """The timestep, and the suggestion and the legal actions, each with its words.

        `possible` is whether what is suggested is legal, as far as that can be known.
        """
        asked = self.asked
        legal = [[action, self.words.get(action, action)] for action in asked["legal"]]
        told: dict[str, Any] = {"timestep": asked["timestep"], "legal": legal}
        if not legal and self.forms:
            told["forms"] = [list(each) for each in self.forms.items()]
        if (suggested := self.suggested) is None:
            return told
        words = self.words.get(suggested, suggested)
        return {**told, "suggested": [suggested, words], "possible": self.possible}

    @property
    def possible(self) -> bool:
        """Whether nothing is known that speaks against what is suggested."""
        return not self.asked["legal"] or self.asked["assignment"] in self.asked["legal"]

    def checked(self, said: object) -> str:
        """An action that is suggested or legal; any where none are listed."""
        asked = self.asked
        if isinstance(said, str) and said in (self.suggested, *asked["legal"]):
            return said
        if isinstance(said, str) and not asked["legal"] and 0 < len(said) <= LONGEST_ACTION:
            return said
        raise InputError("answer", f"{said!r:.80} is not what {asked['worker']} can do now")


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """The questions at the end."""

    questionnaire: Questionnaire
    kind = "survey"

    def data(self) -> dict[str, Any]:
        """The questions."""
        return self.questionnaire.model_dump(mode="json")

    def checked(self, said: object) -> dict[str, Any]:
        """An answer to each question, by its name."""
        return self.questionnaire.checked(said)
