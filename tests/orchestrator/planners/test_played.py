"""What was once answered from nothing but the printed prompts is still understood and accepted.

A language model answered the printed messages of each episode in order, and saw nothing else. Its
answers are in the folder `played`, one line for each call, with schedules in rows: one row for each
timestep. Each test gives them to the present planner unchanged, or with schedules in columns: one
column for each worker.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from pydantic import PrivateAttr

from cookmas.api import Run, load_planner, load_scenario, play
from cookmas.episodes.base import World
from cookmas.episodes.conversation import Usage
from cookmas.episodes.trace import ModelCall
from cookmas.files.errors import InfrastructureError
from cookmas.orchestrator.dialogue.answers import columns_of
from cookmas.orchestrator.dialogue.blocks import to_json
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.dialogue.prompting import AnswerForm
from cookmas.orchestrator.models.message import (
    CallMeasurements,
    Model,
    ModelAnswer,
    Request,
    estimate_tokens,
)
from cookmas.orchestrator.models.options import ModelOptions
from tests.sampling import covering

FOLDER = Path(__file__).parent / "played"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedPlay:
    """A recorded episode: the name of its scenario, and the options of the scenario."""

    scenario: str
    settings: Mapping[str, str] = field(default_factory=dict)

    def kinds(self) -> Sequence[str]:
        """Return what the episode is one of: its world, or its level of the restaurant."""
        return [self.scenario.partition("/")[0]]

    def answers(self, form: AnswerForm) -> list[str]:
        """Return the answer to each call, in rows or in columns."""
        path = FOLDER / f"{self.scenario.replace('/', '-')}.jsonl"
        written = path.read_text(encoding="utf-8").splitlines()
        if form == "rows":
            return written
        world = load_scenario(self.scenario, None, self.settings).world()
        return [_in_columns(answer, world) for answer in written]


def _in_columns(answer: str, world: World) -> str:
    """Return an answer with its schedule in columns, without workers that never act.

    If no worker acts at the last timestep, the schedule lets the first worker idle then.
    """
    data = json.loads(answer)
    *rows, last = data["schedule"] or [{}]
    last = last if len(last) != 1 else {**last, world.workers[0]: world.idle}
    return to_json({**data, "schedule": columns_of([*rows, last] if last else [], ())})


EPISODES = (
    RecordedPlay(scenario="level1/02"),
    RecordedPlay(scenario="level1/05"),
    RecordedPlay(scenario="level1/09"),
    RecordedPlay(scenario="level2/02"),
    RecordedPlay(scenario="level2/11"),
    RecordedPlay(scenario="level3/04"),
    RecordedPlay(scenario="level3/10"),
    RecordedPlay(scenario="level3/12"),
    RecordedPlay(scenario="corridor/two"),
    RecordedPlay(scenario="cuisineworld/level_1", settings={"tau": "3.0", "agents": "2"}),
)


class _Answering(ModelOptions, frozen=True):
    """Options of a model that gives prepared answers in order."""

    _answers: list[str] = PrivateAttr(default_factory=list)

    def make(self) -> Model:
        return _ByHand(self._answers)


class _ByHand:
    name = "by hand"

    def __init__(self, answers: list[str]) -> None:
        self._answers = answers

    async def answer(self, request: Request) -> tuple[ModelAnswer, CallMeasurements]:
        if not self._answers:
            raise InfrastructureError("nothing more was answered")
        text = self._answers.pop(0)
        asked = sum(estimate_tokens(message.content) for message in request.messages)
        usage = Usage(prompt=asked, completion=estimate_tokens(text), estimated=True)
        return ModelAnswer(text=text, model=self.name, usage=usage), CallMeasurements(seconds=0.0)


def play_again(episode: RecordedPlay, form: AnswerForm) -> Run:
    """Play an episode with its recorded answers, in rows or in columns."""
    options = _Answering()
    options._answers.extend(episode.answers(form))
    scenario = load_scenario(episode.scenario, None, episode.settings)
    return play(scenario, load_planner("llm", scenario, options, AskingOptions(form=form)))


@pytest.mark.parametrize(
    ("episode", "form"),
    [
        *((episode, "rows") for episode in covering(EPISODES, RecordedPlay.kinds)),
        *((episode, "columns") for episode in covering(EPISODES, RecordedPlay.kinds)),
    ],
    ids=lambda each: each if isinstance(each, str) else each.scenario,
)
def test_an_episode_played_by_hand_goes_as_it_went(episode: RecordedPlay, form: AnswerForm) -> None:
    run = play_again(episode, form)
    assert run.success
    calls = list(run.trace.of(ModelCall))
    assert len(calls) == len(episode.answers(form))
    assert not any(call.unusable for call in calls)


def test_every_file_of_answers_is_of_an_episode() -> None:
    names = {f"{episode.scenario.replace('/', '-')}.jsonl" for episode in EPISODES}
    assert {path.name for path in FOLDER.iterdir()} == names
