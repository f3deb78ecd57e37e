"""The form and the schema of an answer, as the prompting options decide."""

from __future__ import annotations

from typing import Any

from cookmas.orchestrator.dialogue.answers import (
    ScheduleAnswer,
    plan_form,
    plan_schema,
    schedule_schema,
)
from cookmas.orchestrator.dialogue.choices import choice_form, choice_schema
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.dialogue.render import workers_of_answer
from cookmas.orchestrator.dialogue.rules import in_lines
from cookmas.orchestrator.models.message import Schema
from cookmas.orchestrator.planner import Observation


def form_of(observation: Observation[Any], ways: Prompting) -> type[ScheduleAnswer]:
    """Return the form in which an answer to this observation is read."""
    if ways.choice:
        return choice_form(observation.agent)
    if ways.sequence:
        return plan_form(observation.planned, lines=in_lines(observation, ways))
    return ScheduleAnswer


def schema_of(observation: Observation[Any], ways: Prompting) -> Schema | None:
    """Return the schema of an answer to this observation; None if it is lines of text."""
    if in_lines(observation, ways):
        return None
    talks, alone = observation.rounds > 0, observation.agent is not None
    workers = workers_of_answer(observation, ways)
    if ways.choice or ways.sequence:
        make = choice_schema if ways.choice else plan_schema
        return make(
            workers if ways.choice else observation.planned,
            alone=alone,
            reasoning=ways.chain_of_thought,
            lesson=ways.lessons,
            say=talks,
        )
    return schedule_schema(
        workers,
        reasoning=ways.chain_of_thought,
        think=ways.thoughts,
        lesson=ways.lessons,
        keep=ways.keeps,
        columns=ways.columns,
        say=talks,
    )
