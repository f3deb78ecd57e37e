"""Compare our simulator with a later fork of Overcooked-AI, state for state.

    python -m benchmarks.overcooked_ai.fork [--plays N] [--save FILE]
    python -m benchmarks.overcooked_ai.fork FILE...

The fork (`overcooked` 0.2.1) plays every layout of its own with the acts of our random play, in the
dynamics `current`, and in `papers` where it can (`old_dynamics`). Every state after the first
one and every reward is compared. It needs a Python environment of its own, `.venv/overcooked-fork`,
which the first run makes. `--save` keeps the plays in a `.tar.xz` archive; with files, these
are compared and the fork is not needed.

A recording has the name LAYOUT-DYNAMICS-SEED. Its first line is the scene before the first step.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
import tarfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, get_args

from pydantic import BaseModel, ConfigDict

from benchmarks.overcooked import converse, prepare_python
from benchmarks.overcooked_ai.useful import play_usefully
from benchmarks.recordings import RecordingDifference, read_archive, report
from cookmas.files.errors import InputError
from cookmas.worlds.overcooked.rules.kitchen import Dynamics, KitchenItem, OvercookedKitchen, Scene
from cookmas.worlds.overcooked.rules.layout import FOLDER, SUFFIX, read_layout
from cookmas.worlds.overcooked.rules.steps import step

ENVIRONMENT = Path(".venv/overcooked-fork")
LOCK = "requirements/overcooked.lock"
PLAYS = 5
TIMESTEPS = 400

LEFT_OUT: Mapping[str, str] = {
    "tutorial_3": "the points of its bonus order are infinite",
}
"""The layouts of the fork whose rules ours do not cover, each with its rule."""

THEIRS = """
import json, sys
from overcooked.mdp.overcooked_mdp import OvercookedGridworld
ACTS = {"north": (0, -1), "south": (0, 1), "east": (1, 0), "west": (-1, 0), "stay": (0, 0)}
OvercookedGridworld.from_layout_name("cramped_room")

def item(each):
    if each is None:
        return None
    if each.name != "soup":
        return [each.name, [], -1]
    return ["soup", sorted(each.ingredients), each._cooking_tick]

def line(mdp, state, t, acts, points):
    objects = {"%d,%d" % cell: item(each) for cell, each in state.objects.items()}
    cooks = [[list(p.position), list(p.orientation), item(p.held_object)] for p in state.players]
    return {"t": state.timestep, "acts": acts, "cooks": cooks, "objects": objects, "points": points}

for request in sys.stdin:
    asked = json.loads(request)
    try:
        mdp = OvercookedGridworld.from_layout_name(asked["layout"], old_dynamics=asked["old"])
    except AssertionError:
        print("null", flush=True)
        continue
    state = mdp.get_standard_start_state()
    lines = [line(mdp, state, 0, None, 0)]
    for t, acts in enumerate(asked["acts"], start=1):
        state, infos = mdp.get_state_transition(state, [ACTS.get(act, act) for act in acts])
        lines.append(line(mdp, state, t, acts, sum(infos["sparse_reward_by_agent"])))
    print(json.dumps(lines), flush=True)
