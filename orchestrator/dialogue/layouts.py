"""The layouts of an answer: what a prompt says of each, its schema, and how it is read."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar

from pydantic import field_validator

from cookmas.episodes.conversation import END
from cookmas.orchestrator.dialogue.answers import (
    LONGEST_BELIEF,
    LONGEST_LESSON,
    LONGEST_REASONING,
    LONGEST_SAID,
    LONGEST_THOUGHT,
    PAD,
    THINK,
    TIMESTEP,
    Form,
    Pad,
    PlainRow,
    ScheduleAnswer,
    Text,
    columns_of,
)
from cookmas.orchestrator.dialogue.blocks import to_json
from cookmas.orchestrator.dialogue.choices import ACTION, ACTIONS, letter_of
from cookmas.orchestrator.dialogue.memory import is_queued
from cookmas.orchestrator.dialogue.plans import ANALYSIS, PLAN, as_schedule, write_lines
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.dialogue.reading import Reader
from cookmas.orchestrator.dialogue.voice import Templates
from cookmas.orchestrator.models.message import Schema
from cookmas.orchestrator.planner import Observation

F = TypeVar("F", bound=Form)

LONGEST_INFERENCE = 600
"""Greatest length of a field of an inference, in an answer and in a prompt, in characters."""

OKAY, NOT_OKAY = "okay", "not okay"

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


REASONING: Mapping[str, AnswerField] = {"reasoning": text_field(LONGEST_REASONING)}


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


class Layout(Reader[F]):
    """The layout of an answer of one form: its fields, and how they are told and read."""

    name: ClassVar[str]
    """Name of the schema."""

    @abstractmethod
    def fields(self) -> Mapping[str, AnswerField]:
        """Return the fields of an answer in their order."""

    @property
    def schema(self) -> Schema | None:
        """The schema of an answer; None if it is lines of text."""
        fields = {name: field.schema for name, field in self.fields().items()}
        return None if self.in_lines else Schema(name=self.name, schema=object_schema(fields))

    def example(self) -> str:
        """Return an example of an answer."""
        return to_json({name: field.example for name, field in self.fields().items()})

    def describe_limits(self, templates: Templates) -> str:
        """Return a sentence with the greatest length of each text of an answer.

        It is empty if no text has one, as in lines of text.
        """
        found = dict(_find_limits(self.schema.schema if self.schema else None))
        limits = ", ".join(f"`{name}` {longest}" for name, longest in found.items())
        return templates.fill("limits", {"limits": limits}) if limits else ""


@dataclass(frozen=True, kw_only=True)
class ScheduleLayout(Layout[ScheduleAnswer]):
    """The layout of the answers to one observation, each of which stands for a schedule."""

    name = "schedule"
    form = ScheduleAnswer
    task: ClassVar[str] = "schedule"
    """The task of an answer: a `schedule`, or a `step`, which is one timestep."""
    say: ClassVar[str] = "say"
    keeps: ClassVar[bool] = False
    """True if an answer may keep a part of the active schedule."""
    is_plan: ClassVar[bool] = False
    chooses: ClassVar[bool] = False
    thinks: ClassVar[bool] = False
    """True if thoughts may stand between the rows of an answer."""

    observation: Observation[Any]
    prompting: Prompting
    listed: bool
    """True if the prompt lists the legal actions."""
    lettered: bool
    """True if it lists them with letters."""
    actions: Sequence[Mapping[str, str]]
    """The actions by worker in the rows of an example."""
    pad: Pad = field(default_factory=dict)
    """The form of the scratch pad; empty if an answer has none."""

    @abstractmethod
    def describe(self, templates: Templates, until: str) -> str:
        """Return the text that tells the model how to write an answer.

        `until` is the world's text that says how far a schedule should reach.
        """

    @property
    def core(self) -> str:
        """Name of the field with the schedule, or what stands for one."""
        return "schedule"

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
        return workers_of_answer(self.observation, self.prompting)

    def read_part(self, data: Mapping[str, Any]) -> ScheduleAnswer | None:
        return ScheduleAnswer.read_part(data)

    def lay_out(self, rows: Sequence[PlainRow]) -> Any:
        """Return the rows of a schedule in the form of an answer."""
        return list(rows)

    def empty_schedule(self) -> str:
        """Return, as JSON, the empty schedule in an answer that keeps the whole active schedule."""
        return to_json(self.lay_out([]))

    def _schema_of_row(self) -> dict[str, Any]:
        workers = dict.fromkeys(self.workers, TEXT_OR_NULL)
        return object_schema({TIMESTEP: _NUMBER, **workers})

    def _reasoning(self) -> Mapping[str, AnswerField]:
        return REASONING if self.prompting.chain_of_thought else {}

    def _say(self, example: str = "...") -> Mapping[str, AnswerField]:
        return {"say": text_field(LONGEST_SAID, example)} if self.observation.rounds else {}

    def _lesson_and_pad(self) -> Mapping[str, AnswerField]:
        return {
            **({"lesson": text_field(LONGEST_LESSON)} if self.prompting.lessons else {}),
            **({PAD: AnswerField(pad_schema(self.pad), self.pad)} if self.pad else {}),
        }


class StepLayout(ScheduleLayout):
    """The layout of an answer with the row of one timestep."""

    task = "step"

    def fields(self) -> Mapping[str, AnswerField]:
        rows = {"type": "array", "items": self._schema_of_row()}
        return {
            **self._reasoning(),
            **self._say(),
            "schedule": AnswerField(rows, [{TIMESTEP: 0, **self.actions[0]}]),
            **self._lesson_and_pad(),
        }

    def describe(self, templates: Templates, until: str) -> str:
        form = templates.variant("answer_step", self.observation.agent)
        return templates.fill(form, {"example": self.example(), "until": until})


class RowsLayout(ScheduleLayout):
    """The layout of a schedule in rows, one for each timestep, perhaps with thoughts between."""

    keeps = True
    thinks = True

    def fields(self) -> Mapping[str, AnswerField]:
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
        worker = self.observation.planned[0]
        return {"shift": [{"worker": worker, "from": 5, "until": None, "by": 1}]}


class ColumnsLayout(RowsLayout):
    """The layout of a schedule in columns, one for each worker."""

    thinks = False

    def lay_out(self, rows: Sequence[PlainRow]) -> Any:
        return columns_of(rows, self.observation.planned)

    def _schema_of_schedule(self) -> Mapping[str, Any]:
        part = {"type": "array", "items": {"anyOf": [_NUMBER, TEXT]}}
        return object_schema({w: {"type": "array", "items": part} for w in self.workers})


class PlanLayout(ScheduleLayout):
    """The layout of a plan: the actions of an agent, or of each worker, without timesteps.

    An answer with a schedule in one of the other layouts is read too.
    """

    name = "plan"
    say = "say_plan"
    core = PLAN
    is_plan = True

    @property
    def in_lines(self) -> bool:
        return self.prompting.form == "text" and self.observation.agent is not None

    @property
    def thought(self) -> str:
        return "chain_of_thought_plan"

    def fields(self) -> Mapping[str, AnswerField]:
        agent, workers = self.observation.agent, self.observation.planned
        plans = {w: [row[w] for row in self.actions if w in row] for w in workers}
        own = plans[agent] if agent else []
        request = [f"request('{own[-1]}')"] if own and self.observation.rounds else []
        analysis = text_field(LONGEST_REASONING)
        actions = {"type": "array", "items": TEXT}
        return {
            **({ANALYSIS: analysis} if self.prompting.chain_of_thought else {}),
            PLAN: AnswerField(
                actions if agent else object_schema(dict.fromkeys(workers, actions)),
                [*own[:2], *request] if agent else plans,
            ),
            **self._say(f"... {END}"),
            **self._lesson_and_pad(),
        }

    def example(self) -> str:
        """Return an example of a plan, as JSON or as lines of text."""
        if not self.in_lines:
            return super().example()
        values = {name: field.example for name, field in self.fields().items()}
        return write_lines(self.observation.agent or "", values)

    def describe(self, templates: Templates, until: str) -> str:
        kind = "lines of text" if self.in_lines else "one JSON object"
        observation = self.observation
        lasting = observation.world.lasting
        tried = lasting and self.prompting.queue and self.prompting.look_ahead
        slots = {
            "example": self.example(),
            "until": until,
            "kind": kind,
            "idle": observation.world.idle,
            "spoken": f"{templates.fill('spoken')} " if observation.rounds else "",
            "refused": templates.fill("refused") if tried else "",
        }
        central = self.lasting if observation.agent is None else ""
        form = templates.variant(f"answer_plan{central}", observation.agent)
        return templates.fill(form, slots)

    def read(self, data: Mapping[str, Any], noted: set[str]) -> ScheduleAnswer:
        return super().read(as_schedule(data, self.observation.planned, noted), noted)


class ChoiceLayout(ScheduleLayout):
    """The layout of a choice: one action for an agent, or one for each worker.

    An answer with a schedule is read too.
    """

    name = "choice"
    task = "step"
    say = "say_choice"
    chooses = True

    @property
    def core(self) -> str:
        return ACTIONS if self.observation.agent is None else ACTION

    def fields(self) -> Mapping[str, AnswerField]:
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
        form = "answer_choice" if self.listed else "answer_action"
        slots = {"example": self.example(), "until": until}
        return templates.fill(templates.variant(form, self.observation.agent), slots)

    def read(self, data: Mapping[str, Any], noted: set[str]) -> ScheduleAnswer:
        if self.core not in data:
            return super().read(data, noted)
        agent, chosen = self.observation.agent, data[self.core]
        if agent is not None:
            chosen = {agent: chosen}
        elif not isinstance(chosen, Mapping):
            raise ValueError("actions should map workers to their actions")
        chosen = {worker: _read_text(each, noted) for worker, each in chosen.items()}
        decided = agent is None or chosen[agent] not in (None, "")
        schedule = [{TIMESTEP: None, **chosen}] if decided else []
        return super().read({**data, "schedule": schedule}, noted)


def _read_text(chosen: Any, noted: set[str]) -> Any:
    """Return the text of a choice that is a number, or a list of one text; else it unchanged."""
    one = chosen[0] if isinstance(chosen, list) and len(chosen) == 1 else chosen
    text = str(one) if type(one) is int else one
    if text is not chosen and isinstance(text, str):
        noted.add("text_as_data")
        return text
    return chosen


class InferenceAnswer(Form):
    """An answer that interprets the last actions of the partners."""

    explanation: Text
    """The meaning of the last actions of the partners."""
    needs: Text = ""
    """The needs of the partners: information, an object, an action of the agent, or a free way."""


class InferenceLayout(Layout[InferenceAnswer]):
    """The layout of an inference."""

    name = "inference"
    form = InferenceAnswer
    core = "explanation"

    def fields(self) -> Mapping[str, AnswerField]:
        return dict.fromkeys(("explanation", "needs"), text_field(LONGEST_INFERENCE))


class VerificationAnswer(Form):
    """An answer that accepts or refuses a decision, after the reasoning about it."""

    verification: Literal["okay", "not okay"]

    @field_validator("verification", mode="before")
    @classmethod
    def _read_freely(cls, value: Any) -> Any:
        """Return the result in lower case, with a space for `_`, and without marks at its ends."""
        return value.lower().strip(" .!").replace("_", " ") if isinstance(value, str) else value


class VerificationLayout(Layout[VerificationAnswer]):
    """The layout of a verification."""

    name = "verification"
    form = VerificationAnswer
    core = "verification"

    def fields(self) -> Mapping[str, AnswerField]:
        verdict = AnswerField({"type": "string", "enum": [OKAY, NOT_OKAY]}, OKAY)
        return {**REASONING, "verification": verdict}
