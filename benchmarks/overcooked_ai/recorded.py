"""Compare recordings of the papers' engine with our simulator, step by step.

    python -m benchmarks.overcooked_ai.recorded FILE...

A file is lines of JSON (`.jsonl`), or a `.tar.xz` archive of such files. Its name is that of a
layout, then an underscore and a number. The first line has the scene before the first step. Every
other line has the acts (`a`), and cooks (`p`), objects on counters, pots, gates and reward (`r`)
after them. The command prints the first step that differs of each recording; the exit code is 1 if
there is one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from benchmarks.recordings import RecordingDifference, compare_files, read_archive
from cookmas.files.errors import InputError, MissingError
from cookmas.worlds.grids.grid import DIRECTIONS, Cell
from cookmas.worlds.grids.hands import Cook
from cookmas.worlds.overcooked.rules.kitchen import MOVES, KitchenItem, OvercookedKitchen, Scene
from cookmas.worlds.overcooked.rules.layout import load_kitchen
from cookmas.worlds.overcooked.rules.steps import step

WORDS = {letter: move for move, letter in MOVES.items()}
"""Our acts by the letters of the recordings; other acts have the same name."""

LETTERS = {direction: letter for letter, direction in DIRECTIONS.items()}


class KitchenStep(BaseModel):
    """One step of a recording."""

    model_config = ConfigDict(frozen=True)

    t: int
    a: tuple[str, ...] | None = None
    p: list[Any]
    objects: dict[str, Any]
    pots: dict[str, tuple[int, int]]
    gates: dict[str, tuple[str, int]]
    r: int = 0


def read_recordings(path: Path) -> Iterator[tuple[str, list[KitchenStep]]]:
    """Yield the recordings of a file by name. Raise InputError if the file is invalid."""
    for name, lines in read_archive(path, KitchenStep):
        if not lines or lines[0].a is not None or any(line.a is None for line in lines[1:]):
            raise InputError(
                name, "not a recording: expected the scene at first, then a step a line"
            )
        yield name, lines


def compare(name: str, lines: Sequence[KitchenStep]) -> RecordingDifference | None:
    """Return the first difference between a recording and our simulator; None if they agree."""
    try:
        kitchen = load_kitchen(name.rpartition("_")[0], "papers")
    except MissingError as error:
        raise InputError(name, str(error)) from None
    scene, points = kitchen.opening, 0
    for line in lines:
        if line.a is not None:
            acts = [WORDS.get(act, act) for act in line.a]
            scene, happened = step(kitchen, scene, acts)
            points = happened.points
        for field, recorded, ours in _fields(line, kitchen, scene, points):
            if recorded != ours:
                return RecordingDifference(f"{name}, step {line.t}", field, recorded, ours)
    return None


def _fields(
    line: KitchenStep, kitchen: OvercookedKitchen, scene: Scene, points: int
) -> Iterator[tuple[str, object, object]]:
    yield "cooks", line.p, [_cook(kitchen, cook) for cook in scene.cooks]
    yield "objects", line.objects, _by_cell(scene.counters, lambda item: _item(kitchen, item))
    pots = _by_cell(scene.pots, lambda pot: (len(pot.ingredients), max(0, pot.ticks)))
    yield "pots", line.pots, pots
    gates = _by_cell(scene.gates, lambda gate: ("open" if gate.open else "closed", gate.ticks))
    yield "gates", line.gates, gates
    yield "reward", line.r, points


def _by_cell(values: Mapping[Cell, Any], form: Any) -> dict[str, object]:
    return {f"{x},{y}": form(value) for (x, y), value in values.items()}


def _cook(kitchen: OvercookedKitchen, cook: Cook[KitchenItem]) -> list[object]:
    held = cook.held and _item(kitchen, cook.held)
    return [list(cook.body.at), LETTERS[cook.body.facing], held]


def _item(kitchen: OvercookedKitchen, item: KitchenItem) -> object:
    if item.kind != "soup":
        return item.kind
    soup = item.ingredients
    return ["soup", soup[0], len(soup), kitchen.times[soup]]


def main(arguments: Sequence[str]) -> int:
    """Compare files; return 0 if all agree, 1 if one differs, 2 if one cannot be compared."""
    return compare_files(
        arguments, "Compare recordings of the papers' engine.", read_recordings, compare
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
