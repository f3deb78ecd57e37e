"""CP-SAT of OR-Tools: imported when it is first needed, and run within a deterministic limit.

One thread, a fixed seed and a limit in deterministic units: the same version of OR-Tools gives the
same result on every machine. A unit is about a second of the solver's time, often more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import metadata
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from cookmas.files.errors import MissingError

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

SEED = 1
"""Seed of every run."""

BOUNDING: Mapping[str, Any] = {
    "linearization_level": 2,
    "use_timetable_edge_finding_in_cumulative": True,
    "use_strong_propagation_in_disjunctive": True,
}
"""The parameters that raise bounds soonest (`benchmarks.optima`)."""


class SolverAnswer(NamedTuple):
    """The result of a run.

    `value` is the least value found, None if there is none; no solution has a value below `bound`.
    `proven` is true if the run ended by itself; without a value, there is then no solution.
    """

    value: int | None
    bound: int
    proven: bool
    of: Callable[[Any], int]
    """The value of a variable or expression in the best solution."""


@cache
def load_cpsat() -> ModuleType:
    """Return the module of CP-SAT. Raises MissingError if OR-Tools is not installed."""
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise MissingError(
            "proofs need the package ortools: pip install 'cookmas[solver]'"
        ) from None
    return cp_model


def is_installed() -> bool:
    """Return whether OR-Tools is installed, by importing it, which takes a third of a second."""
    try:
        load_cpsat()
    except MissingError:
        return False
    return True


def version() -> str:
    """Return the name and the version of the solver."""
    load_cpsat()
    return f"ortools {metadata.version('ortools')}"


def run(
    model: cp_model.CpModel,
    limit: float,
    parameters: Mapping[str, Any] | None = None,
    log: Callable[[int, int], None] | None = None,
) -> SolverAnswer:
    """Solve a model that minimizes, within `limit` deterministic units.

    `log` is called with the value and the bound whenever a better solution is found.
    """
    cp = load_cpsat()
    solver = cp.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = SEED
    solver.parameters.max_deterministic_time = limit
    for name, value in (parameters or {}).items():
        setattr(solver.parameters, name, value)

    class Log(cp.CpSolverSolutionCallback):  # type: ignore[misc, name-defined]
        def on_solution_callback(self) -> None:
            if log is not None:
                log(round(self.objective_value), round(self.best_objective_bound))

    status = solver.solve(model, Log())
    found = status in (cp.OPTIMAL, cp.FEASIBLE)
    return SolverAnswer(
        value=round(solver.objective_value) if found else None,
        bound=round(solver.best_objective_bound) if status != cp.INFEASIBLE else 0,
        proven=status in (cp.OPTIMAL, cp.INFEASIBLE),
        of=solver.value,
    )
