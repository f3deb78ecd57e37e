"""Choices: the legal actions as a list, out of which a model chooses one.

    ### OPTIONS
    ["pickup(apple, counter)", "wait(1)"]

An answer writes one of them out. A letter would stand for another action at another call, and a
model that remembers the letter would do something else. The options of a question, which is asked
once, have letters: `{"A": "...", "B": "..."}`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from typing import Any, ClassVar

from pydantic import model_validator

from cookmas.episodes.possible import Legal, list_legal
from cookmas.orchestrator.dialogue.answers import ScheduleAnswer
from cookmas.orchestrator.dialogue.layouts import (
    TEXT,
    TEXT_OR_NULL,
    AnswerField,
    Layout,
    object_schema,
    workers_of_answer,
)
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.dialogue.schedules import TIMESTEP
from cookmas.orchestrator.dialogue.templates import Templates
from cookmas.orchestrator.planner import Observation

OPTIONS = "OPTIONS"
"""Name of the block with the options of an agent, or of each worker."""

ACTION, ACTIONS = "action", "actions"
"""Fields of an answer: the action of an agent, or the actions of all workers."""

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_PUNCTUATION = ".:)"


@dataclass(frozen=True, slots=True)
class Offer:
    """The actions that a model may choose from."""

    actions: Legal = field(default_factory=dict)
    """The actions, for each worker; empty if nothing is offered."""
    lettered: bool = False
    """True if each action of a worker has a letter."""

    def show(self, worker: str) -> Mapping[str, str] | Sequence[str]:
        """Return the actions of a worker as a prompt lists them: by letter, or as a list."""
        actions = [*self.actions.get(worker, ())]
        return (
            dict(zip(map(letter_of, count()), actions, strict=False)) if self.lettered else actions
        )

    def read(self, text: str) -> str:
        """Return the action that a text means: `wait(1)`, with letters also `B` and `B. wait(1)`.

        A text that means no option is returned unchanged.
        """
        text = text.strip()
        shown = [
            options for worker in self.actions if isinstance(options := self.show(worker), dict)
        ]
        if any(text in options.values() for options in shown):
            return text
        letter, _, rest = text.partition(" ")
        named = (options.get(letter.rstrip(_PUNCTUATION).upper()) for options in shown)
        action = next(filter(None, named), None)
        return action if action is not None and rest.strip() in ("", action) else text

    def find_unlisted(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """Return a problem for each worker whose chosen action is not offered to it."""
        problems: dict[str, str] = {}
        for worker, action in chosen.items():
            if worker not in self.actions or action in self.actions[worker]:
                continue
            last = letter_of(len(self.actions[worker]) - 1) if self.actions[worker] else ""
            which = f" (A to {last})" if last and self.lettered else ""
            none = "" if last else ", of which there are none"
            problems[worker] = f"{worker}: {action!r} is not among the OPTIONS{which}{none}."
        return problems


def find_legal(observation: Observation[Any], prompting: Prompting) -> Legal | None:
    """Return what each worker of an answer can do now; None if the world cannot list it."""
    workers = workers_of_answer(observation, prompting)
    return list_legal(observation.world, observation.state, observation.agent, workers)


def letter_of(number: int) -> str:
    """Return the letter of an option by its number from 0 on: A to Z, then AA, AB and so on."""
    rest, last = divmod(number, len(_LETTERS))
    return (letter_of(rest - 1) if rest else "") + _LETTERS[last]


class ChoiceLayout(Layout):
    """The layout of a choice: one action for an agent, or one for each worker."""

    name = "choice"
    task = "step"
    say = "say_choice"
    chooses = True

    @property
    def form(self) -> type[ScheduleAnswer]:
        """The form in which a choice is read."""
        return choice_form(self.observation.agent)

    def fields(self) -> Mapping[str, AnswerField]:
        """Return the fields: reasoning, message, choice, lesson and scratch pad.

        The example has letters if the options have them, else actions.
        """
        agent, actions = self.observation.agent, self.actions[0]
        shown = dict.fromkeys(actions, letter_of(0)) if self.lettered else actions
        choices = object_schema(dict.fromkeys(self.workers, TEXT_OR_NULL))
        return {
            **self._reasoning(),
            **self._say(),
            **(
                {ACTIONS: AnswerField(choices, shown)}
                if agent is None
                else {ACTION: AnswerField(TEXT, shown[agent])}
            ),
            **self._lesson_and_pad(),
        }

    def describe(self, templates: Templates, until: str) -> str:
        """Return the text that tells the model how to choose."""
        form = "answer_choice" if self.listed else "answer_action"
        slots = {"example": self.example(), "until": until}
        return templates.fill(templates.variant(form, self.observation.agent), slots)


@lru_cache(maxsize=64)
def choice_form(agent: str | None) -> type[ScheduleAnswer]:
    """Return the form of answers that choose an action for an agent, or for each worker.

    An answer with a schedule is read too.
    """

    class ChoiceAnswer(ScheduleAnswer):
        core: ClassVar[str] = ACTIONS if agent is None else ACTION

        @model_validator(mode="before")
        @classmethod
        def _read_choice(cls, data: Any) -> Any:
            if not isinstance(data, Mapping) or cls.core not in data:
                return data
            chosen = data[cls.core]
            if agent is not None:
                chosen = {agent: chosen}
            elif not isinstance(chosen, Mapping):
                raise ValueError("actions should map workers to their actions")
            decided = agent is None or chosen[agent] not in (None, "")
            return {**data, "schedule": [{TIMESTEP: None, **chosen}] if decided else []}

    return ChoiceAnswer
