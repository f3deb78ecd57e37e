"""Results as a pandas frame, for further computation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cookmas.files.errors import MissingError
from cookmas.studies.report.results import ArmResults, read_results

if TYPE_CHECKING:
    import pandas as pd


def frame(results: Sequence[str | Path]) -> pd.DataFrame:
    """Return a frame with one row for each judged episode of the sweeps in these folders.

    The first columns identify the episode. The next ones are the numbers of the verdict's summary.
    The last ones are the episode's means of the report's columns, and the file of its trace. Raise
    CookMASError if results cannot be read.
    """
    try:
        import pandas as pd
    except ImportError:
        raise MissingError("frames need pandas; install the extra 'report'") from None
    arms = read_results([Path(path) for path in results])
    return pd.DataFrame([row for arm in arms for row in _rows(arm)])


def _rows(arm: ArmResults) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for each in arm.played:
        row = {
            "world": arm.world,
            "planner_class": arm.planner_class,
            "arm": arm.name,
            "at": arm.at,
            "case": each.case,
            "group": each.group,
            "repeat": each.repeat,
            "planner": each.planner,
            "termination": each.termination,
            **each.summary,
        }
        for name, values in each.values.items():
            scored = [value for value in values if value is not None]
            row[name] = sum(scored) / len(scored) if scored else None
        rows.append(row | {"trace": str(each.trace)})
    return rows
