"""Planners that ask a model, among them the LLM planner: its model writes a schedule.

It plans for all workers, or for one worker in a team; the dialogue is the same. In an LLM team each
worker has its own model, which plans for it and may talk.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from cookmas.episodes.base import overrides
from cookmas.episodes.conversation import END
from cookmas.episodes.parts import Purpose
from cookmas.episodes.trace import PlannerClass
from cookmas.files.errors import InputError
from cookmas.orchestrator.dialogue.blocks import PROBLEMS
from cookmas.orchestrator.dialogue.conversation import Conversation, Unanswered, find_refused
from cookmas.orchestrator.dialogue.look_ahead import Violation
from cookmas.orchestrator.dialogue.memory import QUEUE, Memory, PlanQueue, is_queued, new_queue
from cookmas.orchestrator.dialogue.plans import is_closed
from cookmas.orchestrator.dialogue.prompt import Prompt
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.dialogue.voice import STATE, Templates, Voice
from cookmas.orchestrator.member import Team, Turn
from cookmas.orchestrator.models.message import Model
from cookmas.orchestrator.options import Sampling
from cookmas.orchestrator.planner import (
    Entry,
    Observation,
    Plan,
    PlanningStoppedError,
    actions_of_worker,
)


class AskingPlanner:
    """A planner that asks a model with the options `prompting`; results report it under `name`.

    `voice` is the prompt adapter of the world; a subclass for one world has it as an attribute.
    """

    voice: Voice
    default_name: str
    default_prompting: Prompting | None = None
    """The options of a planner that is given none; None stands for those of the voice."""
    ways: frozenset[str] = frozenset({"preset", *(field.name for field in fields(Prompting))})
    """The prompting options that this planner uses."""

    def __init__(
        self,
        model: Model,
        prompting: Prompting | None = None,
        *,
        name: str | None = None,
        voice: Voice | None = None,
        templates: Templates | None = None,
        sampling: Sampling | None = None,
    ) -> None:
        if voice is not None:
            self.voice = voice
        self.name = name or self.default_name
        self.prompting = prompting or self.default_prompting or self.voice.default_prompting
        if not self.prompting.deductions:
            self.voice = self.voice.without_deductions()
        if self.prompting.told == "own" and not overrides(self.voice, "select_own", Voice):
            raise InputError("--told", "this world has no stations; expected all or news")
        self._model = model
        self._templates = templates or Templates(self.voice.prompts)
        self._sampling = sampling or Sampling()

    @property
    def looks_up(self) -> bool:
        """True if the model looks up texts itself, with a tool."""
        return self.prompting.recipes == "tool"

    def open_conversation(self, observation: Observation[Any]) -> Conversation:
        """Return a conversation about an observation, in which nothing has been said."""
        return Conversation(
            self._model,
            observation.timestep,
            prompting=self.prompting,
            templates=self._templates,
            sampling=self._sampling,
            look_up=self.voice.look_up,
            fetch=observation.look_up if self.looks_up else None,
        )


WAYS_OF_AGENTS = frozenset({"talk", "queue", "helper", "theory_of_mind"})
"""The prompting options that only an agent of a team can use."""


class SchedulingPlanner(AskingPlanner):
    """A planner that asks a model for a schedule, or for one step of it at every timestep.

    `prompting` has the options for asking; results report the planner under `name`. The planner can
    plan for all workers, or act as an agent of a team, which plans for itself and may talk.
    """

    default_name = "llm"
    ways = AskingPlanner.ways - WAYS_OF_AGENTS
    ways_in_a_seat = AskingPlanner.ways

    @property
    def planner_class(self) -> PlannerClass:
        """The planner class, which follows from the prompting options."""
        return self.prompting.planner_class

    @property
    def rounds(self) -> int:
        """The greatest number of turns at a timestep that an agent of a team may take.

        With 0 an agent takes one turn and cannot send messages.
        """
        return self.prompting.talk

    @property
    def stepwise(self) -> bool:
        """True if the planner is called at each of its moves, to continue its queue."""
        return self.prompting.queue

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return the model's schedule; give up if no answer can be used.

        With `per_step` the planner does not give up: all workers idle at this timestep, and at the
        next timestep the model is told why. But the planner gives up if the prompt is too long for
        the model.
        """
        decision = await self._decide(observation)
        plan = Plan(
            schedule=decision.schedule,
            reasoning=decision.reasoning,
            calls=decision.conversation.made,
            measured=decision.conversation.measured,
            memory=decision.memory,
            queued=is_queued(observation, self.prompting),
        )
        if decision.why is None:
            return plan
        if not self.prompting.per_step or decision.why.lasting:
            return replace(plan, gave_up=str(decision.why))
        lost = f"The answer at timestep {observation.timestep} could not be used; everybody idled."
        memory = _with_problems(observation, lost, decision.why)
        return replace(plan, schedule=[{}], reasoning=str(decision.why), memory=memory)

    async def turn(self, observation: Observation[Any]) -> Turn:
        """Return the message and the actions that the model chooses for its agent.

        With a queue the agent continues its plan, and asks the model only about something new or
        if the next action is refused. If no answer can be used, the agent continues with its
        earlier decision, or idles. Raise PlanningStoppedError if the prompt is too long for the
        model, since no later turn can succeed.
        """
        queue = PlanQueue.of(observation) if self.prompting.queue else None
        refused: Sequence[Violation] = ()
        if queue is not None and queue.goes_on(observation):
            left = queue.actions_left(observation.timestep)
            refused = find_refused(observation, self.prompting, [{str(observation.agent): left[0]}])
            if not refused:
                kept = {**observation.memory, QUEUE: queue.handing(observation).data()}
                return Turn(actions=left, memory=kept)
        decision = await self._decide(observation, queue, refused)
        conversation, agent, idle = (
            decision.conversation,
            str(observation.agent),
            observation.world.idle,
        )
        why = decision.why
        schedule: Sequence[Entry] = decision.schedule
        if why is not None and why.lasting:
            raise PlanningStoppedError(
                str(why), "gave_up", conversation.made, conversation.measured
            )
        if why is not None:
            lost = f"The answer at timestep {observation.timestep} could not be used."
            decision.memory = _with_problems(observation, lost, why)
            decision.reasoning, schedule = str(why), observation.underway or [{}]
        queued = is_queued(observation, self.prompting)
        actions: Sequence[str] = actions_of_worker(schedule, agent, "" if queued else idle)
        if queue is not None:
            actions = self._enqueue(observation, actions, decision)
        return Turn(
            say=decision.say,
            actions=actions or None,
            settles=decision.settles,
            reasoning=decision.reasoning,
            calls=conversation.made,
            measured=conversation.measured,
            memory=decision.memory,
            queued=queued,
        )

    def _enqueue(
        self, observation: Observation[Any], actions: Sequence[str], decision: _Decision
    ) -> Sequence[str]:
        """Put an answer into the queue, and return the actions that are handed out.

        An action that is still refused costs a timestep of idling, and so does an answer without an
        action unless the agent waits for what others say. An agent that may not move now
        hands out idling for the present timestep, and its plan after it.
        """
        agent, idle = str(observation.agent), observation.world.idle
        moves = agent in observation.movers
        answered = bool(actions) and decision.why is None
        waits = bool(decision.say) and not is_closed(observation.talk) and END not in decision.say
        first = [{agent: action} for action in actions[:1]]
        if decision.why or find_refused(observation, self.prompting, first):
            actions, answered = [idle], False
        elif not actions and moves and not waits:
            actions = [idle]
        queue = new_queue(observation, actions, answered=answered)
        decision.memory = {**(decision.memory or observation.memory), QUEUE: queue.data()}
        return actions if moves else [idle, *actions]

    async def _decide(
        self,
        observation: Observation[Any],
        queue: PlanQueue | None = None,
        refused: Sequence[Violation] = (),
    ) -> _Decision:
        """Ask the model, let it repair answers that are unusable or would FAIL, and decide.

        `refused` has the next action of the `queue` if that would FAIL; in that case asking the
        model counts as a repair.
        """
        prompting = self.prompting
        if refused:
            observation = replace(observation, memory=_with_refusal(observation, refused[0]))
        left = queue.actions_left(observation.timestep) if queue else []
        memory = Memory.of(observation, prompting, left)
        prompt = Prompt.of(observation, self.voice, prompting, self._templates, memory)
        purpose: Purpose = "step" if prompting.per_step else "plan"
        if observation.agent is not None:
            purpose = "repair" if refused else "turn"
        conversation = self.open_conversation(observation)
        try:
            best = await conversation.decide(prompt, purpose, prompting.look_ahead - len(refused))
        except Unanswered as why:
            return _Decision(conversation=conversation, why=why)
        closed = prompt.layout.is_plan and is_closed(observation.talk)
        schedule = best.schedule or [{str(observation.agent): action} for action in left]
        return _Decision(
            conversation=conversation,
            say="" if closed else best.answer.say,
            settles=bool(best.schedule) and not prompt.layout.is_plan,
            schedule=schedule,
            reasoning=best.answer.thoughts(),
            memory=memory.update(
                observation,
                prompting,
                best.answer,
                schedule,
                refused=[*refused, *best.refused],
                outline=self._outline(prompt),
                lesson=best.lesson,
                form=prompt.pad,
                told=self._find_told(observation),
            ),
        )

    def _outline(self, prompt: Prompt) -> Mapping[str, Any]:
        """Return what the memory has of the state: all in short, or the part that was told."""
        if self.prompting.told == "all":
            return self.voice.outline(prompt.observation.world, prompt.observation.state)
        told: Mapping[str, Any] = prompt.shown.get(STATE, {})
        return told

    def _find_told(self, observation: Observation[Any]) -> Mapping[str, Any]:
        """Return the state against which the next prompt tells news; empty if it tells none."""
        state = self.voice.blocks(observation).get(STATE) if self.prompting.told == "news" else {}
        return state if isinstance(state, Mapping) else {}


