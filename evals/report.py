"""Reports for people: verdicts and suites as tables, 100 columns wide.

Every text of a trace goes into `rich.text.Text`, which reads no markup, and loses its control
characters first, so that no customer's or model's words can colour or move the terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from evals.suite import ClassTable, Figure, PlannerRow
from evals.verdict import Check, JudgedLine, Measurements, Verdict

_MEASURES = (
    ("makespan", "timesteps"),
    ("makespan_bound", "timesteps"),
    ("gap", "%"),
    ("planner_calls", ""),
    ("schedules_refused", ""),
    ("model_calls", ""),
    ("tokens", ""),
    ("fails", ""),
    ("closed_line_attempts", ""),
    ("waste", "portions"),
)
_MEASURES_OF = (("progress", ""), ("tardiness", "timesteps"), ("error", ""), ("use", ""))


def verdict_report(verdict: Verdict) -> RenderableType:
    """One verdict: its outcome, its dishes, the customers' wishes, and what was measured."""
    parts: list[RenderableType] = [_headline(verdict)]
    if verdict.lines:
        parts.append(_dishes(verdict))
    wishes = list(verdict.of("customization"))
    if wishes:
        parts.append(_wishes(wishes))
    parts.append(_measures(verdict))
    return Group(*parts)


def suite_report(tables: Sequence[ClassTable]) -> RenderableType:
    """A table for each planner class."""
    return Group(*map(_class_table, tables))


def verdicts_json(verdicts: Iterable[Verdict]) -> str:
    """Verdicts as JSON lines, for machines."""
    return "\n".join(verdict.model_dump_json() for verdict in verdicts)


def plain(text: object, style: str = "") -> Text:
    """Any text as it is, without markup and control characters."""
    shown = "".join(c if c.isprintable() else " " for c in str(text))
    return Text(shown, style=style)


def _mark(passed: bool | None, words: tuple[str, str, str]) -> Text:
    """One of three words for passed, not passed and unscored."""
    if passed is None:
        return Text(words[2], style="yellow")
    return Text(words[0], style="green") if passed else Text(words[1], style="red")


def _headline(verdict: Verdict) -> Text:
    outcome = _mark(verdict.success, ("SUCCESS", "FAILED", "UNSCORED"))
    outcome.stylize("bold")
    played = plain(f"  {verdict.scenario}, {verdict.planner} ({verdict.planner_class})")
    return Text.assemble(outcome, played, "\n", plain(verdict.why))


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", width=100)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _dishes(verdict: Verdict) -> Table:
    table = _table("Dishes", "line", "dish", "customer's words", "served", "complete", "why")
    complete = {check.subject: check for check in verdict.of("complete")}
    for line in verdict.lines:
        check = complete.get(line.name)
        table.add_row(
            plain(line.name),
            plain(line.item),
            plain(line.note),
            _served(line),
            _completed(line, check),
            plain(check.reason if check and not check.passed else ""),
        )
    return table


def _served(line: JudgedLine) -> Text:
    if line.status == "cancelled":
        return Text("cancelled", style="dim")
    return Text("no", style="red") if line.served_at is None else Text(f"at {line.served_at}")


def _completed(line: JudgedLine, check: Check | None) -> Text:
    if line.status == "cancelled":
        return Text("-", style="dim")
    return _mark(check.passed if check else None, ("yes", "no", "unscored"))


def _wishes(wishes: Sequence[Check]) -> Table:
    table = _table("Customizations", "wish", "kept", "why", "history of the food")
    for check in wishes:
        table.add_row(
            plain(check.subject),
            _mark(check.passed, ("kept", "broken", "unscored")),
            plain(check.reason),
            plain(check.evidence),
        )
    return table


def _measures(verdict: Verdict) -> Table:
    table = _table("Measured", "what", "value", "about")
    for name, unit in _MEASURES:
        for check in verdict.of(name):
            table.add_row(plain(name.replace("_", " ")), *_measured(check, unit))
    if verdict.measured:
        for what, amount in _measured_beside(verdict.measured):
            table.add_row(plain(what), plain(amount), plain("measured beside the trace"))
    for name, unit in _MEASURES_OF:
        for check in filter(lambda check: check.scored, verdict.of(name)):
            table.add_row(plain(f"{name} of {check.subject}"), *_measured(check, unit))
    for check in verdict.checks:
        if not check.scored and check.reason.startswith("the evaluator crashed"):
            table.add_row(plain(check.name), *_measured(check, ""))
    return table


def _measured_beside(measured: Measurements) -> Iterable[tuple[str, str]]:
    yield "wall time", f"{measured.wall_seconds:.1f} s"
    yield "model time", f"{measured.model_seconds:.1f} s"
    yield "retries", str(measured.retries)
    if measured.cost is not None:
        yield "cost", f"{measured.cost:.4f}"


def _measured(check: Check, unit: str) -> tuple[Text, Text]:
    if not check.scored:
        return Text("unscored", style="yellow"), plain(check.reason)
    return plain(f"{check.value} {unit}".strip()), plain(check.reason or check.evidence)


def _class_table(table: ClassTable) -> Table:
    columns: tuple[str, ...] = (
        "planner",
        "episodes",
        "success",
        "dishes",
        "customizations",
        "gap",
        "calls",
        "FAILs",
    )
    called = any(row.model_calls.scored for row in table.rows)
    columns += ("model calls", "tokens", "cost") if called else ()
    shown = _table(f"Planner class: {table.planner_class}", *columns)
    for row in table.rows:
        shown.add_row(
            plain(row.planner),
            str(row.episodes),
            _share(row.success),
            _share(row.dishes),
            _share(row.customizations),
            _figure(row.gap, "%"),
            _figure(row.planner_calls, ""),
            _figure(row.fails, ""),
            *_spent(row, called),
        )
    return shown


def _spent(row: PlannerRow, called: bool) -> Iterable[str]:
    if called:
        yield _figure(row.model_calls, "")
        yield _figure(row.tokens, "")
        yield "-" if row.cost.value is None else f"{row.cost.value:.4f}"


def _share(figure: Figure) -> str:
    if figure.value is None:
        return _figure(figure, "")
    return _figure(figure.model_copy(update={"value": 100 * figure.value}), "%")


def _figure(figure: Figure, unit: str) -> str:
    shown = "-" if figure.value is None else f"{figure.value:.1f}{unit}"
    return f"{shown} ({figure.unscored} unscored)" if figure.unscored else shown
