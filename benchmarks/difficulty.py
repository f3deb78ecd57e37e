"""Write the page of the difficulty of each scenario.

    python -m benchmarks.difficulty

It reads what the truth and the bound say of each scenario, and what the planners of the suites
`dispatching` and `optimal` reached in the folder `sweeps`, where missing episodes are played. Rules
are shown together, by the best of them. Another planner that a suite gets has a column of its own.
The suite `optimal` needs the extra `solver`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean

from benchmarks.experiments import PAGES, play_missing
from benchmarks.page import fill, table
from cookmas.episodes.trace_file import read_trace
from cookmas.evals.disruptions import find_disruptions
from cookmas.kitchen.layout import WORK
from cookmas.solving.dispatching import RULES
from cookmas.solving.restaurant.bound import Demand, makespan_bound
from cookmas.studies.report.results import ArmResults, read_results
from cookmas.worlds.restaurant.domain import DOMAIN
from cookmas.worlds.restaurant.judging.evidence import KitchenEvidence

BEST_RULE = "best rule"
"""The column of the best of all dispatching rules."""

Makespans = Mapping[str, Mapping[str, float | None]]
"""The makespan of each planner in each scenario; None if it did not serve everything as asked."""


def find_evidence(name: str, trace: Path) -> KitchenEvidence:
    """Return the evidence of an episode of a shipped scenario."""
    scenario = DOMAIN.scenario(name, {})
    truth, world = DOMAIN.truth(scenario), scenario.world()
    evidence, _, why = DOMAIN.judging.examine(read_trace(trace), truth, world, {})
    assert isinstance(evidence, KitchenEvidence), why
    return evidence


def describe(evidence: KitchenEvidence) -> tuple[int, list[str]]:
    """Return the bound of a scenario, and the cells that describe it."""
    lines = evidence.standing
    bound = evidence.bound
    assert bound is not None
    parts = [node for line in lines for part in line.wanted or () for node in part.walk()]
    steps = [step for node in parts for step in node.steps]
    windows = sum(step.process not in WORK for step in steps)
    alone = [
        makespan_bound(evidence.world.kitchen, [Demand(release=0, components=line.wanted or ())])
        for line in lines
    ]
    at_once = sum(each.value for each in alone) / bound.value
    disruptions = len(find_disruptions(evidence)) - 1
    cells = [len(lines), len(steps), f"{at_once:.1f}", windows, disruptions, bound.value]
    return bound.value, [str(cell) for cell in cells]


def read_makespans(arms: Sequence[ArmResults]) -> Makespans:
    """Return the makespans of all planners, those of the rules joined to the best one."""
    found: dict[str, dict[str, float | None]] = {}
    for arm in arms:
        column = BEST_RULE if arm.name in RULES else arm.name
        for each in arm.played:
            (value,) = each.values["makespan"]
            known = found.setdefault(column, {}).get(each.case)
            both = [x for x in (value, known) if x is not None]
            found[column][each.case] = min(both, default=None)
    return found


def cell(makespan: float | None, bound: int) -> str:
    """Return a makespan with its gap."""
    return "-" if makespan is None else f"{makespan:.0f} (+{100 * (makespan / bound - 1):.0f}%)"


def main() -> None:
    arms = read_results([play_missing("dispatching"), play_missing("optimal")])
    makespans = read_makespans(arms)
    (embedded,) = [arm for arm in arms if arm.name == "embedded"]
    head = ("lines", "operations", "at once", "windows", "disruptions", "bound", *makespans)
    rows, gaps = [], dict[str, list[float]]()
    for each in embedded.played:
        bound, cells = describe(find_evidence(each.case, each.trace))
        reached = {column: of.get(each.case) for column, of in makespans.items()}
        for column, makespan in reached.items():
            if makespan is not None:
                gaps.setdefault(column, []).append(100 * (makespan / bound - 1))
        shown = [cell(makespan, bound) for makespan in reached.values()]
        rows.append(f"| {' | '.join([each.case, *cells, *shown])} |")
    means = [f"{mean(gaps[column]):.1f}% of {len(gaps[column])}" for column in makespans]
    rows.append(f"| mean gap | {' | '.join([''] * 6 + means)} |")
    fill(PAGES / "difficulty.md", "scenarios", table(f"| scenario | {' | '.join(head)} |", rows))


if __name__ == "__main__":
    main()
