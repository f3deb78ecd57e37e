"""The layouts of an answer: what a prompt says of each, its schema, and the form that reads it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from cookmas.orchestrator.dialogue.answers import (
    LONGEST_LESSON,
    LONGEST_REASONING,
    LONGEST_SAID,
    LONGEST_THOUGHT,
    ScheduleAnswer,
)
from cookmas.orchestrator.dialogue.blocks import to_json
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.dialogue.queue import is_queued
from cookmas.orchestrator.dialogue.schedules import THINK, TIMESTEP, Row, columns_of
from cookmas.orchestrator.dialogue.scratch_pad import LONGEST_BELIEF, PAD, Pad
from cookmas.orchestrator.dialogue.templates import Templates
from cookmas.orchestrator.models.message import Schema
from cookmas.orchestrator.planner import Observation

TEXT: Mapping[str, Any] = {"type": "string"}

TEXT_OR_NULL: Mapping[str, Any] = {"type": ["string", "null"]}

_NUMBER: Mapping[str, Any] = {"type": "integer"}

_NUMBER_OR_NULL: Mapping[str, Any] = {"type": ["integer", "null"]}


class AnswerField(NamedTuple):
    """A field of an answer."""

    schema: Mapping[str, Any]
    """The schema of its value."""
    example: Any
    """Its value in the example of an answer."""


def text_schema(longest: int) -> Mapping[str, Any]:
    """Return the schema of a text of at most `longest` characters."""
    return {**TEXT, "maxLength": longest}


def text_field(longest: int, example: str = "...") -> AnswerField:
    """Return a field with a text of at most `longest` characters."""
    return AnswerField(text_schema(longest), example)


REASONING: Mapping[str, Any] = {"reasoning": text_schema(LONGEST_REASONING)}
"""The field `reasoning` of an answer, and its schema."""


def object_schema(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object that must have exactly these properties.

    Endpoints demand this form for strict structured output.
    """
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def pad_schema(form: Pad) -> dict[str, Any]:
    """Return the schema of a scratch pad of a form."""
    return object_schema(
        {
            name: pad_schema(each) if isinstance(each, Mapping) else text_schema(LONGEST_BELIEF)
            for name, each in form.items()
        }
    )


def describe_limits(schema: Schema | None, templates: Templates) -> str:
    """Return a sentence with the greatest length of each text of an answer; empty if none has one.

    Without a schema there are no limits.
    """
    found = dict(_find_limits(schema.schema if schema else None))
    limits = ", ".join(f"`{name}` {longest}" for name, longest in found.items())
    return templates.fill("limits", {"limits": limits}) if limits else ""


def _find_limits(schema: Any) -> Iterator[tuple[str, int]]:
    """Yield the names of texts with a limit, at any depth of a schema, and the limits.

    The texts of a scratch pad are left out.
    """
    if isinstance(schema, Mapping):
        for name, value in schema.items():
            if name == PAD:
                continue
            if isinstance(value, Mapping) and "maxLength" in value:
                yield name, value["maxLength"]
            else:
                yield from _find_limits(value)
    elif isinstance(schema, list):
        for each in schema:
            yield from _find_limits(each)


def workers_of_answer(observation: Observation[Any], prompting: Prompting) -> tuple[str, ...]:
    """Return the workers whose actions an answer has; for one timestep, those that may move."""
    movers = observation.movers if prompting.per_step else ()
    return tuple(w for w in observation.planned if not movers or w in movers)


