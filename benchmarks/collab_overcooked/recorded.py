"""Compare recordings of the original Collab-Overcooked with our simulator, step by step.

    python -m benchmarks.collab_overcooked.recorded FILE...

A file is lines of JSON (`.jsonl`), or a `.tar.xz` archive of such files. The first line has the
scene before the first step. Every other line has the low-level acts (`act`, with the names in
`parm`), and reward, events, errors, players and objects after them. Lines of high-level play also
have what each cook proposed (`tried`, each with its refusal) and the action that it is at (`plan`).

Our simulator, in the mode `original`, is fed the acts. In high-level play it is fed the proposals,
and the refusals, actions and acts that follow from them are compared too. The command prints the
first step that differs of each recording; the exit code is 1 if there is one.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from benchmarks.recordings import RecordingDifference, compare_files, read_archive
from cookmas.api import load_scenario
from cookmas.files.errors import InputError
from cookmas.worlds.collab_overcooked.rules.actions import read_action
from cookmas.worlds.collab_overcooked.rules.engine import refusal, step
from cookmas.worlds.collab_overcooked.rules.grounding import (
    WAITING,
    Doing,
    after_timestep,
    begin,
    carry_on,
    name_for_acts,
)
from cookmas.worlds.collab_overcooked.rules.kitchen import (
    CollabKitchen,
    CollabSight,
    FoodItem,
    Scene,
    Tables,
    UtensilContent,
    opening,
)
from cookmas.worlds.collab_overcooked.rules.timestep import STAY, CookAct, Happened
from cookmas.worlds.collab_overcooked.scenario import CollabScenario
from cookmas.worlds.grids.grid import Cell
from cookmas.worlds.grids.hands import Cook
from cookmas.worlds.grids.lasting import UnableError

REWARD = 20
"""Reward of the original for the right delivery."""

_DESTROYED = re.compile(r"TIMESTEP [0-9]+: Due to the items in (\w+) not matching any recipe")

ALIKE: Mapping[tuple[str, str], frozenset[str]] = {
    ("place_obj_on_counter", "not_on_counter"): frozenset({"hands_empty"}),
    ("deliver_soup", "needs_dish"): frozenset({"hands_empty", "not_final"}),
    ("pickup", "pickup_words"): frozenset({"words"}),
}
"""By verb and recorded kind of refusal: our finer kinds that count as the same."""


class CollabStep(BaseModel):
    """One step of a recording, as far as it is compared."""

    model_config = ConfigDict(frozen=True)

    t: int
    act: tuple[str, ...] | None = None
    parm: tuple[str, ...] | None = None
    reward: int = 0
    events: list[str | None]
    error: list[str]
    players: list[Any]
    objects: dict[str, Any]
    task: str
    plan: list[str] | None = None
    tried: list[list[tuple[str, str]]] | None = Field(default=None)


def read_recordings(path: Path) -> Iterator[tuple[str, list[CollabStep]]]:
    """Yield the recordings of a file by name. Raise InputError if the file is invalid."""
    for name, lines in read_archive(path, CollabStep):
        if not lines or lines[0].act is not None or any(line.act is None for line in lines[1:]):
            raise InputError(
                name, "not a recording: expected the scene at first, then a step a line"
            )
        yield name, lines


def compare(name: str, lines: Sequence[CollabStep]) -> RecordingDifference | None:
    """Return the first difference between a recording and our simulator; None if they agree."""
    scenario = load_scenario("collab-overcooked/level_1/01", settings={"mode": "original"})
    assert isinstance(scenario, CollabScenario)
    if lines[0].task not in scenario.kitchen.menu:
        raise InputError(name, f"there is no task {lines[0].task!r}")
    player = _Player(scenario.kitchen, scenario.tables, lines[0].task)
    happened: Happened | None = None
    for line in lines:
        found: Iterator[tuple[str, object, object]] = iter(())
        if line.act is not None:
            if line.tried is not None:
                found = player.propose(line)
            for field, recorded, ours in found:
                if recorded != ours:
                    return RecordingDifference(f"{name}, step {line.t}", field, recorded, ours)
            acts = [CookAct(*act) for act in zip(line.act, line.parm or (), strict=True)]
            happened = player.play(acts)
        for field, recorded, ours in _fields(line, scenario.kitchen, player.scene, happened):
            if recorded != ours:
                return RecordingDifference(f"{name}, step {line.t}", field, recorded, ours)
    return None


class _Player:
    """A play of our simulator that follows a recording."""

    def __init__(self, kitchen: CollabKitchen, tables: Tables, order: str) -> None:
        self.kitchen = kitchen
        self.tables = tables
        self.order = order
        self.scene = opening(kitchen)
        self.doing: list[Doing | None] = [None] * len(kitchen.cooks)

    def play(self, acts: Sequence[CookAct]) -> Happened:
        """Carry out the acts of a step; return what happened."""
        self.scene, happened = step(self.kitchen, self.scene, acts, self.order, self.tables)
        for number, doing in enumerate(self.doing):
            if doing is not None:
                self.doing[number] = after_timestep(self._sight(number), doing, happened)
        return happened

    def propose(self, line: CollabStep) -> Iterator[tuple[str, object, object]]:
        """Take the proposals of a step; yield refusals, actions and acts, recorded and ours."""
        for number, tried in enumerate(line.tried or ()):
            cook = self.kitchen.cooks[number]
            yield f"{cook} was asked", bool(tried), self.doing[number] is None
            for text, kind in tried:
                yield f"the answer to {text}", kind, self._answer(number, text, kind)
            assert line.plan is not None
            assert line.act is not None
            assert line.parm is not None
            recorded = str(read_action(line.plan[number]))
            act = self._ground(number, recorded)
            doing = self.doing[number]
            yield f"{cook}'s action", recorded, str(doing and doing.action)
            yield f"{cook}'s act", (line.act[number], line.parm[number]), tuple(act)

    def _sight(self, number: int) -> CollabSight:
        return CollabSight(self.kitchen, self.scene, number, self.order)

    def _ground(self, number: int, recorded: str) -> CookAct:
        """Return a cook's act.

        In the original a coin decides whether a cook that reaches no target of its action gives the
        action up. `recorded`, the action in the recording, says how the coin fell.
        """
        before = self.doing[number] or begin(WAITING)
        self.doing[number], act = carry_on(self._sight(number), before)
        if self.doing[number] == before or str(before.action) != recorded:
            return act
        self.doing[number] = before
        return CookAct(STAY, name_for_acts(before.action))

    def _answer(self, number: int, text: str, recorded: str) -> str:
        """Return our answer to a proposal: `ok`, after beginning the action, or a kind of refusal.

        If our kind counts as the recorded one (ALIKE), return the recorded one.
        """
        try:
            action = read_action(text)
            kind = refusal(self._sight(number), action)
        except UnableError as error:
            kind = str(error)
        else:
            if kind is None:
                self.doing[number] = begin(action)
                return "ok"
        verb = text.partition("(")[0]
        return recorded if kind in ALIKE.get((verb, recorded), ()) else str(kind)


def _fields(
    line: CollabStep, kitchen: CollabKitchen, scene: Scene, happened: Happened | None
) -> Iterator[tuple[str, object, object]]:
    yield "players", line.players, [_player(cook) for cook in scene.cooks]
    counters = {_key(cell): _item(item) for cell, item in scene.counters.items()}
    utensils = {_key(cell): _content(content) for cell, content in scene.utensils.items()}
    yield "objects", line.objects, {**counters, **utensils}
    if happened is not None:
        events = [_name_event(event) for event in happened.events]
        yield "events", line.events, events
        yield "reward", line.reward, REWARD * happened.served
        destroyed = [match[1] for error in line.error if (match := _DESTROYED.match(error))]
        yield "errors", destroyed, list(happened.destroyed)


def _name_event(event: str | None) -> str | None:
    """Return an event as the original names it.

    The original says `put_obj_in_utensil` if a dish is filled from another utensil than a pot.
    """
    if event == "deliver()":
        return "deliver_soup()"
    if event and event.startswith("fill_dish_with_food(") and "(pot" not in event:
        return event.replace("fill_dish_with_food", "put_obj_in_utensil")
    return event


def _key(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def _player(cook: Cook[FoodItem]) -> list[object]:
    return [list(cook.body.at), list(cook.body.facing), cook.held and _item(cook.held)]


def _item(item: FoodItem) -> list[object]:
    if item.kind == "mix":
        return ["soup", "semi-finished", [ast.literal_eval(item.name), item.parts, 0]]
    parts = [item.name, item.parts, 3] if item.parts else None
    return [item.name, item.kind, parts]


def _content(content: UtensilContent) -> list[object]:
    if content.product is None:
        return ["soup", "semi-finished", [list(content.items), content.filled, 0]]
    made = [content.product, content.filled, content.ticks]
    if content.ticks < 3:
        return ["soup", "semi-finished", made]
    return [content.product, "finished", made]


def main(arguments: Sequence[str]) -> int:
    """Compare files; return 0 if all agree, 1 if one differs, 2 if one cannot be compared."""
    return compare_files(
        arguments, "Compare recordings of the original with ours.", read_recordings, compare
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
