"""The questions to people: consent, a worker's action, an answer in a talk, and a questionnaire."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from cookmas.files.errors import InputError
from cookmas.orchestrator.planners.sheet import LONGEST_ACTION
from cookmas.people.working.questionnaire import Questionnaire
from cookmas.people.working.talk import Talk, Utterance
from cookmas.workers.person import Asked


class PersonQuestion(Protocol):
    """A question to one person."""

    @property
    def kind(self) -> str:
        """The kind of the question, one word."""
        ...

    def data(self) -> dict[str, Any]:
        """Return the question as plain data, for a page."""
        ...

    def check(self, said: object) -> Any:
        """Return the answer `said` in the form in which it is stored.

        Raises InputError if the answer is invalid.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """The question whether the person agrees to take part."""

    text: str
    kind = "consent"

    def data(self) -> dict[str, Any]:
        return {"text": self.text}

    def check(self, said: object) -> bool:
        if not isinstance(said, bool):
            raise InputError("answer", "expected true or false")
        return said


class Keys(NamedTuple):
    """The keys by which a person can answer."""

    actions: Mapping[str, str] = {}
    """The action of each key; empty if the world names no keys."""
    idle: str = ""
    """The action of a person who presses no key at a steady pace."""

    @property
    def by_keys(self) -> tuple[str, ...]:
        return (*self.actions.values(), self.idle) if self.actions else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveQuestion:
    """The question which action a worker takes: the suggested one, or any other legal one.

    If the world describes the forms of its actions, the person may also write an action, such as
    one with a number that is not listed. If the world cannot be simulated, no legal actions are
    listed, and the person may write any action.
    """

    asked: Asked
    until: float | None
    """Deadline in seconds of the event loop's clock; None without a limit."""
    words: Mapping[str, str]
    """Description of each action whose text does not describe it."""
    suggests: bool = True
    """True to show the planned action. If False, the planned action is hidden, and is a valid
    answer only if it is legal.
    """
    forms: Mapping[str, str] = field(default_factory=dict)
    """Forms of actions with their descriptions; empty if the world does not describe them."""
    refusal: Callable[[str], str | None] | None = None
    """Returns why a written action would FAIL now, None if it would not. Without it only listed
    actions are valid.
    """
    keys: Keys = field(default_factory=Keys)
    talk: Talk | None = None
    """The talk in which the person may also speak; None if it may not speak now."""
    chosen: str | None = None
    """The action that the person has chosen at this timestep, before the others spoke."""
    kind = "move"

    @property
    def suggested(self) -> str | None:
        """The planned action; None if it is hidden."""
        return self.asked["assignment"] if self.suggests else None

    def describe(self, action: str) -> str:
        """Return the description of an action; its text if that describes it."""
        return self.words.get(action, action)

    def data(self) -> dict[str, Any]:
        """Return the question as plain data: the timestep, and the legal actions and the suggestion
        with their descriptions.

        `possible` is False if the suggestion is known to be illegal.
        """
        asked = self.asked
        legal = [[action, self.describe(action)] for action in asked["legal"]]
        data: dict[str, Any] = {"timestep": asked["timestep"], "legal": legal}
        if self.forms:
            data["forms"] = [list(form) for form in self.forms.items()]
        if self.keys.actions:
            data["idle"] = self.keys.idle
            data["keys"] = [
                [key, action, self.describe(action)] for key, action in self.keys.actions.items()
            ]
        if self.talk:
            data["talk"] = self.talk.data()
        if self.chosen is not None:
            data["chosen"] = [self.chosen, self.describe(self.chosen)]
        if (suggested := self.suggested) is None:
            return data
        described = [suggested, self.describe(suggested)]
        return {**data, "suggested": described, "possible": self.possible}

    @property
    def possible(self) -> bool:
        """True unless the suggestion is known to be illegal."""
        return not self.asked["legal"] or self.asked["assignment"] in self.asked["legal"]

    def check(self, said: object) -> str | Utterance:
        """Return the answer if it is the suggestion, a legal action or one that a key means. Raises
        InputError if not.

        A written action is valid if it is not refused, or if no legal actions are listed. In a talk
        words are valid too, alone or with an action.
        """
        if self.talk and isinstance(said, Mapping):
            words = self.talk.check({key: said[key] for key in said if key != "action"})
            action = self._check_action(said["action"]) if "action" in said else None
            return words._replace(action=action)
        return self._check_action(said)

    def _check_action(self, said: object) -> str:
        asked = self.asked
        if isinstance(said, str) and said in (self.suggested, *asked["legal"], *self.keys.by_keys):
            return said
        unlisted = f"{said!r:.80} is not what {asked['worker']} can do now"
        if not isinstance(said, str) or not 0 < len(said) <= LONGEST_ACTION:
            raise InputError("answer", unlisted)
        if asked["legal"]:
            refused = self.refusal(said) if self.refusal else unlisted
            if refused is not None:
                raise InputError("answer", refused)
        return said


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkQuestion:
    """The question what a person says while its worker is in the middle of an action."""

    worker: str
    timestep: int
    talk: Talk
    until: float | None
    """Deadline in seconds of the event loop's clock; None without a limit."""
    kind = "talk"

    def data(self) -> dict[str, Any]:
        return {"timestep": self.timestep, "talk": self.talk.data()}

    def check(self, said: object) -> Utterance:
        return self.talk.check(said if isinstance(said, Mapping) else {})


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """The questionnaire after the episode."""

    questionnaire: Questionnaire
    kind = "survey"

    def data(self) -> dict[str, Any]:
        return self.questionnaire.model_dump(mode="json")

    def check(self, said: object) -> dict[str, Any]:
        return self.questionnaire.check(said)
