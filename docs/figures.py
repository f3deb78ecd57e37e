"""The table of all figures of verdicts, reports and the status, with the tests that guard them."""

from __future__ import annotations

import ast
import csv
import inspect
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import get_args

from cookmas.evals.columns import Direction
from cookmas.evals.statistics import (
    Correlation,
    Estimate,
    PairedDifference,
    noise_floor,
    pass_hat,
)
from cookmas.evals.suite import Figure, MeansRow
from cookmas.files.reading import FileModel, read_yaml, validate
from cookmas.status import Status
from cookmas.studies.report.crossplay import Cell, find_fragility
from cookmas.studies.report.estimates import Pair
from cookmas.studies.report.results import Progress
from cookmas.world_names import WORLDS, domain_of
from docs.pages import field_docs

ROOT = Path(__file__).parents[1]
FILE = Path(__file__).parent / "parts" / "figures.yaml"
"""The file with what the declarations of figures do not say."""

DECLARING = ("Measure", "Score", "replace", "count_entry", "total_entry", "measure_entry")
"""The functions that declare figures, beside those whose names begin with `column_of`."""

LEAST = 5
"""Letters that a text with gaps needs to count as a name, such as `{what}_by_dish`."""


KINDS = (Estimate, PairedDifference, Pair, Correlation, MeansRow, Figure, Cell, Progress)
"""The classes with numbers of a report."""

