"""The progress of a sweep on the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

from cookmas.files.lines import clean
from cookmas.files.printing import error_console
from cookmas.orchestrator.models.patience import describe_outage
from cookmas.studies.bench.sweep import SweepProgress, Watch


@contextmanager
def print_progress() -> Iterator[Watch]:
    """Yield a function that prints the progress on stderr.

    On a terminal it prints after every episode, elsewhere at every 10%.
    """
    console = error_console()
    if not console.is_terminal:
        yield _Tenths(console).tell
        return
    with console.status("...") as status:
        outages = _Outages(console)

        def tell(standing: SweepProgress) -> None:
            outages.tell(standing)
            status.update(describe(standing))

        yield tell


def describe(standing: SweepProgress) -> str:
    """Return the progress in one line."""
    spent = standing.spent
    parts = [f"{standing.done} of {standing.total} episodes"]
    if standing.left is not None and standing.done < standing.total:
        parts.append(f"{_clock(standing.left)} left")
    if spent.calls:
        parts.append(f"{spent.calls} calls, {spent.tokens} tokens")
    if spent.money:
        parts.append(f"cost {spent.money:.4f}")
    return ", ".join(parts)


class _Outages:
    """Prints a line when an endpoint is away, and one when it is back."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._known: set[str] = set()

    def tell(self, standing: SweepProgress) -> None:
        away = {name: reach for name, reach in standing.spent.reached.items() if reach.since}
        for name in away.keys() - self._known:
            played = f"{standing.done} of {standing.total} episodes are played"
            self._print(f"{describe_outage(name, away[name])}; {played}, those that ask it wait")
        for name in self._known - away.keys():
            self._print(f"{name} is back")
        self._known = set(away)

    def _print(self, line: str) -> None:
        self._console.print(clean(line), markup=False, soft_wrap=True)


class _Tenths:
    """Prints the progress whenever another 10% of the episodes are done."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._last_printed = -1
        self._outages = _Outages(console)

    def tell(self, standing: SweepProgress) -> None:
        self._outages.tell(standing)
        tenth = 10 * standing.done // max(standing.total, 1)
        if standing.now and tenth > self._last_printed:
            self._last_printed = tenth
            self._console.print(describe(standing), soft_wrap=True)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
