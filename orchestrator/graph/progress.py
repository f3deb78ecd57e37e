"""Whether the planner's calls lead anywhere."""

from __future__ import annotations

from collections.abc import Sequence

LAPS = 16
"""Calls of the planner, to one of which an episode that goes in circles comes back."""


def progress(stalled: int, seen: Sequence[str], made: str) -> tuple[int, list[str]]:
    """The planner's calls in a row without progress so far, and what had been made at its calls.

    There is progress if by this call something has been made, of digest `made`, that had not been
    at one of the last, whose digests are `seen`.
    """
    return (stalled, list(seen)) if made in seen else (0, [*seen, made][-LAPS:])
