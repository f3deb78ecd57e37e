"""The LLM team: every worker is a model of its own, which plans for itself and may talk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from episodes.trace import PlannerClass
from orchestrator.dialogue.answers import REASONING, TEXT, TurnAnswer, object_schema
from orchestrator.dialogue.blocks import CALL, PROBLEMS, block, call_data, to_json
from orchestrator.dialogue.calls import Calls
from orchestrator.dialogue.dialogue import told
from orchestrator.dialogue.keeping import SCHEDULE, rows_of
from orchestrator.dialogue.prompting import Prompting
from orchestrator.dialogue.render import count, describe_blocks, instructions, messages
from orchestrator.dialogue.replies import Unusable, read_answer
from orchestrator.dialogue.sampling import Sampling
from orchestrator.dialogue.templates import Templates
from orchestrator.dialogue.voice import Voice
from orchestrator.member import Team, Turn
from orchestrator.models.budget import UNLIMITED, Budget
from orchestrator.models.message import Model, Request, Schema
from orchestrator.planner import Observation, problems_with

TALK = "TALK"


class TalkingMember:
    """One call of a model is one turn; an answer that cannot be used is a turn without effect.

    What was wrong with it is said in the agent's next turn. `rounds` is how many turns the
    agent may have at one timestep.
    """

    def __init__(
        self,
        model: Model,
        voice: Voice,
        ways: Prompting,
        templates: Templates,
        sampling: Sampling,
        budget: Budget,
        rounds: int = Team.rounds,
    ) -> None:
        self._model = model
        self._voice = voice
        self._ways = ways
        self._templates = templates
        self._sampling = sampling
        self._budget = budget
        self._rounds = rounds

    async def turn(self, observation: Observation[Any]) -> Turn:
        """What the model answers."""
        calls = Calls(
            self._model,
            observation.timestep,
            budget=self._budget,
            spent=observation.spent,
            agent=observation.agent,
        )
        answer = await calls.ask(self._request(observation), "turn")
        read = read_answer(answer, TurnAnswer)
        if isinstance(read, Unusable):
            calls.mark_unusable(read.fault)
        made: Mapping[str, Any] = {"calls": calls.made, "measured": calls.measured}
        if isinstance(read, Unusable):
            return Turn(memory={PROBLEMS: list(told(read.problems))}, **made)
        said, agent = read.value, str(observation.agent)
        own = [{agent: action} for action in said.actions or ()]
        problems = told(list(problems_with(own, observation.world, observation.timestep)))
        return Turn(
            say=said.say,
            actions=None if problems or not said.actions else said.actions,
            reasoning=said.reasoning,
            memory={PROBLEMS: list(problems)} if problems else {},
            **made,
        )

    def _request(self, observation: Observation[Any]) -> Request:
        ways, templates = self._ways, self._templates
        shown = [row[0] for row in self._voice.example]
        fields = {"say": "...", "actions": shown}
        example = {"reasoning": "...", **fields} if ways.chain_of_thought else fields
        system = {
            **self._voice.house(observation.world, templates),
            "agent": str(observation.agent),
            "workers": count(len(observation.world.workers), templates),
            "example": to_json(example),
            "goal": templates.fill("goal"),
            "hints": templates.fill("hints") if ways.hints else "",
            "given": describe_blocks(
                templates, templates.fill("given_recipes"), ("given_turn", "given_feedback")
            ),
            "rounds": str(self._rounds),
            "idle": observation.world.idle,
        }
        talk = [{"agent": said.agent, "said": said.text} for said in observation.talk]
        world, now = observation.world, observation.timestep
        voice = self._voice
        parts = [
            *(block(name, data) for name, data in voice.setting(observation).items()),
            block(*voice.texts(observation)),
            *(block(name, data) for name, data in voice.blocks(observation).items()),
            *(
                [block(SCHEDULE, rows_of(rest, now, world))]
                if (rest := observation.underway)
                else []
            ),
            *instructions(observation, templates),
            block(TALK, talk),
            block(CALL, call_data(observation, "turn")),
        ]
        task = templates.fill("task_turn", {"timestep": str(observation.timestep)})
        return Request(
            messages=tuple(messages(templates, "agent_system", system, parts, task)),
            schema=_schema(reasoning=ways.chain_of_thought),
            temperature=self._sampling.temperature,
            max_tokens=self._sampling.max_tokens,
            seed=self._sampling.seed,
        )


def _schema(*, reasoning: bool) -> Schema:
    actions = {"type": "array", "items": TEXT}
    first = REASONING if reasoning else {}
    return Schema(name="turn", schema=object_schema({**first, "say": TEXT, "actions": actions}))


class TalkingTeam(Team):
    """A model for each worker, in their order; a world makes it its own by its `voice`."""

    voice: Voice
    default_prompting = Prompting(chain_of_thought=True)
    ways = frozenset({"chain_of_thought", "hints"})
    """The ways of prompting that make a difference."""

    def __init__(
        self,
        models: Sequence[Model],
        workers: Sequence[str],
        prompting: Prompting | None = None,
        *,
        name: str = "team",
        templates: Templates | None = None,
        sampling: Sampling | None = None,
        budget: Budget = UNLIMITED,
        rounds: int = Team.rounds,
    ) -> None:
        members = {
            worker: TalkingMember(
                model,
                self.voice,
                prompting or self.default_prompting,
                templates or Templates(self.voice.prompts),
                sampling or Sampling(),
                budget,
                rounds,
            )
            for worker, model in zip(workers, models, strict=True)
        }
        planner_class: PlannerClass = "pure"
        super().__init__(name=name, planner_class=planner_class, members=members, rounds=rounds)
