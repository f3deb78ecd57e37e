"""The LLM planner: a model writes the schedule from the observation, in one of many ways.

It plans for all workers, or in a team for one of them; the dialogue is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
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
from orchestrator.dialogue.render import asked, call_of, render
from orchestrator.member import Turn
from orchestrator.planner import (
    Entry,
    Observation,
    Plan,
    PlanningStoppedError,
    own_actions,
    problems_with,
)
from orchestrator.planners.asking import AskingPlanner

EMPTY = (
    "The schedule is empty: write what is to be done, or keep what is under way with keep_until."
)
"""What is wrong with an answer in which nobody does anything, and what to do instead."""

Check = Callable[[ScheduleAnswer], Sequence[str]]


class SchedulingPlanner(AskingPlanner):
    """Asks a model for a schedule, or at every timestep for one step of it.

    `prompting` is how it is asked; `name` is under what the results are reported. It is a planner
    for all workers, and as able as an agent of a team, which plans for its own and may talk.
    """

    default_name = "llm"
    ways = AskingPlanner.ways - {"talk"}
    ways_in_a_seat = AskingPlanner.ways
    default_prompting = preset(DEFAULT)

    @property
    def planner_class(self) -> PlannerClass:
        """What helps the model, by the ways of prompting."""
        return self.prompting.planner_class

    @property
    def rounds(self) -> int:
        """How many turns it has at a timestep as an agent of a team."""
        return self.prompting.talk

    async def plan(self, observation: Observation[Any]) -> Plan:
        """The model's schedule; gives up where it has none that can be used.

        Who is asked at every timestep lets this one go by, and is told why at the next.
        """
        decided = await self._decide(observation)
        plan = Plan(
            schedule=decided.schedule,
            reasoning=decided.reasoning,
            calls=decided.calls.made,
            measured=decided.calls.measured,
            memory=decided.memory,
        )
        if decided.why is None:
            return plan
        if not self.prompting.per_step or decided.why.lasting:
            return replace(plan, gave_up=str(decided.why), memory=None)
        lost = f"The answer at timestep {observation.timestep} could not be used; everybody idled."
        memory = _with_problems(observation, lost, decided.why)
        return replace(plan, schedule=[{}], reasoning=str(decided.why), memory=memory)

    async def turn(self, observation: Observation[Any]) -> Turn:
        """What the model says and does in a turn of its agent.

        Where its answer cannot be used the agent goes on with what it has decided before, or idles.
        Raises PlanningStoppedError if it never can, since the prompt is too long for the model.
        """
        decided = await self._decide(observation)
        calls, agent, idle = decided.calls, str(observation.agent), observation.world.idle
        why = decided.why
        schedule: Sequence[Entry] = decided.schedule
        if why is not None and why.lasting:
            raise PlanningStoppedError(str(why), "gave_up", calls.made, calls.measured)
        if why is not None:
            lost = f"The answer at timestep {observation.timestep} could not be used."
            decided.memory = _with_problems(observation, lost, why)
            decided.reasoning, schedule = str(why), observation.underway or [{}]
        return Turn(
            say=decided.say,
            actions=own_actions(schedule, agent, idle) or None,
            reasoning=decided.reasoning,
            calls=calls.made,
            measured=calls.measured,
            memory=decided.memory,
        )

    async def _decide(self, observation: Observation[Any]) -> _Decided:
        """Ask, and ask again for what cannot be used or would FAIL."""
        ways = self.prompting
        memory = Memory.of(observation, ways)
        calls = Calls(
            self._model, observation.timestep, budget=self._budget, spent=observation.spent
        )
        draft = Draft(
            () if ways.per_step else observation.underway,
            observation.timestep,
            observation.planned,
            self.meant,
        )
        dialogue = self._dialogue(observation, memory, calls, draft)
        check = self._check(observation, draft)
        purpose: Purpose = "step" if ways.per_step else "plan"
        if observation.agent is not None:
            purpose = "turn"
        try:
            answer = await dialogue.ask(purpose, ScheduleAnswer, check)
            best, lesson, refused = await self._repaired(
                answer, draft, dialogue, check, observation
            )
        except Unanswered as why:
            return _Decided(calls=calls, why=why)
        thoughts = best.answer.thoughts()
        return _Decided(
            calls=calls,
            say=best.answer.say,
            schedule=best.schedule,
            reasoning=thoughts,
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
                asked(observation, ways),
                reasoning=ways.chain_of_thought,
                think=ways.thoughts,
                lesson=ways.lessons,
                keep=not ways.per_step,
                columns=ways.columns,
                say=observation.rounds > 0,
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

    def _check(self, observation: Observation[Any], draft: Draft) -> Check:
        now, agent = observation.timestep, observation.agent

        def check(answer: ScheduleAnswer) -> Sequence[str]:
            problems = draft.take(answer)
            if self.prompting.per_step:
                draft.schedule = (draft.schedule or [])[:1]
                first = next((row.t for row in answer.rows), None)
                problems += [f"t {first}: it is timestep {now}."] if (first or 0) > now else []
            schedule = draft.schedule or []
            if not schedule:
                return problems if observation.rounds else [*problems, EMPTY]
            others = {name for entry in schedule for name in entry} - {agent}
            if agent is not None and others:
                problems.append(f"You plan for {agent} alone, not for {', '.join(sorted(others))}.")
            return [*problems, *problems_with(schedule, observation.world, now)]

        return check

    async def _repaired(
        self,
        answer: ScheduleAnswer,
        draft: Draft,
        dialogue: Dialogue,
        check: Check,
        observation: Observation[Any],
    ) -> tuple[_Answered, str, Sequence[Violation]]:
        """Return the answer that goes well for longest, of the first and its repairs.

        With it the lesson that the model has drawn last, and what was refused.
        """
        refused: list[Violation] = []
        tried = best = _Answered(answer, draft.schedule or [])
        reach, lesson = -1, answer.lesson
        for repair in range(self.prompting.look_ahead + 1):
            violations = _violations(observation, tried.schedule)
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


@dataclass(slots=True, kw_only=True)
class _Decided:
    """What came of asking; `why` there is no answer that can be used, if there is none."""

    calls: Calls
    say: str = ""
    schedule: Sequence[Mapping[str, str]] = ()
    reasoning: str = ""
    memory: dict[str, Any] | None = None
    why: Unanswered | None = None


def _violations(
    observation: Observation[Any], schedule: Sequence[Mapping[str, str]]
) -> list[Violation]:
    """Return which actions would FAIL; in a team one's own, if the others do what is known.

    None are known where nothing may be simulated.
    """
    agent, world = observation.agent, observation.world
    known = simulable(world, observation.state, agent)
    if known is None:
        return []
    if agent is None:
        return look_ahead(world, known, observation.timestep, schedule)
    together = [
        {
            **{name: acts[at] for name, acts in observation.decided.items() if at < len(acts)},
            **entry,
        }
        for at, entry in enumerate(schedule)
    ]
    tried = look_ahead(world, known, observation.timestep, together)
    return [violation for violation in tried if violation.worker == agent]


def _with_problems(observation: Observation[Any], lost: str, why: Unanswered) -> dict[str, Any]:
    """Return the memory with what was wrong with an answer that is lost."""
    return {**observation.memory, PROBLEMS: [lost, *why.problems]}
