"""What models are asked about the kitchen, and what the scripted model answers."""

from __future__ import annotations

import cookmas
from cookmas.orchestrator.planners.llm import SchedulingPlanner, TalkingTeam
from cookmas.worlds.collab_overcooked.rules.book import book
from cookmas.worlds.collab_overcooked.voice import VOICE
from tests.worlds.recording import Recording

TASK = "collab-overcooked/level_2/02"
RECIPE = book().dishes["baked_pumpkin_slices"].text


def test_the_scripted_model_cooks_as_the_reference_cook() -> None:
    model = Recording()
    run = cookmas.play(TASK, SchedulingPlanner(model, voice=VOICE))
    assert run.success
    assert RECIPE in model.asked[0]
    assert "tables" not in model.asked[0]


def test_only_the_reader_is_told_the_recipe() -> None:
    models = {cook: Recording() for cook in ("bob", "alice")}
    run = cookmas.play(TASK, TalkingTeam([*models.values()], [*models], voice=VOICE))
    assert run.success
    assert any(RECIPE in text for text in models["bob"].asked)
    assert not any(RECIPE in text for text in models["alice"].asked)


def test_faults_of_the_scripted_model_are_asked_again() -> None:
    faulty = Recording(illegal=0.5)
    cookmas.play(TASK, SchedulingPlanner(faulty, voice=VOICE))
    right = Recording()
    cookmas.play(TASK, SchedulingPlanner(right, voice=VOICE))
    assert len(faulty.asked) > len(right.asked)
