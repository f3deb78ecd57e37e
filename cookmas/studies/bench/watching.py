"""What a person sees of a sweep while it is under way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

from cookmas.studies.bench.sweep import Standing, Watch


@contextmanager
def watching() -> Iterator[Watch]:
    """Tells how a sweep stands, on stderr: always on a terminal, else at every tenth part."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield _Tenths(console).tell
        return
    with console.status("...") as status:
        yield lambda standing: status.update(described(standing))


def described(standing: Standing) -> str:
    """How a sweep stands, in one line."""
    spent = standing.spent
    parts = [f"{standing.done} of {standing.total} episodes"]
    if standing.left is not None and standing.done < standing.total:
        parts.append(f"{_clock(standing.left)} left")
    if spent.calls:
        parts.append(f"{spent.calls} calls, {spent.tokens} tokens")
    if spent.money:
        parts.append(f"cost {spent.money:.4f}")
    return ", ".join(parts)


class _Tenths:
    """Tells a standing whenever another tenth is done."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._told = -1

    def tell(self, standing: Standing) -> None:
        tenth = 10 * standing.done // max(standing.total, 1)
        if standing.now and tenth > self._told:
            self._told = tenth
            self._console.print(described(standing), soft_wrap=True)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
