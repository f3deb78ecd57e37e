"""The ways to share the bells among walkers: the fewest timesteps, and the reference trajectories.

A way gives each bell to a walker that may ring it, and each walker rings its bells in some order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product

from cookmas.episodes.trace import EventRecord
from cookmas.evals.evidence import Evidence
from cookmas.evals.optimality import Optimum, Reached
from cookmas.evals.trajectories import TrajectoryStep, advances
from cookmas.evals.verdict import Check
from cookmas.worlds.corridor.world import Corridor

MOST = 4
"""Greatest number of bells for which all ways are tried."""

Way = Mapping[str, Sequence[str]]
"""The names of the bells that each walker rings, in order, by walker."""


def ways(bells: Corridor, walkers: Sequence[str]) -> list[Way]:
    """Return all ways to share the bells; none if there are more than MOST bells."""
    if len(bells) > MOST:
        return []
    found: dict[tuple[tuple[str, ...], ...], Way] = {}
    for order in permutations(bells):
        for ringers in product(walkers, repeat=len(order)):
            shared = list(zip(order, ringers, strict=True))
            if all(bells[name]["ringer"] in (None, ringer) for name, ringer in shared):
                parts = tuple(tuple(n for n, who in shared if who == walker) for walker in walkers)
                found[parts] = dict(zip(walkers, parts, strict=True))
    return list(found.values())


def trajectories(evidence: Evidence) -> Iterator[Check]:
    """Yield `progress_completeness`, and `ites` for each answer of the planner.

    `evals/trajectories.py` explains both checks. The references are all ways. Of the actions only
    ringing counts, together with the place. If there are more than MOST bells, yield nothing.
    """
    references = [
        {
            walker: [f"ring({n}) at {evidence.truth[n]}" for n in names]
            for walker, names in w.items()
        }
        for w in ways(evidence.final["bells"], evidence.world.workers)
    ]
    if references:
        rung = [
            TrajectoryStep(act.timestep, act.worker, f"{act.action} at {places[act.worker]}")
            for act in evidence.acts
            if act.outcome.done and act.action.startswith("ring(")
            for places in [evidence.frames[act.timestep].before["places"]]
        ]
        yield from advances(evidence, rung, references)


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
    return None if found is None else Optimum(found, "optimum")


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
    Return None if there are too many bells.
    """

    def time_of(walker: str, names: Sequence[str]) -> int:
        time, place = 0, places[walker]
        for name in names:
            time = max(time + abs(truth[name] - place), asked.get(name, 0)) + 1
            place = truth[name]
        return time

    return min(
        (max(time_of(*each) for each in way.items()) for way in ways(bells, list(places))),
        default=None,
    )
