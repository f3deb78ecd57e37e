"""The restaurant's tables of a verdict: the dishes, and the customers' wishes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from cookmas.evals.report import mark, plain_text, table
from cookmas.evals.verdict import Check, Goal, Verdict


def details(verdict: Verdict) -> Iterator[RenderableType]:
    """Yield a table of the dishes, and a table of the wishes if there are any."""
    if verdict.goals:
        yield _dishes(verdict)
    wishes = list(verdict.of("customization"))
    if wishes:
        yield _wishes(wishes)


def _dishes(verdict: Verdict) -> Table:
    listing = table("Dishes", "line", "dish", "customer's words", "served", "complete", "why")
    complete = {check.subject: check for check in verdict.of("complete")}
    for line in verdict.goals:
        check = complete.get(line.name)
        listing.add_row(
            plain_text(line.name),
            plain_text(line.what),
            plain_text(line.note),
            _text_of_served(line),
            _completeness_text(line, check),
            plain_text(check.reason if check and not check.passed else ""),
        )
    return listing


def _text_of_served(line: Goal) -> Text:
    if line.status == "cancelled":
        return Text("cancelled", style="dim")
    if line.status == "refused":
        return Text("refused", style="red")
    return Text("no", style="red") if line.when is None else Text(f"at {line.when}")


def _completeness_text(line: Goal, check: Check | None) -> Text:
    if line.status == "cancelled":
        return Text("-", style="dim")
    return mark(check.passed if check else None, ("yes", "no", "unscored"))


def _wishes(wishes: Sequence[Check]) -> Table:
    listing = table("Customizations", "wish", "kept", "why", "history of the food")
    for check in wishes:
        listing.add_row(
            plain_text(check.subject),
            mark(check.passed, ("kept", "broken", "unscored")),
            plain_text(check.reason),
            plain_text(check.evidence),
        )
    return listing
