"""Worlds of turns, chance and scores as environments of PettingZoo, in both forms."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

import cookmas
from cookmas.bridges.pettingzoo import Rewards, TogetherEnv, TurnsEnv, aec_env, parallel_env
from cookmas.bridges.pettingzoo.rewards import default_rewards
from cookmas.episodes.trace import EventRecord, StepRecord
from cookmas.episodes.world import DONE, Ending
from cookmas.files.errors import CookMASError, InputError
from tests.worlds.every import SCENARIOS
from tests.worlds.rolls import DOMAIN, LIMIT, PLAYERS, ROLLS, SPEC, RollsNumbers, RollsWorld

PASS, TAKE = 0, 1
BENS_TAKE, BENS_PASS, BENS_SHOUT = 0, 1, 2


def together(scenario: str = "chance", **options: Any) -> TogetherEnv:
    return parallel_env(scenario, world=SPEC, **options)


def in_turns(scenario: str = "chance", **options: Any) -> TurnsEnv:
    return aec_env(scenario, world=SPEC, **options)


def dice_of(env: TogetherEnv | TurnsEnv) -> str:
    return json.dumps([record.event for record in env.trace().of(EventRecord)])


ADVICE = pytest.mark.filterwarnings(
    "ignore:We recommend agents:UserWarning",
    "ignore:Observation:UserWarning",
    "ignore:Agents have different:UserWarning",
)
"""How PettingZoo would name agents, and that it would have arrays alone, the same for all."""


@ADVICE
@pytest.mark.parametrize("rewards", [None, Rewards()])
def test_the_tests_of_pettingzoo_pass_for_a_world_of_turns(rewards: Rewards | None) -> None:
    parallel_api_test(together(rewards=rewards), num_cycles=30)
    parallel_seed_test(together, num_cycles=30)
    api_test(in_turns(rewards=rewards), num_cycles=40)
    seed_test(in_turns, num_cycles=40)


@ADVICE
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_world_can_be_played_in_turns(scenario: str) -> None:
    api_test(aec_env(scenario, horizon=15), num_cycles=50)


def test_who_is_not_to_move_can_only_wait() -> None:
    env = together("fixed")
    observations, _ = env.reset()
    assert observations["ann"]["action_mask"].tolist() == [1, 1]
    assert observations["ben"]["action_mask"].tolist() == [0, 1, 0]
    observations, *_, infos = env.step({"ann": TAKE, "ben": BENS_SHOUT})
    assert infos["ben"]["fail"] is None, "nobody asked"
    assert observations["ann"]["action_mask"].tolist() == [1, 0]
    assert observations["ben"]["action_mask"].tolist() == [1, 1, 0]
    env.step({"ann": TAKE, "ben": BENS_SHOUT})
    steps = [record.commands for record in env.trace().of(StepRecord)]
    assert steps == [[("ann", "take")], [("ben", "shout")]]


def test_masks_are_those_of_what_was_drawn() -> None:
    env = together()
    begun = set()
    for seed in range(8):
        observations, _ = env.reset(seed=seed)
        asked = {name for name, seen in observations.items() if seen["action_mask"].sum() > 1}
        begun |= asked
        assert asked == {PLAYERS[int(env.trace().header.setup["first"])]}
    assert begun == set(PLAYERS)


def test_only_movers_act_in_turns_and_both_forms_give_one_trace() -> None:
    turns, at_once = in_turns("fixed"), together("fixed")
    turns.reset()
    at_once.reset()
    who = []
    for agent in turns.agent_iter():
        *_, terminated, truncated, _ = turns.last()
        if terminated or truncated:
            turns.step(None)
            continue
        who.append(agent)
        action = {"ann": TAKE, "ben": BENS_PASS}[agent]
        turns.step(action)
        at_once.step({agent: action})
    assert who == ["ann", "ben"] * (ROLLS // 2)
    assert list(turns.trace().lines()) == list(at_once.trace().lines())
    assert all(frame.equal for frame in cookmas.replay(turns.trace(), SPEC))


def test_each_seat_is_rewarded_for_what_it_did() -> None:
    env = together("fixed")
    env.reset()
    (dice,) = (record.event["dice"] for record in env.trace().of(EventRecord))
    _, rewards, *_ = env.step({"ann": TAKE})
    assert rewards == {"ann": float(dice[0]), "ben": 0.0}
    _, rewards, *_ = env.step({"ben": BENS_TAKE})
    assert rewards == {"ann": 0.0, "ben": float(dice[1])}
    turns = in_turns("fixed")
    turns.reset()
    turns.step(TAKE)
    assert turns.rewards == {"ann": float(dice[0]), "ben": 0.0}
    turns.step(BENS_TAKE)
    assert turns.last()[1] == float(dice[0]), "what ann got since it acted"
    assert turns._cumulative_rewards == {"ann": float(dice[0]), "ben": float(dice[1])}


def test_a_score_is_paid_by_the_point_where_it_is_asked_for() -> None:
    env = together("fixed", rewards=Rewards(done=0, fail=0, success=0, score=0.5))
    env.reset()
    (dice,) = (record.event["dice"] for record in env.trace().of(EventRecord))
    _, rewards, *_ = env.step({"ann": TAKE})
    assert rewards == dict.fromkeys(("ann", "ben"), 0.5 * dice[0])
    scoring = type("S", (), {"best_score": LIMIT})()
    assert default_rewards(RollsWorld()).own == 1
    assert (
        default_rewards(scoring).score,
        default_rewards(scoring).done,
        default_rewards(scoring).success,
    ) == (1, 0, 0)
    assert default_rewards(DOMAIN) == Rewards()  # type: ignore[arg-type]


def test_the_seed_of_a_reset_draws_what_happens() -> None:
    env = together()

    def drawn(seed: int | None) -> str:
        env.reset(seed=seed)
        return dice_of(env)

    assert len({drawn(seed) for seed in range(8)}) > 4
    assert drawn(3) == drawn(3)
    assert len({drawn(None) for _ in range(8)}) > 4, "each episode has draws of its own"
    turns = in_turns()
    turns.reset(seed=3)
    assert dice_of(turns) == drawn(3)
    fixed = together("fixed")
    fixed.reset(seed=1)
    first = dice_of(fixed)
    fixed.reset(seed=2)
    assert dice_of(fixed) == first


def test_each_agent_has_spaces_of_its_own_where_the_world_says_so() -> None:
    env = together("fixed")
    assert [int(env.action_space(agent).n) for agent in env.possible_agents] == [2, 3]
    assert env.actions_of("ben") == ("take", "pass", "shout")
    assert env.columns_of("ben") == env.columns
    observations, _ = env.reset()
    for agent in env.possible_agents:
        assert env.observation_space(agent).contains(observations[agent])
    with pytest.raises(InputError, match=r"expected a whole number from 0 to (1, not 2|2, not 3)"):
        env.step({"ann": 2, "ben": 3})


def test_later_movers_are_told_what_was_decided_where_the_world_discloses_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(RollsWorld, "movers", lambda self, state: list(self.workers))
    monkeypatch.setattr(RollsWorld, "step", lambda self, state, commands: (
        {**state, "turn": state["turn"] + 1},
        dict.fromkeys(self.workers, DONE), ()))  # fmt: skip
    env = in_turns("fixed")
    env.reset()
    assert env.infos["ann"]["decided"] == {}
    env.step(TAKE)
    assert (env.agent_selection, env.infos["ben"]["decided"]) == ("ben", {"ann": "take"})
    monkeypatch.setattr(RollsWorld, "discloses_decisions", False)
    env.reset()
    assert "decided" not in env.infos["ann"]


def test_a_world_moves_alone_while_nobody_is_to_move(monkeypatch: pytest.MonkeyPatch) -> None:
    before = RollsWorld.movers
    monkeypatch.setattr(
        RollsWorld, "movers", lambda self, state: before(self, state) if state["turn"] > 1 else []
    )
    monkeypatch.setattr(RollsWorld, "step", lambda self, state, commands: (
        {**state, "turn": state["turn"] + 1},
        dict.fromkeys(self.workers, DONE), ()))  # fmt: skip
    env = in_turns("fixed")
    env.reset()
    assert [record.commands for record in env.trace().of(StepRecord)] == [[], []]
    assert env.agent_selection == "ann"


def test_an_episode_that_is_over_at_once_asks_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RollsWorld, "ending", lambda self, state: Ending("won", "for nothing"))
    env = in_turns("fixed")
    env.reset()
    assert env.terminations == {"ann": True, "ben": True}
    for _ in env.agent_iter():
        env.step(None)
    assert env.agents == []


def test_of_an_episode_that_is_over_at_once_no_agents_are_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(RollsWorld, "ending", lambda self, state: Ending("won", "for nothing"))
    env = together("fixed", rewards=Rewards(success=1.0))
    _, infos = env.reset()
    assert {info["ended"] for info in infos.values()} == {"won"}
    assert env.agents == []
    before = list(env.trace().records)
    assert env.step(dict.fromkeys(env.possible_agents, 0)) == ({}, {}, {}, {}, {})
    assert list(env.trace().records) == before
    assert env.verdict


def test_a_world_of_turns_needs_the_number_of_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        RollsNumbers, "of", lambda self, worker: RollsNumbers(RollsWorld(), ("take",))
    )
    with pytest.raises(InputError, match="expected 'pass' among the actions of ann"):
        together()


def test_a_hidden_state_shows_nothing_of_the_dice() -> None:
    env = together("fixed", render_mode="ansi")
    env.reset()
    (dice,) = (record.event["dice"] for record in env.trace().of(EventRecord))
    assert str(dice) not in (env.render() or "")
    np.testing.assert_equal(env.state(), [0, 0])


@pytest.mark.parametrize(("takes", "how"), [(0, "over"), (ROLLS, "lost")])
def test_an_ending_of_the_world_terminates_the_episode(takes: int, how: str) -> None:
    env = together("fixed", rewards=Rewards())
    env.reset()
    for turn in range(ROLLS):
        ann = turn % 2 == 0
        action = int(ann) if turn < takes else 1 - int(ann)
        *_, terminated, truncated, infos = env.step({("ben", "ann")[ann]: action})
        if not env.agents:
            break
    assert terminated == {"ann": True, "ben": True}
    assert truncated == {"ann": False, "ben": False}
    assert {info["ended"] for info in infos.values()} == {how}
    assert env.verdict
    assert env.verdict.success is (False if how == "lost" else None)
    assert env.verdict.share_of_best == 0
    turns = in_turns("fixed", horizon=2)
    turns.reset()
    turns.step(PASS)
    turns.step(BENS_PASS)
    assert turns.truncations == {"ann": True, "ben": True}
    assert turns.terminations == {"ann": False, "ben": False}


def test_what_happens_while_nobody_moves_is_rewarded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        RollsWorld, "movers", lambda self, state: ["ann"] if state["turn"] == 0 else []
    )
    monkeypatch.setattr(RollsWorld, "step", lambda self, state, commands: (
        {**state, "turn": state["turn"] + 1},
        dict.fromkeys(self.workers, DONE), ()))  # fmt: skip
    monkeypatch.setattr(
        RollsWorld, "rewards", lambda self, before, after, outcomes: dict.fromkeys(self.workers, 1)
    )
    env = together("fixed")
    env.reset()
    _, rewards, terminated, *_ = env.step({"ann": PASS})
    assert rewards == {"ann": ROLLS, "ben": ROLLS}
    assert all(terminated.values())


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_needs_a_reset_says_so(scenario: str) -> None:
    env = aec_env(scenario)
    first = env.possible_agents[0]
    for early in (
        lambda: env.step(0),
        env.last,
        env.agent_iter,
        lambda: env.observe(first),
        env.state,
        env.trace,
    ):
        with pytest.raises(CookMASError, match="env: call reset first"):
            early()
    env.reset(seed=0)
    for action in (0.5, "0", [0], float("nan"), True):
        with pytest.raises(
            CookMASError, match=f"action of {env.agent_selection}: expected a whole"
        ):
            env.step(action)  # type: ignore[arg-type]
    with pytest.raises(CookMASError, match="there is no 'ghost'"):
        env.observe("ghost")
