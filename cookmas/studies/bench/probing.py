"""Probes: a planner is asked once, in a state from another planner's trace.

As in Collab-Overcooked (Appendix C.4), ITES measures whether this one decision advances the task.
The commands that led to the state are played again; then the planner is asked. The episode ends
when the planner would be called a second time.
"""

from __future__ import annotations

from random import Random
from typing import Any

from cookmas.episodes.trace import PlannerClass, StepRecord, Trace
from cookmas.episodes.world import Commands
from cookmas.evals.mistakes import MISTAKE, RULES
from cookmas.evals.verdict import Check, Verdict
from cookmas.files.errors import InputError
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.planner import Observation, Plan, Planner
from cookmas.studies.bench.spec import EpisodeSpec, Probe


class Probed:
    """A planner that is asked once, at timestep `at`. Until then the commands `led` are played."""

    def __init__(self, planner: Planner | Team, led: list[Commands]) -> None:
        if isinstance(planner, Team):
            raise InputError(f"planner {planner.name!r}", "is a team; probe a central planner")
        self._planner = planner
        self._led = led
        self.name = planner.name
        self.planner_class: PlannerClass = planner.planner_class
        self.looks_up = bool(getattr(planner, "looks_up", False))

    @property
    def at(self) -> int:
        """The timestep of the decision."""
        return len(self._led)

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return the planner's decision in the probed state.

        Before this state, return the commands that lead to it. After it, give up.
        """
        if observation.timestep < self.at:
            return Plan(schedule=self._led[observation.timestep :])
        if observation.timestep == self.at:
            return await self._planner.plan(observation)
        return Plan(schedule=(), gave_up="the decision was carried out")


def commands_to(probe: Probe, spec: EpisodeSpec, trace: Trace) -> list[Commands]:
    """Return the commands up to the state of a probe.

    The trace is divided into as many equal parts as the probe has `states`. One state is drawn from
    each part, by the seed of the episode.
    """
    done = [record.commands for record in trace.of(StepRecord)]
    draw = Random(f"{spec.seed}/{probe.state}").random()
    return list(done[: int((probe.state - 1 + draw) / probe.states * len(done))])


def judge_once(verdict: Verdict, at: int) -> Verdict:
    """Return the verdict on the decision at timestep `at`, made from the verdict of its episode.

    The decision is a success if its ITES (the progress of its actions along a reference trajectory)
    is positive and no action is a FAIL.
    """
    others = [c for c in verdict.checks if c.name not in ("ites", MISTAKE, "progress_completeness")]
    decision = next((c for c in verdict.of("ites") if c.subject == f"answer at {at}"), None)
    if decision is None:
        why = "no reference trajectory is known, or nobody was asked"
        return verdict.model_copy(update={"success": None, "why": why, "checks": tuple(others)})
    failed = any(check.name == "recovered" for check in others)
    right = bool(decision.passed) and not failed
    kind = RULES if failed else decision.reason
    why = f"ITES {decision.value}{f', {kind}' if kind else ''}"
    if not right:
        occasion = f"{at}: {why}"
        others.append(Check(name=MISTAKE, subject=kind, value=1, passed=False, evidence=occasion))
    checks = (decision, *others)
    return verdict.model_copy(update={"success": right, "why": why, "checks": checks})
