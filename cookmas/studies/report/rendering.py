"""Output of reports: for the terminal, as Markdown, as CSV and as an HTML page."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from urllib.parse import quote

from rich.console import Group, RenderableType

from cookmas.display.page.document import policy
from cookmas.evals.report import plain_text, table
from cookmas.evals.statistics import Estimate, PairedDifference
from cookmas.files.lines import cut_folders, stays_text
from cookmas.studies.report.estimates import comparisons, means_of, passes
from cookmas.studies.report.report import NOTE, Section
from cookmas.studies.report.results import ArmResults, columns_of
from cookmas.studies.report.tables import Link, Table

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em }
table { border-collapse: collapse; margin: .5em 0 1.5em } caption { text-align: left }
th, td { padding: .2em .8em; border-bottom: 1px solid #ddd; text-align: right }
th:first-child, td:first-child { text-align: left } svg { max-width: 100%; height: auto }
caption { font-weight: bold } p.about { color: #555; margin: 0 }
"""


def on_terminal(sections: Sequence[Section]) -> RenderableType:
    """Return all tables and notes for the terminal."""
    parts: list[RenderableType] = [plain_text(NOTE, style="dim")]
    for section in sections:
        parts += [plain_text(""), plain_text(section.title, style="bold underline")]
        parts += [plain_text(note, style="yellow") for note in section.notes]
        for each in section.tables:
            shown = table(each.title, *each.columns)
            for row in each.rows:
                shown.add_row(*map(plain_text, row))
            parts.append(shown)
            if each.about:
                parts.append(plain_text(each.about, style="dim"))
    return Group(*parts)


def as_markdown(sections: Sequence[Section], folder: Path) -> str:
    """Return all tables and notes as Markdown for a file in `folder`."""
    parts = [NOTE]
    for section in sections:
        parts += [f"## {_cell(section.title)}", *map(_cell, section.notes)]
        for each in section.tables:
            parts.append(f"### {_cell(each.title)}")
            if each.about:
                parts.append(each.about)
            parts.append(markdown_table(each, folder))
    return "\n\n".join(parts) + "\n"


def markdown_table(data: Table, folder: Path) -> str:
    """Return one table as Markdown; the first column is text, the others are numbers."""

    def cell(content: str | Link) -> str:
        if isinstance(content, Link):
            return f"[{_cell(content.text)}]({_address(folder, content.path)})"
        return _cell(content)

    ruler = "|---|" + "---:|" * (len(data.columns) - 1)
    rows = [f"| {' | '.join(map(cell, row))} |" for row in (data.columns, *data.rows)]
    return "\n".join([rows[0], ruler, *rows[1:]])


def as_html(sections: Sequence[Section], title: str, folder: Path) -> str:
    """Return one HTML page with all tables, notes and plots for a file in `folder`."""
    title = cut_folders(title)
    parts = [
        "<!doctype html>",
        f'<html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>',
        f'<meta http-equiv="Content-Security-Policy" content="{policy()}">',
        f"<style>{STYLE}</style>",
        f"<h1>{escape(title)}</h1><p>{escape(NOTE)}</p>",
    ]
    for section in sections:
        parts.append(f"<h2>{escape(section.title)}</h2>")
        parts += [f"<p>{escape(note)}</p>" for note in section.notes]
        parts += [plot.svg for plot in section.plots]
        for each in section.tables:
            parts.append("".join(_html_table(each, folder)))
    return "\n".join([*parts, "</html>", ""])


def as_csv(arms: Sequence[ArmResults], compare: Sequence[str] = ()) -> str:
    """Return CSV with a line for each figure, each pass^k and each difference, with its interval.

    A text that would be read as a number, a formula or nothing begins with an apostrophe. A
    difference is `arm` minus `other`. `compare` names two arms, as in the report.
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, CSV_COLUMNS, lineterminator="\n")
    writer.writeheader()
    for arm in arms:
        for row in means_of(arm, columns_of(arm.world)):
            for name, figure in row.figures.items():
                about = {"group": _quote(row.group), "column": name, "episodes": row.episodes}
                counted = {"scored": figure.scored, "unscored": figure.unscored}
                writer.writerow(_arm_fields(arm) | about | counted | _numbers(figure.estimate))
        for k, found in enumerate(passes(arm), start=1) if arm.repeats > 1 else ():
            writer.writerow(_arm_fields(arm) | {"column": f"pass^{k}"} | _numbers(found))
    for world in dict.fromkeys(arm.world for arm in arms):
        alike = [arm for arm in arms if arm.world == world]
        for of_column in comparisons(alike, columns_of(world), compare):
            for pair in of_column:
                about = {"other": _quote(pair.other.label), "column": pair.column.name}
                tested = {"p": pair.found.p, "q": pair.q, "needed": pair.found.needed}
                writer.writerow(_arm_fields(pair.one) | about | _numbers(pair.found) | tested)
    return text.getvalue()


CSV_COLUMNS = (
    *("world", "planner_class", "arm", "at", "group", "other", "column"),
    *("mean", "low", "high", "p", "q", "needed", "cases"),
    *("episodes", "scored", "unscored", "planned", "played", "unjudged"),
)


def _arm_fields(arm: ArmResults) -> dict[str, object]:
    return {
        "world": arm.world,
        "planner_class": arm.planner_class,
        "arm": _quote(arm.name),
        "at": _quote(arm.at),
        "planned": arm.progress.planned,
        "played": arm.progress.played,
        "unjudged": arm.progress.unjudged,
    }


def _numbers(found: Estimate | PairedDifference | None) -> dict[str, object]:
    if found is None:
        return {"cases": 0}
    return {name: getattr(found, name) for name in ("mean", "low", "high", "cases")}


def _quote(value: object) -> object:
    """Return a value; a text that would not be read as this text gets an apostrophe before it."""
    quoted = isinstance(value, str) and value and not stays_text(value)
    return f"'{value}" if quoted else value


def _address(folder: Path, path: Path) -> str:
    return quote(os.path.relpath(path, folder))


def _cell(text: str) -> str:
    """Return text from outside with Markdown and HTML escaped."""
    shown = "".join(c if c.isprintable() else " " for c in text)
    for mark in "\\`*_[]|#":
        shown = shown.replace(mark, f"\\{mark}")
    return shown.replace("<", "&lt;")


def _html_table(data: Table, folder: Path) -> Iterator[str]:
    def cell(content: str | Link) -> str:
        if isinstance(content, Link):
            address = escape(_address(folder, content.path), quote=True)
            return f'<a href="{address}">{escape(content.text)}</a>'
        return escape(content)

    yield f"<table><caption>{escape(data.title)}"
    yield f'<p class="about">{escape(data.about)}</p></caption>' if data.about else "</caption>"
    for number, row in enumerate((data.columns, *data.rows)):
        tag = "td" if number else "th"
        yield "<tr>" + "".join(f"<{tag}>{cell(each)}</{tag}>" for each in row) + "</tr>\n"
    yield "</table>"
