"""The planner `optimal`: the embedded planner, whose schedules a solver shortens."""

from __future__ import annotations

from functools import partial

from cookmas.solving.restaurant.planners.embedded import EmbeddedPlanner
from cookmas.solving.restaurant.solver.cpsat import load_cpsat
from cookmas.solving.restaurant.solver.improving import improve

UNITS = 0.5
"""Deterministic units for each call, about two seconds. With more units more schedules of more than
six lines become shorter; with fewer, some of six lines are not optimal.
"""


class OptimalPlanner(EmbeddedPlanner):
    """A planner that reads by rules, searches like the embedded planner, and then asks CP-SAT for a
    shorter schedule.

    If the solver finds none within its limit, the embedded schedule stands. The record says which
    it is. Raises MissingError if OR-Tools is not installed.
    """

    name = "optimal"

    def __init__(self) -> None:
        super().__init__()
        load_cpsat()
        self.improve = partial(improve, limit=UNITS)
