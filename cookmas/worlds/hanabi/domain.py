"""The domain of Hanabi, with its planners and judging."""

from __future__ import annotations

from collections.abc import Mapping

from cookmas.worlds.base.domain import PLANNERS, Domain
from cookmas.worlds.hanabi.world import HanabiWorld

_SEATS = "cookmas.worlds.hanabi.policies.seats"


class HanabiDomain(Domain):
    """The domain of Hanabi."""

    world_type = HanabiWorld
    options = ("players",)
    planners: Mapping[str, str] = {
        "embedded": f"{_SEATS}:ConventionalPlayer",
        "conventional": f"{_SEATS}:ConventionalPlayer",
        "search": f"{_SEATS}:SearchingPlayer",
        "cautious": f"{_SEATS}:CautiousPlayer",
        "internal": f"{_SEATS}:InternalPlayer",
        "outer": f"{_SEATS}:OuterPlayer",
        "iggi": f"{_SEATS}:IggiPlayer",
        "piers": f"{_SEATS}:PiersPlayer",
        **PLANNERS,
        "random": f"{_SEATS}:RandomPlayer",
    }
    voice_spec = "cookmas.worlds.hanabi.prompts.voice:VOICE"
    script_spec = "cookmas.worlds.hanabi.script:HanabiScript"


DOMAIN = HanabiDomain()
