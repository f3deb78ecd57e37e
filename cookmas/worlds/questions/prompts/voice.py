"""The voice of questions: the rules of the game, its state in words, and the options as a list."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from cookmas.orchestrator.dialogue.prompting import CHOOSING
from cookmas.worlds.base.voice import WorldVoice


class QuestionVoice(WorldVoice):
    """The voice of questions."""

    prompts = Path(__file__).parent
    default_prompting = replace(CHOOSING, hints=False, memory=0)


VOICE = QuestionVoice()
