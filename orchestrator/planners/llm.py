"""The LLM planner: a model writes the schedule from the observation, in one of many ways."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from episodes.capabilities import simulable
from episodes.trace import PlannerClass, Purpose
from orchestrator.dialogue.answers import ScheduleAnswer, schedule_schema
from orchestrator.dialogue.blocks import PROBLEMS
from orchestrator.dialogue.calls import Calls
from orchestrator.dialogue.dialogue import Dialogue, Unanswered
from orchestrator.dialogue.keeping import Draft
from orchestrator.dialogue.look_ahead import Violation, look_ahead
from orchestrator.dialogue.memory import Memory
from orchestrator.dialogue.prompting import DEFAULT, preset
from orchestrator.dialogue.render import call_of, render
from orchestrator.planner import Observation, Plan, problems_with
from orchestrator.planners.asking import AskingPlanner

EMPTY = (
    "The schedule is empty: write what is to be done, or keep what is under way with keep_until."
)
"""What is wrong with an answer in which nobody does anything, and what to do instead."""


class SchedulingPlanner(AskingPlanner):
    """Asks a model for a schedule, or at every timestep for one step of it.

    `prompting` is how it is asked; `name` is under what the results are reported.
    """

    default_name = "llm"
    default_prompting = preset(DEFAULT)

    @property
    def planner_class(self) -> PlannerClass:
        """What helps the model, by the ways of prompting."""
        return self.prompting.planner_class

    async def plan(self, observation: Observation[Any]) -> Plan:
        """The model's schedule; gives up where it has none that can be used.

        Who is asked at every timestep lets this one go by, and is told why at the next.
        """
        ways = self.prompting
        memory = Memory.of(observation, ways)
        calls = Calls(
            self._model, observation.timestep, budget=self._budget, spent=observation.spent
        )
        draft = Draft(
            () if ways.per_step else observation.underway,
            observation.timestep,
            observation.world.workers,
            self.meant,
        )
        dialogue = self._dialogue(observation, memory, calls, draft)
        check = self._check(observation, draft)
        purpose: Purpose = "step" if ways.per_step else "plan"
        try:
            answer = await dialogue.ask(purpose, ScheduleAnswer, check)
            best, lesson, refused = await self._repaired(
                answer, draft, dialogue, check, observation
            )
        except Unanswered as why:
            unanswered = Plan(
                schedule=(), gave_up=str(why), calls=calls.made, measured=calls.measured
            )
            return self._let_go_by(unanswered, why, observation)
        thoughts = best.answer.thoughts()
        return Plan(
            schedule=best.schedule,
            reasoning=thoughts,
            calls=calls.made,
            measured=calls.measured,
            memory=memory.after(
                observation,
                best.schedule,
                refused,
                self.voice.outline(observation.world, observation.state),
                best.answer.reasoning,
                thoughts,
                lesson,
            ),
        )

    def _let_go_by(self, plan: Plan, why: Unanswered, observation: Observation[Any]) -> Plan:
        """Who is asked at every timestep, and may do better at the next, idles instead."""
        if not self.prompting.per_step or why.lasting:
            return plan
        lost = f"The answer at timestep {observation.timestep} could not be used; everybody idled."
        problems = [lost, *why.problems]
        memory = {**observation.memory, PROBLEMS: problems}
        return replace(plan, schedule=[{}], reasoning=str(why), gave_up=None, memory=memory)

    def _dialogue(
        self, observation: Observation[Any], memory: Memory, calls: Calls, draft: Draft
    ) -> Dialogue:
        ways = self.prompting

        def again() -> str:
            if ways.per_step or not draft.schedule:
                return self._templates.fill("repair_whole")
            return self._templates.fill("repair_patch", {"end": str(draft.end)})

        return Dialogue(
            calls,
            render(observation, self.voice, ways, self._templates, memory.kept),
            schedule_schema(
                tuple(observation.world.workers),
                reasoning=ways.chain_of_thought,
                think=ways.thoughts,
                lesson=ways.lessons,
                keep=not ways.per_step,
                columns=ways.columns,
            ),
            call_of(observation, ways),
            templates=self._templates,
            retries=ways.retries,
            sampling=self._sampling,
            look_up=self.voice.look_up,
            fetch=observation.look_up if self.looks_up else None,
            again=again,
        )

    def meant(self, action: str) -> str:
        """The action that is meant where it is written in another way, as far as that is sure."""
        return action

    def _check(
        self, observation: Observation[Any], draft: Draft
    ) -> Callable[[ScheduleAnswer], Sequence[str]]:
        now = observation.timestep

        def check(answer: ScheduleAnswer) -> Sequence[str]:
            problems = draft.take(answer)
            if self.prompting.per_step:
                draft.schedule = (draft.schedule or [])[:1]
                first = next((row.t for row in answer.rows), None)
                problems += [f"t {first}: it is timestep {now}."] if (first or 0) > now else []
            if not draft.schedule:
                return [*problems, EMPTY]
            return [*problems, *problems_with(draft.schedule, observation.world, now)]

        return check

    async def _repaired(
        self,
        answer: ScheduleAnswer,
        draft: Draft,
        dialogue: Dialogue,
        check: Callable[[ScheduleAnswer], Sequence[str]],
        observation: Observation[Any],
    ) -> tuple[_Answered, str, Sequence[Violation]]:
        """Return the answer that goes well for longest, of the first and its repairs.

        With it the lesson that the model has drawn last, and what was refused. Where nothing may be
        simulated the first answer is not tried out.
        """
        refused: list[Violation] = []
        tried = best = _Answered(answer, draft.schedule or [])
        reach, lesson = -1, answer.lesson
        known = simulable(observation.world, observation.state, observation.agent)
        if known is None:
            return tried, lesson, refused
        for repair in range(self.prompting.look_ahead + 1):
            violations = look_ahead(observation.world, known, observation.timestep, tried.schedule)
            if not violations:
                return tried, lesson, refused
            if violations[0].timestep > reach:
                best, reach = tried, violations[0].timestep
            if repair == self.prompting.look_ahead:
                break
            refused += violations[:1]
            dialogue.say_violations(violations)
            try:
                answer = await dialogue.ask("repair", ScheduleAnswer, check)
            except Unanswered:
                break
            tried = _Answered(answer, draft.schedule or [])
            lesson = answer.lesson or lesson
        return best, lesson, refused


class _Answered(NamedTuple):
    """An answer, and the schedule that it means."""

    answer: ScheduleAnswer
    schedule: Sequence[Mapping[str, str]]
