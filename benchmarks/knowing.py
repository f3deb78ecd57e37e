"""Ask agents about the states that they met in play, and set their accuracy beside their score.

    python -m benchmarks.knowing [PLAYS [QUESTIONS]]

The agent `cac`, with and without its theory of mind, plays Collab Capture and Hanabi in both seats,
PLAYS times (3), with the scripted model at several rates of faults. Then the same agent with the
same model answers QUESTIONS questions (12) of each kind about states out of these plays. The
command fills docs/experiments/knowing.md. It is a test of the experiment, and no result of a model.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import mean
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.collab_games.agents import describe_runs
from benchmarks.hanabi.agents import describe
from benchmarks.page import DOCS, fill, table
from benchmarks.scripted_agents import AT_A_TIME, FAULTS, AskedAgent, play_seeds
from benchmarks.serving import faults, model_server
from cookmas.api import Run, aplay, load_scenario
from cookmas.episodes.parts import mark_scripted
from cookmas.episodes.replay import replay
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.studies.questions.making import PlayedState, draw_question
from cookmas.worlds.base.question_suite import QuestionLine, SuiteLine, write_suite
from cookmas.worlds.base.questions import KINDS

PAGE = DOCS / "experiments" / "knowing.md"
RATES = (0.0, 0.1, 0.3)
SEED = 2000
"""Seed of the first play."""
TRIES = 200
"""Greatest number of questions of a kind that are drawn."""

AGENTS = (
    AskedAgent("cac", "cac"),
    AskedAgent("cac without its theory of mind", "cac", {"theory_of_mind": False}),
)
COLUMNS = f"| agent in both seats | faults | {{score}} | questions | {' | '.join(KINDS)} |"


class PlayedGame(NamedTuple):
    """A game that is played and asked about."""

    scenario: str
    """World and scenario."""
    score: str
    """Heading of its score."""
    describe: Callable[[Sequence[Run]], str]
    """Function that returns the cells of its score."""


GAMES = (
    PlayedGame("collab-capture/building", "wins | turns", describe_runs),
    PlayedGame("hanabi/two", "mean score", describe),
)


def ask_about(scenario: str, runs: Sequence[Run], count: int) -> Iterator[QuestionLine]:
    """Yield `count` different questions of each kind about states of some runs.

    They are fewer if the states do not have so many.
    """
    world = load_scenario(scenario).world()
    states = [
        PlayedState(scenario, world, frame.before)
        for run in runs
        for frame in replay(run.trace, world)
    ]
    for kind in KINDS:
        seen = set[tuple[str, str]]()
        for number in range(TRIES):
            if len(seen) == count:
                break
            draw = Random(f"{SEED}/{scenario}/{kind}/{number}")
            line = draw_question(f"{kind}-{number}", states, kind, "legal", draw)
            if line and (key := (str(line.state), line.question)) not in seen:
                seen.add(key)
                yield line


async def answer(agent: AskedAgent, lines: Sequence[QuestionLine], url: str) -> list[bool]:
    """Return whether the answers of an agent to questions are right, with the model at a URL."""
    turns = asyncio.Semaphore(AT_A_TIME)
    model = ModelOptions(model="scripted", base_url=url)
    with TemporaryDirectory() as folder:
        suite = Path(folder) / "met.jsonl"
        write_suite(suite, SuiteLine(suite="met", seed=SEED), lines)

        async def one(line: QuestionLine) -> bool:
            async with turns:
                asking = AskingOptions(preset=agent.preset, **agent.asking)
                name = f"questions/{suite}/{line.name}"
                run = await aplay(name, "answerer=llm", model=model, asking=asking)
                return bool(run.success)

        return list(await asyncio.gather(*map(one, lines)))


def measure(game: PlayedGame, plays: int, questions: int) -> Iterator[str]:
    """Yield a row for each rate of faults and agent: its score, and its accuracy by kind."""
    for rate in RATES:
        rates = dict.fromkeys((*FAULTS, *(f"wrong_{kind}" for kind in KINDS)), rate)
        with model_server(*faults(1, **rates)) as url:
            for agent in AGENTS:
                seeds = range(SEED, SEED + plays)
                runs = asyncio.run(play_seeds(agent, game.scenario, seeds, url))
                lines = list(ask_about(game.scenario, runs, questions))
                right = asyncio.run(answer(agent, lines, url))
                pairs = list(zip(lines, right, strict=True))
                of_kind = {kind: [ok for line, ok in pairs if line.kind == kind] for kind in KINDS}
                shown = [f"{mean(each):.0%}" if each else "-" for each in of_kind.values()]
                cells = " | ".join([game.describe(runs), str(len(lines)), *shown])
                print(f"{game.scenario}: {agent.name} at {rate:g}: asked", flush=True)
                yield f"| {mark_scripted(agent.name)} | {rate:.0%} | {cells} |"


def main(plays: int = 3, questions: int = 12) -> None:
    """Play and ask, and write a table for each game."""
    for game in GAMES:
        rows = list(measure(game, plays, questions))
        fill(PAGE, f"knowing {game.scenario}", table(COLUMNS.format(score=game.score), rows))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
