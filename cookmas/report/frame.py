"""Results as a pandas frame, for whoever computes further."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cookmas.report.estimates import columns_of
from cookmas.report.results import Arm, read_results
from episodes.errors import MissingError

if TYPE_CHECKING:
    import pandas as pd


def frame(results: Sequence[str | Path]) -> pd.DataFrame:
    """One row for each judged episode of the sweeps in these folders.

    Who played what comes first, then what the verdict says in numbers, then the mean of each
    column of the report. Raises CookMASError.
    """
    try:
        import pandas as pd
    except ImportError:
        raise MissingError("frames need pandas; install the extra 'report'") from None
    arms = read_results([Path(path) for path in results])
    return pd.DataFrame([row for arm in arms for row in _rows(arm)])


def _rows(arm: Arm) -> list[dict[str, Any]]:
    columns = columns_of(arm.world)
    rows: list[dict[str, Any]] = []
    for each in arm.played:
        verdict = each.verdict
        row = {
            "world": arm.world,
            "planner_class": arm.planner_class,
            "arm": arm.name,
            "at": arm.at,
            "case": each.case,
            "level": verdict.level,
            "repeat": each.repeat,
            "planner": verdict.planner,
            "termination": verdict.termination,
            **verdict.summary,
        }
        for column in columns:
            values = [float(x) for x in column.values(verdict) if x is not None]
            row[column.name] = sum(values) / len(values) if values else None
        rows.append(row | {"trace": str(each.trace)})
    return rows