@dataclass(frozen=True, kw_only=True)
class Layout(ABC):
    """The layout of the answers to one observation."""

    name: ClassVar[str] = "schedule"
    """Name of the schema."""
    task: ClassVar[str] = "schedule"
    """The task of an answer: a `schedule`, or a `step`, which is one timestep."""
    say: ClassVar[str] = "say"
    """Name of the prompt file about messages to the team."""
    keeps: ClassVar[bool] = False
    """True if an answer may keep a part of the active schedule."""
    is_plan: ClassVar[bool] = False
    """True if an answer is a plan without timesteps."""
    chooses: ClassVar[bool] = False
    """True if an answer chooses out of a list."""
    thinks: ClassVar[bool] = False
    """True if thoughts may stand between the rows of an answer."""

    observation: Observation[Any]
    """The observation."""
    prompting: Prompting
    """The prompting options."""
    listed: bool
    """True if the prompt lists the legal actions."""
    lettered: bool
    """True if it lists them with letters."""
    actions: Sequence[Mapping[str, str]]
    """The actions by worker in the rows of an example."""
    pad: Pad = field(default_factory=dict)
    """The form of the scratch pad; empty if an answer has none."""

    @abstractmethod
    def fields(self) -> Mapping[str, AnswerField]:
        """Return the fields of an answer in their order."""

    @abstractmethod
    def describe(self, templates: Templates, until: str) -> str:
        """Return the text that tells the model how to write an answer.

        `until` is the world's text that says how far a schedule should reach.
        """

    @property
    def form(self) -> type[ScheduleAnswer]:
        """The form in which an answer is read."""
        return ScheduleAnswer

    @property
    def in_lines(self) -> bool:
        """True if an answer is lines of text."""
        return False

    @property
    def thought(self) -> str:
        """Name of the prompt file that asks for reasoning."""
        return f"chain_of_thought_{self.task}"

    @property
    def lasting(self) -> str:
        """End of the name of the prompt file about the answer, in a world whose actions last."""
        return "_lasting" if is_queued(self.observation, self.prompting) else ""

    @property
    def workers(self) -> tuple[str, ...]:
        """The workers whose actions an answer has."""
        return workers_of_answer(self.observation, self.prompting)

    @property
    def schema(self) -> Schema | None:
        """The schema of an answer; None if it is lines of text."""
        fields = {name: field.schema for name, field in self.fields().items()}
        return None if self.in_lines else Schema(name=self.name, schema=object_schema(fields))

    def example(self) -> str:
        """Return an example of an answer."""
        return to_json({name: field.example for name, field in self.fields().items()})

    def lay_out(self, rows: Sequence[Row]) -> Any:
        """Return the rows of a schedule in the form of an answer."""
        return list(rows)

    def empty_schedule(self) -> str:
        """Return, as JSON, the empty schedule in an answer that keeps the whole active schedule."""
        return to_json(self.lay_out([]))

    def _schema_of_row(self) -> dict[str, Any]:
        workers = dict.fromkeys(self.workers, TEXT_OR_NULL)
        return object_schema({TIMESTEP: _NUMBER, **workers})

    def _reasoning(self) -> Mapping[str, AnswerField]:
        asked = self.prompting.chain_of_thought
        return {"reasoning": text_field(LONGEST_REASONING)} if asked else {}

    def _say(self, example: str = "...") -> Mapping[str, AnswerField]:
        return {"say": text_field(LONGEST_SAID, example)} if self.observation.rounds else {}

    def _lesson_and_pad(self) -> Mapping[str, AnswerField]:
        """Return the fields that later calls are given: lesson and scratch pad."""
        return {
            **({"lesson": text_field(LONGEST_LESSON)} if self.prompting.lessons else {}),
            **({PAD: AnswerField(pad_schema(self.pad), self.pad)} if self.pad else {}),
        }


class StepLayout(Layout):
    """The layout of an answer with the row of one timestep."""

    task = "step"

    def fields(self) -> Mapping[str, AnswerField]:
        """Return the fields: reasoning, message, schedule, lesson and scratch pad."""
        rows = {"type": "array", "items": self._schema_of_row()}
        return {
            **self._reasoning(),
            **self._say(),
            "schedule": AnswerField(rows, [{TIMESTEP: 0, **self.actions[0]}]),
            **self._lesson_and_pad(),
        }

    def describe(self, templates: Templates, until: str) -> str:
        """Return the text that tells the model how to write a row."""
        form = templates.variant("answer_step", self.observation.agent)
        return templates.fill(form, {"example": self.example(), "until": until})


