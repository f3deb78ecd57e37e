"""The conditions of a simulation, which its seed decides: who takes part, and which faults come."""

from __future__ import annotations

import random
from dataclasses import dataclass

ITEMS = ("1 Buttered Toast", "1 Buttered Toast: dark, please")

VANS = ("van_1", "van_2", "van_3")
"""The workers of the dispatch."""

ROOMY = 40
"""Number of open order lines that a simulation never reaches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A message that a sender will send."""

    kind: str
    """An order, the change or cancellation of an order, or a message that nobody may send."""
    text: str
    """The words of an order or change; the order that is meant if the sender does not know it."""
    again: bool
    """True if it is sent twice at once."""
    wait: bool
    """True if the sender waits for the answer before it sends the next message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A fault of one process."""

    after: int
    """Number of steps of the process before the fault, or of its accesses to storage and files."""
    counts_accesses: bool
    """True if accesses are counted; then the fault comes between an access and its answer."""
    kind: str
    """A kill, a pause, or a late heartbeat."""
    seconds: float
    """The duration of a pause or delay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """The conditions of a simulation."""

    pace: float
    """Seconds between timesteps."""
    orchestrators: int
    """Number of machines that play the kitchen as soon as they may."""
    senders: dict[str, list[Sent]]
    """The messages of each sender."""
    most_open: int
    """Number of open order lines at which orders begin to wait."""
    most_waiting: int
    """Number of messages of one sender that may wait."""
    most_letters: int
    """Number of messages that one call takes."""
    most_taken: int
    """Number of messages that a timestep takes."""
    part: int
    """Number of timesteps in a part of the trace."""
    told_again: int
    """Number of last records of which a new orchestrator tells the senders again."""
    slowness: float
    """Longest usual delay of an access to the storage, in seconds."""
    stall: float
    """Probability of a delay of up to three seconds."""
    failing: float
    """Probability that an access to the storage fails."""
    remote: bool
    """True if a worker is in a process of its own, which sometimes does not answer."""
    asynchronous: bool
    """True if nobody waits for that worker."""
    thinking: str | None
    """The price of an answer of the planner; None if it takes effect at once.

    In a kitchen it does not come with an asynchronous worker: the embedded planner may then wait
    for ever in a state that none of its schedules has foreseen.
    """
    long: bool
    """True if a dispatch is played instead of a kitchen: each of its deliveries is long work."""
    wired: bool
    """True if the workers of the dispatch are in processes of their own, at the ends of wires."""
    cut: float
    """Probability that an access to a wire fails."""
    closes: bool
    """True if the kitchen closes while senders still send."""
    withdraws: bool
    """True if the house withdraws the waiting messages of a sender once."""
    faults: dict[str, list[Fault]]
    """The faults of each machine's processes, each sender and each worker, in order."""
    clock_errors: list[float]
    """Seconds by which the clock of an orchestrator's machine is wrong, for each of its lives."""


def draw_conditions(seed: int) -> Conditions:
    """Return the conditions of a seed."""
    chance = random.Random(f"conditions {seed}")
    names = ("anna", "bert", "cleo")[: chance.choice((1, 2, 2, 3))]
    senders = {name: _draw_messages(chance) for name in names}
    machines = chance.choice((1, 2, 2, 2))
    calm = chance.random() < 0.1
    faults = {} if calm else {f"kitchen-{n}": _draw_faults(chance) for n in range(machines)}
    if not calm and chance.random() < 0.4:
        faults[names[0]] = [
            Fault(after=chance.randrange(200), counts_accesses=False, kind="kill", seconds=0)
        ]
    newer = random.Random(f"work and thinking {seed}")
    long, asynchronous = newer.random() < 0.3, newer.random() < 0.5
    price = newer.choice((None, None, "1 timesteps", "4 timesteps"))
    paces = (0.3, 0.3, 0.3, 1.0) if long or asynchronous else (0.0, 0.0, 0.3, 1.0)
    newest = random.Random(f"wires {seed}")
    wired = long and newest.random() < 0.7
    if wired and not calm:
        faults |= {van: _draw_faults(newest) for van in VANS}
    pausing = random.Random(f"pauses of senders {seed}")
    if not calm and pausing.random() < 0.3:
        name = pausing.choice(names)
        faults[name] = [*faults.get(name, ()), _draw_pause(pausing)]
    errors = (0.0, 0.0, 0.0, -3600.0, 3600.0)
    return Conditions(
        pace=chance.choice(paces),
        orchestrators=machines,
        senders=senders,
        most_open=chance.choice((1, 2, ROOMY)),
        most_waiting=chance.choice((1, 2, 40)),
        most_letters=chance.choice((1, 2, 8)),
        most_taken=chance.choice((1, 3, 64)),
        part=(part := chance.choice((4, 1000))),
        told_again=60 if part == 4 else 1000,
        slowness=chance.choice((0.0, 0.0, 0.01, 0.1)),
        stall=chance.choice((0.0, 0.002)),
        failing=chance.choice((0.0, 0.0, 0.002)),
        remote=chance.random() < 0.4,
        asynchronous=asynchronous,
        thinking=price,
        long=long,
        wired=wired,
        cut=newest.choice((0.0, 0.005, 0.02)),
        closes=chance.random() < 0.2,
        withdraws=chance.random() < 0.2,
        faults=faults,
        clock_errors=[chance.choice(errors) for _ in range(30)],
    )


def _draw_messages(chance: random.Random) -> list[Sent]:
    found: list[Sent] = []
    patient = chance.random() < 0.5
    for _ in range(chance.randint(1, 4)):
        kinds = ("order", "order", "order", "cancel", "change", "foreign", "nonsense")
        kind = chance.choice(kinds) if found else "order"
        text = f"live{chance.randint(1, 4)}" if kind == "foreign" else chance.choice(ITEMS)
        again, wait = chance.random() < 0.25, patient or chance.random() < 0.3
        found.append(Sent(kind=kind, text=text, again=again, wait=wait))
    return found


def _draw_pause(chance: random.Random) -> Fault:
    return Fault(
        after=chance.randrange(200),
        counts_accesses=False,
        kind="pause",
        seconds=chance.uniform(0.5, 9.0),
    )


def _draw_faults(chance: random.Random) -> list[Fault]:
    kinds = ("kill", "kill", "pause", "pause", "late beat")
    return [
        Fault(
            after=int(chance.expovariate(1 / (50 if (accesses := chance.random() < 0.5) else 400))),
            counts_accesses=accesses,
            kind=(kind := chance.choice(kinds)),
            seconds=chance.uniform(0.2, 2.0) if kind == "late beat" else chance.uniform(0.5, 9.0),
        )
        for _ in range(chance.choice((0, 1, 1, 2, 3)))
    ]
