"""A trace with what was judged of it, to be shown or compared."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from episodes.trace import Trace
from evals.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A run with its verdict."""

    path: Path
    """The folder or file of the run."""
    trace: Trace
    """The trace of the run."""
    verdict: Verdict | None = None
    """The verdict; None if there is none, or the episode is not over."""
    unjudged: str | None = None
    """Why there is no verdict; None if there is one, or the episode is not over."""
