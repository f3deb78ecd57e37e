"""What is forgotten."""

from __future__ import annotations

from typing import Any

from cookmas.orchestrator.dialogue.answers import ScheduleAnswer
from cookmas.orchestrator.dialogue.look_ahead import Violation
from cookmas.orchestrator.dialogue.memory import MOST_LESSONS, Memory
from cookmas.orchestrator.dialogue.prompting import Prompting

WAYS = Prompting(lessons=True)
NOTHING = ScheduleAnswer(schedule=[])


def test_the_oldest_lessons_are_forgotten_first(models: Any) -> None:
    observation = models.observe("level1/01")
    memory = Memory.of(observation, WAYS)
    many = [
        Violation(number, "worker_1", f"navigate(place_{number})", "unknown", "no such station")
        for number in range(MOST_LESSONS + 3)
    ]
    lessons = memory.update(observation, WAYS, NOTHING, [], refused=many)["lessons"]
    assert [lesson["timestep"] for lesson in lessons] == list(range(3, MOST_LESSONS + 3))


def test_a_lesson_learnt_again_counts_as_new(models: Any) -> None:
    observation = models.observe("level1/01")
    memory = Memory.of(observation, WAYS)
    first = Violation(0, "worker_1", "serve(o1.1)", "empty", "the hand is empty")
    other = Violation(1, "worker_2", "discard", "empty", "the hand is empty")
    learnt = memory.update(observation, WAYS, NOTHING, [], refused=[first, other, first])
    lessons = learnt["lessons"]
    assert [lesson["action"] for lesson in lessons] == ["discard", "serve(o1.1)"]
