"""The calls around a decision, as in CAC: what the partners mean, and whether the decision is okay.

Each is a dialogue of its own with the same model, about the same observation as the decision. If
such a call gives no usable answer, the planner decides without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal, TypeVar

from pydantic import field_validator

from cookmas.orchestrator.dialogue.answers import Form, Text
from cookmas.orchestrator.dialogue.blocks import CALL, INFER, VERIFY, block, to_json
from cookmas.orchestrator.dialogue.calls import Calls
from cookmas.orchestrator.dialogue.dialogue import Dialogue, DialogueSettings, Unanswered
from cookmas.orchestrator.dialogue.layouts import REASONING, object_schema, text_schema
from cookmas.orchestrator.dialogue.prompt import Prompt, first_messages
from cookmas.orchestrator.models.message import Schema

LONGEST_INFERENCE = 600
"""Greatest length of a field of an inference, in an answer and in a prompt, in characters."""

PROPOSED = "PROPOSED"
"""Name of the block with the decision that is to be verified."""

OKAY, NOT_OKAY = "okay", "not okay"
"""The two results of a verification."""

A = TypeVar("A", bound=Form)


class InferenceAnswer(Form):
    """An answer that interprets the last actions of the partners."""

    core: ClassVar[str] = "explanation"

    explanation: Text
    """The meaning of the last actions of the partners."""
    needs: Text = ""
    """The needs of the partners: information, an object, an action of the agent, or a free way."""


class VerificationAnswer(Form):
    """An answer that accepts or refuses a decision, after the reasoning about it."""

    core: ClassVar[str] = "verification"

    verification: Literal["okay", "not okay"]
    """The verdict on the decision."""

    @field_validator("verification", mode="before")
    @classmethod
    def _read_freely(cls, value: Any) -> Any:
        """Return the result in lower case, with a space for `_`, and without marks at its ends."""
        return value.lower().strip(" .!").replace("_", " ") if isinstance(value, str) else value


_INFERENCE = Schema(
    name="inference",
    schema=object_schema(
        {"explanation": text_schema(LONGEST_INFERENCE), "needs": text_schema(LONGEST_INFERENCE)}
    ),
)
_VERIFICATION = Schema(
    name="verification",
    schema=object_schema(
        {**REASONING, "verification": {"type": "string", "enum": [OKAY, NOT_OKAY]}}
    ),
)


class Auxiliary:
    """The calls around the decision for which there is a `prompt`."""

    def __init__(self, prompt: Prompt, calls: Calls, settings: DialogueSettings) -> None:
        self._prompt = prompt
        self._calls = calls
        self._settings = settings

    async def infer(self) -> Mapping[str, str]:
        """Return what the agent thinks about its partners: an explanation and their needs.

        The result is empty if the agent has no partners, if nobody has acted yet, or if there is no
        usable answer.
        """
        seen = self._prompt.observation
        if seen.agent is None or len(seen.world.workers) < 2 or seen.timestep == 0:
            return {}
        answer = await self._ask(INFER, InferenceAnswer, _INFERENCE, ())
        if answer is None:
            return {}
        found = {"explanation": answer.explanation, "needs": answer.needs}
        return {name: said[:LONGEST_INFERENCE] for name, said in found.items() if said}

    async def verify(self, proposed: Sequence[Mapping[str, str]]) -> str | None:
        """Return why a decision is not okay; None if it is, or if there is no usable answer.

        `proposed` has the actions by worker for each timestep from the present one on.
        """
        shown = (block(PROPOSED, [dict(entry) for entry in proposed]),)
        answer = await self._ask(VERIFY, VerificationAnswer, _VERIFICATION, shown)
        if answer is None or answer.verification == OKAY:
            return None
        return answer.reasoning or "No reason was given."

    async def _ask(
        self,
        task: Literal["infer", "verify"],
        form: type[A],
        schema: Schema,
        further: Sequence[str],
    ) -> A | None:
        """Return the answer to a task; None if it is not usable.

        `further` are the blocks that only this task has.
        """
        prompting, templates = self._prompt.prompting, self._prompt.templates
        listed = task == VERIFY and self._prompt.layout.chooses
        prompt = replace(
            self._prompt,
            prompting=replace(prompting, theory_of_mind=False),
            legal=self._prompt.legal if listed else None,
        )
        agent, timestep = prompt.observation.agent, prompt.observation.timestep
        example = dict.fromkeys(schema.schema["properties"], "...")
        slots = prompt.common_slots(*(("given_proposed",) if task == VERIFY else ()))
        if task == VERIFY:
            example |= {"verification": OKAY}
            slots["whose"] = templates.fill(templates.variant("verify_whose", agent), slots)
        slots = {"rules": "", "library": "", **slots, "example": to_json(example)}
        system = templates.fill(f"{task}_system", slots)
        call = prompt.call(task)
        parts = [*prompt.blocks(), *further, block(CALL, call)]
        told = templates.fill(f"task_{task}", {"timestep": str(timestep)})
        first = first_messages(templates, system, parts, told)
        dialogue = Dialogue(self._calls, self._settings, first, schema, call)
        try:
            return await dialogue.ask(task, form, lambda answer: ())
        except Unanswered:
            return None
