"""The command `cookmas diff`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cookmas.commands.options.shared import Json, World
from cookmas.display.terminal import console, print_json, say

if TYPE_CHECKING:
    from cookmas.display.page.comparing import Film, FilmDifference, Kind

KINDS: Mapping[str, str] = {
    "event": "what happens",
    "trigger": "why the planner is called",
    "schedule": "what the planner answers",
    "end": "whether it is over",
    "action": "what the workers do",
    "state": "the result of the same actions",
}

ALWAYS = ("ended", "verdict")
"""Figures that are shown even if both runs have the same value."""

COSTS: Mapping[str, str] = {
    "reached": "reaches a goal",
    "fails": "FAILs",
    "planner_calls": "calls the planner",
    "model_calls": "calls a model",
}


def diff(
    one: Annotated[Path, typer.Argument(help="The folder of a run, or a trace file.")],
    other: Annotated[Path, typer.Argument(help="Another run of the same scenario.")],
    world: World = None,
    json: Json = False,
) -> None:
    """Show where two runs first differ, and compare their figures; exit code 1 if they differ."""
    from cookmas.display.page.comparing import difference, find_differences, find_first_other_act
    from cookmas.display.page.show import load_comparison
    from cookmas.replaying import judge_run

    films = load_comparison(judge_run(one, world), judge_run(other, world), world)
    differences = list(find_differences(*films))
    described = [difference(*films, *each) for each in differences[:1]]
    acted = find_first_other_act(*films)
    if acted is not None and described[0].kind in ("event", "trigger", "schedule"):
        described.append(difference(*films, acted, "action"))
    if json:
        print_json(_as_data(films, differences, described))
    elif not differences:
        say(f"The two runs are the same at every timestep, {films[0].length} in all.")
    else:
        _tell((one, other), films, differences, described)
    raise typer.Exit(int(bool(differences)))


def _tell(
    runs: tuple[Path, Path],
    films: tuple[Film, Film],
    found: Sequence[tuple[int, Kind]],
    told: Sequence[FilmDifference],
) -> None:
    for name, run, film in zip("AB", runs, films, strict=True):
        say(f"{name}: {run}, {film.about}")
    first, *later = told
    say(f"They part at timestep {first.timestep}, in {KINDS[first.kind]}:", style="bold")
    _tell_words(first)
    for each in later:
        say(f"From timestep {each.timestep} on other things are done:", style="bold")
        _tell_words(each)
    length = max(film.length for film in films)
    say(f"In all {len(found)} of {length + 1} moments differ. {_describe_cost(*films)}")
    figures = [film.figures() for film in films]
    rows = [
        (
            name.replace("_", " "),
            *_format_cells(figures, name),
            _format_change(*(f.get(name) for f in figures)),
        )
        for name in dict.fromkeys(chain(*figures))
        if name in ALWAYS or figures[0].get(name) != figures[1].get(name)
    ]
    _print_table("what", rows)
    goals, reached = [film.goals() for film in films], [film.find_goal_times() for film in films]
    rows = [
        (name, *_format_cells(goals, name), _format_change(*(each.get(name) for each in reached)))
        for name in dict.fromkeys(chain(*goals))
    ]
    _print_table("asked for", rows)


def _tell_words(difference: FilmDifference) -> None:
    for name, words in zip("AB", difference.words, strict=True):
        say(f"  {name}: {words}")


def _describe_cost(one: Film, other: Film) -> str:
    mine, its = one.figures(), other.figures()
    words = [
        f"B ends {_describe_difference(other.length - one.length, 'timestep', 'later', 'earlier')}"
    ]
    for name, what in COSTS.items():
        if mine[name] != its[name] and None not in (mine[name], its[name]):
            words.append(
                f"{what} {_describe_difference(its[name] - mine[name], 'time', 'more', 'fewer')}"
            )
    verdicts = [str(each["verdict"]).partition(":")[0] for each in (mine, its)]
    judged = (
        f"both: {verdicts[0]}" if len({*verdicts}) == 1 else f"A: {verdicts[0]}, B: {verdicts[1]}"
    )
    return f"{', '.join(words)}; {judged}."


def _describe_difference(number: int, unit: str, more: str, less: str) -> str:
    if number == 0:
        return "at the same timestep"
    size = abs(number)
    return f"{size} {unit}{'' if size == 1 else 's'} {more if number > 0 else less}"


def _format_cells(columns: Sequence[Mapping[str, Any]], name: str) -> list[str]:
    values = (column.get(name) for column in columns)
    return ["-" if value is None else str(value) for value in values]


def _format_change(one: Any, other: Any) -> str:
    numbers = [each for each in (one, other) if isinstance(each, int | float)]
    return f"{numbers[1] - numbers[0]:+.4g}" if len(numbers) == 2 and one != other else ""


def _print_table(what: str, rows: Sequence[Sequence[str]]) -> None:
    from cookmas.evals.report import plain_text, table

    shown = table("", what, "A", "B", "B against A")
    for row in rows:
        shown.add_row(*map(plain_text, row))
    if rows:
        console().print(shown)


def _as_data(
    films: tuple[Film, Film], found: Sequence[tuple[int, Kind]], told: Sequence[FilmDifference]
) -> dict[str, Any]:
    return {
        "equal": not found,
        "differences": [asdict(each) for each in told],
        "timesteps": [t for t, _ in found],
        "figures": [film.figures() for film in films],
        "goals": [film.goals() for film in films],
    }
