"""LLM-Co and CAC in every seat of every world, played by the scripted model."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random
from typing import Any

import pytest

import cookmas
from cookmas.episodes.possible import is_listable, is_simulable
from cookmas.episodes.trace import ModelCall, PlanRecord, Trace
from cookmas.modelserver.answers import ScriptedModel
from cookmas.modelserver.faults import Faults
from cookmas.orchestrator.dialogue.prompting import preset
from cookmas.orchestrator.episode import episode_of
from cookmas.orchestrator.planners.seats import seat_of, team_of_seats
from cookmas.sandbox.importing import import_named
from cookmas.world_names import WORLDS, domain_of
from cookmas.worlds.base.script import Planned, Script, Situation
from tests.worlds.hands import cards, chase
from tests.worlds.hands.table import GameDomain
from tests.worlds.hands.talking import GameVoice
from tests.worlds.hands.talking import LLMPlanner as GamePlanner

TIMESTEPS = 12
"""The length of an episode, however long those of the scenario are."""


class GameScript(Script):
    """Plays the cards carefully, and draws legal moves; dice that are not seen are left out."""

    def plan(self, situation: Situation) -> Planned:
        _, state = self.rebuild(situation)
        if "turn" not in state:
            return super().plan(situation)
        player = state["turn"]
        played = {player: cards.careful().choose(state, player)}
        return Planned(schedule=[played], lines={}, reasoning="")

    def rebuild(self, situation: Situation) -> tuple[Any, Any]:
        world, state = super().rebuild(situation)
        return world, {**state, "dice": []} if "dice" in state else state

    def corrupt(self, fault: str, action: str, situation: Situation, draw: Random) -> str:
        return "fly" if fault == "illegal" else action


class ScriptedGame(GameDomain):
    """A game that the scripted model can play."""

    @property
    def script(self) -> Script:
        return GameScript(self)


class SettingVoice(GameVoice):
    """Names the world, as plain worlds do."""

    def setting(self, observation: Any) -> dict[str, Any]:
        return {f"WORLD_{observation.world.name.upper()}": observation.world.setup()}


DEALT = replace(cards.GAME, draw=lambda seed: {"kind": "deal", "cards": [1, 3, 2, 4, 5, 6]})
CARDS = ScriptedGame(DEALT, {})
WAITING = replace(chase.GAME, draw=lambda seed: {"kind": "dice", "dice": [chase.WAITS] * 9})
CHASE = ScriptedGame(WAITING, {})
GAMES = {"cards": CARDS, "chase": CHASE}
KNOWN = {
    **WORLDS,
    "cards": "tests.worlds.test_agents_in_seats:CARDS",
    "chase": "tests.worlds.test_agents_in_seats:CHASE",
}


def played(name: str, lineup: dict[str, str], rates: dict[str, float], **ways: Any) -> Trace:
    world, _, _ = name.partition("/")
    factory: Any
    voice: Any
    if world in GAMES:
        scenario: Any = GAMES[world].game
        factory, spec, voice = GamePlanner, KNOWN[world], SettingVoice()
    else:
        scenario, spec = cookmas.load_scenario(name), None
        domain = domain_of(world)
        factory = import_named(domain.planners["llm"], "", "")
        voice = import_named(domain.voice_spec, "", "")
    model = ScriptedModel(KNOWN, Faults(rates=rates, seed=3))
    workers = list(scenario.world().workers)
    possible = {
        "simulated": is_simulable(scenario.world()),
        "listed": is_listable(scenario.world()),
    }

    def planner(preset_name: str) -> Any:
        prompting = replace(preset(preset_name, voice.presets), **ways).limit_to(**possible)
        return factory(model, prompting, name=preset_name, voice=voice)

    seats = {name: seat_of(planner(lineup[name]), name, workers) for name in workers}
    episode = episode_of(scenario, team_of_seats(seats))
    short = episode.header.model_copy(update={"horizon": TIMESTEPS})
    trace = asyncio.run(replace(episode, header=short).run())
    assert trace.end
    assert trace.end.timestep <= TIMESTEPS
    assert all(frame.equal for frame in cookmas.replay(trace, world=spec))
    return trace


PLACES = [
    ("corridor/two", ("walker_1", "walker_2")),
    ("collab-overcooked/level_1/01", ("bob", "alice")),
    ("overcooked/soup_passing_door", ("alice", "bob")),
    ("collab-capture/building", ("alice", "bob")),
    ("collab-escape/building", ("alice", "bob")),
    ("hanabi/small", ("alice", "bob")),
    ("cards", ("alice", "bob")),
    ("chase", ("ann", "ben")),
]


PAIRS = [("cac", "llm-co"), ("llm-co", "cac")]


@pytest.mark.parametrize(
    ("name", "seats", "pair"),
    [
        *((name, seats, pair) for name, seats in PLACES for pair in PAIRS),
        ("corridor/two", ("walker_1", "walker_2"), ("cac", "default")),
        ("cuisineworld/level_0", ("agent0", "agent1"), ("cac", "cac")),
    ],
)
def test_each_agent_plays_in_each_seat(
    name: str, seats: tuple[str, str], pair: tuple[str, str]
) -> None:
    rates = {"illegal": 0.1, "false_alarm": 0.2, "prose": 0.2}
    trace = played(name, dict(zip(seats, pair, strict=True)), rates, talk=0)
    assert trace.end
    assert trace.end.termination in ("horizon", "won", "lost", "over", "finished")
    calls = list(trace.of(ModelCall))
    for seat, agent in zip(seats, pair, strict=True):
        purposes = {call.purpose for call in calls if call.agent == seat}
        assert ({"infer", "verify"} <= purposes) is (agent == "cac"), (seat, purposes)
        decided = [each for each in trace.of(PlanRecord) if each.agent == seat]
        assert decided
        assert not any(each.refused for each in decided)
