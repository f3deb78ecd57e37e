"""Limits of the dialogue with a model: what it is asked for, what of an answer is read and kept."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import Any

from cookmas.episodes.conversation import Usage, requests_in
from cookmas.episodes.world import Command
from cookmas.evals.planning import list_some
from cookmas.files.errors import InputError
from cookmas.orchestrator.dialogue.answers import Row, ScheduleAnswer, fit_pad, write_out
from cookmas.orchestrator.dialogue.blocks import parse_blocks
from cookmas.orchestrator.dialogue.conversation import (
    Conversation,
    ModelQuestion,
    Unanswered,
    shorten,
)
from cookmas.orchestrator.dialogue.look_ahead import Violation
from cookmas.orchestrator.dialogue.memory import Memory
from cookmas.orchestrator.dialogue.prompt import Prompt
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.dialogue.reading import BrokenJsonError, Lenient, UsableAnswer, read_reply
from cookmas.orchestrator.dialogue.voice import Templates
from cookmas.orchestrator.models.message import CallMeasurements, ModelAnswer
from cookmas.orchestrator.planner import Observation
from cookmas.worlds.corridor.voice import VOICE
from cookmas.worlds.corridor.world import CorridorLevel, CorridorWorld
from tests.limits.limit import Limit, text
from tests.orchestrator.dialogue.layouts import rows_layout

TEMPLATES = Templates(VOICE.prompts)


class Saying:
    """A model that always says the same."""

    name = "saying"

    def __init__(self, said: str) -> None:
        self.said = said

    async def answer(self, request: Any) -> tuple[ModelAnswer, CallMeasurements]:
        usage = Usage(prompt=1, completion=1)
        return ModelAnswer(text=self.said, model=self.name, usage=usage), CallMeasurements(
            seconds=0.0
        )


def _observe(**more: Any) -> Observation[Any]:
    world = CorridorWorld(CorridorLevel())
    state, _ = world.apply(world.start(), {"kind": "bell", "name": "red"})
    given = {"timestep": 1, "triggers": (), "texts": {}, "fails": {}, "agent": "walker_1"}
    return Observation(**{**given, **more}, world=world, state=state)


def _prompt(**ways: Any) -> Prompt:
    return Prompt.of(_observe(rounds=2), VOICE, Prompting(**ways), TEMPLATES)


def _properties(**ways: Any) -> Any:
    """Return the schema of each field of an answer."""
    schema = _prompt(chain_of_thought=True, **ways).layout.schema
    assert schema
    return schema.schema["properties"]


def _fits(field: str, size: int) -> bool:
    """Return whether the schema of an answer admits a text of that size in a field."""
    longest: int = _properties(lessons=True)[field]["maxLength"]
    return size <= longest


def _fits_as_thought(size: int) -> bool:
    _, thought = _properties(form="rows")["schedule"]["items"]["anyOf"]
    longest: int = thought["properties"]["think"]["maxLength"]
    return size <= longest


def _converse(said: str = "{}") -> Conversation:
    return Conversation(Saying(said), 1, prompting=Prompting(retries=1), templates=TEMPLATES)


def _question() -> ModelQuestion[ScheduleAnswer]:
    return ModelQuestion(layout=_prompt().layout, messages=[], call={"task": "turn"})


def _last_call(question: ModelQuestion[ScheduleAnswer]) -> Any:
    return parse_blocks(question.messages[-1].content)["CALL"]


def _refuse(size: int) -> str:
    question = _question()
    _converse().say_refusal(question, [{"walker_1": "right"}], text(size))
    why: str = _last_call(question)["refused"]["why"]
    return why


def _show_violations(count: int) -> list[int]:
    question = _question()
    violations = [Violation(n, "walker_1", "right", "no", "no") for n in range(count)]
    _converse().say_violations(question, violations)
    return [each["timestep"] for each in _last_call(question)["violations"]]


async def _quote(size: int) -> str:
    """Return what a repair message quotes of an answer that cannot be used."""
    question = _question()
    try:
        await _converse(text(size)).ask(question, "turn")
    except Unanswered:
        return question.messages[0].content
    raise AssertionError


def _list_problems(count: int) -> list[int]:
    """Return the problems that are listed, without the line that counts the others."""
    return [int(each) for each in shorten([str(n) for n in range(count)]) if each.isdecimal()]


async def _infer(size: int) -> str:
    said = json.dumps({"explanation": text(size), "needs": "none"})
    return (await _converse(said).infer(_prompt(theory_of_mind=True)))["explanation"]


def _remember(size: int, **ways: Any) -> Any:
    """Return what the memory keeps of a decision with reasoning of that size."""
    prompting = Prompting(memory=1, lessons=True, **ways)
    answer = ScheduleAnswer(reasoning=text(size), schedule=[])
    memory = Memory.of(_observe(), prompting)
    return memory.update(_observe(), prompting, answer, [{"walker_1": "right"}])


def _keep_lessons(count: int) -> list[int]:
    found = [Violation(n, "walker_1", "right", "no", str(n)) for n in range(count)]
    prompting, nothing = Prompting(lessons=True), ScheduleAnswer(schedule=[])
    memory = Memory.of(_observe(), prompting)
    kept = memory.update(_observe(), prompting, nothing, [], refused=found)
    return [lesson["timestep"] for lesson in kept["lessons"]]


def _schedule(length: int) -> None:
    """Write out an answer whose only row stands for the last timestep of that many."""
    row = Row.model_validate({"t": 6 + length, "walker_1": "right"})
    _, problems = write_out(ScheduleAnswer(schedule=[row]), (), 7)
    for problem in problems:
        raise InputError("answer", problem)


def _read_object(size: int) -> bool:
    """Return whether an object is read that begins that many characters before the end."""
    said = '{"schedule": [{"walker_1": "right"}]}'
    usage = Usage(prompt=1, completion=1)
    answer = ModelAnswer(text=said + " " * (size - len(said)), model="m", usage=usage)
    return isinstance(read_reply(answer, rows_layout()), UsableAnswer)


def _decode(said: str) -> None:
    try:
        Lenient(said).decode(0)
    except BrokenJsonError as error:
        raise InputError("answer", str(error)) from None


def _request(size: int) -> bool:
    return requests_in(f"request('{text(size)}')") == [text(size)]


_ROOM = "orchestrator.dialogue"


def _keep_notes(count: int) -> list[int]:
    """Return the notes that are kept of a schedule that so many answers have kept in part."""
    kept: dict[str, Any] = {}
    for number in range(count + 1):
        memory = Memory.of(replace(_observe(), memory=kept), Prompting())
        observation = _observe(underway=((Command("walker_1", "right"),),))
        answer = ScheduleAnswer(reasoning=str(number), keep_until=2, schedule=[])
        kept = memory.update(observation, Prompting(), answer, [{"walker_1": "right"}])
    return [int(note["said"]) for note in kept["notes"]]


def _list_whole(size: int) -> bool:
    """Return whether a list of two texts is shown whole."""
    texts = [text(size // 2), text(size - size // 2 - 2)]
    return list_some(texts) == ", ".join(texts)


LIMITS = [
    Limit(
        name="orchestrator.dialogue.memory:MOST_NOTES", reach=_keep_notes, above="oldest dropped"
    ),
    Limit(name="evals.planning:LONGEST_LIST", reach=_list_whole, above="left out"),
    Limit(
        name=f"{_ROOM}.answers:LONGEST_REASONING",
        reach=partial(_fits, "reasoning"),
        above="left out",
    ),
    Limit(name=f"{_ROOM}.answers:LONGEST_SAID", reach=partial(_fits, "say"), above="left out"),
    Limit(name=f"{_ROOM}.answers:LONGEST_LESSON", reach=partial(_fits, "lesson"), above="left out"),
    Limit(name=f"{_ROOM}.answers:LONGEST_THOUGHT", reach=_fits_as_thought, above="left out"),
    Limit(name=f"{_ROOM}.answers:LONGEST_SCHEDULE", reach=_schedule),
    Limit(name=f"{_ROOM}.layouts:LONGEST_INFERENCE", reach=_infer, above="cut"),
    Limit(name=f"{_ROOM}.conversation:LONGEST_REFUSAL", reach=_refuse, above="cut"),
    Limit(name=f"{_ROOM}.conversation:LONGEST_QUOTE", reach=_quote, above="cut"),
    Limit(
        name=f"{_ROOM}.conversation:LONGEST_PROBLEM",
        reach=lambda n: shorten([text(n)])[0],
        above="shortened",
    ),
    Limit(name=f"{_ROOM}.conversation:MOST_PROBLEMS", reach=_list_problems, above="cut"),
    Limit(name=f"{_ROOM}.conversation:MOST_VIOLATIONS", reach=_show_violations, above="cut"),
    Limit(name=f"{_ROOM}.reading:_DEEPEST", reach=lambda n: _decode("[" * n + "0" + "]" * n)),
    Limit(name=f"{_ROOM}.reading:_LONGEST_NUMBER", reach=lambda n: _decode("1" * n + " ")),
    Limit(
        name=f"{_ROOM}.memory:LONGEST_REASONING",
        reach=lambda n: _remember(n)["decisions"][-1]["reasoning"],
        above="cut",
    ),
    Limit(name=f"{_ROOM}.memory:LONGEST_MEANT", reach=lambda n: _remember(n)["meant"], above="cut"),
    Limit(name=f"{_ROOM}.memory:MOST_LESSONS", reach=_keep_lessons, above="oldest dropped"),
    Limit(
        name=f"{_ROOM}.prompting:MOST_WORKERS",
        reach=lambda n: Prompting(demonstration="full", demonstration_workers=n),
    ),
    Limit(name=f"{_ROOM}.reading:_LONGEST", reach=_read_object, above="left out"),
    Limit(
        name=f"{_ROOM}.answers:LONGEST_BELIEF",
        reach=lambda n: fit_pad({"plan": text(n)}, {"plan": "..."})["plan"],
        above="cut",
    ),
    Limit(name="episodes.conversation:LONGEST_REQUEST", reach=_request, above="left out"),
]
