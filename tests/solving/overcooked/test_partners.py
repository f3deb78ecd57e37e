"""The scripted partners, what is measured of their episodes, and worlds in numbers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import cookmas
from cookmas.bridges.pettingzoo import parallel_env

PARTNERS = ("greedy", "onion-only", "plate-only", "lazy", "clumsy", "half-random")


def play(name: str, alice: str, bob: str, seed: int | None = None, **settings: Any) -> Any:
    settings = {"horizon": 120, **settings}
    planner = f"alice={alice},bob={bob}"
    return cookmas.play(f"overcooked/{name}", planner, settings=settings)


def deeds(run: Any) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {"alice": Counter(), "bob": Counter()}
    for frame in cookmas.replay(run.trace):
        for name, deed in zip(found, frame.after.deeds, strict=True):
            found[name][deed] += deed is not None
    return found


@pytest.mark.parametrize(
    ("name", "score"),
    [
        pytest.param("cramped_room", 220, marks=pytest.mark.conformance),
        pytest.param("asymmetric_advantages", 280, marks=pytest.mark.conformance),
        pytest.param("coordination_ring", 180, marks=pytest.mark.conformance),
        ("forced_coordination", 180),
        ("no_counter_door", 180),
        pytest.param("soup_passing_door", 200, marks=pytest.mark.conformance),
    ],
)
def test_greedy_cooks_work_together(name: str, score: int) -> None:
    assert play(name, "greedy", "greedy", horizon=400).verdict.score >= score


def test_the_same_seed_plays_the_same_episode() -> None:
    for partner in PARTNERS:
        one, other = (play("cramped_room", partner, "greedy", horizon=20) for _ in range(2))
        assert one.trace.records == other.trace.records


def test_each_partner_does_its_own_work() -> None:
    onions = deeds(play("cramped_room", "onion-only", "greedy"))["alice"]
    assert onions["put onion in pot 0"] > 2
    assert not any("dish" in deed or "soup" in deed for deed in onions if onions[deed])
    plates = deeds(play("cramped_room", "plate-only", "onion-only"))
    assert plates["alice"]["deliver soup"] >= 2
    assert not any("onion" in deed for deed in plates["alice"] if plates["alice"][deed])
    lazy, busy = (
        deeds(play("cramped_room", who, "onion-only"))["alice"] for who in ("lazy", "greedy")
    )
    assert lazy.total() < busy.total()


def test_a_rate_is_the_share_of_moves_that_are_not_greedy() -> None:
    def acts(alice: str) -> tuple[str, ...]:
        run = play("cramped_room", alice, "onion-only", horizon=60)
        assert run.trace.header.seats["alice"].planner == alice
        return tuple(frame.after.acts[0] for frame in cookmas.replay(run.trace))

    greedy, who = acts("greedy"), ("lazy", "clumsy", "half-random")
    assert {acts(f"{name}@0") for name in who} == {greedy}
    assert len({greedy, *(acts(f"{name}@0.3") for name in who)}) == 4
    assert set(acts("lazy@1")) == {"stay"}


def test_partners_that_cannot_reach_a_pot_pass_things_on() -> None:
    passed = deeds(play("forced_coordination", "greedy", "onion-only"))["bob"]
    assert passed["put onion on counter"] >= 3
    assert play("forced_coordination", "plate-only", "onion-only").verdict.score == 0
    assert play("forced_coordination", "greedy", "plate-only").verdict.score == 0


def test_soups_of_several_ingredients_are_made() -> None:
    run = play("current/cramped_room_tomato", "greedy", "greedy")
    assert run.verdict.score > 0


def test_partners_know_nothing_of_a_hidden_cook() -> None:
    run = play("cramped_room", "greedy", "clumsy", hide_partner=True)
    assert run.verdict.score > 0


def test_a_policy_of_a_users_own_plays_a_seat(tmp_path: Path) -> None:
    class Onions:
        name = "onions"
        planner_class = "embedded"

        def act(self, observation: Any) -> str:
            legal = observation.world.legal(observation.state, observation.agent)
            return next((each for each in legal if "onion" in each), "stay")

    run = cookmas.play(
        "overcooked/cramped_room",
        {"alice": Onions(), "bob": "plate-only"},
        settings={"horizon": 60},
    )
    assert deeds(run)["alice"]["put onion in pot 0"] >= 3


def test_the_verdict_says_what_each_cook_did() -> None:
    run = play("cramped_room", "greedy", "lazy")
    checks = {(check.name, check.subject): check for check in run.verdict.checks}
    played = deeds(run)
    assert checks["soups", "episode"].value == run.trace.end.tally.done
    for name in ("alice", "bob"):
        assert checks["delivered", name].value == played[name]["deliver soup"]
        assert checks["deeds", name].value == played[name].total()
    idle = sum(
        frame.after.acts[1] in ("stay", "interact") and frame.after.deeds[1] is None
        for frame in cookmas.replay(run.trace)
    )
    assert checks["idle", "bob"].value == idle > 30
    totals = sorted(played[name].total() for name in ("alice", "bob"))
    assert checks["balance", "episode"].value == round(totals[0] / totals[1], 4)
    world: Any = cookmas.load_scenario("overcooked/cramped_room").world()
    for number, name in enumerate(("alice", "bob")):
        kept = 0
        for frame in cookmas.replay(run.trace):
            before, after = (each.scene.cooks[number].body for each in (frame.before, frame.after))
            walks = frame.after.acts[number] in ("north", "south", "east", "west")
            kept += walks and before.at == after.at and after.faces in world.kitchen.grid.floor
        assert checks["blocked", name].value == kept
    assert checks["blocked", "alice"].value > 0


def test_agents_train_on_low_level_acts_or_on_medium_level_actions() -> None:
    low = parallel_env("overcooked/no_counter_door", settings={"horizon": 30})
    seen, _ = low.reset(seed=0)
    assert [*low.actions] == ["north", "south", "east", "west", "stay", "interact"]
    assert seen["alice"]["action_mask"].tolist() == [1] * 6
    arrays = seen["alice"]["observation"]
    assert {name: array.shape for name, array in arrays.items()} == {
        "timestep": (1, 2),
        "cooks": (2, 6),
        "counters": (4, 3),
        "pots": (1, 3),
        "gates": (2, 2),
    }
    assert arrays["cooks"].tolist() == [[1, 2, 0, -1, 0, 0], [3, 1, 0, -1, 0, 0]]
    total = 0.0
    while low.agents:
        acts = {name: low.action_space(name).sample() for name in low.agents}
        seen, rewards, over, _, _ = low.step(acts)
        total += sum(rewards.values())
    assert over == {"alice": True, "bob": True}
    assert low.trace().end is not None

    settings = {"horizon": 30, "acts": "medium", "hide_partner": True}
    medium = parallel_env("overcooked/no_counter_door", settings=settings)
    seen, _ = medium.reset(seed=0)
    assert "north" not in medium.actions
    number = medium.actions.index("pick_up(onion,o0)")
    seen, *_ = medium.step({"alice": number, "bob": medium.actions.index("stay")})
    mask = seen["alice"]["action_mask"]
    assert [medium.actions[n] for n in mask.nonzero()[0]] == ["stay"]
    assert seen["alice"]["observation"]["cooks"][1].tolist() == [-1] * 6


def test_a_delivery_is_a_reward_for_all() -> None:
    env = parallel_env("overcooked/cramped_room", settings={"horizon": 60})
    run = play("cramped_room", "greedy", "greedy", horizon=60)
    env.reset(seed=0)
    rewards: Counter[str] = Counter()
    for frame in cookmas.replay(run.trace):
        acts = dict(zip(("alice", "bob"), frame.after.acts, strict=True))
        _, got, *_ = env.step({name: env.actions.index(act) for name, act in acts.items()})
        rewards.update(got)
    assert rewards == {"alice": run.verdict.score, "bob": run.verdict.score}