"""


class ForkStep(BaseModel):
    """One step of a play of the fork."""

    model_config = ConfigDict(frozen=True)

    t: int
    acts: tuple[str, ...] | None = None
    cooks: list[Any]
    objects: dict[str, Any]
    points: int


class ForkPlay(NamedTuple):
    """A play of the fork."""

    name: str
    """Layout, dynamics and seed."""
    steps: Sequence[ForkStep]
    """The first scene, then the steps."""


def load_fork_kitchen(name: str, dynamics: Dynamics) -> OvercookedKitchen:
    """Return the kitchen of a layout of the fork. Raise MissingError if there is none."""
    return read_layout(FOLDER / "current" / f"{name}{SUFFIX}").kitchen(dynamics)


def list_layouts() -> Sequence[str]:
    """Return the names of the layouts of the fork that ours cover."""
    return sorted(path.stem for path in (FOLDER / "current").glob(f"*{SUFFIX}"))


@contextmanager
def start_fork() -> Iterator[Any]:
    """Yield a function that plays acts in a layout of the fork; it returns None if it cannot."""
    python = prepare_python(ENVIRONMENT, ("--require-hashes", "--requirement", LOCK))
    with converse(python, THEIRS) as ask:

        def play(layout: str, dynamics: Dynamics, acts: Sequence[Any]) -> list[ForkStep] | None:
            asked = {"layout": layout, "old": dynamics == "papers", "acts": acts}
            lines = json.loads(ask(json.dumps(asked), ("[", "null")))
            return lines and [ForkStep.model_validate(line) for line in lines]

        yield play


def play_fork(plays: int) -> Iterator[ForkPlay]:
    """Yield plays of the fork: every layout in each of the dynamics that it has."""
    with start_fork() as play:
        for dynamics in get_args(Dynamics):
            for layout in list_layouts():
                kitchen = load_fork_kitchen(layout, dynamics)
                for seed in range(plays):
                    acts = [acts for acts, _, _ in play_usefully(kitchen, seed, TIMESTEPS)]
                    steps = play(layout, dynamics, acts)
                    if steps is None:
                        break
                    yield ForkPlay(f"{layout}-{dynamics}-{seed}", steps)


def read_plays(path: Path) -> Iterator[ForkPlay]:
    """Yield the recorded plays of a file. Raise InputError if the file is invalid."""
    for name, steps in read_archive(path, ForkStep):
        if not steps or steps[0].acts is not None or any(each.acts is None for each in steps[1:]):
            raise InputError(
                name, "not a recording: expected the scene at first, then a step a line"
            )
        yield ForkPlay(name.removesuffix(".jsonl"), steps)


def compare(played: ForkPlay) -> RecordingDifference | None:
    """Return the first difference between a play and our simulator; None if they agree."""
    layout, _, rest = played.name.partition("-")
    dynamics = rest.partition("-")[0]
    if layout not in list_layouts() or dynamics not in get_args(Dynamics):
        raise InputError(played.name, "expected the name LAYOUT-DYNAMICS-SEED")
    kitchen = load_fork_kitchen(layout, dynamics)  # type: ignore[arg-type]
    scene, points = kitchen.opening, 0
    for number, line in enumerate(played.steps):
        if line.acts is not None:
            scene, happened = step(kitchen, scene, line.acts)
            points = happened.points
        for field, theirs, ours in (
            ("timestep", line.t, number),
            ("cooks", line.cooks, _cooks(kitchen, scene)),
            ("objects", line.objects, _objects(kitchen, scene)),
            ("points", line.points, points),
        ):
            if theirs != ours:
                return RecordingDifference(f"{played.name}, step {line.t}", field, theirs, ours)
    return None


def _cooks(kitchen: OvercookedKitchen, scene: Scene) -> list[object]:
    return [
        [list(body.at), list(body.facing), held and _item(kitchen, held)]
        for body, held in scene.cooks
    ]


def _item(kitchen: OvercookedKitchen, item: KitchenItem) -> list[object]:
    ticks = kitchen.times[item.ingredients] if item.kind == "soup" else -1
    return [item.kind, list(item.ingredients), ticks]


def _objects(kitchen: OvercookedKitchen, scene: Scene) -> dict[str, object]:
    counters = {f"{x},{y}": _item(kitchen, item) for (x, y), item in scene.counters.items()}
    pots = {
        f"{x},{y}": ["soup", list(pot.ingredients), pot.ticks] for (x, y), pot in scene.pots.items()
    }
    return {**counters, **pots}


def save(plays: Iterable[ForkPlay], path: Path) -> Iterator[ForkPlay]:
    """Yield plays, and keep them in a `.tar.xz` archive."""
    with tarfile.open(path, "w:xz") as archive:
        for played in plays:
            text = "".join(line.model_dump_json() + "\n" for line in played.steps).encode()
            member = tarfile.TarInfo(f"{played.name}.jsonl")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text))
            yield played


def main(arguments: Sequence[str]) -> int:
    """Compare plays; return 0 if all agree, 1 if one differs, 2 if one cannot be compared."""
    parser = argparse.ArgumentParser(description="Compare a fork of Overcooked-AI with ours.")
    parser.add_argument("files", nargs="*", type=Path, help="recorded plays, or archives of them")
    parser.add_argument("--plays", type=int, default=PLAYS, help="plays of each layout")
    parser.add_argument("--save", type=Path, help="archive in which the plays are kept")
    given = parser.parse_args(arguments)
    plays: Iterable[ForkPlay]
    if given.files:
        plays = (played for path in given.files for played in read_plays(path))
    else:
        plays = play_fork(given.plays)
        if given.save:
            plays = save(plays, given.save)
    return report((len(played.steps) - 1, compare(played)) for played in plays)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
