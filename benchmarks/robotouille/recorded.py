"""Compare recordings of the original Robotouille with the engine of CookMAS, step by step.

    python -m benchmarks.robotouille.recorded FILE...

A recording is a file with lines of JSON (`.jsonl`); a `.tar.xz` archive may have several. The name
of a recording gives the task, and perhaps the seed of the layout, as in
`x_asynchronous-5_potato_soup_s42.jsonl`. Its first line is the layout, and each further line a step
with the action of the robot. A layout that does not come with CookMAS is built from the first line,
with the goal of its task. A file whose name ends in `layouts.jsonl` has a layout in each line.

The engine carries out the recorded actions in the mode `original`. After each step the true
predicates, the valid actions, the timers and whether the goal is reached are compared. Of a layout
the true predicates and the goal are compared. The command prints the first difference of each
recording. The exit code is 1 if there is any.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from benchmarks.recordings import RecordingDifference, compare_files, read_archive
from cookmas.episodes.world import Command
from cookmas.files.errors import InputError
from cookmas.files.reading import validate
from cookmas.worlds.robotouille.domain import DOMAIN
from cookmas.worlds.robotouille.rules.domain_file import DomainFile, read_shipped
from cookmas.worlds.robotouille.rules.engine import FactState
from cookmas.worlds.robotouille.rules.layout import NOWHERE
from cookmas.worlds.robotouille.rules.literals import Literal, read_literals
from cookmas.worlds.robotouille.world import RobotouilleLevel, RobotouilleWorld

_NAME = re.compile(r"(a?synchronous|multi_agent)-(\d+|multi)_\w*?(?:_s(\d+))?(?:\.jsonl)?$")
_GROUPS = {
    "synchronous": "synchronous",
    "asynchronous": "asynchronous",
    "multi_agent": "two-robots",
}
_CALL = re.compile(r"([\w-]+)\((.*)\)")
_NUMBER = re.compile(r"\d+$")


class RecordedGoal(BaseModel):
    """A literal of a recorded goal: its arguments are kinds, each with an id."""

    model_config = ConfigDict(frozen=True)

    predicate: str
    args: list[str]
    ids: list[int]


class RobotouilleLine(BaseModel):
    """A recorded step, or a recorded layout. The names of the fields are those of the recording.

    A timer is a list: its kind, its object, its count, the count at which it ends, and whether it
    has ended and whether its condition holds.
    """

    model_config = ConfigDict(frozen=True)

    true: list[str]
    actions: list[str] = []
    done: bool = False
    valid: list[str] = []
    timers: list[tuple[str, str, int | None, int | None, bool, bool | None]] = []
    task: str = ""
    seed: int | None = None
    goal: list[RecordedGoal] = []


def compare(name: str, lines: Sequence[RobotouilleLine]) -> RecordingDifference | None:
    """Return the first difference of a recording from the engine of CookMAS; None if they agree.

    Raises InputError if the name of the recording, or of a layout's task, names no task.
    """
    layouts = name.endswith("layouts.jsonl")
    compared = _compare_layouts(lines) if layouts else _compare_steps(name, lines)
    for number, (field, recorded, ours) in compared:
        if recorded != ours:
            recorded, ours = _narrow(recorded, ours)
            where = f"{name}, {lines[number].task or f'step {number}'}"
            return RecordingDifference(where, field, recorded, ours)
    return None


def _narrow(recorded: object, ours: object) -> tuple[object, object]:
    """Return two lists without their common members; return other values unchanged."""
    if not (isinstance(recorded, list) and isinstance(ours, list)) or set(recorded) == set(ours):
        return recorded, ours
    return [x for x in recorded if x not in ours], [x for x in ours if x not in recorded]


def build_world(
    name: str, seed: int | None = None, first: RobotouilleLine | None = None
) -> RobotouilleWorld:
    """Return the world of a recorded task; if its seed does not come with CookMAS, from `first`.

    Raises InputError if the name names no task, or if `first` is no layout.
    """
    matched = _NAME.search(name)
    if matched is None:
        raise InputError(name, "name it after its task, such as x_synchronous-3_burger_s42.jsonl")
    group, number, named = matched.groups()
    task = f"{_GROUPS[group]}/{'fries' if number == 'multi' else number}"
    layout = f"{task}-{named or seed}" if named or seed else task
    if layout in DOMAIN.names():
        first = None
    scenario = DOMAIN.scenario(task if first else layout, {"timers": "original"})
    setup = scenario.world().setup()
    if first:
        setup["objects"] = _read_objects(name, first.true, read_shipped(setup["domain"]))
    try:
        return RobotouilleWorld(validate(RobotouilleLevel, setup, "layout"))
    except InputError as error:
        raise InputError(f"{name}, line 1", str(error)) from None


def _read_objects(name: str, true: Sequence[str], domain: DomainFile) -> dict[str, list[str]]:
    """Return the objects of a layout in the form of a scenario, each after its place."""
    made = {literal.predicate for rule in domain.puts for literal in rule.makes}
    places, objects = dict[str, str](), dict[str, list[str]]()
    for literal in read_literals(", ".join(true), f"{name}, line 1"):
        for arg in literal.args:
            objects.setdefault(arg, [_NUMBER.sub("", arg), NOWHERE])
        (first, *_), predicate = literal.args, literal.predicate
        kind = domain.entries.kinds.get(objects[first][0])
        if predicate in domain.rests:
            position = domain.rests[predicate]
            places[literal.args[position]] = literal.args[1 - position]
        elif len(literal.args) == 1 and predicate not in made and kind:
            objects[first] += [predicate] if predicate not in kind.has else []
    order = list[str]()
    while left := [x for x in objects if x not in order and places.get(x, x) in {x, *order}]:
        order += left
    for each, place in places.items():
        objects[each][1] = place
    return {each: objects[each] for each in order}


Compared = Iterator[tuple[int, tuple[str, object, object]]]
"""The number of a line, and the name, the recorded value and CookMAS's value of a field."""


