"""Compare recordings of MindAgent's engine with the engine of CookMAS, step by step.

    python -m benchmarks.cuisineworld.recorded [--seed N] FILE...

A recording is a file with lines of JSON (`.jsonl`); a `.tar.xz` archive may have several. The name
of a recording gives the level, the number of agents, tau, and perhaps the seed, as in
`x_level_3_a2_t1.0.jsonl` or `x_level_3_a2_t1.0_s7.jsonl`. Without a seed in the name, that of
`--seed` is used. A recording has episodes of one run, of any length, and each begins with step 0.

The engine of CookMAS carries out the recorded commands. After each step the orders, the agents, the
contents and the occupation of places, the completed dishes, the counts, `ok`, and the kinds of
feedback are compared. The command prints the first difference of each recording. The exit code is 1
if there is any.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from benchmarks.recordings import RecordingDifference, read_archive, report
from cookmas.files.errors import InputError
from cookmas.worlds.cuisineworld.rules.book import build_kitchen
from cookmas.worlds.cuisineworld.rules.commands import FeedbackKind
from cookmas.worlds.cuisineworld.rules.engine import CuisineTask, EngineStep, play, start
from cookmas.worlds.cuisineworld.rules.kitchen import CuisineKitchen, CuisineState
from cookmas.worlds.cuisineworld.scenario import draw_stream

_NAME = re.compile(r"(level_\w+?)_a(\d+)_t(\d\.\d)(?:_s(?:eed)?(\d+))?\.jsonl$")

_WORDS = {
    "not in the list of supported actions": FeedbackKind.UNKNOWN_VERB,
    "not enough arguments": FeedbackKind.WORD_COUNT,
    "agent id not found": FeedbackKind.UNKNOWN_AGENT,
    "not in the current game level": FeedbackKind.UNKNOWN_PLACE,
    "ids cannot be the same": FeedbackKind.REPEATED_AGENT,
    "is not located in": FeedbackKind.ELSEWHERE,
    "is occupied": FeedbackKind.OCCUPIED,
    "is not any dish needed": FeedbackKind.NOT_A_DISH,
    "None of the agents": FeedbackKind.ALL_IDLE,
    "is not holding": FeedbackKind.HANDS_EMPTY,
    "is holding": FeedbackKind.HANDS_FULL,
    "is empty": FeedbackKind.NOTHING_INSIDE,
    "maximum capacity": FeedbackKind.NO_ROOM,
    "not allowed to pick up": FeedbackKind.NOT_TO_TAKE,
    "only pickup base": FeedbackKind.NO_INGREDIENT,
    "result in waste": FeedbackKind.NO_RECIPE,
}
"""Words by which an answer of MindAgent's engine is recognised, with the kind of feedback."""

SILENT = frozenset({FeedbackKind.TOO_MANY_WORDS})
"""Kinds of feedback for which MindAgent's engine has no words; only their `ok` is compared."""


class RecordedAgent(BaseModel):
    """The place of an agent and the item in its hands, in a recording."""

    model_config = ConfigDict(frozen=True)

    at: str
    hold: str | None


class CuisineStep(BaseModel):
    """A recorded step: its commands, and the state after the step.

    The names of the fields are those of MindAgent. `tasks` are the open orders, each a dish and its
    remaining timesteps. `locs` has for each place its items, joined by `&`, and whether the place
    is occupied. Step 0 has no commands.
    """

    model_config = ConfigDict(frozen=True)

    step: int
    tasks: list[tuple[str, int]]
    agents: list[RecordedAgent]
    locs: dict[str, tuple[str | None, bool]]
    accomplished: list[str]
    just_success: list[str]
    just_failed: bool
    success_count: int
    failed_count: int
    commands: list[str] | None
    ok: list[bool] | None
    feedback: list[str]


def compare(name: str, lines: Sequence[CuisineStep], seed: int = 0) -> RecordingDifference | None:
    """Return the first difference of a recording from the engine of CookMAS; None if they agree.

    `seed` is the seed of the orders if the name of the recording has none. Raises InputError if the
    name does not give the level, or the recording does not begin with step 0.
    """
    matched = _NAME.search(name)
    if matched is None:
        raise InputError(name, "name it after what was played, such as x_level_3_a2_t1.0_s0.jsonl")
    level, agents, tau, said = matched.groups()
    kitchen = build_kitchen(level, tau, int(agents))
    draw = random.Random(int(said or seed))
    for number, episode in enumerate(_episodes(name, lines), start=1):
        for step, field, recorded, ours in _compare_fields(kitchen, draw, episode):
            if recorded != ours:
                where = f"{name}, episode {number}, step {step}"
                return RecordingDifference(where, field, recorded, ours)
    return None


def _episodes(name: str, lines: Sequence[CuisineStep]) -> Iterator[Sequence[CuisineStep]]:
    starts = [number for number, line in enumerate(lines) if line.step == 0]
    if not starts or starts[0] != 0:
        raise InputError(name, "the first line is not step 0")
    for first, after in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield lines[first:after]


def _compare_fields(
    kitchen: CuisineKitchen, draw: random.Random, episode: Sequence[CuisineStep]
) -> Iterator[tuple[int, str, object, object]]:
    """Yield the step, the name, the recorded value and CookMAS's value of each compared field."""
    task = CuisineTask(kitchen=kitchen, stream=draw_stream(draw, kitchen, len(episode) - 1))
    state, step = start(task), EngineStep((), (), (), (), ())
    for number, line in enumerate(episode):
        if number:
            state, step = play(task, state, line.commands or ())
        for field, recorded, ours in _fields(line, kitchen, state, step):
            yield line.step, field, recorded, ours


def _fields(
    line: CuisineStep, kitchen: CuisineKitchen, state: CuisineState, step: EngineStep
) -> Iterable[tuple[str, object, object]]:
    yield "step", line.step, state.timestep
    yield "ok", line.ok or [], list(step.ok)
    yield (
        "feedback",
        [_kind(words) for words in line.feedback],
        [answer.kind for answer in step.feedback if answer.kind not in SILENT],
    )
    yield "tasks", line.tasks, [(dish, lifetime) for lifetime, dish in state.orders]
    yield "agents", [(agent.at, agent.hold) for agent in line.agents], list(state.agents)
    yield (
        "locs",
        line.locs,
        {
            place: ("&".join(state.inside.get(place, ())) or None, place in state.busy)
            for place in kitchen.places
        },
    )
    yield "accomplished", line.accomplished, list(state.completed)
    yield "just_success", line.just_success, list(step.completed)
    yield "just_failed", line.just_failed, bool(step.failed)
    yield "success_count", line.success_count, len(state.completed)
    yield "failed_count", line.failed_count, state.failed_count


def _kind(words: str) -> FeedbackKind | str:
    """Return the kind of an answer of MindAgent's engine; return unknown words unchanged."""
    return next((kind for known, kind in _WORDS.items() if known in words), words)


def main(arguments: Sequence[str]) -> int:
    """Compare the files; return 0 if all agree, 1 if one differs, 2 if one is invalid."""
    parser = argparse.ArgumentParser(description="Compare recordings of the original with ours.")
    parser.add_argument("files", nargs="+", type=Path, help="recordings, or archives of them")
    parser.add_argument("--seed", type=int, default=0, help="of recordings whose name says none")
    said = parser.parse_args(arguments)
    return report(
        (len(lines), compare(name, lines, said.seed))
        for path in said.files
        for name, lines in read_archive(path, CuisineStep)
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
