"""The domain of Hanabi, with its planners and judging."""

from __future__ import annotations

from collections.abc import Mapping

from cookmas.worlds.base.domain import PLANNERS, Domain
from cookmas.worlds.hanabi.world import HanabiWorld


class HanabiDomain(Domain):
    """The domain of Hanabi."""

    world_type = HanabiWorld
    options = ("players",)
    planners: Mapping[str, str] = PLANNERS
    voice_spec = "cookmas.worlds.hanabi.prompts.voice:VOICE"
    script_spec = "cookmas.worlds.hanabi.script:HanabiScript"


DOMAIN = HanabiDomain()
