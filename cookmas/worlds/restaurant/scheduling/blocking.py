"""Blocking: stations that hold gathered food for long, although other foods need them.

In a small kitchen a mixer that waits for a slow food can hold up all other dishes. Then it may be
better to abandon its foods and to gather them again later.
"""

from __future__ import annotations

from collections import Counter

from cookmas.worlds.restaurant.scheduling.found import Found

LONG = 8
"""Least number of timesteps for which a station waits until it counts as blocked."""


def find_blocked(found: Found) -> list[str]:
    """Return the blocked stations of a schedule, the one that waits longest first.

    A station is blocked if its stage has begun already and waits LONG for more food, while other
    stages of the schedule need a station of this kind. Plating places are left out: what is on a
    plate cannot be gathered again so soon.
    """
    stages = found.work.stages
    needed = Counter(stage.kind for stage in stages)
    waits: Counter[str] = Counter()
    for placed in found.solution.placed:
        for number, put, *_ in placed.mode.fillings:
            stage = stages[number]
            if stage.station and stage.work and stage.kind != "plating" and needed[stage.kind] > 1:
                waits[stage.station] = max(waits[stage.station], placed.start + put)
    return [name for name, wait in waits.most_common() if wait >= LONG]
