"""The blocks of a prompt, read back as the observation that they describe."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cookmas.episodes.world import Outcome, Trigger
from cookmas.kitchen.state import KitchenState
from cookmas.orchestrator.dialogue.blocks import blocks_in, collect_looked_up, parse_blocks
from cookmas.orchestrator.planner import Observation
from cookmas.worlds.restaurant.voice.blocks import LOOK_UP, Blocks, with_recipes


def load_blocks(text: str) -> Blocks:
    """The blocks in a text."""
    return Blocks(parse_blocks(text))


def load_conversation(messages: Iterable[Mapping[str, Any]]) -> Blocks:
    """The blocks of a conversation in the format of the model's API, with recipes looked up."""
    messages = list(messages)
    return with_recipes(blocks_in(messages), collect_looked_up(messages, LOOK_UP))


def observation_in(blocks: Blocks) -> Observation[KitchenState]:
    """The observation that the blocks describe."""
    call = blocks.call
    fails = call.get("fails", {}).items()
    return Observation(
        timestep=int(call["timestep"]),
        triggers=tuple(Trigger(kind=t["kind"], cause=t["cause"]) for t in call.get("triggers", ())),
        world=blocks.world,
        state=blocks.state,
        texts=blocks.recipes,
        fails={worker: (x["action"], Outcome(x["reason"], x["why"])) for worker, x in fails},
    )
