"""The LLM team: each worker has its own model, which plans for it and may talk."""

from __future__ import annotations

from collections.abc import Sequence

from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.dialogue.templates import Templates
from cookmas.orchestrator.dialogue.voice import Voice
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.models.message import Model
from cookmas.orchestrator.options import Sampling
from cookmas.orchestrator.planners.llm import WAYS_OF_AGENTS, SchedulingPlanner


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