FUNCTIONS: Mapping[str, Callable[..., object]] = {
    "pass^k": pass_hat,
    "noise": noise_floor,
    "fragility": find_fragility,
}
"""The functions that compute numbers of a report which have no class, by the names in tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownFigure:
    """A figure with everything that the declarations of the worlds say of it."""

    name: str
    """Name of the figure."""
    worlds: set[str] = field(default_factory=set)
    """The worlds that have it."""
    units: set[str] = field(default_factory=set)
    """The units that are declared."""
    better: set[Direction] = field(default_factory=set)
    """Which is better, as declared; empty if the figure has no direction."""
    titles: set[str] = field(default_factory=set)
    """The headings of the columns that show it."""
    places: set[str] = field(default_factory=set)
    """Where it is shown: `summary`, `report`, `terminal` or `page`."""
    sources: set[str] = field(default_factory=set)
    """The files that compute it, where its declaration says so."""


def list_figures() -> Mapping[str, ShownFigure]:
    """Return all figures that the verdicts and reports of the shipped worlds declare, by name."""
    found: dict[str, ShownFigure] = {}

    def add(
        world: str,
        name: str,
        place: str,
        unit: str = "",
        title: str = "",
        better: Direction | None = None,
    ) -> None:
        figure = found.setdefault(name, ShownFigure(name=name))
        figure.worlds.add(world)
        figure.places.add(place)
        figure.units.update(filter(None, [unit]))
        figure.titles.update(filter(None, [title]))
        figure.better.update([better] if better else [])

    for world in WORLDS:
        judging = domain_of(world).judging
        for entry in judging.summary:
            add(world, entry.name, "summary", entry.measured_in, better=entry.better)
        for column in judging.columns:
            unit = "share" if column.share else column.unit.strip() or column.measured_in
            add(world, column.name, "report", unit, column.title, column.better)
        for place, measures in (("terminal", judging.measures), ("page", judging.further)):
            for measure in measures:
                unit = measure.unit or measure.measured_in
                add(world, measure.name, place, unit, better=measure.better)
        for score in judging.scores:
            add(world, score.title, "report", score.measured_in, score.title)
            file = Path(inspect.getfile(score.read)).resolve()
            found[score.title].sources.add(str(file.relative_to(ROOT)))
    return found


class FigureFile(FileModel):
    """The facts about figures that their declarations do not have."""

    units: dict[str, list[str]]
    """The statistics and the numbers of the status by unit."""
    headings: dict[str, str]
    """The statistics by the headings of a report, or by parts of headings."""
    guards: dict[str, list[str]]
    """The tests that guard figures."""
    again: dict[str, list[str]]
    """The tests that compute figures in another way than the code, and compare."""


@cache
def read_figures() -> FigureFile:
    """Return what the declarations do not say."""
    return validate(FigureFile, read_yaml(FILE), FILE.name)


def unit_of(name: str) -> str:
    """Return the unit of a statistic, or of a number of the status."""
    return ", ".join(unit for unit, names in read_figures().units.items() if name in names)


def list_status() -> Sequence[str]:
    """Return the numbers of the status of an open episode."""
    return [
        name
        for name, each in Status.model_fields.items()
        if {int, float} & {each.annotation, *get_args(each.annotation)}
    ]


def list_statistics() -> Mapping[str, str]:
    """Return the numbers that a report computes of many values, with their meanings."""
    found = {
        f"{kind.__name__}.{name}": meaning
        for kind in KINDS
        for name, meaning in field_docs(kind).items()
        if {"int", "float"} & set(re.findall(r"\w+", str(kind.__annotations__[name])))
    }
    for name, function in FUNCTIONS.items():
        told = (inspect.getdoc(function) or "").partition("\n\n")[0]
        told = " ".join(told.removeprefix("Return ").split())
        found[name] = f"{told[:1].upper()}{told[1:]}"
    return found


COLUMNS = ("of", "figure", "heading", "unit", "better", "worlds", "shown in", "meaning")
TESTS = ("source", "test", "second source")


def figures_table() -> str:
    """Return the table of all figures, as CSV."""
    text = io.StringIO()
    table = csv.DictWriter(text, (*COLUMNS, *TESTS), lineterminator="\n")
    table.writeheader()
    for name, figure in sorted(list_figures().items()):
        everywhere = len(figure.worlds) >= len(WORLDS) - 1
        row = {
            "of": "verdicts",
            "heading": ", ".join(sorted(figure.titles - {name})),
            "unit": ", ".join(sorted(figure.units)),
            "better": ", ".join(figure.better),
            "worlds": "every" if everywhere else ", ".join(sorted(figure.worlds)),
            "shown in": ", ".join(sorted(figure.places)),
            "source": ", ".join(find_sources(figure)),
        }
        table.writerow({"figure": name, **row, **_tell_tests(name)})
    for name, meaning in list_statistics().items():
        row = {"of": "statistics", "unit": unit_of(name), "meaning": meaning}
        table.writerow({"figure": name, **row, **_tell_tests(name)})
    for name in list_status():
        row = {"of": "status", "unit": unit_of(f"status.{name}")}
        table.writerow({"figure": name, **row, **_tell_tests(f"status.{name}")})
    return text.getvalue()


def _tell_tests(name: str) -> Mapping[str, str]:
    """Return the test that guards a figure, and one that computes it again."""
    known = read_figures()
    columns = {"test": known.guards, "second source": known.again}
    return {
        column: next((test.partition("::")[0] for test in tests if name in tests[test]), "")
        for column, tests in columns.items()
    }


@cache
def _read_sources() -> Mapping[str, re.Pattern[str]]:
    """Return a pattern of the names in each module that judges; declarations are left out."""
    worlds = ROOT / "cookmas" / "worlds"
    paths = [
        *(ROOT / "evals").glob("*.py"),
        *worlds.glob("*/judging/*.py"),
        *worlds.glob("*/judging.py"),
    ]
    return {
        str(path.relative_to(ROOT)): re.compile(
            "|".join(dict.fromkeys(_list_patterns(ast.parse(path.read_text()))))
        )
        for path in sorted(paths)
        if path.name not in ("columns.py", "report.py")
    }


def _list_patterns(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in DECLARING or name.startswith("column_of"):
            return
        case ast.Subscript(value=ast.Name(), slice=ast.Constant()):  # a row of another module
            return
        case ast.Constant(value=str(text)):
            yield re.escape(text)
        case ast.JoinedStr(values=values):
            fixed = [part.value for part in values if isinstance(part, ast.Constant)]
            if len("".join(map(str, fixed))) >= LEAST:
                yield "".join(
                    re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"\w*"
                    for part in values
                )
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _list_patterns(child)


def find_sources(figure: ShownFigure) -> Sequence[str]:
    """Return the modules that compute a figure; if only its declaration does, that of columns."""
    found = [path for path, names in _read_sources().items() if names.fullmatch(figure.name)]
    return [*found, *figure.sources] or ["evals/columns.py"]
