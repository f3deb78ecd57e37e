"""Plant a mistake in each figure that is shown, and say where its guard does not fail.

    python -m benchmarks.guards [FIGURE...]

A figure is a check, an entry of a summary, a column of a report, a statistic of a report or a
number of the status; some are several of these. The command changes the value in one of these
places, by one or from yes to no, and runs the test that `docs/parts/figures.yaml` names for the
figure. What tests write themselves stays as it is. A guard must fail for the place where the figure
is computed, which is the first that it reaches. Each place has a process of its own. The exit code
is 1 if a guard does not fail. It takes some CPU minutes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from cookmas.evals.columns import Column, Score, SummaryEntry
from cookmas.evals.statistics import Estimate
from cookmas.evals.verdict import Check
from cookmas.status import Status
from cookmas.world_names import WORLDS, domain_of
from docs.figures import FUNCTIONS, KINDS, list_figures, list_statistics, list_status, read_figures

FAILS, SILENT, AWAY, BROKEN = "fails", "does not fail", "does not reach it", "cannot be run"
"""The results of a guard against a planted mistake."""

Declared = SummaryEntry | Column | Score

PLACES = ("check", "entry", "column")
"""The places of a figure of verdicts and reports, in the order in which values come to them."""


class Plant:
    """A mistake in one place of a figure; `reached` says whether anything was changed."""

    def __init__(self, figure: str, place: str) -> None:
        self.reached = False
        kind, _, name = figure.rpartition(".")
        if figure in FUNCTIONS:
            self._change_function(FUNCTIONS[figure])
        elif kind == "status":
            self._change_fields(Status, {name}, lambda given: True)
        elif kind:
            (owner,) = (each for each in KINDS if each.__name__ == kind)
            self._change_fields(owner, {name}, lambda given: True)
        elif place == "check":
            self._change_fields(Check, {"value", "passed"}, lambda given: given["name"] == name)
        else:
            for declared in declarations(name, place):
                self._change_declared(declared)

    def change(self, value: Any) -> Any:
        """Return another value than this one, of the same type; None stays as it is."""
        match value:
            case bool():
                self.reached = True
                return not value
            case int() | float():
                self.reached = True
                return value + 1
            case str():
                self.reached = True
                return f"not {value}"
            case Estimate(mean=mean):
                return replace(value, mean=self.change(mean))
            case list() | tuple():
                return [self.change(each) for each in value]
            case dict():
                return {key: self.change(each) for key, each in value.items()}
        return value

    def _change_fields(
        self, owner: Any, names: set[str], applies: Callable[[dict[str, Any]], bool]
    ) -> None:
        """Let the product make objects of a class with other values of some fields."""
        make = owner.__init__

        def fill_wrong(made: object, **given: Any) -> None:
            by_a_test = sys._getframe(1).f_globals["__name__"].startswith("tests.")
            if not by_a_test and applies(given):
                given |= {each: self.change(given[each]) for each in names & given.keys()}
            make(made, **given)

        type.__setattr__(owner, "__init__", fill_wrong)

    def _change_declared(self, declared: Declared) -> None:
        """Let an entry, a column or a score compute something else."""
        field = "values" if isinstance(declared, Column) else "read"
        compute = getattr(declared, field)
        object.__setattr__(declared, field, lambda *given: self.change(compute(*given)))

    def _change_function(self, compute: Callable[..., Any]) -> None:
        """Let a function return something else, under each name by which a module has it."""

        def compute_wrong(*given: Any, **named: Any) -> Any:
            return self.change(compute(*given, **named))

        for module in [*sys.modules.values()]:
            for name, each in [*getattr(module, "__dict__", {}).items()]:
                if each is compute and not module.__name__.startswith("docs."):
                    setattr(module, name, compute_wrong)


def declarations(figure: str, place: str) -> Iterator[Declared]:
    """Yield the entries, or the columns and scores, of a figure in all worlds."""
    found: dict[int, Declared] = {}
    for world in WORLDS:
        judging = domain_of(world).judging
        entries = [each for each in judging.summary if each.name == figure]
        columns = [each for each in judging.columns if each.name == figure]
        scores = [each for each in judging.scores if each.title == figure]
        chosen: list[Declared] = [*entries] if place == "entry" else [*columns, *scores]
        found |= {id(each): each for each in chosen}
    yield from found.values()


def places_of(figure: str) -> Sequence[str]:
    """Return the places of a figure; only one if it is a statistic or a number of the status."""
    if "." in figure or figure in FUNCTIONS:
        return ("check",)
    return [place for place in PLACES if place == "check" or [*declarations(figure, place)]]


def try_guard(figure: str, place: str, guard: str) -> str:
    """Return what a guard does when a mistake is planted, in a process of its own."""
    child = os.fork()
    if child == 0:
        away = os.open(os.devnull, os.O_WRONLY)
        os.dup2(away, 1)
        os.dup2(away, 2)
        hypothesis.settings.register_profile("planted", phases=[hypothesis.Phase.generate])
        hypothesis.settings.load_profile("planted")
        plant = Plant(figure, place)
        code = pytest.main(["-x", "-q", "--assert=plain", "-p", "no:cacheprovider", guard])
        said = {pytest.ExitCode.TESTS_FAILED: 0, pytest.ExitCode.OK: 1 if plant.reached else 2}
        os._exit(said.get(pytest.ExitCode(code), 3))
    _, status = os.waitpid(child, 0)
    return (FAILS, SILENT, AWAY, BROKEN)[os.waitstatus_to_exitcode(status)]


def main(arguments: Sequence[str]) -> int:
    """Try the guards of some figures, or of all; return 1 if one of them does not fail."""
    os.chdir(Path(__file__).parents[1])
    figures = [*list_figures(), *list_statistics(), *(f"status.{each}" for each in list_status())]
    guards = {name: test for test, names in read_figures().guards.items() for name in names}
    poor = 0
    for figure in sorted(arguments or figures):
        tried = (try_guard(figure, place, guards[figure]) for place in places_of(figure))
        does = next((each for each in tried if each != AWAY), AWAY)
        if does != FAILS:
            poor += 1
            print(f"{figure}: {guards[figure]} {does}", flush=True)
    print(f"{poor} of {len(arguments or figures)} figures have a guard that does not fail")
    return 1 if poor else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
