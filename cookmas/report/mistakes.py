"""What went wrong in the episodes of each arm, with an example of each kind of mistake."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cookmas.report.results import Arm, Played
from cookmas.report.tables import Link, Table
from evals.mistakes import MISTAKE
from evals.verdict import Check

LONGEST = 80
"""Characters of an example that are shown."""


def mistakes(arms: Sequence[Arm]) -> Iterator[Table]:
    """The kinds of mistakes by arm, the most frequent first."""
    rows: list[list[str | Link]] = []
    for arm in arms:
        kinds: dict[str, list[tuple[Played, Check]]] = {}
        for each in arm.played:
            for check in each.verdict.of(MISTAKE):
                kinds.setdefault(check.subject, []).append((each, check))
        for kind, found in sorted(kinds.items(), key=lambda item: (-len(item[1]), item[0])):
            times = sum(int(check.value or 0) for _, check in found)
            rows.append([arm.label, kind, str(len(found)), str(times), _example(*found[0])])
    if rows:
        yield Table(
            title="Mistakes",
            columns=["planner", "kind", "episodes", "times", "example"],
            rows=rows,
            about="An example begins with its timestep.",
        )


def _example(played: Played, check: Check) -> Link:
    first = check.evidence.partition("; ")[0]
    shown = first if len(first) <= LONGEST else f"{first[: LONGEST - 3]}..."
    return Link(text=f"{played.case}, {shown}", path=played.trace)
