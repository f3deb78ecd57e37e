"""Verdicts on the terminal, each as its world draws it up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cookmas.terminal import console

if TYPE_CHECKING:
    from evals.verdict import Verdict


def tell_verdict(verdict: Verdict, world: str | None = None) -> None:
    """One verdict; `world` is its world's, where that is none of ours."""
    from cookmas.worlds import domain_of
    from evals.report import verdict_report

    domain = domain_of(world or verdict.world)
    console().print(verdict_report(verdict, domain.judging.measures, domain.details))


def tell_suite(verdicts: Sequence[Verdict], world: str | None = None) -> None:
    """Many verdicts in tables, those of each world apart."""
    from cookmas.worlds import domain_of
    from evals.report import suite_report
    from evals.suite import aggregate

    for name in dict.fromkeys(verdict.world for verdict in verdicts):
        columns = domain_of(world or name).judging.columns
        tables = aggregate([v for v in verdicts if v.world == name], columns)
        console().print(suite_report(tables, columns))
