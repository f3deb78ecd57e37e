"""Scores that a world reads off many episodes together, such as the collaboration score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cookmas.report.results import Arm
from cookmas.report.tables import Table
from cookmas.worlds import domain_of
from evals.columns import Score


def scores(world: str, arms: Sequence[Arm]) -> Iterator[Table]:
    """A table for each score that the world has: a row for each arm and group of episodes.

    What was varied is read together.
    """
    names = dict.fromkeys(arm.name for arm in arms)
    verdicts = {
        name: [each.verdict for arm in arms if arm.name == name for each in arm.played]
        for name in names
    }
    found: Sequence[Score] = getattr(domain_of(world).judging, "scores", ())
    for score in found:
        rows = [
            [name, group, "-" if value is None else f"{value:.{score.digits}f}"]
            for name in names
            for group, value in score.read(verdicts[name]).items()
        ]
        if rows:
            yield Table(title=score.title, columns=["planner", "of", score.title], rows=rows)
