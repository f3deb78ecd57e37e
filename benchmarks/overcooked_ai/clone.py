"""Make the counts of the behaviour clone from runs of other cooks.

    python -m benchmarks.overcooked_ai.clone [TRACE ...]

Without traces it plays the layouts of the papers with pairs of scripted cooks, which takes about a
minute. It writes the counts, with the runs that they are from, for the partner `clone`.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import cookmas
from cookmas.episodes.replay import Frame, replay
from cookmas.episodes.trace import Trace
from cookmas.solving.overcooked.clone import WEIGHTS, describe_action, describe_situations
from cookmas.solving.overcooked.needs import CookNeeds
from cookmas.world_names import domain_of
from cookmas.worlds.grids.lasting import UnableError
from cookmas.worlds.overcooked.rules.actions import MediumAction, read_action
from cookmas.worlds.overcooked.rules.kitchen import STAY
from cookmas.worlds.overcooked.world import OvercookedWorld

PLAYERS = ("greedy", "clumsy", "onion-only", "plate-only")
"""The cooks that are copied; every ordered pair of them plays, some of which score nothing."""

FEWEST = 2
"""Fewest times that something was done in a situation to be kept."""


def play_pairs() -> Iterator[Trace]:
    """Yield the traces of all pairs on all layouts of the papers."""
    for name, one, other in product(domain_of("overcooked").names("papers"), PLAYERS, PLAYERS):
        yield cookmas.play(f"overcooked/{name}", f"alice={one},bob={other}").trace


def count_decisions(
    world: OvercookedWorld, frames: Iterable[Frame]
) -> Iterator[tuple[Sequence[str], str]]:
    """Yield each decision for a medium-level action: the situations of the cook, and the action.

    `stay` counts as one; other low-level acts do not.
    """
    for frame in frames:
        given = dict(frame.commands)
        for name in world.movers(frame.before):
            try:
                action = read_action(given.get(name, STAY))
            except UnableError:
                continue
            if not frame.outcomes[name].done:
                continue
            needs = CookNeeds.of(world, world.observe(frame.before, name), name)
            if isinstance(action, MediumAction):
                yield describe_situations(needs), describe_action(world.kitchen, action)
            elif action == STAY:
                yield describe_situations(needs), STAY


def make_weights(traces: Iterable[Trace]) -> dict[str, Any]:
    """Return the counts of all decisions in traces, with the runs that they are from."""
    counts: Mapping[str, Counter[str]] = defaultdict(Counter)
    runs = []
    for trace in traces:
        decisions = 0
        world = domain_of("overcooked").world(trace.header.setup)
        assert isinstance(world, OvercookedWorld)
        frames = list(replay(trace, world))
        for situations, action in count_decisions(world, frames):
            decisions += 1
            for situation in situations:
                counts[situation][action] += 1
        header = trace.header
        runs.append(
            {
                "scenario": header.scenario_name,
                "planner": trace.planner,
                "decisions": decisions,
                "last_state": frames[-1].found,
            }
        )
    kept = {
        situation: {act: n for act, n in sorted(acts.items()) if n >= FEWEST}
        for situation, acts in sorted(counts.items())
    }
    return {
        "made_by": "python -m benchmarks.overcooked_ai.clone",
        "runs": runs,
        "counts": {situation: acts for situation, acts in kept.items() if acts},
    }


def main(arguments: Sequence[str]) -> int:
    """Write the counts of some traces, or of new runs."""
    traces = map(cookmas.read_trace, map(Path, arguments)) if arguments else play_pairs()
    weights = make_weights(traces)
    WEIGHTS.write_text(json.dumps(weights, indent=0) + "\n", encoding="utf-8")
    print(f"{WEIGHTS}: {len(weights['runs'])} runs, {len(weights['counts'])} situations")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
