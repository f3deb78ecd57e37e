"""Find the fewest timesteps of the tasks of Robotouille, and write the certificates.

    python -m benchmarks.robotouille.certify [SCENARIO...]

Without names, all layouts of the kitchen are solved. Each certificate has a schedule and a bound;
`cookmas check` plays the schedule. A line for each layout says both, and the seconds. The searches
end after a fixed number of states, so the same certificates are found on every machine.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from time import perf_counter
from typing import Any

from cookmas.solving import robotouille as solving
from cookmas.solving.certificates import Certificate, write_certificate
from cookmas.solving.robotouille.kitchen_search import solve
from cookmas.worlds.robotouille.domain import DOMAIN

CERTIFICATES = Path(solving.__file__).with_name("certificates")

_SEED = re.compile(r"-\d+$")

GROUPS = ("synchronous", "asynchronous", "two-robots")
STATES = {1: 20_000, 2: 2_000}
"""Greatest number of states that a search expands, by the number of robots."""
LARGE = {
    "synchronous/9": 3_000,
    "asynchronous/9": 1_000,
    "two-robots/8": 150,
    "two-robots/9": 150,
    "two-robots/10": 150,
}
"""The same for tasks in which each state takes long."""


def certify(name: str, states: int | None = None) -> Certificate:
    """Return the certificate of a scenario. Raise ValueError if no schedule was found."""
    scenario: Any = DOMAIN.scenario(name, {})
    world = scenario.world()
    states = states or LARGE.get(_SEED.sub("", name), STATES[len(world.workers)])
    found = solve(world, world.start(), states)
    if found is None or found.schedule is None:
        least = found.bound if found else 0
        raise ValueError(f"{name}: at least {least} timesteps, but there is no schedule")
    return Certificate(
        world=DOMAIN.name,
        certificate=name,
        digest=scenario.digest,
        value=len(found.schedule),
        bound=found.bound,
        schedule=found.schedule,
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
        write_certificate(certificate, CERTIFICATES / f"{name}.yaml")
        seconds = perf_counter() - start
        print(f"{name}: {certificate.value} ({certificate.bound}), {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
