"""Success under faults, counted only where the planner succeeds without them.

A clean twin is the same scenario without its faults. A planner that fails anyway says nothing about
faults, so the share is conditional: of the episodes whose clean twin succeeds, how many succeed.
"""

from __future__ import annotations

from collections.abc import Mapping

from cookmas.evals.statistics import Cases

Successes = Mapping[tuple[str, int], bool | None]
"""Whether each episode succeeded, by its case and repeat; None if that is unknown."""


def select_clean_successes(clean: Successes, faulty: Successes) -> Cases:
    """Return the successes under faults by case, of those episodes whose clean twin succeeded."""
    found: dict[str, list[float]] = {}
    for (case, repeat), success in sorted(faulty.items()):
        if clean.get((case, repeat)) and success is not None:
            found.setdefault(case, []).append(float(success))
    return found
