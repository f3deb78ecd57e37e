"""The voice of questions: the rules of the game, its state in words, and the options as a list."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from cookmas.episodes.base import World
from cookmas.orchestrator.dialogue.prompting import CHOOSING
from cookmas.orchestrator.dialogue.voice import Templates, Voice
from cookmas.sandbox.importing import import_named
from cookmas.worlds.base.voice import WorldVoice
from cookmas.worlds.questions.world import QuestionWorld
from cookmas.worlds.shipped import import_world


class QuestionVoice(WorldVoice):
    """The voice of questions."""

    prompts = Path(__file__).with_name("prompts")
    lettered = True
    default_prompting = replace(CHOOSING, hints=False, memory=0)

    def rules_and_actions(
        self, world: World, templates: Templates, agent: str | None = None
    ) -> dict[str, str]:
        """Return the rules and the actions of the game, as the voice of its world has them.

        A state in words has its own rules, or says them itself.
        """
        assert isinstance(world, QuestionWorld)
        level = world.level
        if told := level.told:
            return {"rules": told.rules or templates.fill("rules_told"), "library": ""}
        voice: Voice = import_named(import_world(level.of).voice_spec, f"world {level.of}")
        game = voice.rules_and_actions(world.source, Templates(voice.prompts))
        return {
            "rules": game["rules"],
            "library": templates.fill("library", {"actions": game["library"]}),
        }


VOICE = QuestionVoice()
