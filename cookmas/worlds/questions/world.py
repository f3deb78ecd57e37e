"""The world of a question: one worker answers it with the letter of an option."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from random import Random
from string import ascii_uppercase
from typing import Any

from cookmas.episodes.base import World
from cookmas.episodes.level import Level
from cookmas.episodes.world import Ending
from cookmas.worlds.base.question_suite import AskedQuestion
from cookmas.worlds.shipped import import_world

ANSWERER = "answerer"
"""The only worker."""

Answered = dict[str, Any]
"""The state: the `timestep`, and the option that is the `answer`, or None before it."""


class QuestionLevel(Level, AskedQuestion):
    """A question as planners see it."""


class QuestionWorld(World):
    """A question with lettered options; the episode ends with the answer."""

    name = "questions"
    level: QuestionLevel
    level_type = QuestionLevel
    workers = (ANSWERER,)

    def __init__(self, level: QuestionLevel) -> None:
        super().__init__(level)
        self.options: Mapping[str, str] = dict(zip(ascii_uppercase, level.options, strict=False))

    @cached_property
    def source(self) -> Any:
        """The world of the state; a state in words has none."""
        return import_world(self.level.of).world(self.level.setup_of)

    def opening(self) -> Answered:
        """Return the state before the answer."""
        return {"answer": None}

    def legal(self, state: Answered, worker: str) -> Sequence[str]:
        """Return the options: to answer is to do one of them."""
        return self.level.options

    def every_action(self) -> Sequence[str]:
        """Return the options."""
        return self.level.options

    def advance(self, state: Answered, actions: Mapping[str, str], draw: Random) -> Answered:
        """Return the state with the answer."""
        return {**state, "answer": actions.get(ANSWERER)}

    def ending(self, state: Answered) -> Ending | None:
        """Return that the question is answered; None before that."""
        return Ending("over", "the question is answered") if state["answer"] is not None else None

    def narrate(self, observed: Answered, worker: str | None) -> list[str]:
        """Return the state of the game as the seat sees it, and the question."""
        level = self.level
        if level.told:
            scene: Sequence[str] = level.told.scene.splitlines()
        else:
            questioner, state = import_world(level.of).questioner, self.source.load(level.state)
            scene = questioner.narrate(self.source, state, level.seat, bare=level.bare)
        return [f"You are {level.seat}.", *scene, f"The question: {level.question}"]
