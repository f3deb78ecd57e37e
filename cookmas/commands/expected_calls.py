"""The model calls and tokens that an episode is expected to take, before anybody pays for them.

The scripted model plays the episode with the same planner and options. It makes no mistakes, but
in some worlds it decides on one action at a time, so a model that plans further needs fewer calls.
A planner that is asked at every timestep is played for a while, and the rest is estimated.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from cookmas.episodes.trace import ModelCall, PlanRecord, StepRecord, Trace
from cookmas.loading import NO_SETTINGS, load_planner, load_scenario
from cookmas.modelserver.answers import ScriptedModel
from cookmas.modelserver.faults import Faults
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.episode import episode_of
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.models.budget import Budget, limit
from cookmas.orchestrator.planner import Planner
from cookmas.orchestrator.planners.llm import SchedulingPlanner
from cookmas.world_names import WORLDS, domain_of

PLAYED_CALLS = 1000
"""Greatest number of calls that are played."""

CALLS_PER_STEP = 8
"""The same for one planner that is asked at every timestep, whose other calls are estimated."""


class ExpectedCalls(NamedTuple):
    """The model calls of an episode that the scripted model has played."""

    calls: int
    """Number of calls."""
    decisions: int
    """Number of decisions, each of which takes one call or more."""
    actions: int
    """Number of actions in all decisions, each counted once for each worker."""
    prompt: int
    """Tokens of all prompts."""
    completion: int
    """Tokens of all answers."""
    purposes: Mapping[str, int]
    """Number of calls for each purpose."""

    cut: bool = False
    """True if the play was cut off, so that an episode takes more."""

    @classmethod
    def of(cls, trace: Trace, seat: str | None) -> ExpectedCalls:
        """Return what one seat, or with None the whole episode, has taken."""
        calls = [each for each in trace.of(ModelCall) if seat in (None, each.agent)]
        answered = {(call.timestep, call.agent) for call in calls}
        plans = [plan for plan in trace.of(PlanRecord) if (plan.timestep, plan.agent) in answered]
        return cls(
            calls=len(calls),
            decisions=sum(call.number == 1 for call in calls),
            actions=sum(len(entry) for plan in plans for entry in plan.schedule),
            prompt=sum(call.usage.prompt for call in calls),
            completion=sum(call.usage.completion for call in calls),
            purposes=Counter(call.purpose for call in calls),
            cut=_is_cut(trace),
        )

    def scale(self, factor: float) -> ExpectedCalls:
        """Return the numbers of a play that lasts `factor` times as long."""
        if factor == 1:
            return self
        return ExpectedCalls(
            calls=round(self.calls * factor),
            decisions=round(self.decisions * factor),
            actions=round(self.actions * factor),
            prompt=round(self.prompt * factor),
            completion=round(self.completion * factor),
            purposes={kind: round(number * factor) for kind, number in self.purposes.items()},
        )

    def __str__(self) -> str:
        """Return the numbers in one sentence."""
        kinds = ", ".join(f"{kind} {number}" for kind, number in sorted(self.purposes.items()))
        length = self.actions / max(self.decisions, 1)
        about = "more than" if self.cut else "about"
        return (
            f"an episode: {about} {self.calls} calls ({kinds}), {self.prompt} tokens in and "
            f"{self.completion} out, as the scripted model plays it, in {self.decisions} decisions "
            f"on {length:.1f} actions each"
        )


def expect_calls(
    seats: Iterable[str | None],
    scenario: str,
    planner: str = "llm",
    asking: AskingOptions | None = None,
    world: str | None = None,
    settings: Mapping[str, Any] = NO_SETTINGS,
) -> dict[str | None, ExpectedCalls]:
    """Return what an episode is expected to take, for each of the `seats`.

    The seat None stands for all workers together.
    """
    loaded = load_scenario(scenario, world, settings)
    outside = {} if world is None or world in WORLDS else {domain_of(world).name: world}

    def load(name: str, ways: AskingOptions | None, most: int) -> Planner | Team:
        scripted = ScriptedModel({**WORLDS, **outside}, Faults(rates={}, seed=0))
        model = limit(scripted, Budget(calls=most))
        return load_planner(name, loaded, None, ways, world, make_model=lambda *_: model)

    def play(name: str, with_options: AskingOptions | None, most: int) -> Trace:
        asked = load(name, with_options, most)
        return asyncio.run(episode_of(loaded, asked).run())

    asked = load(planner, asking, PLAYED_CALLS)
    per_step = isinstance(asked, SchedulingPlanner) and asked.prompting.per_step
    trace = play(planner, asking, CALLS_PER_STEP if per_step else PLAYED_CALLS)
    more = 1.0
    if per_step and _is_cut(trace):
        more = _length(play("llm", None, PLAYED_CALLS)) / max(_length(trace), 1)
    return {seat: ExpectedCalls.of(trace, seat).scale(max(more, 1.0)) for seat in seats}


def _is_cut(trace: Trace) -> bool:
    return trace.end is None or trace.end.termination == "budget"


def _length(trace: Trace) -> int:
    return sum(1 for _ in trace.of(StepRecord))
