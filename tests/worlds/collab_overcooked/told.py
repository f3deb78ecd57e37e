"""The proofs of what models are told about Collab-Overcooked."""

from __future__ import annotations

from typing import Any

import pytest

from cookmas.episodes.world import Command
from cookmas.worlds.collab_overcooked.rules.actions import read_action
from cookmas.worlds.collab_overcooked.rules.engine import refusal
from cookmas.worlds.collab_overcooked.rules.kitchen import FoodItem, UtensilContent
from cookmas.worlds.collab_overcooked.voice import VOICE
from cookmas.worlds.grids.lasting import UnableError
from cookmas.worlds.grids.walking import shortest_path
from tests.worlds.collab_overcooked.test_world import PLATE, begun, holding, play, with_scene
from tests.worlds.telling import page, read_rules, told

PAGE = page("reference/collab-overcooked-rules.md")
STARTS = {
    "cut(chopping_board0)": "alice",
    "stir(blender0)": "alice",
    "cook(pot0)": "bob",
    "bake(oven0)": "bob",
}


def rules_told() -> str:
    """Return what models are told, without the map and what each cook reaches."""
    before, _, after = told(begun()[0], VOICE).partition("The kitchen, where a letter")
    return before + after[after.index("Some food is served") :]


def refused(world: Any, state: Any, cook: str, action: str) -> str | None:
    number = world.workers.index(cook)
    return refusal(world.sight(state, number), read_action(action))


def filled(state: Any, world: Any, utensil: str, content: UtensilContent) -> Any:
    return with_scene(state, utensils={world.kitchen.utensils[utensil]: content})


def cut() -> tuple[Any, Any]:
    """Return the kitchen after alice has started the chopping board."""
    world, state = begun("level_2/03")
    for action in ("pickup(corn,ingredient_dispenser)", "put_obj_in_utensil(chopping_board0)"):
        state = play(world, state, {"alice": action})
    return world, play(world, state, {"alice": "cut(chopping_board0)"})


TAKE = "pickup(corn_slices,chopping_board0)"


def way_and_interaction() -> None:
    world, state = begun("level_2/03")
    (cell,) = world.kitchen.places["ingredient_dispenser"]
    way = shortest_path(world.kitchen.grid, state.scene.cooks[1].body, cell)
    after = play(world, state, {"alice": "pickup(corn,ingredient_dispenser)"})
    assert after.timestep == len(way or ()) + 1


def is_asked_when_done() -> None:
    world, state = begun("level_2/03")
    order = [Command("alice", "pickup(corn,ingredient_dispenser)")]
    state, _, _ = world.step(state, order)
    while state.doing[1] is not None:
        assert "alice" not in world.movers(state)
        state, _, _ = world.step(state, [])
    assert "alice" in world.movers(state)


def is_asked_when_it_gives_up() -> None:
    is_asked_when_done()
    world, state = begun()
    there = with_scene(state, counters={(2, 3): PLATE})
    state, _, _ = world.step(there, [Command("bob", "pickup(dish,counter)")])
    assert "bob" not in world.movers(state)
    state, _, _ = world.step(with_scene(state, counters={}), [])
    assert "bob" in world.movers(state)


def takes_up_to(things: int) -> None:
    world, state = begun()
    state = holding(state, 1, FoodItem("corn", "ingredient"))
    for inside, kind in ((things - 1, None), (things, "full")):
        content = UtensilContent(("corn",) * inside, inside)
        there = filled(state, world, "blender0", content) if inside else state
        assert refused(world, there, "alice", "put_obj_in_utensil(blender0)") == kind


def works_for(timesteps: int, later: int) -> None:
    world, state = cut()
    started = state.timestep - 1
    while refused(world, state, "alice", TAKE) is not None:
        state, _, _ = world.step(state, [])
    assert timesteps == later == state.timestep - started


def leaves_time_for(timesteps: int) -> None:
    world, state = cut()
    assert (
        refused(world, play(world, state, {"alice": f"wait({timesteps})"}), "alice", TAKE) is None
    )
    short = play(world, state, {"alice": f"wait({timesteps - 1})"})
    assert refused(world, short, "alice", TAKE) == "busy"


def is_kept() -> None:
    world, state = cut()
    for _ in range(30):
        state, _, _ = world.step(state, [])
    assert refused(world, state, "alice", TAKE) is None


def are_shared(*numbers: int) -> None:
    cells = zip(numbers[::2], numbers[1::2], strict=True)
    assert set(cells) == begun()[0].kitchen.shared


def is_refused_until_it_is_there() -> None:
    world, state = begun()
    take = "pickup(corn_slices,counter)"
    assert refused(world, state, "bob", take) == "not_on_counter"
    (cell, *_) = world.kitchen.shared
    there = with_scene(state, counters={cell: FoodItem("corn_slices", "ingredient")})
    assert refused(world, there, "bob", take) is None


def waits_up_to(fewest: int, most: int) -> None:
    world, state = begun()
    for number, kind in ((most, None), (most + 1, "patience_too_long")):
        assert refused(world, state, "bob", f"pickup(corn_slices,counter,{number})") == kind
    with pytest.raises(UnableError):
        read_action(f"pickup(corn_slices,counter,{fewest - 1})")
    before = state.timestep
    state = play(world, state, {"bob": f"pickup(corn_slices,counter,{fewest})"})
    assert state.timestep - before == fewest + 1, "it waits, then gives up"


