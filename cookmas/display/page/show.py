"""The page of recorded runs, each given with its verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cookmas.display.page.comparing import Film
from cookmas.display.page.document import document, lines_of
from cookmas.display.page.feed import Entry, entries, verdict_entry
from cookmas.display.watch.following import Following
from cookmas.episodes.trace import Header
from cookmas.evals.verdict import Judged
from cookmas.files.errors import InputError


def page(runs: Sequence[Judged], world: str | None = None) -> str:
    """Return the page of one run, or of two beside each other.

    A run that is not over is shown up to its latest record. Raises CookMASError.
    """
    _check_alike(runs)
    viewing = Following(runs[0].trace.header, world).viewing
    title = " and ".join(f"{run.trace.header.scenario_name}, {run.trace.planner}" for run in runs)
    return document(f"CookMAS: {title}", [viewing], [_film(run, world) for run in runs])


def load_comparison(one: Judged, other: Judged, world: str | None = None) -> tuple[Film, Film]:
    """Return two runs of one scenario for a comparison. Raises CookMASError."""
    _check_alike((one, other))
    mine, its = one.trace.header, other.trace.header
    if mine.scenario_digest != its.scenario_digest:
        raise InputError(
            str(other.path),
            f"expected two runs of one scenario, not of {_describe_difference(mine, its)}",
        )
    return Film(_film(one, world)), Film(_film(other, world))


def _describe_difference(one: Header, other: Header) -> str:
    """Name two scenarios. If they share one name, name the fields in which they differ."""
    if one.scenario_name != other.scenario_name:
        return f"{one.scenario_name} and {other.scenario_name}"
    unlike = [
        name
        for name in dict.fromkeys([*one.scenario, *other.scenario])
        if one.scenario.get(name) != other.scenario.get(name)
    ]
    return f"two variants of {one.scenario_name}, unlike in {', '.join(unlike)}"


def _check_alike(runs: Sequence[Judged]) -> None:
    """Raise InputError if the runs belong to different worlds."""
    names = {run.trace.header.world for run in runs}
    if len(names) > 1:
        raise InputError(str(runs[1].path), f"expected two runs of one world, not {sorted(names)}")


def films(runs: Sequence[Judged], world: str | None = None) -> Iterator[str]:
    """Yield the entries of these runs as JSON lines. Each run begins with its entry `run`."""
    for run in runs:
        yield from lines_of(_film(run, world))


def _film(run: Judged, world: str | None) -> Iterator[Entry]:
    yield from entries(run.trace, world)
    if run.trace.end is not None:
        yield verdict_entry(run)
