"""The schedule that stands: looked up in the trace, where the planners' answers are."""

from __future__ import annotations

from collections.abc import Iterator

from episodes.trace import PlanRecord
from episodes.world import Command
from orchestrator.graph.recorder import Recorder
from orchestrator.graph.state import Standing


def standing(plans: dict[int, int], begin: int, horizon: int | None) -> Standing:
    """The schedule of these answers from timestep `begin` on, until the shortest has run out.

    `plans` has the length of each answer by its number in the trace; those of no length are left
    out. It never reaches beyond the horizon.
    """
    lengths = {number: length for number, length in plans.items() if length}
    end = begin + min(lengths.values(), default=0)
    if horizon is not None:
        end = min(end, horizon)
    return Standing(plans=list(lengths), begin=begin, end=end)


def commands_at(schedule: Standing, timestep: int, recorder: Recorder) -> list[Command]:
    """The commands of the schedule at a timestep, in order."""
    if not schedule["begin"] <= timestep < schedule["end"]:
        return []
    at = timestep - schedule["begin"]
    return [command for plan in _plans(schedule, recorder) for command in plan.schedule[at]]


def has_run_out(schedule: Standing, timestep: int, recorder: Recorder) -> bool:
    """Whether nothing of the schedule is left from a timestep on."""
    return timestep >= schedule["end"] or not list(_plans(schedule, recorder))


def _plans(schedule: Standing, recorder: Recorder) -> Iterator[PlanRecord]:
    for number in schedule["plans"]:
        if isinstance(plan := recorder.referred(number), PlanRecord):
            yield plan
