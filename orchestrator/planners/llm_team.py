"""The LLM team: every worker is a model of its own, which plans for itself and may talk."""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.dialogue.prompting import DEFAULT, Prompting, preset
from orchestrator.dialogue.templates import Templates
from orchestrator.dialogue.voice import Voice
from orchestrator.member import Team
from orchestrator.models.budget import UNLIMITED, Budget
from orchestrator.models.message import Model, Sampling
from orchestrator.planners.llm import SchedulingPlanner


class TalkingTeam(Team):
    """A model for each worker, in their order; a world makes it its own by its `voice`.

    `member` is the planner whose dialogue each of them has: asked as one agent of a team. `rounds`
    is how many turns each may have at a timestep, in place of what `prompting` says.
    """

    voice: Voice
    member: type[SchedulingPlanner] = SchedulingPlanner
    default_prompting = preset(DEFAULT)
    ways = SchedulingPlanner.ways | {"talk"}
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
        rounds: int | None = None,
    ) -> None:
        ways = prompting or self.default_prompting
        members = {
            worker: self.member(
                model,
                ways,
                name=name,
                voice=self.voice,
                templates=templates,
                sampling=sampling,
                budget=budget,
            )
            for worker, model in zip(workers, models, strict=True)
        }
        super().__init__(
            name=name,
            planner_class=ways.planner_class,
            members=members,
            rounds=ways.talk if rounds is None else rounds,
        )
