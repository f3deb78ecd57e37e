"""A trace with what was judged of it, to be shown or compared."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from episodes.trace import Trace
from evals.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The trace of a run in the folder or file `path`, and its verdict.

    Where there is none `unjudged` says why; of an episode that goes on there is neither.
    """

    path: Path
    trace: Trace
    verdict: Verdict | None = None
    unjudged: str | None = None
