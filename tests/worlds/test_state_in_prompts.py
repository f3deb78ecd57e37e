"""The block STATE of every world: the data of the state less what its voice hides, and back."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

import cookmas
from cookmas.episodes.base import World, movers
from cookmas.episodes.world import Command
from cookmas.orchestrator.dialogue.voice import Voice
from cookmas.sandbox.importing import import_named
from cookmas.world_names import domain_of
from cookmas.worlds.base.script import Script, Situation
from cookmas.worlds.base.voice import WorldVoice
from cookmas.worlds.corridor.domain import CorridorDomain
from tests.worlds.every import SCENARIOS

NAMED = {"collab-overcooked": ("cooks", "counters", "utensils")}
"""The parts of a state that a prompt tells by the names of things; how they were made is left out.
"""


def voice_of(name: str) -> Voice:
    voice: Voice = import_named(domain_of(name.partition("/")[0]).voice_spec, name)
    return voice


def played(name: str, timesteps: int) -> tuple[World, Any]:
    """Return a world, and a state that random legal actions lead to."""
    scenario, draw = cookmas.load_scenario(name), Random(3)
    world = scenario.world()
    state = world.start()
    if world.drawn:
        state, _ = world.apply(state, {"kind": "begin", "seed": 3})
    for at, event in scenario.events():
        if at == 0 and event["kind"] != "begin":
            state, _ = world.apply(state, event)
    for _ in range(timesteps):
        legal = {each: world.legal(state, each) for each in movers(world, state)}
        given = {each: draw.choice(list(actions)) for each, actions in legal.items() if actions}
        commands = [Command(each, given.get(each, world.idle)) for each in world.workers]
        state, _, _ = world.step(state, commands)
    return world, state


@pytest.mark.parametrize("timesteps", [0, 7])
@pytest.mark.parametrize("name", SCENARIOS)
def test_what_is_told_of_a_state_is_read_back(name: str, timesteps: int) -> None:
    voice, (world, state) = voice_of(name), played(name, timesteps)
    observed = world.observe(state, None if world.central else world.workers[0])
    told = voice.tell_state(world, observed)
    assert not told.keys() & {*voice.hidden}
    read = voice.read_state(world, json.loads(json.dumps(told)))
    assert voice.tell_state(world, world.load(read)) == told
    whole, first = world.dump(observed), world.dump(world.start())
    for part in voice.hidden:
        assert read[part] == first[part]
    for part, unknown in voice.counted.items():
        assert read[part] == [unknown] * len(whole[part])
    assert read.keys() == whole.keys()
    for part in whole.keys() - {*voice.hidden, *voice.counted, *NAMED.get(world.name, ())}:
        assert read[part] == whole[part], part


class BlindVoice(WorldVoice):
    """A voice of the corridor that does not tell of the bells."""

    hidden = ("bells",)


BLIND = BlindVoice()


class BlindDomain(CorridorDomain):
    """The corridor with this voice."""

    voice_spec = f"{__name__}:BLIND"


def test_the_scripted_model_reads_a_block_with_the_voice_that_wrote_it() -> None:
    world, state = played("corridor/halves", 3)
    assert state["bells"]
    told = BLIND.tell_state(world, state)
    assert told.keys() == state.keys() - {"bells"}
    about = {"setup": world.setup(), "state": told}
    situation = Situation(timestep=3, about=about, texts={})
    _, read = Script(BlindDomain()).rebuild(situation)
    assert read == {**state, "bells": world.start()["bells"]}
