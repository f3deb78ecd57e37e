"""The mistakes in the episodes of each arm, with an example of each kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cookmas.studies.report.results import ArmResults, EpisodeNumbers, Mistake
from cookmas.studies.report.tables import Link, Table


def mistakes(arms: Sequence[ArmResults]) -> Iterator[Table]:
    """Yield the table of the kinds of mistakes by arm, the most frequent first."""
    rows: list[list[str | Link]] = []
    for arm in arms:
        kinds: dict[str, list[tuple[EpisodeNumbers, Mistake]]] = {}
        for each in arm.played:
            for mistake in each.mistakes:
                kinds.setdefault(mistake.kind, []).append((each, mistake))
        for kind, found in sorted(kinds.items(), key=lambda item: (-len(item[1]), item[0])):
            times = sum(mistake.times for _, mistake in found)
            played, first = found[0]
            example = Link(text=f"{played.case}, {first.example}", path=played.trace)
            rows.append([arm.label, kind, str(len(found)), str(times), example])
    if rows:
        yield Table(
            title="Mistakes",
            columns=["planner", "kind", "episodes", "times", "example"],
            rows=rows,
            about="An example begins with its timestep.",
        )
