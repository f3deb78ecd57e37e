"""Compare recordings of the original Collab Capture and Collab Escape with our engines.

    python -m benchmarks.collab_games.recorded FILE...

A recording is a file with lines of JSON (`.jsonl`), whose name begins with `capture` or `escape`; a
`.tar.xz` archive may have several. Its first line is the start, and each further line a turn with
the actions of both players. Actions that are not legal are left out. If the killer went to a random
room, it goes to the same room here.

After each turn every recorded field is compared: the rooms of all, the doors and the legal actions,
or the generators, the exit and whom the killer saw and followed, and the outcome. The command
prints the first difference of each recording. The exit code is 1 if there is any.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from benchmarks.recordings import RecordingDifference, compare_files, read_archive
from cookmas.files.errors import InputError
from cookmas.world_names import domain_of
from cookmas.worlds.collab_capture.world import CaptureWorld
from cookmas.worlds.collab_escape.rules import NEEDED
from cookmas.worlds.collab_escape.world import EscapeWorld

NAMES = ("Alice", "Bob")
"""The players as the recordings name them."""

HORIZON = 30
"""The turns after which the thief has escaped in the recordings."""

Fields = Iterator[tuple[str, object, object]]
"""The name, the recorded value and our value of each field after a turn."""


class RoomLine(BaseModel):
    """A recorded turn of either game. The names of the fields are those of the recording."""

    model_config = ConfigDict(frozen=True)

    actions: list[int | str] | None
    pos: tuple[int, int, int]
    outcome: str | None
    doors: dict[str, bool] = {}
    options: list[list[int | str]] = []
    killer_roll: int | None = None
    killer_aim: int | None = None
    fixes: dict[str, int] = {}
    fixed: dict[str, bool] = {}
    gate: bool = False
    target: str = ""
    sees: tuple[bool, bool] = (False, False)


def _choose_recorded(drawn: int | None) -> Callable[[Sequence[int]], int]:
    """Return a function that chooses the recorded room; it raises InputError if it cannot."""

    def choose(rooms: Sequence[int]) -> int:
        if drawn is None or drawn not in rooms:
            raise InputError("recording", f"the killer cannot go to room {drawn}")
        return drawn

    return choose


def compare(name: str, lines: Sequence[RoomLine]) -> RecordingDifference | None:
    """Return the first difference of a recording from our engine; None if they agree.

    Raises InputError if the name does not begin with the name of a game.
    """
    game = Path(name).name.partition("_")[0].partition(".")[0]
    if game not in ("capture", "escape"):
        raise InputError(name, "name it after its game, such as capture_001.jsonl")
    world: Any = domain_of(f"collab-{game}").scenario("building", {}).world()
    fields = _capture_fields if game == "capture" else _escape_fields
    before = state = world.start()
    for turn, line in enumerate(lines):
        if line.actions is not None:
            before, joint = state, world.joint_move(_legal_actions(world, state, line.actions))
            after = world.turn(world.position(state), joint, _choose_recorded(line.killer_roll))
            state = {**state, **world.entries(after), "timestep": turn}
        for field, recorded, ours in fields(world, before, state, line):
            if recorded != ours:
                return RecordingDifference(f"{name}, turn {turn}", field, recorded, ours)
    return None


def _legal_actions(world: Any, state: Any, recorded: Sequence[int | str]) -> Mapping[str, str]:
    """Return the legal ones of recorded actions in our notation.

    A recorded fix names a room, but is one of the generator where the player stands.
    """
    found = {}
    for name, action in zip(world.workers, recorded, strict=True):
        text = _translate(action)
        if text in world.legal(state, name):
            found[name] = text
    return found


def _translate(action: int | str) -> str:
    if isinstance(action, int):
        return f"move({action})"
    if action.startswith("move to room "):
        return f"move({action.removeprefix('move to room ')})"
    return "fix" if action.startswith("fix generator") else action


def _capture_fields(world: CaptureWorld, before: Any, state: Any, line: RoomLine) -> Fields:
    """Yield the fields of Collab Capture; the thief has escaped if it is free at the horizon."""
    yield "pos", line.pos, (*state["players"].values(), state["thief"])
    yield "doors", line.doors, state["doors"]
    legal = [[*map(_translate, options)] for options in line.options]
    yield "options", legal, [world.legal(state, name) for name in world.workers]
    outcome = "escaped" if state["timestep"] == HORIZON else None
    yield "outcome", line.outcome, "caught" if world.ending(state) else outcome


def _escape_fields(world: EscapeWorld, before: Any, state: Any, line: RoomLine) -> Fields:
    yield "pos", line.pos, (*state["players"].values(), state["killer"])
    yield "fixes", line.fixes, state["fixes"]
    repaired = {room: count >= NEEDED for room, count in state["fixes"].items()}
    yield "fixed", line.fixed, repaired
    yield "gate", line.gate, all(repaired.values())
    if line.actions is not None:
        near = world.ways[before["killer"]]
        yield "sees", line.sees, tuple(room in near for room in before["players"].values())
        follows = before["follows"]
        target = "" if follows is None else NAMES[world.workers.index(follows)]
        yield "target", line.target, target
        yield "killer_aim", line.killer_aim, state["killer"]
    ending = world.ending(state)
    outcome = {"won": "win", "lost": "loss"}[ending.how] if ending else None
    yield "outcome", line.outcome, outcome


def read(path: Path) -> Iterator[tuple[str, list[RoomLine]]]:
    """Yield the name and the lines of each recording in a file. Raises InputError."""
    return read_archive(path, RoomLine)


def main(arguments: Sequence[str]) -> int:
    """Compare the files; return 0 if all agree, 1 if one differs, 2 if one is invalid."""
    what = "Compare recordings of Collab Capture and Collab Escape with ours."
    return compare_files(arguments, what, read, compare)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
