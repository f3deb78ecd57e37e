"""Scores that a world reads off many episodes together, such as the collaboration score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cookmas.studies.report.results import Arm, scores_of
from cookmas.studies.report.tables import Table


def scores(world: str, arms: Sequence[Arm]) -> Iterator[Table]:
    """Return a table for each score of the world: a row for each arm and group of episodes.

    All values of what was varied are read together.
    """
    for number, score in enumerate(scores_of(world)):
        taken: dict[str, list[object]] = {}
        for arm in arms:
            taken.setdefault(arm.name, []).extend(each.scores[number] for each in arm.played)
        rows = [
            [name, group, "-" if value is None else f"{value:.{score.digits}f}"]
            for name, of_arm in taken.items()
            for group, value in score.read(of_arm).items()
        ]
        if rows:
            yield Table(title=score.title, columns=["planner", "of", score.title], rows=rows)
