"""Plans as Collab-Overcooked's agents write them: an analysis, a sequence of actions, and talk.

    {"analysis": "...", "plan": ["pickup(apple)", "request('cut(board)')"], "say": "... [END]"}

A request is no action of the agent; the others are told it together with what the agent says. An
agent can write its plan in lines of text, as the paper prints them:

    bob analysis: alice is nearer to the bell on the right.
    bob plan: request('ring(bell 1)'); left
    bob say: Please ring the bell, alice. [END]

A line with the name of a field begins the field. The field ends at the next such line, or at a
fence. The name of any agent may stand before the name of a field.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from pydantic import ValidationInfo, model_validator

from cookmas.episodes.speech import END, NOTHING, requests_in, speech
from cookmas.orchestrator.dialogue.answers import LONGEST_REASONING, ScheduleAnswer, note
from cookmas.orchestrator.dialogue.layouts import (
    TEXT,
    AnswerField,
    Layout,
    object_schema,
    text_field,
)
from cookmas.orchestrator.dialogue.plan_lists import ReadList, read_list
from cookmas.orchestrator.dialogue.scratch_pad import PAD
from cookmas.orchestrator.dialogue.templates import Templates
from cookmas.orchestrator.planner import TeamMessage

ANALYSIS, PLAN = "analysis", "plan"
"""Fields of an answer: the reasoning, and the actions in order."""


def actions_of(plan: Any) -> ReadList:
    """Return the items of a plan: a list of texts, or a text with semicolons between the items.

    None is a plan without items. An empty item stands for a move without an action. A list in the
    text, or in an item, is read leniently (`plan_lists.py`). Raise ValueError if the plan is
    neither a list of texts nor a text, or if it cannot be told where an action ends.
    """
    if isinstance(plan, str):
        return read_list(plan)
    items = [_read_item(item) for item in plan] if isinstance(plan, list) else plan
    if items is None or items == [""]:
        return ReadList([], set())
    if not isinstance(items, list) or not all(isinstance(each, str | None) for each in items):
        raise ValueError("the plan should be a list of actions")
    found = ReadList([], set())
    for item in items:
        words = (item or "").strip()
        read = read_list(words)
        found.items.extend(read.items or [""])
        found.kinds.update(
            read.kinds or ({"list_in_item"} if read.items not in ([], [words]) else ())
        )
    return found


def _read_item(item: Any) -> Any:
    """Return the text of an item that is an object with an action alone."""
    named = isinstance(item, Mapping) and len(item) == 1 and isinstance(item.get("action"), str)
    return item["action"] if named else item


def is_request(item: str) -> bool:
    """Return whether an item of a plan asks another agent for an action."""
    return item.startswith("request(") and bool(requests_in(item))


def is_closed(talk: Sequence[TeamMessage]) -> bool:
    """Return whether the agent that began the talk of a timestep has ended the talk by `END`."""
    return any(said.agent == talk[0].agent and END in said.text for said in talk)


class PlanLayout(Layout):
    """The layout of a plan: the actions of an agent, or of each worker, without timesteps."""

    name = "plan"
    say = "say_plan"
    is_plan = True

    @property
    def form(self) -> type[ScheduleAnswer]:
        """The form in which a plan is read."""
        return plan_form(self.observation.planned, lines=self.in_lines)

    @property
    def in_lines(self) -> bool:
        """True if an answer is lines of text: the plan of an agent, with the form `text`."""
        return self.prompting.form == "text" and self.observation.agent is not None

    @property
    def thought(self) -> str:
        """Name of the prompt file that asks for an analysis."""
        return "chain_of_thought_plan"

    def fields(self) -> Mapping[str, AnswerField]:
        """Return the fields: analysis, plan, message, lesson and scratch pad.

        If agents may talk, the plan in the example ends with a request.
        """
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
        """Return the text that tells the model how to write a plan."""
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


@lru_cache(maxsize=64)
def plan_form(workers: tuple[str, ...], *, lines: bool = False) -> type[ScheduleAnswer]:
    """Return the form of answers that are plans of these workers, without timesteps.

    One worker's plan is a list, the plans of several are an object. A schedule in one of the other
    layouts is read too. With `lines` an answer is lines of text.
    """

    class PlanAnswer(ScheduleAnswer):
        core: ClassVar[str] = PLAN
        in_lines: ClassVar[bool] = lines

        @model_validator(mode="before")
        @classmethod
        def _read_plan(cls, data: Any, info: ValidationInfo) -> Any:
            if not isinstance(data, Mapping) or PLAN not in data:
                return data
            plans = data[PLAN]
            if not isinstance(plans, Mapping):
                plans = {workers[0]: plans}
            steps: dict[str, list[str]] = {}
            requests: list[str] = []
            for worker, plan in plans.items():
                items, kinds = actions_of(plan)
                note(info, *kinds)
                requests += filter(is_request, items)
                steps[worker] = [item for item in items if not is_request(item)]
            say = data.get("say") or ""
            return {
                "reasoning": data.get(ANALYSIS, data.get("reasoning")),
                "say": speech(say, requests) if isinstance(say, str) else say,
                "schedule": [
                    {"t": None, **{w: plan[at] for w, plan in steps.items() if at < len(plan)}}
                    for at in range(max(map(len, steps.values()), default=0))
                ],
                "lesson": data.get("lesson"),
                PAD: data.get(PAD),
            }

    return PlanAnswer


FIELDS = (ANALYSIS, PLAN, "say", "lesson")
"""The fields of an answer, in their order."""

EXPECTED = f"There is no line '{PLAN}: ...' in it; expected lines with {', '.join(FIELDS)}."
"""The problem with an answer that has no plan."""

_FIELD = re.compile(
    r"^[ \t>*#_`0-9.)-]{0,20}(?:<?\w[\w-]{0,39}>?[ \t]+)?"
    rf"(?P<field>{'|'.join(FIELDS)})[ \t*_`]{{0,5}}(?P<colon>[:\uff1a])[*_`]{{0,5}}"
    rf"|^#{{1,6}}[ \t]+(?:\w[\w-]{{0,39}}[ \t]+)?(?P<heading>{'|'.join(FIELDS)})[ \t*_`]*$",
    re.IGNORECASE | re.MULTILINE,
)
_FENCE = "\n```"
_EDGES = " \t\r\n`*"


def read_lines(
    text: str, *, cut_off: bool = False
) -> tuple[Mapping[str, str], Sequence[str], Collection[str]]:
    """Return the fields in a text, and the names of those that occur more than once.

    The last field of a text that was cut off is omitted. The third value is the kinds of leniency:
    the name of a field may be a heading, or have the colon of Chinese texts, and the plan may be
    another list (`plan_lists.py`). Raise ValueError if it cannot be told where an action ends.
    """
    found = list(_FIELD.finditer(text))
    ends = [*(each.start() for each in found[1:]), len(text)]
    fields = [
        (
            (each["field"] or each["heading"]).lower(),
            text[each.end() : end].partition(_FENCE)[0].strip(_EDGES),
        )
        for each, end in zip(found, ends, strict=False)
    ]
    kinds = {"heading" for each in found if each["heading"]}
    kinds |= {"fullwidth_colon" for each in found if each["colon"] == "\uff1a"}
    counts = Counter(name for name, _ in fields)
    values = dict(fields[:-1] if cut_off else fields)
    if PLAN in values:
        read = read_list(values[PLAN])
        kinds |= read.kinds
        items = (" ".join(item.split()) for item in read.items)
        values[PLAN] = "; ".join(item for item in items if item not in ("", "[]", NOTHING))
    return values, [name for name in FIELDS if counts[name] > 1], kinds


def write_lines(agent: str, answer: Mapping[str, object]) -> str:
    """Return an answer as lines of an agent; a list of actions gets semicolons."""
    lines = []
    for name, value in answer.items():
        words = "; ".join(value) if isinstance(value, list) else str(value)
        lines.append(f"{agent} {name}: {' '.join(words.split())}".rstrip())
    return "\n".join(lines)
