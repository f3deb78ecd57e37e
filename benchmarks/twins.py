"""Measure the success under faults of planners that succeed without them.

    python -m benchmarks.twins

plays the suite `faults` into `sweeps/faults`, each scenario with its faults and as its clean twin,
and writes the table into docs/experiments/disruptions.md.
"""

from __future__ import annotations

from benchmarks.experiments import PAGES, play_missing
from benchmarks.page import fill, table
from cookmas.evals.columns import SUCCESS
from cookmas.evals.statistics import Successes, estimate, select_clean_successes
from cookmas.studies.report.results import ArmResults, read_results

COLUMNS = "| planner | clean twins | of them solved | solved with faults, too | share | interval |"


def successes(arm: ArmResults) -> Successes:
    """Return whether each episode of an arm succeeded."""
    found: dict[tuple[str, int], bool | None] = {}
    for each in arm.played:
        (value,) = each.values[SUCCESS.name]
        found[each.case, each.repeat] = None if value is None else bool(value)
    return found


def row(name: str, clean: Successes, faulty: Successes) -> str:
    """Return the row of a planner."""
    cases = select_clean_successes(clean, faulty)
    number, solved = sum(map(len, cases.values())), sum(sum(each) for each in cases.values())
    share = estimate(cases, share=True)
    shown = "-" if share is None else f"{100 * share.mean:.1f}%"
    between = (
        "-"
        if share is None or share.low is None or share.high is None
        else f"{100 * share.low:.1f} to {100 * share.high:.1f}"
    )
    return f"| {name} | {len(clean)} | {number} | {solved:.0f} | {shown} | {between} |"


def main() -> None:
    arms: dict[str, dict[str, Successes]] = {}
    for arm in read_results([play_missing("faults")]):
        arms.setdefault(arm.name, {})[str(arm.at)] = successes(arm)
    rows = [row(name, both["no"], both["yes"]) for name, both in arms.items()]
    fill(PAGES / "disruptions.md", "twins", table(COLUMNS, rows))


if __name__ == "__main__":
    main()
