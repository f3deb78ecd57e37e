"""Hold recordings of the original engine against ours.

    python -m worlds.cuisineworld.recorded FILE...

A file is lines of JSON (`.jsonl`), or such files in a tar archive. Its name says the level, the
agents and tau (`..._level_3_a2_t1.0.jsonl`); it holds the episodes of one run with seed 0, each
beginning with step 0. The commands are fed to our engine and the rest is compared: tasks, agents,
contents and occupation of places, accomplished, counts, ok, and feedback by kind. The first step
that differs is named; the exit code is 1 if there is one.
"""

from __future__ import annotations

import json
import re
import sys
import tarfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from episodes.errors import CookMASError, InputError
from worlds.cuisineworld.engine import Step, Task, play, start
from worlds.cuisineworld.feedback import Kind
from worlds.cuisineworld.state import State
from worlds.cuisineworld.tasks.book import build_task

_NAME = re.compile(r"(level_\w+?)_a(\d)_t(\d\.\d)\.jsonl$")

_WORDS = {
    "not in the list of supported actions": Kind.UNKNOWN_VERB,
    "not enough arguments": Kind.TOO_FEW_WORDS,
    "agent id not found": Kind.UNKNOWN_AGENT,
    "not in the current game level": Kind.UNKNOWN_PLACE,
    "ids cannot be the same": Kind.REPEATED_AGENT,
    "is not located in": Kind.ELSEWHERE,
    "is occupied": Kind.OCCUPIED,
    "is not holding": Kind.HANDS_EMPTY,
    "is holding": Kind.HANDS_FULL,
    "is empty": Kind.NOTHING_INSIDE,
    "maximum capacity": Kind.NO_ROOM,
    "not allowed to pick up": Kind.NOT_TO_TAKE,
    "only pickup base": Kind.NO_INGREDIENT,
    "result in waste": Kind.NO_RECIPE,
}
"""A few words by which an answer of the original is known."""

SILENT = frozenset({Kind.TOO_MANY_WORDS})
"""Refusals for which the original has no words; they are compared by `ok` alone."""


class Difference(NamedTuple):
    """Where a recording and our engine part: what is recorded, and what ours has."""

    where: str
    field: str
    recorded: object
    ours: object

    def __str__(self) -> str:
        return f"{self.where}: {self.field} is {self.recorded} as recorded, {self.ours} in ours"


def read_recordings(path: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The recordings of a file by name. Raises InputError if it cannot be read as such."""
    try:
        if path.suffix == ".jsonl":
            yield path.name, _lines(path.read_text(encoding="utf-8"))
            return
        with tarfile.open(path) as archive:
            for member in archive:
                content = archive.extractfile(member) if member.name.endswith(".jsonl") else None
                if content is not None:
                    yield member.name, _lines(content.read().decode("utf-8"))
    except (OSError, ValueError, tarfile.TarError) as error:
        problem = str(error).splitlines()[0]
        raise InputError(str(path), f"not a recording: {problem}") from None


def _lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines() if line]


def compare(name: str, lines: Sequence[dict[str, Any]]) -> Difference | None:
    """The first difference of a recording from our engine, None if they agree.

    Raises InputError if the name does not say what was played, or a line lacks a field.
    """
    matched = _NAME.search(name)
    if matched is None:
        raise InputError(name, "name it after what was played, such as x_level_3_a2_t1.0.jsonl")
    level, agents, tau = matched.groups()
    episode = 0
    try:
        for line in lines:
            if line["step"] == 0:
                episode += 1
                task = build_task(level, tau, int(agents), episode=episode)
                state, step = start(task), Step((), (), (), (), ())
            elif episode == 0:
                raise InputError(name, "the first line is not step 0")
            else:
                state, step = play(task, state, line["commands"])
            for field, recorded, ours in _fields(line, task, state, step):
                if recorded != ours:
                    where = f"{name}, episode {episode}, step {line['step']}"
                    return Difference(where, field, recorded, ours)
    except KeyError as missing:
        raise InputError(name, f"a line has no {missing}") from None
    return None


def _fields(
    line: dict[str, Any], task: Task, state: State, step: Step
) -> Iterable[tuple[str, object, object]]:
    yield "step", line["step"], state.timestep
    yield "ok", line["ok"] or [], list(step.ok)
    yield (
        "feedback",
        [_kind(words) for words in line["feedback"]],
        [answer.kind for answer in step.feedback if answer.kind not in SILENT],
    )
    yield "tasks", line["tasks"], [[dish, lifetime] for lifetime, dish in state.orders]
    yield (
        "agents",
        [[agent["at"], agent["hold"]] for agent in line["agents"]],
        [list(agent) for agent in state.agents],
    )
    yield (
        "locs",
        line["locs"],
        {
            place: ["&".join(state.inside.get(place, ())) or None, place in state.busy]
            for place in task.kitchen.places
        },
    )
    yield "accomplished", line["accomplished"], list(state.completed)
    yield "just_success", line["just_success"], list(step.completed)
    yield "just_failed", line["just_failed"], bool(step.failed)
    yield "success_count", line["success_count"], len(state.completed)
    yield "failed_count", line["failed_count"], state.failed_count


def _kind(words: str) -> Kind | str:
    """The kind of an answer of the original; the words themselves if it is none we know."""
    return next((kind for known, kind in _WORDS.items() if known in words), words)


def main(paths: Sequence[str]) -> int:
    """Compare files; 0 if all agree, 1 at a difference, 2 if a file cannot be compared."""
    if not paths:
        print("usage: python -m worlds.cuisineworld.recorded FILE...", file=sys.stderr)
        return 2
    recordings = steps = 0
    try:
        for path in paths:
            for name, lines in read_recordings(Path(path)):
                difference = compare(name, lines)
                if difference is not None:
                    print(difference)
                    return 1
                recordings += 1
                steps += len(lines)
    except CookMASError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{recordings} recordings with {steps} steps agree")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
