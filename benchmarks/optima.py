"""Certify the scenarios of the restaurant: schedules and bounds by CP-SAT.

    python -m benchmarks.optima [--units N] [SCENARIO OR GROUP...]

Without names, all scenarios are solved; it takes half an hour of one core. A line for each scenario
has the best schedule known before, the value of the certificate, its bound under the simulator's
rules, the bound of the solver's model, the bound without a solver, and the gap in per cent. At the
end is the mean gap of each group. The limit is deterministic, so the same version of OR-Tools
writes the same certificates on every machine.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path
from statistics import fmean

from cookmas.solving import restaurant as solving
from cookmas.solving.certificates import write_certificate
from cookmas.solving.restaurant.proof import references_of
from cookmas.worlds.restaurant.domain import DOMAIN

CERTIFICATES = Path(solving.__file__).with_name("certificates")


def main() -> None:
    """Write the certificates, and print the table."""
    parser = argparse.ArgumentParser(description="Certify the scenarios of the restaurant.")
    parser.add_argument("--units", type=float, default=1, help="limit of each search")
    parser.add_argument("names", nargs="*", help="scenarios or groups; all without names")
    given = parser.parse_args()
    groups = DOMAIN.groups()
    names = [x for name in given.names or groups for x in groups.get(name, [name])]
    gaps: dict[str, list[float]] = defaultdict(list)
    print("| scenario | known | value | bound | model | own | gap |\n|---|---|---|---|---|---|---|")
    for name in names:
        scenario = DOMAIN.scenario(name, {})
        made = DOMAIN.certify(scenario, given.units, lambda said: None)
        write_certificate(made, CERTIFICATES / f"{name}.yaml")
        gap = 100 * (made.value - made.bound) / made.bound
        gaps[name.partition("/")[0]].append(gap)
        own = DOMAIN.bound_without_solver(scenario)
        known = references_of(scenario).shortest
        numbers = (known, made.value, made.bound, made.model_bound, own, f"{gap:.1f}")
        print(f"| {name} | {' | '.join(map(str, numbers))} |", flush=True)
    for group, found in gaps.items():
        print(f"{group}: mean gap {fmean(found):.2f}%, {found.count(0)} of {len(found)} proven")


if __name__ == "__main__":
    main()
