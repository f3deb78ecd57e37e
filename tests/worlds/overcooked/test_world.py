"""The rules as a world: actions, refusals, gates, and what a cook may know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import cookmas
from cookmas.api import load_scenario
from cookmas.episodes.checking_worlds import find_leaks
from cookmas.episodes.world import Command
from cookmas.files.errors import MissingError, TraceError
from cookmas.world_names import domain_of
from cookmas.worlds.grids.hands import HIDDEN
from cookmas.worlds.overcooked.rules.actions import KINDS
from cookmas.worlds.overcooked.rules.kitchen import ACTS, KitchenItem, PotContent
from cookmas.worlds.overcooked.world import OvercookedWorld
from tests.worlds.hands.states import visited
from tests.worlds.overcooked.opened import (
    COOKS,
    DISH,
    ONION,
    OWN,
    READY,
    SOUP,
    changed,
    fail_of,
    finish,
    opened,
    step,
)


def test_a_low_level_act_that_does_nothing_is_no_failure() -> None:
    world, state = opened()
    for act in ACTS:
        after, outcomes, _ = world.step(state, [Command("alice", act), Command("bob", act)])
        assert outcomes["alice"].done
        assert outcomes["bob"].done
        assert after.acts == (act, act)


def test_an_action_is_a_walk_a_turn_and_an_interaction() -> None:
    world, state = opened()
    acts = []
    state = step(world, state, "pick_up(onion,o0)")
    acts.append(state.acts[0])
    while "alice" not in world.movers(state):
        assert world.legal(state, "alice") == ["stay"]
        state = step(world, state)
        acts.append(state.acts[0])
    assert acts == ["north", "west", "interact"]
    assert state.scene.cooks[0].held == ONION
    assert state.deeds == ("pick onion", None)


@pytest.mark.parametrize("scenario", ["overcooked/cramped_room", "collab-overcooked/level_1/01"])
@pytest.mark.parametrize("names", [("eve",), ("bob", "alice", "bob")])
def test_commands_for_no_cook_or_twice_for_one_are_refused(
    scenario: str, names: tuple[str, ...]
) -> None:
    world: Any = load_scenario(scenario, settings={}).world()
    found = world.refusal([Command(name, world.idle) for name in names])
    assert found is not None
    assert f"{names[0]!r}: expected each of" in found
    assert world.refusal([Command(name, world.idle) for name in world.workers]) is None


def test_a_cook_in_action_takes_no_other_command() -> None:
    world, state = opened()
    state = step(world, state, "pick_up(onion,o0)")
    assert fail_of(world, state, alice="north") == "not_your_turn"


@pytest.mark.parametrize(
    ("text", "kind", "hold", "pot"),
    [
        ("dance", "unknown_action", None, None),
        ("put(onion)", "unknown_action", ONION, None),
        ("pick_up(egg,o0)", "unknown_item", None, None),
        ("pick_up(onion,o7)", "unknown_place", None, None),
        ("pick_up(dish,o0)", "wrong_place", None, None),
        ("pick_up(onion,c0)", "wrong_place", None, None),
        ("put(dish,c0)", "wrong_place", DISH, None),
        ("put(onion,k0)", "wrong_place", ONION, None),
        ("deliver(dish,d0)", "wrong_place", DISH, None),
        ("pick_up(onion,o0)", "hands_full", DISH, None),
        ("put(onion,c0)", "hands_empty", None, None),
        ("put(onion,c0)", "holds_other", DISH, None),
        ("put(onion,c0)", "pot_cooks", ONION, COOKS),
        ("pick_up(soup,c0)", "needs_dish", None, READY),
        ("pick_up(soup,c0)", "not_cooking", DISH, None),
        ("pick_up(onion,k0)", "not_there", None, None),
        ("start(c0)", "starts_by_itself", None, PotContent(("onion",))),
        ("place(soup,k0)", "holds_other", DISH, None),
    ],
)
def test_an_action_that_cannot_be_done_fails_with_a_reason(
    text: str, kind: str, hold: KitchenItem | None, pot: PotContent | None
) -> None:
    world, state = opened()
    state = changed(state, hold=hold, pot=pot)
    after, outcomes, _ = world.step(state, [Command("alice", text)])
    assert outcomes["alice"].fail == kind
    assert outcomes["alice"].why == f"alice cannot {text}: {KINDS[kind]}."
    assert text not in world.legal(state, "alice")
    assert after.scene.cooks == state.scene.cooks


def test_a_pot_of_current_dynamics_is_started_and_can_be_full() -> None:
    world, state = opened("current/cramped_room")
    full = changed(state, hold=ONION, pot=PotContent(("onion",) * 3))
    assert fail_of(world, full, alice="put(onion,c0)") == "pot_full"
    assert fail_of(world, full, alice="start(c0)") == "hands_full"
    assert fail_of(world, state, alice="start(c0)") == "pot_empty"
    started = finish(world, changed(state, pot=PotContent(("onion",))), "start(c0)")
    assert started.scene.pots[2, 0].ticks > 0
    assert fail_of(world, started, alice="start(c0)") == "pot_cooks"


def test_a_cook_with_a_dish_waits_for_the_soup_and_delivers_it() -> None:
    world, state = opened()
    state = changed(state, hold=DISH, pot=PotContent(("onion",) * 3, 15))
    state = finish(world, state, "pick_up(soup,c0)")
    assert state.scene.cooks[0].held == SOUP
    state = finish(world, state, "deliver(soup,d0)")
    assert (state.score, state.delivered) == (20, 1)
    assert world.tally(state) == (1, 0, 20)


def test_an_action_is_given_up_once_it_cannot_be_done() -> None:
    world, state = opened()
    state = changed(state, hold=ONION, pot=PotContent(("onion",) * 2))
    state = step(world, state, "put(onion,c0)")
    filled = state._replace(scene=state.scene._replace(pots={(2, 0): COOKS}))
    after, _, triggers = world.step(filled, [])
    assert [(each.kind, each.to) for each in triggers] == [("given_up", ("alice",))]
    assert world.movers(after) == ["alice", "bob"]


def test_what_lies_behind_a_closed_gate_is_reached_once_it_is_open() -> None:
    world, state = opened("no_counter_door")
    state = changed(state, hold=SOUP)
    assert fail_of(world, state, alice="deliver(soup,d0)") == "gate_closed"
    assert fail_of(world, state, alice="open(g0)") == "hands_full"
    state = step(world, state, bob="open(g1)")
    while "bob" not in world.movers(state):
        state = step(world, state)
    assert "deliver(soup,d0)" in world.legal(state, "alice")
    assert fail_of(world, state, bob="open(g1)") == "gate_open"
    state = step(world, state, "deliver(soup,d0)", "north")
    while "alice" not in world.movers(state):
        state = step(world, state)
    assert state.score == 20


def test_places_out_of_reach_are_refused() -> None:
    world, state = opened("forced_coordination")
    assert fail_of(world, state, alice="pick_up(onion,o0)") == "unreachable"
    state = finish(world, changed(state, hold=DISH), "place(dish,s0)")
    assert fail_of(world, changed(state, hold=DISH), alice="place(dish,s0)") == "occupied"


def test_cooks_may_be_limited_to_one_kind_of_actions() -> None:
    low, state = opened(acts="low")
    assert low.legal(state, "alice") == [*ACTS] == low.every_action()
    assert [*low.actions] == ["stay", "north", "south", "east", "west", "interact"]
    assert fail_of(low, state, bob="move_away") == "low_only"
    medium, state = opened(acts="medium")
    assert fail_of(medium, state, bob="north") == "medium_only"
    assert fail_of(medium, state, bob="stay") is None
    assert "north" not in medium.actions


def test_only_actions_of_the_kitchen_are_described() -> None:
    assert {"start(POT)", "open(GATE)"}.isdisjoint(opened()[0].actions)
    assert "open(GATE)" in opened("no_counter_door")[0].actions
    assert "start(POT)" in opened("current/cramped_room")[0].actions


def test_the_partner_can_be_hidden() -> None:
    world, state = opened(hide_partner=True)
    state = step(world, state, "pick_up(onion,o0)", "pick_up(onion,o1)")
    seen = world.observe(state, "alice")
    assert seen.scene.cooks[1] == HIDDEN
    assert seen.doing[1] is None
    assert world.dump(seen)["cooks"]["bob"] is None
    assert world.load(world.dump(seen)) == seen
    assert seen.scene.cooks[0] == state.scene.cooks[0]
    assert not any("bob" in sentence for sentence in world.narrate(seen, "alice"))
    commands = [Command("alice", "north"), Command("bob", "north")]
    assert world.filter_commands(commands, "bob") == [Command("bob", "north")]
    assert not world.central
    assert world.spectate(state) == state
    open_world, open_state = opened()
    assert open_world.observe(open_state, "alice") == open_state
    assert open_world.central
    assert open_world.filter_commands(commands, "bob") == commands


@pytest.mark.parametrize("name", ["cramped_room", "soup_passing_door"])
def test_states_that_differ_in_the_hidden_partner_alone_look_alike(name: str) -> None:
    scenario = load_scenario(f"overcooked/{name}", settings={"hide_partner": "yes"})
    world: Any = scenario.world()
    states = visited(scenario, 0)[:10]
    assert list(find_leaks(world, states, range(1))) == []
    assert any(world.draw_alike(state, "alice", 0) != state for state in states)


def test_an_episode_is_over_at_its_horizon_with_its_points() -> None:
    run: Any = cookmas.play("overcooked/cramped_room", "greedy", settings={"horizon": 60})
    assert run.trace.end is not None
    assert run.trace.end.termination == "over"
    assert run.trace.end.why == "1 soup was delivered for 20 points"
    assert run.verdict.outcome == "SCORE 20 OF 40"
    assert all(frame.equal for frame in cookmas.replay(run.trace))


def test_the_setup_rebuilds_the_world() -> None:
    for name in ("no_counter_door", "current/cramped_corridor"):
        world, state = opened(name, horizon=9)
        again = OvercookedWorld.of_setup(world.setup())
        assert again.start() == state
        assert again.kitchen == world.kitchen
        assert again.options == world.options
    setup = world.setup()
    astray = {**setup["first"], "cooks": setup["first"]["cooks"][:1] * 2}
    for broken in (
        {},
        {**setup, "grid": ["XX"]},
        {**setup, "acts": "none"},
        {**setup, "recipes": setup["recipes"][1:]},
        {**setup, "first": astray},
        {**setup, "first": {**setup["first"], "pots": [[0, 0, ["onion"], 1]]}},
    ):
        with pytest.raises(TraceError, match="does not describe a kitchen"):
            OvercookedWorld.of_setup(broken)


def test_a_layout_of_a_users_own_is_played_and_kept_in_the_trace(tmp_path: Path) -> None:
    path = tmp_path / "my.layout"
    path.write_text(OWN)
    run = cookmas.play(str(path), "greedy", world="overcooked", settings={"horizon": 9})
    path.unlink()
    again: Any = domain_of("overcooked").rebuild(run.trace.header, path)
    assert again.kitchen.grid.rows[1] == "S1   2D"
    other: Any = load_scenario(
        "overcooked/cramped_room", settings={"layout": "forced_coordination"}
    )
    assert other.kitchen.grid.rows[0] == "XXXPX"


@pytest.mark.parametrize(
    ("name", "best"),
    [
        ("cramped_room", 340),  # 400 / (20 + 3) = 17 soups of one pot, at which one cook can stand
        ("coordination_ring", 380),  # the line of its ways; its pots alone allow 760
        ("current/cramped_room", 320),  # 400 / (20 + 4) = 16
        ("current/cramped_room_single", 320),  # 400 / (20 + 4) = 16 with one cook
    ],
)
def test_the_best_score_follows_from_pots_hands_and_ways(name: str, best: int) -> None:
    assert opened(name)[0].best_score == best


def test_lists_and_pictures_show_the_layouts() -> None:
    domain: Any = domain_of("overcooked")
    assert len(domain.names("papers")) == 7
    assert len(domain.names("current")) >= 44
    assert len(domain.names("more")) == 3
    assert domain.row(load_scenario("overcooked/no_counter_door"))["gates"] == 2
    shown = domain.show(["cramped_room"], {}).data
    assert shown["best_score"] >= 220
    with pytest.raises(MissingError, match="the groups are current"):
        domain.names("moon")
