"""The LLM planner: a model writes the schedule from the observation, in one of many ways."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from episodes.trace import PlannerClass, Purpose
from orchestrator.dialogue.answers import ScheduleAnswer, schedule_schema
from orchestrator.dialogue.blocks import PROBLEMS
from orchestrator.dialogue.calls import Calls
from orchestrator.dialogue.dialogue import Dialogue, Unanswered
from orchestrator.dialogue.keeping import written_out
from orchestrator.dialogue.look_ahead import Violation, look_ahead
from orchestrator.dialogue.memory import Memory
from orchestrator.dialogue.prompting import DEFAULT, preset
from orchestrator.dialogue.render import call_of, keeps, render
from orchestrator.planner import Observation, Plan, problems_with
from orchestrator.planners.asking import AskingPlanner


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
        dialogue = self._dialogue(observation, memory, calls)
        purpose: Purpose = "step" if ways.per_step else "plan"
        try:
            answer = await dialogue.ask(purpose, ScheduleAnswer, self._check(observation))
            answer, lesson, refused = await self._repaired(answer, dialogue, observation)
        except Unanswered as why:
            unanswered = Plan(
                schedule=(), gave_up=str(why), calls=calls.made, measured=calls.measured
            )
            return self._let_go_by(unanswered, why, observation)
        schedule, _ = self._written_out(answer, observation)
        return Plan(
            schedule=schedule,
            reasoning=answer.thoughts(),
            calls=calls.made,
            measured=calls.measured,
            memory=memory.after(
                observation,
                schedule,
                refused,
                self.voice.outline(observation.world, observation.state),
                answer.reasoning,
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

    def _dialogue(self, observation: Observation[Any], memory: Memory, calls: Calls) -> Dialogue:
        ways = self.prompting
        return Dialogue(
            calls,
            render(observation, self.voice, ways, self._templates, memory.kept),
            schedule_schema(
                tuple(observation.world.workers),
                reasoning=ways.chain_of_thought,
                think=ways.chain_of_thought and not ways.per_step,
                lesson=ways.lessons,
                keep=keeps(observation, ways),
            ),
            call_of(observation, ways),
            templates=self._templates,
            retries=ways.retries,
            sampling=self._sampling,
            look_up=self.voice.look_up,
            fetch=observation.look_up if self.looks_up else None,
        )

    def meant(self, action: str) -> str:
        """The action that is meant where it is written in another way, as far as that is sure."""
        return action

    def _written_out(
        self, answer: ScheduleAnswer, observation: Observation[Any]
    ) -> tuple[list[dict[str, str]], list[str]]:
        """The schedule that an answer means, and what is wrong with its rows."""
        underway = () if self.prompting.per_step else observation.underway
        entries, problems = written_out(answer, underway, observation.timestep)
        schedule = [{w: self.meant(action) for w, action in entry.items()} for entry in entries]
        return (schedule[:1] if self.prompting.per_step else schedule), problems

    def _check(self, observation: Observation[Any]) -> Callable[[ScheduleAnswer], Sequence[str]]:
        def check(answer: ScheduleAnswer) -> Sequence[str]:
            schedule, problems = self._written_out(answer, observation)
            if not schedule:
                return [*problems, "The schedule is empty."]
            found = problems_with(schedule, observation.world, observation.timestep)
            return [*problems, *found]

        return check

    async def _repaired(
        self, answer: ScheduleAnswer, dialogue: Dialogue, observation: Observation[Any]
    ) -> tuple[ScheduleAnswer, str, Sequence[Violation]]:
        """The answer that goes well for longest, of the first and its repairs.

        With it the lesson that the model has drawn last, and what was refused.
        """
        refused: list[Violation] = []
        best, reach, lesson = answer, -1, answer.lesson
        for repair in range(self.prompting.look_ahead + 1):
            violations = look_ahead(
                observation.world,
                observation.state,
                observation.timestep,
                self._written_out(answer, observation)[0],
            )
            if not violations:
                return answer, lesson, refused
            if violations[0].timestep > reach:
                best, reach = answer, violations[0].timestep
            if repair == self.prompting.look_ahead:
                break
            refused += violations[:1]
            dialogue.say_violations(violations)
            try:
                answer = await dialogue.ask("repair", ScheduleAnswer, self._check(observation))
            except Unanswered:
                break
            lesson = answer.lesson or lesson
        return best, lesson, refused
