"""A state of any world, drawn as text: its agents, its goals and its panels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cookmas.display.terminal import words
from cookmas.display.watch.following import DisplayedAct
from cookmas.display.watch.story import Note, Story
from cookmas.worlds.base.viewing import (
    NOWHERE,
    OPEN,
    Panel,
    Viewing,
    VisibleGoal,
    WorkerPlace,
    speak_name,
)

CLOSED_SHOWN = 3
"""Maximum number of closed goals that are shown below the open ones."""


def scene(viewing: Viewing, world: Any, state: Any) -> RenderableType:
    """Draw a state alone, without past actions and changes."""
    standing = viewing.place_workers(world, state)
    others = world.characters
    return Group(
        render_heading("workers"),
        agents(world.workers, standing),
        *([render_heading("others"), agents(others, standing)] if others else []),
        *render_goals(viewing, viewing.goals(world, state)),
        panels(viewing.panels(world, state)),
    )


def render_step(story: Story) -> RenderableType:
    """Draw all agents after the last timestep, with what each of them did."""
    now = story.following
    standing = now.viewing.place_workers(now.world, now.seen)
    return agents((*now.world.workers, *now.world.characters), standing, story.acts)


def render_goals(
    viewing: Viewing, there: Sequence[VisibleGoal], before: Mapping[str, Sequence[str]] = {}
) -> Sequence[RenderableType]:
    """Draw the goals `there` below a heading; nothing if there are no goals.

    `before` has the earlier notes of each goal, by its name.
    """
    return [render_heading(viewing.terms.goals), goals(there, before)] if there else []


def render_heading(title: str, about: str = "") -> Text:
    """Return the heading of a part of the picture, with a remark `about` it."""
    return Text.assemble((title, "bold"), words(f"  {about}" if about else "", style="dim"))


def agents(
    names: Iterable[str], standing: Mapping[str, WorkerPlace], acts: Sequence[DisplayedAct] = ()
) -> RenderableType:
    """Return a table of agents with their actions, their places and what they hold.

    `standing` has the place of each agent by name, and what the agent holds.
    """
    done = {act.worker: act for act in acts}
    rows = _grid("bold")
    for name in names:
        at, out, holds = standing.get(name, NOWHERE).phrases
        cells = [words(speak_name(name))]
        if acts:
            cells.append(_act(done.get(name)))
        hands = [words(text, style=style) for text, style in ((out, "red"), (holds, "")) if text]
        cells += [words(at), Text(", ").join(hands)]
        rows.add_row(*cells)
    return rows


def _act(act: DisplayedAct | None) -> Text:
    if act is None:
        return Text("")
    if act.why is not None:
        return words(f"{act.words}: FAIL, {act.why}", style="red")
    return words(act.phrase)


def goals(
    there: Sequence[VisibleGoal],
    before: Mapping[str, Sequence[str]] = {},
    understood: Mapping[str, Sequence[str]] = {},
    closed: int = CLOSED_SHOWN,
    *,
    short: bool = False,
) -> RenderableType:
    """Draw the goals `there`, the open ones first, and at most `closed` of the closed ones.

    `before` has the earlier notes of each goal, by its name. `understood` has the planner's
    interpretation of each goal. If `short`, the interpretation is cut off at the end of the line.
    """
    rows = _grid()
    open_ones = [goal for goal in there if goal.status == OPEN]
    for goal in open_ones:
        rows.add_row(words(goal.name, style="bold"), _render_goal(goal, before.get(goal.name, ())))
        read = understood.get(goal.name) or understood.get(goal.what)
        if read:
            meaning = words(f"understood: {'; '.join(read)}", style="dim")
            meaning.no_wrap, meaning.overflow = short, "ellipsis"
            rows.add_row("", meaning)
    past = [goal for goal in there if goal.status != OPEN]
    for goal in past[max(0, len(past) - closed) :]:
        ended = "" if goal.when is None else f" at {goal.when}"
        text = words(f"{goal.what}, {goal.status}{ended}", style="dim")
        rows.add_row(words(goal.name, style="dim"), text)
    if not open_ones:
        rows.add_row("", words("nothing is open", style="dim"))
    return rows


def _render_goal(each: VisibleGoal, before: Sequence[str]) -> Text:
    text = words(each.what)
    if each.note:
        text.append_text(words(f" “{each.note}”", style="italic"))
    if before:
        was = "; ".join(f"“{said}”" if said else "as it comes" for said in before)
        text.append_text(words(f" (before: {was})", style="dim"))
    if each.due is not None:
        text.append_text(words(f", due at {each.due}"))
    return text


def panels(there: Sequence[Panel]) -> RenderableType:
    """Return the panels of a world, one below the other."""
    return Group(
        *(part for panel in there for part in (render_heading(panel.title), _panel(panel)))
    )


def _panel(one: Panel) -> RenderableType:
    rows = _grid("bold")
    for item in one.items:
        style = "red" if item.alarming else ""
        rows.add_row(words(item.name), words(item.note, style=style), words(item.what))
    if not one.items:
        rows.add_row("", words("nothing", style="dim"))
    return rows


def render_notes(notes: Iterable[Note]) -> RenderableType:
    """Return the latest notes with their timesteps."""
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
