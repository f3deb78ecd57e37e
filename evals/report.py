"""Reports for people: verdicts and suites as tables in the terminal, at most 100 characters wide.

Every text of a trace loses its control characters and goes into `rich.text.Text`, which interprets
no markup. So words of a sender or a model cannot colour the terminal or move its cursor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Column as TableColumn
from rich.table import Table
from rich.text import Text

from cookmas.episodes.trace import PlannerClass
from cookmas.evals.columns import Column, Measure
from cookmas.evals.suite import Figure, MeansRow, choose_columns
from cookmas.evals.verdict import Check, Measurements, Verdict
from cookmas.files.lines import clean

WIDTH = 100
"""Greatest width of a table in characters."""

Details = Callable[[Verdict], Iterable[RenderableType]]
"""A function that returns the tables of a verdict that are particular to its world."""


def verdict_report(
    verdict: Verdict, measures: Sequence[Measure], details: Details
) -> RenderableType:
    """Return the report of one verdict.

    It has the outcome, the tables of the world, the measures, and the checks of the user's own
    evaluators if there are any. `details` returns the tables. If nothing is scored, checks with the
    verdict's own reason are left out, so that it stands once.
    """
    verdict = verdict.without_repeats()
    own = [_table_of_further_checks(verdict.own)] if verdict.own else []
    measured = _measures(verdict, measures)
    shown = [measured] if measured.row_count else []
    return Group(_headline(verdict), *details(verdict), *shown, *own)


def suite_report(
    means: Mapping[PlannerClass, Sequence[MeansRow]], columns: Sequence[Column]
) -> RenderableType:
    """Return the report of a suite: one table for each planner class."""
    return Group(*(_class_table(each, rows, columns) for each, rows in means.items()))


def plain_text(text: object, style: str = "") -> Text:
    """Return a text that is shown literally, without control characters."""
    return Text(clean(text), style=style)


def mark(passed: bool | None, words: tuple[str, str, str]) -> Text:
    """Return one of three words: for passed, for not passed, and for unscored."""
    if passed is None:
        return Text(words[2], style="yellow")
    return Text(words[0], style="green") if passed else Text(words[1], style="red")


def _headline(verdict: Verdict) -> Text:
    outcome = mark(verdict.success, (verdict.outcome, verdict.outcome, verdict.outcome))
    outcome.stylize("bold")
    played = plain_text(f"  {verdict.scenario}, {verdict.planner} ({verdict.planner_class})")
    return Text.assemble(outcome, played, "\n", plain_text(verdict.why))


def table(title: str, *columns: str) -> Table:
    """Return an empty table for a report, with a title and the headings of its columns."""
    result = WholeWords(title=title, title_justify="left", title_style="bold", expand=True)
    for column in columns:
        result.add_column(plain_text(column), overflow="fold")
    return result


class WholeWords(Table):
    """A table that breaks no words if the longest word of each column fits."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        options = options.update(max_width=min(WIDTH, options.max_width))
        room = options.max_width - 3 * len(self.columns) - 1
        needs = [self._needs(column, console, options) for column in self.columns]
        for column, width in zip(self.columns, share_width(needs, room), strict=True):
            column.width = width
        yield from super().__rich_console__(console, options)

    def _needs(self, column: TableColumn, console: Console, options: ConsoleOptions) -> Measurement:
        cells = [column.header, *column.cells]
        widths = [Measurement.get(console, options, cell) for cell in cells]
        return Measurement(max(each.minimum for each in widths), max(m.maximum for m in widths))


def share_width(needs: Sequence[tuple[int, int]], room: int) -> list[int]:
    """Return the widths of columns, in characters, that share `room` characters.

    `needs` has two numbers for each column: its least width, and the greatest width that it can
    use. Every column gets its least width first; then the narrowest columns grow. If even the least
    widths do not fit, the widest columns shrink.
    """
    widths = [least for least, _ in needs]
    left = room - sum(widths)
    while left > 0:
        growing = [i for i, (_, most) in enumerate(needs) if widths[i] < most]
        if not growing:
            break
        narrowest = min(growing, key=lambda i: widths[i])
        widths[narrowest] += 1
        left -= 1
    while left < 0 and max(widths) > 1:
        widths[widths.index(max(widths))] -= 1
        left += 1
    return widths


def _measures(verdict: Verdict, measures: Sequence[Measure]) -> Table:
    shown = table("Measured", "what", "value", "about")
    for measure in measures:
        if not measure.of:
            for check in verdict.of(measure.name):
                shown.add_row(
                    plain_text(measure.name.replace("_", " ")), *_value_cells(check, measure)
                )
    if verdict.measured:
        for what, amount in _list_measurements(verdict.measured):
            shown.add_row(
                plain_text(what), plain_text(amount), plain_text("measured beside the trace")
            )
    for measure in measures:
        if measure.of:
            for check in filter(lambda check: check.scored, verdict.of(measure.name)):
                of = f"{measure.name.replace('_', ' ')} of {check.subject}"
                shown.add_row(plain_text(of), *_value_cells(check, measure))
    for check in verdict.checks:
        if not check.scored and check.reason.startswith("the evaluator crashed"):
            shown.add_row(plain_text(check.name), *_value_cells(check, Measure(name=check.name)))
    return shown


def _table_of_further_checks(checks: Sequence[Check]) -> Table:
    shown = table("By evaluators of your own", "what", "of", "value", "about")
    for check in checks:
        about = _value_cells(check, Measure(name=check.name))
        shown.add_row(plain_text(check.name), plain_text(check.subject), *about)
    return shown


def _list_measurements(measured: Measurements) -> Iterable[tuple[str, str]]:
    yield "wall time", f"{measured.wall_seconds:.1f} s"
    yield "model time", f"{measured.model_seconds:.1f} s"
    yield "retries", str(measured.retries)
    if measured.cost is not None:
        yield "cost", f"{measured.cost:.4f}"


def _value_cells(check: Check, measure: Measure) -> tuple[Text, Text]:
    if not check.scored:
        return Text("unscored", style="yellow"), plain_text(check.reason)
    value = plain_text(f"{check.value} {measure.unit}".strip())
    return value, plain_text(check.reason or check.evidence)


def _class_table(
    planner_class: PlannerClass, rows: Sequence[MeansRow], columns: Sequence[Column]
) -> Table:
    shown = choose_columns(columns, rows)
    result = table(f"Planner class: {planner_class}", "", *(row.planner for row in rows))
    result.add_row("episodes", *(str(row.episodes) for row in rows))
    for column in shown:
        result.add_row(column.title, *(_figure(row.figures[column.name], column) for row in rows))
    captions = [
        column.negative
        for column in shown
        if column.negative and any((row.figures[column.name].value or 0) < 0 for row in rows)
    ]
    result.caption = "; ".join(captions) or None
    return result


def _figure(figure: Figure, column: Column) -> str:
    shown = "-" if figure.value is None else column.show_with_unit(figure.value)
    return f"{shown} ({figure.unscored} unscored)" if figure.unscored else shown
