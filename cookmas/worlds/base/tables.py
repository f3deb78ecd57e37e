"""The tables for worlds that have no tables of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import RenderableType
from rich.table import Table

from cookmas.evals.report import plain_text, table
from cookmas.evals.verdict import Verdict


def table_of_goals(verdict: Verdict) -> Iterable[RenderableType]:
    """Yield a table of a verdict's goals; yield nothing if there are no goals."""
    if not verdict.goals:
        return
    shown = table("Goals", "name", "what", "in words", "status", "when")
    for goal in verdict.goals:
        when = "" if goal.when is None else goal.when
        shown.add_row(*map(plain_text, (goal.name, goal.what, goal.note, goal.status, when)))
    yield shown


def table_of_rows(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Return a table of rows, which all have the same columns."""
    shown = Table(*(rows[0] if rows else ("name",)))
    for row in rows:
        shown.add_row(*map(plain_text, row.values()))
    return shown


def fields_of(data: Mapping[str, Any]) -> Table:
    """Return a table with a row for each entry of a mapping."""
    shown = Table("what", "is")
    for name, value in data.items():
        shown.add_row(plain_text(name), plain_text(value))
    return shown
