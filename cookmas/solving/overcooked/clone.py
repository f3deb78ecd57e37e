"""The cook that does what other cooks have done in situations like its own.

Situations and actions are told in a few words, the same in every kitchen. `clone.json` has the
counts, and the runs from which they were made by `python -m benchmarks.overcooked_ai.clone`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from random import Random

from cookmas.solving.overcooked.needs import CookNeeds
from cookmas.solving.overcooked.planners import Seen, needs_in
from cookmas.solving.policies import DrawingPolicy
from cookmas.worlds.overcooked.rules.actions import MOVE_AWAY, PICK_UP, PUT, MediumAction
from cookmas.worlds.overcooked.rules.kitchen import (
    COUNTER,
    ONIONS,
    POT,
    SERVING,
    STAY,
    OvercookedKitchen,
)
from cookmas.worlds.overcooked.rules.places import places_of


def describe_situations(needs: CookNeeds) -> Sequence[str]:
    """Return what a cook sees, in the most detail first.

    It is what the cook holds, what the pots hold, what the cook can reach, what lies on counters,
    what the other cooks hold and fetch, and whether one of them waits behind a gate.
    """
    kitchen, scene = needs.kitchen, needs.scene
    ready = any(kitchen.is_ready(each.ingredients, each.ticks) for each in needs.contents)
    cooks = any(each.ticks >= 0 for each in needs.contents)
    filled = max((len(c.ingredients) for c in needs.contents if c.ticks < 0), default=-1)
    reach = "".join(str(int(needs.reaches(kind))) for kind in (ONIONS, POT, SERVING))
    core = f"{needs.held or '-'} {int(ready)}{int(cooks)}{filled} {reach}"
    lying = {item.kind for cell, item in scene.counters.items() if cell in needs.reached}
    waits = int(needs.open_for_others() is not None)
    holding = [cook.held.kind if cook.held else "-" for cook, _ in needs.others]
    fetching = [f"{doing.verb}/{doing.item}" if doing else "-" for _, doing in needs.others]
    middle = f"{core} {'+'.join(sorted(lying)) or '-'} {waits} {','.join(holding) or '?'}"
    return [f"{middle} {','.join(fetching) or '?'}", middle, core]


def describe_action(kitchen: OvercookedKitchen, action: MediumAction) -> str:
    """Return an action without its place, but with the kind of the place for what is taken."""
    if action.verb != PICK_UP:
        return " ".join(word for word in (action.verb, action.item) if word)
    kind = kitchen.kinds[places_of(kitchen)[action.place]]
    source = {POT: " pot", COUNTER: " counter"}.get(kind, "")
    return f"{action.verb} {action.item}{source}"


def find_action(needs: CookNeeds, described: str) -> MediumAction | None:
    """Return the best legal action of a description; None if no action of it is legal."""
    legal = [each for each in needs.legal if describe_action(needs.kitchen, each) == described]
    if not legal:
        return None
    if legal[0].verb == PUT and (best := needs.fill()) in legal:
        return best
    if described == f"{PICK_UP} soup pot" and (ready := needs.plate()) in legal:
        return ready
    return needs.nearest(legal)


WEIGHTS = Path(__file__).with_suffix(".json")

Counts = Mapping[str, Mapping[str, int]]
"""How often each action was done in each situation, both as they are described here."""


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
