"""The words, the keys and the panels of the Overcooked kitchen."""

from __future__ import annotations

from cookmas.episodes.base import limit_talk
from cookmas.world_names import domain_of
from cookmas.worlds.overcooked.rules.kitchen import GateState, KitchenItem, PotContent
from cookmas.worlds.overcooked.view import VIEWING
from tests.worlds.overcooked.opened import opened

ONIONS = ("onion", "onion", "onion")


def test_the_terminal_shows_the_grid_the_pots_and_the_gates() -> None:
    world, state = opened("soup_passing_door")
    [gate], [first, second] = world.kitchen.gates, world.kitchen.pots
    scene = state.scene._replace(
        gates={gate: GateState(open=True, ticks=3)},
        pots={first: PotContent(ONIONS, 7), second: PotContent(ONIONS, 20)},
        counters={(3, 0): KitchenItem("soup", ("onion", "tomato", "tomato"))},
    )
    panels = VIEWING.panels(world, state._replace(scene=scene, score=40, delivered=2))
    told = {panel.title: [(item.name, item.what) for item in panel.items] for panel in panels}
    assert told["score"] == [("points", "40"), ("soups", "2")]
    assert told["kitchen"][3][1] == "W  .  .  G o.  .  W"
    assert told["pots"] == [("c0", "3 onions: 7 of 20"), ("c1", "3 onions: ready")]
    assert told["counters"] == [("3,0", "soup of 1 onion, 2 tomatoes")]
    assert told["gates"] == [("g0", "open, 8 timesteps left")]
    assert told["in action"] == [("alice", "to decide"), ("bob", "to decide")]
    [order] = VIEWING.goals(world, state)
    assert order.label == "soup of 3 onions 20 points"


def test_a_hidden_partner_stands_nowhere() -> None:
    world, state = opened("cramped_room", hide_partner="yes")
    assert list(VIEWING.place_workers(world, world.observe(state, "alice"))) == ["alice"]


def test_the_acts_have_keys_unless_cooks_may_not_command_them() -> None:
    world, state = opened("cramped_room")
    viewing = domain_of("overcooked").viewing
    keys = viewing.keys(world, state, "alice")
    assert keys["ArrowUp"] == "north"
    assert keys[" "] == "interact"
    assert {world.refusal([("alice", action)]) for action in keys.values()} == {None}
    world, state = opened("cramped_room", acts="medium")
    assert viewing.keys(world, state, "alice") == {}


def test_cooks_are_silent_unless_they_may_talk() -> None:
    world, _ = opened("cramped_room")
    assert limit_talk(world, 3) == 0
    world, _ = opened("cramped_room", silent="no")
    assert limit_talk(world, 3) == 3
    again = domain_of("overcooked").world(world.setup())
    assert limit_talk(again, 3) == 3