def _compare_layouts(lines: Sequence[RobotouilleLine]) -> Compared:
    for number, line in enumerate(lines):
        world = build_world(line.task, line.seed)
        yield number, ("true", sorted(line.true), _true(world, world.start()))
        yield number, ("goal", _name_objects(line.goal), [str(x) for x in world.goal.literals])


def _name_objects(goal: Sequence[RecordedGoal]) -> list[str]:
    """Return the literals of a goal in our words; the first kind of an id is that of its object."""
    kinds: dict[int, str] = {}
    for each in goal:
        for kind, number in zip(each.args, each.ids, strict=True):
            kinds.setdefault(number, kind)
    return [
        str(Literal(each.predicate, tuple(f"{kinds[n]}_{n}" for n in each.ids))) for each in goal
    ]


def _compare_steps(name: str, lines: Sequence[RobotouilleLine]) -> Compared:
    world = build_world(name, first=next(iter(lines), None))
    (robot,) = world.workers
    state = world.start()
    for number, line in enumerate(lines):
        if number:
            (action,) = line.actions
            state, outcomes, _ = world.step(state, [Command(robot, _translate(world, action))])
            yield number, ("fail", None, outcomes[robot].fail)
        yield number, ("true", sorted(line.true), _true(world, state))
        valid = sorted({_translate(world, action) for action in line.valid})
        yield number, ("valid", valid, sorted(world.legal(state, robot)))
        yield number, ("timers", line.timers, _timers(world, state))
        yield number, ("done", line.done, world.ending(state) is not None)


def _translate(world: RobotouilleWorld, text: str) -> str:
    """Return a recorded action, such as `cut(i1=onion1,p1=robot1,s1=board1)`, in our notation."""
    matched = _CALL.fullmatch(text)
    if matched is None or matched[1] not in world.domain.actions:
        return world.idle
    given = dict(pair.split("=") for pair in matched[2].split(","))
    variables = list(world.domain.actions[matched[1]].types)[1:]
    return f"{matched[1]}({', '.join(given[name] for name in variables)})"


def _true(world: RobotouilleWorld, state: FactState) -> list[str]:
    return sorted(str(x).replace(", ", ",") for x in world.engine.literals(state.true))


def _timers(world: RobotouilleWorld, state: FactState) -> list[tuple[Any, ...]]:
    """Return the timers as the original lists them: those of one effect as several entries."""
    found: list[tuple[Any, ...]] = []
    for running in state.timers:
        timer = world.engine.timer(running.key)
        if timer.counts_actions:
            found.append(("repetitive", timer.about, running.counted, timer.length, False, None))
            continue
        ended = world.engine.has_ended(running)
        found.append(("conditional", timer.about, None, None, ended, running.held))
        if timer.length > 1:
            count = ("delayed", timer.about, running.counted, timer.length, False, running.held)
            found.append(count)
        if running.key.startswith("fill-pot"):
            found.append(("creation", timer.about, None, None, False, running.held))
    return found


def read(path: Path) -> Iterator[tuple[str, list[RobotouilleLine]]]:
    """Yield the name and the lines of each recording in a file. Raises InputError."""
    return read_archive(path, RobotouilleLine)


def main(arguments: Sequence[str]) -> int:
    """Compare the files; return 0 if all agree, 1 if one differs, 2 if one is invalid."""
    return compare_files(arguments, "Compare recordings of Robotouille with ours.", read, compare)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
