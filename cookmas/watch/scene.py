"""A state of any world as a picture of words: its workers, what is asked for, what is in use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cookmas.terminal import words
from cookmas.watch.following import Act
from cookmas.watch.story import Note
from worlds.viewing import OPEN, Asked, InUse, Standing, Viewing, spoken

CLOSED_SHOWN = 3
"""Closed lines that are shown below the open ones."""


def scene(viewing: Viewing, world: Any, state: Any) -> RenderableType:
    """A state without what led to it."""
    return Group(
        heading("workers"),
        workers(world.workers, viewing.workers(world, state)),
        heading("asked for"),
        asked(viewing.asked(world, state)),
        heading("in use"),
        in_use(viewing.in_use(world, state)),
    )


def heading(title: str, about: str = "") -> Text:
    """Above a part of the picture."""
    return Text.assemble((title, "bold"), words(f"  {about}" if about else "", style="dim"))


def workers(
    names: Sequence[str], standing: Mapping[str, Standing], acts: Sequence[Act] = ()
) -> RenderableType:
    """The workers by name: what they do, where they are, what they hold."""
    done = {act.worker: act for act in acts}
    rows = _grid("bold")
    for name in names:
        stands, act = standing.get(name), done.get(name)
        cells = [words(spoken(name))]
        if acts:
            cells.append(_act(act))
        cells += [words(f"at {stands.at}" if stands else ""), _holds(stands)]
        rows.add_row(*cells)
    return rows


def _act(act: Act | None) -> Text:
    if act is None:
        return Text("")
    if act.why is not None:
        return words(f"{act.words}: FAIL, {act.why}", style="red")
    return words(act.words)


def _holds(stands: Standing | None) -> Text:
    if stands is None:
        return Text("")
    out = [words("out of service", style="red")] if stands.out else []
    held = [words(f"holds {stands.holds}")] if stands.holds else []
    return Text(", ").join([*out, *held])


def asked(
    there: Sequence[Asked],
    before: Mapping[str, Sequence[str]] = {},
    understood: Mapping[str, Sequence[str]] = {},
    closed: int = CLOSED_SHOWN,
    *,
    short: bool = False,
) -> RenderableType:
    """What is asked for in whose words, with what was changed and what was understood of it.

    If `short`, what was understood is cut off at the end of the line.
    """
    rows = _grid()
    open_ones = [each for each in there if each.status == OPEN]
    for each in open_ones:
        rows.add_row(words(each.name, style="bold"), _wanted(each, before.get(each.name, ())))
        read = understood.get(each.name) or understood.get(each.item)
        if read:
            meaning = words(f"understood: {'; '.join(read)}", style="dim")
            meaning.no_wrap, meaning.overflow = short, "ellipsis"
            rows.add_row("", meaning)
    past = [each for each in there if each.status != OPEN]
    for each in past[max(0, len(past) - closed) :]:
        ended = "" if each.closed is None else f" at {each.closed}"
        text = words(f"{each.item}, {each.status}{ended}", style="dim")
        rows.add_row(words(each.name, style="dim"), text)
    if not open_ones:
        rows.add_row("", words("nothing is open", style="dim"))
    return rows


def _wanted(each: Asked, before: Sequence[str]) -> Text:
    text = words(each.item)
    if each.words:
        text.append_text(words(f" “{each.words}”", style="italic"))
    if before:
        was = "; ".join(f"“{said}”" if said else "as it comes" for said in before)
        text.append_text(words(f" (before: {was})", style="dim"))
    if each.due is not None:
        text.append_text(words(f", due at {each.due}"))
    return text


def in_use(there: Sequence[InUse]) -> RenderableType:
    """What is in the places, with its minutes; what cooks comes first."""
    rows = _grid("bold")
    for each in sorted(there, key=lambda use: use.minutes is None):
        minutes = "" if each.minutes is None else f"{each.minutes} min"
        style = "red" if each.note in ("burnt", "overdone") else ""
        about = ", ".join(filter(None, (minutes, each.note)))
        rows.add_row(words(each.place), words(about, style=style), words(each.holds))
    if not there:
        rows.add_row("", words("nothing", style="dim"))
    return rows


def happened(notes: Iterable[Note]) -> RenderableType:
    """What happened, with its timesteps."""
    rows = Table.grid(padding=(0, 2, 0, 0))
    rows.add_column(justify="right", no_wrap=True, min_width=4)
    for note in tuple(notes):
        rows.add_row(str(note.timestep), words(note.text, style=note.style))
    return rows


def _grid(*styles: str) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    for style in styles:
        grid.add_column(style=style, no_wrap=True)
    return grid
