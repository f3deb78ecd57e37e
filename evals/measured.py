"""Measurements of a run that are not in its trace: seconds, retries and money."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cookmas.episodes.sessions import read_sessions
from cookmas.evals.verdict import Measurements
from cookmas.files.errors import InputError

_log = logging.getLogger(__name__)


def sum_measurements(sessions: Sequence[Mapping[str, Any]]) -> Measurements | None:
    """Return the measurements of a run, summed over its sessions; None if no model was called."""
    calls = [call for session in sessions for call in session.get("model_calls", ())]
    if not calls:
        return None
    costs = [call["cost"] for call in calls]
    return Measurements(
        wall_seconds=round(sum(session["wall_seconds"] for session in sessions), 6),
        model_seconds=round(sum(call["seconds"] for call in calls), 6),
        retries=sum(call["retries"] for call in calls),
        cost=None if None in costs else round(sum(costs), 8),
    )


def read_measurements(path: Path) -> Measurements | None:
    """Return the summed measurements in a run's `measurements.json`.

    Return None if the file is missing, or no model was called. A file that cannot be read is told
    in the log, and is taken for missing: the trace can be judged without it.
    """
    try:
        return sum_measurements(read_sessions(path))
    except FileNotFoundError:
        return None
    except (OSError, InputError) as error:
        _log.warning("seconds, retries and costs are left out: %s", error)
        return None
