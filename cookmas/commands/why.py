"""The command `cookmas why`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cookmas.commands.options.shared import Json, World
from cookmas.display.terminal import console, print_json, say

if TYPE_CHECKING:
    from cookmas.causes.finding import Causes


def why(
    run: Annotated[Path, typer.Argument(help="The folder of a run.")],
    plays: Annotated[
        int | None,
        typer.Option(min=2, help="Greatest number of plays; what they leave open is unsure."),
    ] = None,
    world: World = None,
    json: Json = False,
) -> None:
    """Find which decisions of a run lost something, and which of them, taken back, save a goal.

    The run is played again, without a model, with single decisions by the reference.
    """
    import asyncio

    from cookmas.causes.finding import USUAL_PLAYS, find_causes

    causes = asyncio.run(find_causes(run, plays or USUAL_PLAYS, world))
    if json:
        print_json(_as_data(causes))
    else:
        _tell(causes)


def _tell(causes: Causes) -> None:
    from cookmas.causes.finding import describe

    for number, sentence in enumerate(causes.sentences):
        say(sentence, style="" if number else "bold")
    say(f"{causes.verdict.outcome}: {causes.verdict.why}")
    if causes.losses.found:
        console().print(_table_of(causes))
    for each in causes.savings:
        if each.single[1:]:
            say(
                f"Taken back alone, each saves {each.goal}: {', '.join(map(describe, each.single))}"
            )
    if undecided := len(causes.losses.undecided):
        say(f"Unsure: what {undecided} of {causes.decisions} decisions lost; --plays allows more")
    say(f"{causes.decisions} decisions, {causes.plays} plays.")


def _table_of(causes: Causes) -> Any:
    from rich.table import Table

    from cookmas.causes.finding import describe
    from cookmas.files.printing import words

    table = Table("decision", "lost", "instead")
    for loss in causes.losses.found:
        cells = describe(loss.point), loss.describe(), causes.parted.get(loss.point, "")
        table.add_row(*map(words, cells))
    return table


def _as_data(causes: Causes) -> Any:
    return {
        "causes": list(causes.sentences),
        "outcome": causes.verdict.outcome,
        "best": causes.losses.best._asdict(),
        "had": causes.losses.had._asdict(),
        "losses": [
            {
                **loss.point._asdict(),
                "lost": loss.describe(),
                "instead": causes.parted.get(loss.point),
            }
            for loss in causes.losses.found
        ],
        "undecided": [point._asdict() for point in causes.losses.undecided],
        "savings": [_points_as_data(asdict(saving)) for saving in causes.savings],
        "decisions": causes.decisions,
        "plays": causes.plays,
    }


def _points_as_data(saving: dict[str, Any]) -> dict[str, Any]:
    """Return a saving whose points are mappings."""
    named = {key: [point._asdict() for point in saving[key] or ()] for key in ("single", "unsure")}
    pair = [point._asdict() for point in saving["pair"] or ()]
    told = {"pair": pair or None, "pairs_left": saving["pairs_left"]}
    return {"goal": saving["goal"], **named, **told}
