"""The tokens that a call of a sweep needs, which is said before the sweep begins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cookmas.files.errors import CookMASError
from cookmas.orchestrator.planners.naming import planners_in
from cookmas.prompt_preview import CallSize, first_requests
from cookmas.studies.bench.request import request_of
from cookmas.studies.bench.spec import EpisodeJob, EpisodeSpec


class SizedCall(NamedTuple):
    """The first call of an episode."""

    spec: EpisodeSpec
    """The episode."""
    size: CallSize
    """Its estimated tokens."""

    def __str__(self) -> str:
        """Return what the endpoint must have room for, in one line."""
        first = f"the largest first call ({self.spec.case}, {self.spec.arm})"
        room = "the endpoint's context and its limit for each minute must not be smaller"
        return f"{first} has a prompt of about {self.size.prompt} tokens; {self.size}; {room}"


def largest_call(specs: Iterable[EpisodeSpec]) -> SizedCall | None:
    """Return the first call that needs the most tokens; None if no endpoint is asked.

    Planners that a user wrote are passed over, since only their own process may load them. So are
    the later calls of an episode, which may need more.
    """
    sized = (SizedCall(spec, size) for spec in specs if spec.repeat == 1 for size in _sizes(spec))
    return max(sized, key=lambda call: call.size.needed, default=None)


def _sizes(spec: EpisodeSpec) -> Iterator[CallSize]:
    asks = any(part.model and not part.model.replay for part in spec.asking_parts)
    if not asks or any(":" in planner for planner in planners_in(spec.planner)):
        return
    asking = request_of(EpisodeJob(spec=spec)).asking
    try:
        found = first_requests(spec.scenario, spec.planner, asking, spec.world, spec.settings)
    except CookMASError:
        return
    yield from map(CallSize.of, found.values())
