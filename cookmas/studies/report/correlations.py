"""The correlation of figures over planners that asked a model, such as of kinds of questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from cookmas.evals.columns import Column
from cookmas.evals.statistics import Correlation, correlate, estimate
from cookmas.studies.report.estimates import cases_of
from cookmas.studies.report.results import ArmResults
from cookmas.studies.report.tables import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelatedPair:
    """Two figures of several planners, with their correlation."""

    one: Column
    """The first figure."""
    other: Column
    """The other figure."""
    means: Sequence[tuple[str, float, float]]
    """The name of each planner, and its means of the two figures."""
    found: Correlation
    """The correlation of the means."""


def correlate_pairs(
    arms: Sequence[ArmResults], columns: Sequence[Column]
) -> Iterator[CorrelatedPair]:
    """Yield each pair of columns that has a correlation over the arms that asked a model.

    Which pairs have one is as `correlate` says.
    """
    means = {
        column.name: {
            arm.label: found.mean
            for arm in arms
            if any(each.summary.get("model_calls") for each in arm.played)
            and (found := estimate(cases_of(arm.played, column), column.share))
        }
        for column in columns
    }
    for one, other in combinations(columns, 2):
        ones, others = means[one.name], means[other.name]
        both = [(name, ones[name], others[name]) for name in ones if name in others]
        if correlation := correlate([x for _, x, _ in both], [y for _, _, y in both]):
            yield CorrelatedPair(one=one, other=other, means=both, found=correlation)


def table_of_correlations(pairs: Sequence[CorrelatedPair]) -> Iterator[Table]:
    """Yield the table of the correlations, if there are any."""
    rows = [
        [
            each.one.title,
            each.other.title,
            _format_interval(each.found),
            f"{each.found.spearman:.2f}",
            str(each.found.count),
        ]
        for each in pairs
    ]
    if rows:
        yield Table(
            title="Correlation over models",
            columns=["one", "other", "Pearson r", "Spearman rho", "models"],
            rows=rows,
            about="Of the means of planners that asked a model. Intervals by Fisher's z.",
        )


def _format_interval(found: Correlation) -> str:
    if found.low is None or found.high is None:
        return f"{found.pearson:.2f}"
    return f"{found.pearson:.2f} ({found.low:.2f} to {found.high:.2f})"
