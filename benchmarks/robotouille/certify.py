"""Find the fewest timesteps of the tasks of Robotouille, and write the certificates.

    python -m benchmarks.robotouille.certify [SCENARIO...]

Without names, all layouts of the kitchen are solved. Each certificate has a schedule and a bound;
`cookmas check` plays the schedule. A line for each layout says both, and the seconds. The searches
end after a fixed number of states, so the same certificates are found on every machine.
"""

from __future__ import annotations

import argparse
from time import perf_counter
from typing import Any

from benchmarks.robotouille.compact import Kitchen
from benchmarks.robotouille.solving import name_schedule, solve
from cookmas.worlds.base.certificates import Certificate, write_certificate
from cookmas.worlds.robotouille.domain import DOMAIN

GROUPS = ("synchronous", "asynchronous", "two-robots")
STATES = {1: 20_000, 2: 5_000}
"""Greatest number of states that a search expands, by the number of robots."""


def certify(name: str, states: int | None = None) -> Certificate:
    """Return the certificate of a scenario. Raise ValueError if no schedule was found."""
    scenario: Any = DOMAIN.scenario(name, {})
    kitchen = Kitchen(scenario.world())
    found = solve(kitchen, states or STATES[kitchen.robots])
    schedule = name_schedule(kitchen, found.path) if found.path else None
    if schedule is None:
        raise ValueError(f"{name}: at least {found.bound} timesteps, but there is no schedule")
    return Certificate(
        world=DOMAIN.name,
        certificate=name,
        digest=scenario.digest,
        value=len(schedule),
        bound=found.bound,
        schedule=schedule,
    )


def main() -> None:
    """Write the certificates."""
    parser = argparse.ArgumentParser(description="Find the fewest timesteps of the tasks.")
    parser.add_argument("names", nargs="*", help="scenarios; all without names")
    names = parser.parse_args().names or [x for group in GROUPS for x in DOMAIN.names(group)]
    for name in names:
        start = perf_counter()
        try:
            certificate = certify(name)
        except ValueError as error:
            print(error, flush=True)
            continue
        write_certificate(certificate, DOMAIN.certificates / f"{name}.yaml")
        seconds = perf_counter() - start
        print(f"{name}: {certificate.value} ({certificate.bound}), {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