def needs_an_empty_hand(action: str) -> None:
    world, state = begun()
    cook, utensil = STARTS[action], action.partition("(")[2][:-1]
    inside = filled(state, world, utensil, UtensilContent(("corn",), 1))
    held = holding(inside, world.workers.index(cook), FoodItem("corn", "ingredient"))
    assert refused(world, inside, cook, action) is None
    assert refused(world, held, cook, action) == "hands_full"
    assert refused(world, state, cook, action) == "empty"


def lasts(fewest: int, most: int) -> None:
    world, state = begun()
    for number in (fewest, most):
        after = play(world, state, {"bob": f"wait({number})"})
        assert after.timestep - state.timestep == number
    assert refused(world, state, "bob", f"wait({fewest - 1})") == "wait_too_long"
    assert refused(world, state, "bob", f"wait({most + 1})") == "wait_too_long"


def loses_what_can_be_ordered() -> None:
    world, state = begun()
    (ordered,) = {state.order} & world.kitchen.menu
    for name in sorted({*world.kitchen.menu, "apple", "corn_slices"} - {ordered}):
        given = holding(state, 0, FoodItem(name, "finished", 1))
        can_be_ordered = name in world.kitchen.menu
        assert refused(world, given, "bob", "deliver()") == (
            None if can_be_ordered else "not_final"
        )
        assert can_be_ordered == (name not in ("apple", "corn_slices"))


RULES = read_rules(
    r"""
One order is to be cooked and delivered.
  page: The right delivery ends the episode.
In each timestep every cook does one thing: a step, a turn, an interaction with the place in front
of it, or nothing.
  page: A timestep is one low-level act of each cook: a step, a turn
An action lasts for all steps and turns of the way to its place, and one timestep more for the
interaction.
  page: An action takes as many timesteps as its walk, its turn and one interaction.
  play: way_and_interaction
It is a cook's move when its action is done or can no longer be done, and only then.
  page: It is a cook's move when its action is done
  page: gives its action up
  play: is_asked_when_it_gives_up
A cook holds one thing.
  page: A cook holds one thing.
The dispensers never run out.
  page: The dispensers never run out.
A utensil takes up to <n> things.
  page: A utensil takes three things.
  play: takes_up_to
It works for <n> timesteps, without a cook: what is started at timestep t can be taken out from
timestep t + <n> on.
  page: A utensil that is started at timestep *t* has finished at *t* + 3.
  play: works_for
So there is time for `wait(<n>)` or for other work between `cut`, `stir`, `cook` or `bake` and
taking it out.
  play: leaves_time_for
A utensil keeps what it has made until a cook takes it.
  page: Nothing burns.
  play: is_kept
A mix that fits no recipe is destroyed when it is started.
  page: A mix that matches none is destroyed when it is started.
Cooks who cannot reach the same places pass things over the counters between them: those at
(<n>,<n>), (<n>,<n>), (<n>,<n>), by column and row from the upper left corner.
  page: The three counters between the corridors are shared
  play: are_shared
Some food is served in a dish; the recipe says so.
  page: the dish is filled
`pickup(FOOD,PLACE)`: take FOOD, or a dish, into an empty hand: from the counter, a dispenser, or a
utensil that has finished.
  page: the cook holds FOOD
It is refused while FOOD is not there.
  play: is_refused_until_it_is_there
`pickup(FOOD,PLACE,N)`: the same, but wait up to N timesteps until FOOD is there, <n> to <n>.
  page: `pickup(FOOD,PLACE,N)`
  play: waits_up_to
You wait beside a utensil; for the counter, where you stand.
  page: beside a utensil, or where it stands for the counter
`put_obj_in_utensil(UTENSIL)`: put what you hold into a utensil that has not been started.
  page: | put | `unknown_utensil`, `busy`, `ready`,
`cut(CHOPPING_BOARD)`: with an empty hand, start a chopping board that has food on it.
  page: | start | `unknown_utensil`, `unreachable`, `empty`, `busy`, `hands_full` |
  play: needs_an_empty_hand cut(chopping_board0)
`stir(BLENDER)`: with an empty hand, start a blender that has food in it.
  page: | start | `unknown_utensil`, `unreachable`, `empty`, `busy`, `hands_full` |
  play: needs_an_empty_hand stir(blender0)
`cook(POT)`: with an empty hand, start a pot that has food in it.
  page: | start | `unknown_utensil`, `unreachable`, `empty`, `busy`, `hands_full` |
  play: needs_an_empty_hand cook(pot0)
`bake(OVEN)`: with an empty hand, start an oven that has food in it.
  page: | start | `unknown_utensil`, `unreachable`, `empty`, `busy`, `hands_full` |
  play: needs_an_empty_hand bake(oven0)
`place_obj_on_counter()`: lay what you hold on the nearest free counter, a shared one first.
  page: takes the nearest free shared counter, then one of the cook's own
`fill_dish_with_food(UTENSIL)`: fill the dish in your hand from a utensil; wait there until it has
finished.
  page: the dish is filled; the cook waits there while the utensil works
`deliver()`: deliver what you hold.
  page: The right delivery ends the episode.
A wrong food that can be ordered is lost; any other food is refused.
  page: Another food that can be ordered is lost if it is delivered
  page: food that cannot be ordered is refused (`not_final`)
  play: loses_what_can_be_ordered
`wait(N)`: do nothing for N timesteps, <n> to <n>.
  page: at most 5
  play: lasts
""",
    globals(),
)