class TalkingTeam(Team):
    """A team in which each worker has a model; `models` are in the order of `workers`.

    `voice` is the prompt adapter of the world; a subclass for one world has it as an attribute.
    `member` is the class of the planners that act as agents.
    `rounds` is the greatest number of turns of an agent at a timestep, by default that of
    `prompting`; with 0 an agent takes one turn and cannot send messages.
    """

    voice: Voice
    member: type[SchedulingPlanner] = SchedulingPlanner
    default_prompting: Prompting | None = None
    """The options of a team that is given none; None stands for those of the voice."""
    ways = SchedulingPlanner.ways | (WAYS_OF_AGENTS - {"queue"})
    """The prompting options that this team uses."""

    def __init__(
        self,
        models: Sequence[Model],
        workers: Sequence[str],
        prompting: Prompting | None = None,
        *,
        name: str = "team",
        voice: Voice | None = None,
        templates: Templates | None = None,
        sampling: Sampling | None = None,
        rounds: int | None = None,
    ) -> None:
        if voice is not None:
            self.voice = voice
        ways = prompting or self.default_prompting or self.voice.default_prompting
        members = {
            worker: self.member(
                model,
                ways,
                name=name,
                voice=self.voice,
                templates=templates,
                sampling=sampling,
            )
            for worker, model in zip(workers, models, strict=True)
        }
        super().__init__(
            name=name,
            planner_class=ways.planner_class,
            members=members,
            rounds=ways.talk if rounds is None else rounds,
        )


@dataclass(slots=True, kw_only=True)
class _Decision:
    """The result of a dialogue: a decision, or the reason why there is none."""

    conversation: Conversation
    """The conversation, with the model calls."""
    say: str = ""
    """The message to the other agents."""
    settles: bool = False
    """True if the message comes with a decision; with a plan an agent may ask for an answer too."""
    schedule: Sequence[Mapping[str, str]] = ()
    """The schedule; empty if nothing was decided."""
    reasoning: str = ""
    """All reasoning in the answer."""
    memory: dict[str, Any] | None = None
    """The memory after the decision."""
    why: Unanswered | None = None
    """Why there is no usable answer; None if there is one."""


def _with_refusal(observation: Observation[Any], refused: Violation) -> dict[str, Any]:
    """Return the memory with the refusal of the next action of the queue."""
    lost = f"Your next action, {refused.action}, would FAIL: {refused.why}"
    return {**observation.memory, PROBLEMS: [lost]}


def _with_problems(observation: Observation[Any], lost: str, why: Unanswered) -> dict[str, Any]:
    """Return the observed memory with the problems of an unusable answer.

    `lost` is the sentence that reports the consequence for the timestep.
    """
    return {**observation.memory, PROBLEMS: [lost, *why.problems]}
