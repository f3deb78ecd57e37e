"""The cook that does what other cooks have done in situations like its own.

`clone.json` has the counts, and the runs from which they were made by
`python -m benchmarks.overcooked_ai.clone`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from random import Random

from cookmas.solving.overcooked.levels import describe_situations, find_action
from cookmas.solving.overcooked.needs import CookNeeds
from cookmas.solving.overcooked.partners import Seen, needs_in
from cookmas.solving.policies import DrawingPolicy
from cookmas.worlds.overcooked.rules.actions import MOVE_AWAY
from cookmas.worlds.overcooked.rules.kitchen import STAY

WEIGHTS = Path(__file__).with_suffix(".json")

Counts = Mapping[str, Mapping[str, int]]
"""How often each action was done in each situation, both as `abstract.py` describes them."""


@cache
def load_counts(path: Path = WEIGHTS) -> Counts:
    """Return the counts of a file."""
    counts: Counts = json.loads(path.read_text(encoding="utf-8"))["counts"]
    return counts


def draw_action(needs: CookNeeds, counts: Counts, draw: Random) -> str:
    """Return an action drawn from the counts of the most similar situation that is known.

    Only actions that can be done now are drawn. Without any known situation the cook stays.
    """
    for situation in describe_situations(needs):
        found: dict[str, int] = {}
        for described, count in counts.get(situation, {}).items():
            if described in (STAY, MOVE_AWAY):
                found[described] = count
            elif (action := find_action(needs, described)) is not None:
                found[str(action)] = count
        if found:
            return draw.choices([*found], [*found.values()])[0]
    return STAY


def _imitate(observation: Seen, draw: Random) -> str:
    return draw_action(needs_in(observation), load_counts(), draw)


CLONE = partial(DrawingPolicy, "clone", _imitate)
"""The cook that draws its action from the counts; it knows the layouts of the papers."""
