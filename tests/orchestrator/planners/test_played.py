"""What was once answered from nothing but the printed prompts is still understood and accepted."""

from __future__ import annotations

import pytest

from benchmarks.played import EPISODES, FOLDER, RecordedPlay, play_again
from cookmas.episodes.trace import ModelCall
from cookmas.orchestrator.dialogue.prompting import AnswerForm

SHORT = [episode for episode in EPISODES if episode.scenario != "level3/15"]


@pytest.mark.parametrize("form", ["rows", "columns"])
@pytest.mark.parametrize("episode", SHORT, ids=lambda episode: episode.scenario)
def test_an_episode_played_by_hand_goes_as_it_went(episode: RecordedPlay, form: AnswerForm) -> None:
    run = play_again(episode, form)
    assert run.success
    calls = list(run.trace.of(ModelCall))
    assert len(calls) == len(episode.answers(form))
    assert not any(call.unusable for call in calls)


def test_every_file_of_answers_is_of_an_episode() -> None:
    names = {f"{episode.scenario.replace('/', '-')}.jsonl" for episode in EPISODES}
    assert {path.name for path in FOLDER.iterdir()} == names
