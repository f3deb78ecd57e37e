"""The voice of questions: the rules of the game, its state in words, and the options as a list."""

from __future__ import annotations

from pathlib import Path

from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.worlds.base.voice import WorldVoice


class QuestionVoice(WorldVoice):
    """The voice of questions."""

    prompts = Path(__file__).parent
    default_prompting = Prompting(
        form="choice",
        per_step=True,
        chain_of_thought=True,
        feedback=False,
        words=True,
        legal_actions=True,
        talk=0,
    )


VOICE = QuestionVoice()
