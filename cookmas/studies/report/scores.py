"""Scores that a world computes from many episodes, such as the collaboration score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cookmas.studies.report.results import ArmResults, scores_of
from cookmas.studies.report.tables import Table


def scores(world: str, arms: Sequence[ArmResults]) -> Iterator[Table]:
    """Yield a table for each score of the world, with a row for each arm and group of episodes.

    A score is computed over all values of the varied option together.
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
