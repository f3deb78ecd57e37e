"""Deciding: the dialogue about one observation until an answer is taken.

A model answers, possibly after it has thought about its partners. Its answer is sent back while it
is unusable, while it would FAIL, and while a verifier refuses it, each a bounded number of times.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from cookmas.episodes.parts import Purpose
from cookmas.orchestrator.dialogue.answers import ScheduleAnswer
from cookmas.orchestrator.dialogue.auxiliary import Auxiliary
from cookmas.orchestrator.dialogue.choices import Offer
from cookmas.orchestrator.dialogue.context import DecisionContext
from cookmas.orchestrator.dialogue.dialogue import Dialogue, Unanswered
from cookmas.orchestrator.dialogue.keeping import ScheduleDraft
from cookmas.orchestrator.dialogue.layouts import form_of, schema_of
from cookmas.orchestrator.dialogue.look_ahead import Violation, try_out
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.dialogue.render import PromptMemory, call_of, render
from cookmas.orchestrator.planner import Observation, check_schedule

EMPTY = (
    "The schedule is empty: write what is to be done, or keep what is under way with keep_until."
)
"""The message to a model whose answer has an empty schedule."""

UNDECIDED = "No action is chosen: name one."
"""The message to a model that has chosen no action."""


class Proposal(NamedTuple):
    """An answer and the complete schedule that it stands for."""

    answer: ScheduleAnswer
    """The answer."""
    schedule: Sequence[Mapping[str, str]]
    """The schedule from the present timestep on."""
    lesson: str
    """The model's last lesson, perhaps from a later answer."""
    refused: Sequence[Violation] = ()
    """The first violation of each answer that was sent back because it would FAIL."""


class Deciding:
    """The dialogue about the observation of a `context`.

    `normalise` returns an action in the world's own spelling.
    """

    def __init__(self, context: DecisionContext, normalise: Callable[[str], str]) -> None:
        observation, ways = context.observation, context.ways
        self._context = context
        self._observation = observation
        self._ways = ways
        self._offer = Offer.of(context.legal or {}) if ways.choice else Offer()
        self._draft = ScheduleDraft(
            observation.underway if ways.keeps else (),
            observation.timestep,
            observation.planned,
            lambda action: normalise(self._offer.read(action)),
        )
        self._auxiliary = Auxiliary(context)

    async def decide(self, purpose: Purpose, repairs: int) -> Proposal:
        """Ask the model, and return the answer that is taken.

        `purpose` says in the record what the first call is for. `repairs` is the greatest number of
        repairs of answers that would FAIL. Raise Unanswered if there is no usable answer.
        """
        partners = await self._auxiliary.infer() if self._ways.theory_of_mind else {}
        dialogue = self._open(replace(self._context.kept, partners=partners))
        answer = await self._ask(dialogue, purpose)
        return await self._verify(dialogue, await self._repair(dialogue, answer, repairs))

    def _open(self, kept: PromptMemory) -> Dialogue:
        observation, ways, context = self._observation, self._ways, self._context

        def describe_again() -> str:
            if not ways.keeps or not self._draft.schedule:
                return context.templates.fill("repair_whole")
            return context.templates.fill("repair_patch", {"end": str(self._draft.end)})

        return context.open_dialogue(
            render(observation, context.voice, ways, context.templates, kept, context.legal),
            schema_of(observation, ways),
            call_of(observation, ways),
            describe_again,
        )

    async def _ask(self, dialogue: Dialogue, purpose: Purpose) -> Proposal:
        form = form_of(self._observation, self._ways)
        answer = await dialogue.ask(purpose, form, self._find_problems)
        return Proposal(answer, self._draft.schedule or [], answer.lesson)

    def _find_problems(self, answer: ScheduleAnswer) -> Sequence[str]:
        """Take an answer into the draft, and return why it cannot be used."""
        observation, ways, draft = self._observation, self._ways, self._draft
        now, agent = observation.timestep, observation.agent
        problems = draft.take(answer)
        if ways.per_step:
            draft.schedule = (draft.schedule or [])[:1]
            first = next((row.t for row in answer.rows), None)
            problems += [f"t {first}: it is timestep {now}."] if (first or 0) > now else []
        schedule = draft.schedule or []
        if not schedule:
            rests = observation.rounds or (ways.queue and agent)
            return problems if rests else [*problems, UNDECIDED if ways.choice else EMPTY]
        others = {name for entry in schedule for name in entry} - {agent}
        if agent is not None and others:
            problems.append(f"You plan for {agent} alone, not for {', '.join(sorted(others))}.")
        _, unreadable = check_schedule(schedule, observation.world, now)
        return [*problems, *(unreadable or self._find_unlisted(schedule[0]))]

    def _find_unlisted(self, chosen: Mapping[str, str]) -> Sequence[str]:
        """Return the problems of actions that are not offered.

        A central planner may choose an action that only becomes possible by what another worker
        does at the same timestep, which the options do not consider.
        """
        problems = self._offer.find_unlisted(chosen)
        if problems and self._observation.agent is None:
            failing = {each.worker for each in try_out(self._observation, [chosen])}
            problems = {worker: why for worker, why in problems.items() if worker in failing}
        return list(problems.values())

    async def _repair(self, dialogue: Dialogue, first: Proposal, most: int) -> Proposal:
        """Let the model repair an answer, and return the one whose first FAIL is latest.

        An answer without a FAIL is returned at once. There are at most `most` repairs.
        """
        refused: list[Violation] = []
        tried = best = first
        reach, lesson = -1, first.lesson
        for repair in range(most + 1):
            violations = find_refused(self._observation, self._ways, tried.schedule)
            if not violations:
                best = tried
                break
            if violations[0].timestep > reach:
                best, reach = tried, violations[0].timestep
            if repair == most:
                break
            refused += violations[:1]
            dialogue.say_violations(violations)
            try:
                tried = await self._ask(dialogue, "repair")
            except Unanswered:
                break
            lesson = tried.lesson or lesson
        return best._replace(lesson=lesson, refused=[*first.refused, *refused])

    async def _verify(self, dialogue: Dialogue, best: Proposal) -> Proposal:
        """Have an answer verified, and return the one that is taken.

        An answer that is refused is asked again, at most `verify` times; then the last one is
        taken. An answer without an action needs no verification.
        """
        for _ in range(self._ways.verify):
            why = await self._auxiliary.verify(best.schedule) if any(best.schedule) else None
            if why is None:
                break
            dialogue.say_refusal(best.schedule, why)
            try:
                again = await self._ask(dialogue, "repair")
            except Unanswered:
                break
            again = again._replace(lesson=again.lesson or best.lesson, refused=best.refused)
            best = await self._repair(dialogue, again, self._ways.look_ahead)
        return best


def find_refused(
    observation: Observation[Any], ways: Prompting, schedule: Sequence[Mapping[str, str]]
) -> Sequence[Violation]:
    """Return the actions of a schedule that would FAIL; none if `look_ahead` is 0.

    For an agent with a queue only the first action is tried, because later actions may depend on
    what others do meanwhile.
    """
    if not ways.look_ahead:
        return []
    first = ways.queue and observation.agent is not None
    return try_out(observation, schedule[:1] if first else schedule)
