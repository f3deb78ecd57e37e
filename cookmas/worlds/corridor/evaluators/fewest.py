"""The fewest timesteps in which the bells can be rung where they hang."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations, product

from cookmas.episodes.trace import EventRecord
from cookmas.evals.evidence import Evidence
from cookmas.evals.optimality import Optimum, Reached
from cookmas.worlds.corridor.evaluators.trajectories import MOST
from cookmas.worlds.corridor.world import Corridor


def optimum(evidence: Evidence) -> Optimum | None:
    """Return the fewest timesteps in which a planner that knows everything can ring the bells.

    It knows all bells in advance, their places, and the timesteps at which they are asked for.
    Return None if there are too many bells.
    """
    bells = evidence.final["bells"]
    asked = {
        str(record.event["name"]): record.timestep
        for record in evidence.trace.of(EventRecord)
        if record.refused is None and record.event.get("name") in bells
    }
    start = dict.fromkeys(evidence.world.workers, 0)
    found = fewest(bells, evidence.truth, start, asked)
    return None if found is None else Optimum(found)


def find_reached(evidence: Evidence) -> Reached:
    """Return the makespan if every bell was rung where it hangs.

    Otherwise return the fewest further timesteps in which the walkers could ring the bells that
    were not rung, or were rung at a wrong place.
    """
    final = evidence.final
    wrong = {n: b for n, b in final["bells"].items() if b["rung"] != evidence.truth[n]}
    if not wrong:
        return Reached(final["timestep"])
    return Reached(None, fewest(wrong, evidence.truth, final["places"], {}))


def fewest(
    bells: Corridor, truth: Mapping[str, int], places: Mapping[str, int], asked: Mapping[str, int]
) -> int | None:
    """Return the fewest timesteps in which the walkers can ring these bells where the bells hang.

    `truth` has the place of each bell, `places` the present place of each walker. `asked` has the
    timestep at which each bell is asked for; a bell that is not in `asked` is asked for at once.
    All ways to share the bells among the walkers are tried. Return None if there are too many bells
    for that.
    """
    if len(bells) > MOST:
        return None
    ways = [
        max(_timesteps(walker, shared, truth, places, asked) for walker in places)
        for order in permutations(bells)
        for ringers in product(places, repeat=len(order))
        for shared in [list(zip(order, ringers, strict=True))]
        if all(bells[name]["ringer"] in (None, ringer) for name, ringer in shared)
    ]
    return min(ways, default=0)


def _timesteps(
    walker: str,
    shared: Sequence[tuple[str, str]],
    truth: Mapping[str, int],
    places: Mapping[str, int],
    asked: Mapping[str, int],
) -> int:
    """Return the timestep at which a walker has rung its bells, in the order of `shared`.

    `shared` has pairs of a bell and the walker that rings it.
    """
    time, place = 0, places[walker]
    for name, ringer in shared:
        if ringer == walker:
            time = max(time + abs(truth[name] - place), asked.get(name, 0)) + 1
            place = truth[name]
    return time