class RowsLayout(Layout):
    """The layout of a schedule in rows, one for each timestep, perhaps with thoughts between."""

    keeps = True
    thinks = True

    def fields(self) -> Mapping[str, AnswerField]:
        """Return the fields: reasoning, message, `keep_until`, `shift`, schedule, lesson, pad."""
        shown = self.lay_out([{TIMESTEP: t, **row} for t, row in enumerate(self.actions)])
        if self.thinks and self.prompting.chain_of_thought:
            shown = [{THINK: "..."}, *shown]
        return {
            **self._reasoning(),
            **self._say(),
            **self._keeping(),
            "schedule": AnswerField(self._schema_of_schedule(), shown),
            **self._lesson_and_pad(),
        }

    def keep(self, until: int) -> Any:
        """Return the value of `keep_until` that keeps everything before a timestep."""
        return until if self.observation.agent else dict.fromkeys(self.workers, until)

    def _keeping(self) -> Mapping[str, AnswerField]:
        """Return the fields that keep and move parts of the active schedule."""
        if self.observation.agent:
            return {"keep_until": AnswerField(_NUMBER, 0)}
        kept = object_schema(dict.fromkeys(self.workers, _NUMBER))
        stretch = object_schema(
            {
                "worker": {"type": "string", "enum": list(self.workers)},
                "from": _NUMBER,
                "until": _NUMBER_OR_NULL,
                "by": _NUMBER,
            }
        )
        return {
            "keep_until": AnswerField(kept, self.keep(0)),
            "shift": AnswerField({"type": "array", "items": stretch}, []),
        }

    def describe(self, templates: Templates, until: str) -> str:
        """Return the text that tells the model how to write a schedule, and how to keep one."""
        agent = self.observation.agent
        form = templates.variant(f"answer_{self.prompting.form}{self.lasting}", agent)
        keep = templates.variant("answer_keep", agent)
        keep_slots = {
            "kept": to_json(self._example_of_keeping()),
            "shifted": to_json(self._example_of_moving()),
            "idle": self.observation.world.idle,
            "nothing": self.empty_schedule(),
        }
        idle = self.observation.world.idle
        slots = {"example": self.example(), "until": until, "idle": idle}
        return f"{templates.fill(form, slots)}\n\n{templates.fill(keep, keep_slots)}"

    def _schema_of_schedule(self) -> Mapping[str, Any]:
        row = self._schema_of_row()
        if not self.prompting.chain_of_thought:
            return {"type": "array", "items": row}
        thought = object_schema({THINK: text_schema(LONGEST_THOUGHT)})
        return {"type": "array", "items": {"anyOf": [row, thought]}}

    def _example_of_keeping(self) -> Mapping[str, Any]:
        """Return an answer that keeps the active schedule until timestep 12, with a change at 9.

        The second worker keeps more of it.
        """
        first, *others = self.observation.planned
        idle = self.observation.world.idle
        changed = {TIMESTEP: 9, (others or [first])[0]: idle}
        added = {TIMESTEP: 12, first: self.actions[0][first]}
        kept = self.keep(12)
        if isinstance(kept, dict):
            kept |= dict.fromkeys(others[:1], 15)
        return {"keep_until": kept, "schedule": self.lay_out([changed, added])}

    def _example_of_moving(self) -> Mapping[str, Any]:
        """Return the move of a worker's actions from timestep 5 on by one timestep."""
        worker = self.observation.planned[0]
        return {"shift": [{"worker": worker, "from": 5, "until": None, "by": 1}]}


class ColumnsLayout(RowsLayout):
    """The layout of a schedule in columns, one for each worker."""

    thinks = False

    def lay_out(self, rows: Sequence[Row]) -> Any:
        """Return the rows as columns."""
        return columns_of(rows, self.observation.planned)

    def _schema_of_schedule(self) -> Mapping[str, Any]:
        part = {"type": "array", "items": {"anyOf": [_NUMBER, TEXT]}}
        return object_schema({w: {"type": "array", "items": part} for w in self.workers})
