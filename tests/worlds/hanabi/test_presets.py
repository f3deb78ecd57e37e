"""The agents of Hanabi: CAC and its parts, and the scaffolds, with the scripted model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

import cookmas
from cookmas.episodes.trace import ModelCall, PlanRecord, StepRecord
from cookmas.files.errors import InputError
from cookmas.orchestrator.dialogue.blocks import parse_blocks
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.dialogue.prompting import CAC, preset
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.world_names import domain_of
from cookmas.worlds.base.script import find_objection
from cookmas.worlds.hanabi.voice import VOICE
from tests.modelserver.hosting import Hosted

pytest.importorskip("uvicorn")

SCAFFOLDS = ("watson", "sherlock", "mycroft")
PARTS = {
    "cac": {"infer", "turn", "verify"},
    "cac-without-tom": {"turn", "verify"},
    "cac-without-verification": {"infer", "turn"},
    "cac-without-both": {"turn"},
    "default": {"turn"},
    **{name: {"turn"} for name in SCAFFOLDS},
}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    server = Hosted("--seed", "1", "--fault", "prose=0.3")
    yield server.url
    server.stop()


def play(
    url: str, planner: str, scenario: str = "hanabi/small", horizon: int = 6, **asking: Any
) -> cookmas.Run:
    """Play a few timesteps with the scripted model."""
    options = ModelOptions(model="scripted", base_url=url)
    loaded: Any = cookmas.load_scenario(scenario)
    short = replace(loaded, file=loaded.file.model_copy(update={"horizon": horizon}))
    return cookmas.play(short, planner, model=options, asking=AskingOptions(**asking))


def blocks(call: ModelCall) -> dict[str, Any]:
    return dict(parse_blocks(call.messages[-1].content))


@pytest.mark.parametrize(
    "name",
    [
        "cac",
        pytest.param("cac-without-tom", marks=pytest.mark.conformance),
        pytest.param("cac-without-verification", marks=pytest.mark.conformance),
        pytest.param("watson", marks=pytest.mark.conformance),
        "mycroft",
    ],
)
def test_an_agent_plays_a_game_to_its_end_over_the_wire(name: str, url: str) -> None:
    trace = play(url, f"alice={name},bob={name}", horizon=99).trace
    assert trace.end
    assert trace.end.termination in ("won", "lost", "over")
    calls = list(trace.of(ModelCall))
    assert {call.purpose for call in calls} == PARTS[name]
    steps = list(trace.of(StepRecord))
    assert not any(step.fails for step in steps)
    assert sum(call.purpose == "turn" for call in calls) == len(steps)
    movers = Counter(call.agent for call in calls if call.purpose == "turn")
    assert movers["alice"] - movers["bob"] in (0, 1)


def test_a_preset_is_an_option_or_the_name_of_a_planner(url: str) -> None:
    one = play(url, "alice=watson,bob=watson").trace
    other = play(url, "alice=llm,bob=llm", preset="watson").trace
    assert [call.messages for call in one.of(ModelCall)] == [
        call.messages for call in other.of(ModelCall)
    ]
    with pytest.raises(InputError, match="is a preset itself: leave out --preset cac"):
        play(url, "alice=watson,bob=watson", preset="cac")


def first(url: str, name: str) -> ModelCall:
    return next(play(url, f"alice={name},bob=random", horizon=1).trace.of(ModelCall))


def test_watson_is_told_what_was_observed_and_nothing_else(url: str) -> None:
    call = first(url, "watson")
    assert set(blocks(call)) == {"WORLD_HANABI", "STATE", "OPTIONS", "CALL"}
    assert set(blocks(call)["STATE"]["hands"]["bob"][0]) == {"slot", "card", "told"}
    assert "# Conventions" not in call.messages[0].content
    assert "recent" not in blocks(call)["STATE"]


def test_sherlock_is_told_all_deductions_and_how_to_reason(url: str) -> None:
    call = first(url, "sherlock")
    assert "SITUATION" in blocks(call)
    system = call.messages[0].content
    assert "# Conventions" in system
    assert "how probable it is" in " ".join(system.split())


def test_mycroft_gets_its_scratch_pad_back(url: str) -> None:
    trace = play(url, "alice=mycroft,bob=mycroft").trace
    own = [call for call in trace.of(ModelCall) if call.agent == "alice"]
    assert "SCRATCH_PAD" not in blocks(own[0])
    assert "SITUATION" not in blocks(own[0])
    for before, call in pairwise(own):
        pad = blocks(call)["SCRATCH_PAD"]
        now = f"as at timestep {blocks(before)['CALL']['timestep']}"
        assert pad == {
            **{name: {"slot 1": now, "slot 2": now} for name in ("alice", "bob")},
            "plan": now,
        }
    assert own[1:]


def test_the_presets_say_what_they_leave_out() -> None:
    for name, parts in PARTS.items():
        ways = preset(name, VOICE.presets)
        assert ways.theory_of_mind is ("infer" in parts)
        assert bool(ways.verify) is ("verify" in parts)
        assert (ways.per_step, ways.legal_actions, ways.talk) == (True, True, 0)
    assert preset("cac", VOICE.presets) == CAC


@pytest.mark.parametrize("name", [*SCAFFOLDS, "cac-without-tom"])
def test_other_worlds_have_none_of_these_agents(name: str, url: str) -> None:
    place = "collab-capture/building"
    with pytest.raises(InputError, match=f"expected one of .*, not '{name}'") as refused:
        play(url, "alice=llm,bob=random", place, preset=name)
    assert "\n" not in str(refused.value)
    with pytest.raises(InputError, match=f"planner '{name}': expected") as refused:
        play(url, f"alice={name},bob=random", place)
    assert "\n" not in str(refused.value)
    with pytest.raises(InputError, match="this world shows no deductions; leave it out"):
        play(url, "alice=llm,bob=random", "collab-capture/building", deductions=False)


def test_a_verifier_refuses_a_move_that_is_not_legal(url: str) -> None:
    script = domain_of("hanabi").script
    found = blocks(first(url, "cac-without-both"))
    situation = script.situation(found, {}, "verify", lambda *each: False)
    for move, why in (("play(1)", None), ("discard(1)", "alice cannot discard(1) now.")):
        assert find_objection(script, situation, "alice", {"alice": move}) == why
    assert find_objection(script, situation, None, {"alice": "discard(1)"}) is None


def test_an_agent_does_not_talk_in_hanabi(url: str) -> None:
    trace = play(url, "alice=default,bob=default", talk=3).trace
    assert not any("TALK" in blocks(call) for call in trace.of(ModelCall))
    assert all(plan.agent for plan in trace.of(PlanRecord))
