"""The state of the world that is at hand: known by the very object it was dumped to."""

from __future__ import annotations

from cookmas.mailboxes.memory import MemoryMailbox
from cookmas.orchestrator.graph.context import Context
from cookmas.orchestrator.graph.recorder import Recorder
from cookmas.solving.corridor.planners import EmbeddedPlanner
from cookmas.worlds.corridor.world import CorridorLevel, CorridorWorld


async def _nothing(key: str) -> str:
    return key


WORLD = CorridorWorld(CorridorLevel())


def context() -> Context:
    return Context(
        world=WORLD,
        planner=EmbeddedPlanner(),
        workers={},
        fetch=_nothing,
        mailbox=MemoryMailbox(),
        recorder=Recorder(),
        horizon=9,
    )


def test_a_state_that_was_dumped_is_at_hand() -> None:
    episode, state = context(), WORLD.start()
    dumped = episode.dump(state)
    assert episode.load(dumped) is state
    assert episode.dump(state) is dumped


def test_what_somebody_edited_is_loaded_and_what_came_after_is_dumped() -> None:
    episode, state = context(), WORLD.start()
    episode.dump(state)
    other, _ = WORLD.apply(state, {"kind": "bell", "name": "red"})
    edited = WORLD.dump(other)
    assert edited != WORLD.dump(state)
    assert WORLD.dump(episode.load(edited)) == edited
    assert episode.dump(other) == edited
