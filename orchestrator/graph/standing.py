"""The schedules that stand: looked up in the trace, where the planners' answers are."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from episodes.trace import PlanRecord
from episodes.world import Command
from orchestrator.graph.recorder import Recorder
from orchestrator.graph.state import THE_PLANNER, Part, Standing


def standing(
    before: Standing, answers: Mapping[str, Sequence[int]], begin: int, horizon: int | None
) -> Standing:
    """The schedules once these answers stand from timestep `begin` on; the others go on as before.

    `answers` are, by agent, the number of an answer in the trace and its length; one of no length
    leaves nothing. None reaches beyond the horizon.
    """
    parts = {name: part for name, part in before.items() if name not in answers}
    for name, (number, length) in answers.items():
        end = begin + length if horizon is None else min(begin + length, horizon)
        if end > begin:
            parts[name] = Part(plan=number, begin=begin, end=end)
    return parts


def commands_at(schedule: Standing, timestep: int, recorder: Recorder) -> list[Command]:
    """The commands of the schedules at a timestep, those of each in order."""
    return [command for name in schedule for command in _entry(schedule[name], timestep, recorder)]


def run_out(
    schedule: Standing, timestep: int, recorder: Recorder, agents: Collection[str] = (THE_PLANNER,)
) -> list[str]:
    """Return the agents that have no actions left at a timestep."""
    return [
        name
        for name in agents
        if not (part := schedule.get(name))
        or timestep >= part["end"]
        or not isinstance(recorder.referred(part["plan"]), PlanRecord)
    ]


def _entry(part: Part, timestep: int, recorder: Recorder) -> list[Command]:
    plan = recorder.referred(part["plan"])
    if not isinstance(plan, PlanRecord) or not part["begin"] <= timestep < part["end"]:
        return []
    return plan.schedule[timestep - part["begin"]]
