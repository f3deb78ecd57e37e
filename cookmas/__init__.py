"""CookMAS from Python: play a scenario, judge it, replay it.

    run = cookmas.play("level1/01")
    print(run.verdict.success, run.verdict.why)
    for frame in cookmas.replay(run.trace):
        assert frame.equal

Inside a running event loop use `await cookmas.aplay(...)`. The functions are imported at first use.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cookmas.version import VERSION

if TYPE_CHECKING:
    from cookmas.api import Run, aplay, play
    from cookmas.episodes.trace_file import read_trace
    from cookmas.forking import afork, fork
    from cookmas.judging import judge, replay, truth_of
    from cookmas.loading import load_planner, load_scenario
    from cookmas.orchestrator.episode import episode_of
    from cookmas.studies.report.frame import frame

__all__ = [
    "Run",
    "afork",
    "aplay",
    "episode_of",
    "fork",
    "frame",
    "judge",
    "load_planner",
    "load_scenario",
    "play",
    "read_trace",
    "replay",
    "truth_of",
]
__version__ = VERSION

_HOMES: Mapping[str, str] = {
    "afork": "cookmas.forking",
    "episode_of": "cookmas.orchestrator.episode",
    "fork": "cookmas.forking",
    "frame": "cookmas.studies.report.frame",
    "judge": "cookmas.judging",
    "load_planner": "cookmas.loading",
    "load_scenario": "cookmas.loading",
    "read_trace": "cookmas.episodes.trace_file",
    "replay": "cookmas.judging",
    "truth_of": "cookmas.judging",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES.get(name, "cookmas.api")), name)
