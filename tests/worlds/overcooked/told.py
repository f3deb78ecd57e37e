"""The proofs of what models are told about Overcooked-AI."""

from __future__ import annotations

from typing import Any

from cookmas.worlds.grids.grid import DIRECTIONS
from cookmas.worlds.grids.walking import Body, shortest_path
from cookmas.worlds.overcooked.rules.actions import MediumAction, refusal
from cookmas.worlds.overcooked.rules.kitchen import PotContent
from cookmas.worlds.overcooked.rules.places import OvercookedSight
from cookmas.worlds.overcooked.voice import VOICE
from tests.worlds.overcooked.opened import ONION, SOUP, changed, finish, opened, step
from tests.worlds.telling import page, read_rules, told

PAGE = page("reference/overcooked-rules.md", "reference/overcooked-actions.md")


def rules_told(name: str = "cramped_room") -> str:
    """Return what models are told, without the map and the names of its places."""
    before, _, after = told(opened(name)[0], VOICE).partition("The kitchen, where a digit")
    return before + after[after.index("- `pick_up") :]


def standing(*places: tuple[int, int], facing: str = "N") -> tuple[Any, Any]:
    """Return the kitchen with the cooks at these places."""
    world, state = opened()
    cooks = [
        cook._replace(body=Body(at, DIRECTIONS[facing]))
        for cook, at in zip(state.scene.cooks, places, strict=True)
    ]
    return world, state._replace(scene=state.scene._replace(cooks=tuple(cooks)))


def at(state: Any) -> list[tuple[int, int]]:
    return [cook.body.at for cook in state.scene.cooks]


def lasts(timesteps: int) -> None:
    world, state = opened()
    for _ in range(timesteps - 1):
        state = step(world, state)
    assert world.ending(state) is None
    assert world.ending(step(world, state)) is not None


def turns() -> None:
    world, state = standing((1, 2), (3, 1))
    after = step(world, state, "west")
    assert at(after) == at(state)
    assert after.scene.cooks[0].body.facing == DIRECTIONS["W"]


def follows() -> None:
    world, state = standing((1, 1), (2, 1))
    assert at(step(world, state, "east", "east")) == [(2, 1), (3, 1)]


def collide() -> None:
    for other, act in (((3, 1), "west"), ((2, 1), "west")):
        world, state = standing((1, 1), other)
        assert at(step(world, state, "east", act)) == at(state)


def way_and_interaction() -> None:
    world, state = opened()
    way = shortest_path(world.kitchen.grid, state.scene.cooks[0].body, (0, 1))
    assert finish(world, state, "pick_up(onion,o0)").timestep == len(way or ()) + 1


def is_asked_when_done() -> None:
    world, state = opened()
    state = step(world, state, "pick_up(onion,o0)")
    assert "alice" not in world.movers(state)
    while state.doing[0] is not None:
        assert "alice" not in world.movers(state)
        state = step(world, state)
    assert "alice" in world.movers(state)


def is_asked_when_it_gives_up() -> None:
    is_asked_when_done()
    world, state = opened()
    state = changed(state, hold=ONION, pot=PotContent(("onion",) * 2))
    state = step(world, state, "put(onion,c0)")
    assert "alice" not in world.movers(state)
    full = {(2, 0): PotContent(("onion",) * 3, 0)}
    state = step(world, state._replace(scene=state.scene._replace(pots=full)))
    assert "alice" in world.movers(state)


def blocked(timesteps: int) -> tuple[Any, Any, int]:
    """Return the kitchen after `timesteps` in which bob stands in the way, and when alice moved."""
    world, state = standing((1, 2), (1, 1))
    moved = 0
    for now in range(1, timesteps + 1):
        asked = "alice" in world.movers(state)
        before = at(state)[0]
        state = step(world, state, "pick_up(onion,o0)" if asked else "stay")
        moved = moved or (now if at(state)[0] != before else 0)
    return world, state, moved


def is_asked_again(timesteps: int) -> None:
    for number in range(1, timesteps):
        world, state, _ = blocked(number)
        assert "alice" not in world.movers(state)
    world, state, _ = blocked(timesteps)
    assert "alice" in world.movers(state)


def steps_away(timesteps: int) -> None:
    assert blocked(timesteps)[2] == 0
    assert blocked(timesteps + 1)[2] == timesteps + 1


def takes_the_place() -> None:
    world, state, _ = blocked(3)
    assert str(step(world, state, "pick_up(onion,o1)").doing[0]) == "pick_up(onion,o1)"


def holds(items: int) -> None:
    world, state = opened("current/cramped_room")
    put = MediumAction("put", "onion", "c0")
    pot = next(iter(world.kitchen.pots))
    for inside, kind in ((items - 1, None), (items, "pot_full")):
        scene = changed(state, hold=ONION).scene
        scene = scene._replace(pots={pot: PotContent(("onion",) * inside)} if inside else {})
        assert refusal(OvercookedSight(world.kitchen, scene, 0), put) == kind


def starts_at_three() -> None:
    world, state = opened()
    for inside, cooks in ((1, False), (2, True)):
        before = changed(state, hold=ONION, pot=PotContent(("onion",) * inside))
        after = finish(world, before, "put(onion,c0)")
        assert (after.scene.pots[(2, 0)].ticks > 0) == cooks


def is_started() -> None:
    world, state = opened("current/cramped_room")
    pot = next(iter(world.kitchen.pots))
    scene = state.scene._replace(pots={pot: PotContent(("onion",))})
    after = finish(world, state._replace(scene=scene), "start(c0)")
    assert after.scene.pots[pot].ticks > 0


def is_ordered(onions: int, points: int, cooks: int) -> None:
    world, state = opened()
    (soup,) = world.kitchen.ordered
    assert soup.ingredients == ("onion",) * onions
    assert finish(world, changed(state, hold=SOUP), "deliver(soup,d0)").score == points
    state = changed(state, pot=PotContent(("onion",) * onions, 0))
    for _ in range(cooks - 1):
        state = step(world, state)
    for ready in (False, True):
        pot = state.scene.pots[(2, 0)]
        assert world.kitchen.is_ready(pot.ingredients, pot.ticks) == ready
        state = step(world, state)


STEPS = {
    "north": ((1, 2), (1, 1)),
    "south": ((1, 1), (1, 2)),
    "east": ((1, 1), (2, 1)),
    "west": ((2, 1), (1, 1)),
}
"""From where a cook goes in a direction, and where it stands then."""


def goes(act: str) -> None:
    here, there = STEPS[act]
    world, state = standing(here, (3, 1))
    assert at(step(world, state, act))[0] == there


def stays() -> None:
    world, state = opened()
    after = step(world, state, "stay")
    assert (at(after), after.timestep) == (at(state), 1)
    assert "alice" in world.movers(after)


RULES = read_rules(
    r"""
Cooks make soups and deliver them.
  page: fill pots, and deliver soups
The episode lasts <n> timesteps.
  play: lasts
Each delivery of an ordered soup gives points to all; any other soup gives none.
  page: A delivered soup gives its points if it is ordered, and nothing otherwise
In each timestep every cook does one thing: a step, a turn, an interaction, or nothing.
  page: A timestep is one act of each cook
  page: A move towards a cell without floor only turns
The cooks interact first, one after the other in the order of their numbers; then all move at the
same time.
  page: The cooks interact one after the other, by number.
  page: 2. All move.
A step towards a cell without floor only turns the cook.
  page: A move towards a cell without floor only turns the cook.
  play: turns
A cook can step onto a cell that another one leaves in the same timestep.
  page: 2. All move.
  play: follows
But two cooks cannot stand on one cell or change places: if they try, all cooks stay where they are
in that timestep.
  page: If two cooks would meet or change places, no cook moves; all of them turn.
  play: collide
A cook holds one thing.
  page: A cook holds one item
A medium-level action lasts for all steps and turns of the way to its place, and one timestep more
for the interaction.
  play: way_and_interaction
It is a cook's move when its action is done or can no longer be done, and only then.
  page: In the middle of an action a cook is not asked.
  page: it gives the action up, and is asked
  play: is_asked_when_it_gives_up
A cook that comes no nearer to the place of its action for <n> timesteps is asked as well.
  page: a cook that comes no nearer to the place of its action for three timesteps is asked
  play: is_asked_again
What it is given to do then takes the place of the action; to continue it, name it again.
  play: takes_the_place
After <n> timesteps one cook that comes no nearer takes a step away from the others.
  page: after three more, the first such cook steps away from the others
  play: steps_away
A soup is made in a pot.
  page: a pot with fewer than three ingredients
Ingredients go into the pot one by one, at most <n>.
  page: A pot holds up to three ingredients.
  play: holds
A pot starts by itself at the third ingredient.
  page: a pot with three ingredients starts by itself, in the timestep of the third
  play: starts_at_three
A cook with empty hands starts a pot by an interaction, at one ingredient or more.
  page: | a pot with ingredients that does not cook | nothing | starts it; `current` only |
  play: is_started
It cooks for some timesteps.
  page: The pot is ready when the timer reaches the time of the soup
Then a cook with a dish in its hands takes the soup out of the pot, and delivers it at a serving
window.
  page: | a pot that is ready | a dish | takes the soup |
Nothing burns, and dispensers never run out.
  page: nothing burns
  page: Dispensers never run out.
Counters keep one thing each.
  page: A counter holds one item.
Orders, which stay open: a soup of <n> onions (<n> points, cooks <n>).
  page: Orders are never used up.
  play: is_ordered
`pick_up(ITEM,PLACE)`: take an onion, a tomato or a dish from its dispenser, or anything that lies
on a counter, with empty hands; or, with a dish in your hands, take the soup of a pot,
pick_up(soup,c0): you wait there until it is cooked.
  page: walks to the dispenser or counter, and takes the item
  page: walks to the pot with a dish, waits until the soup is ready, and takes it
`put(ITEM,POT)`: put the onion or tomato in your hands into a pot.
  page: walks to the pot and puts the ingredient in
`start(POT)`: with empty hands, start a pot that does not start by itself.
  page: starts a pot, with empty hands; dynamics `current`
`place(ITEM,COUNTER)`: lay what is in your hands on an empty counter.
  page: walks to the counter and lays the item down
`deliver(soup,WINDOW)`: deliver the soup in your hands at a serving window.
  page: walks to the serving window and delivers
`move_away`: take one step away from the other cooks.
  page: one step away from the other cooks, if there is one
`stay`: wait for one timestep.
  page: | `stay` | wait | nothing |
  play: stays
`north`: one step up, or only a turn if nobody can stand there.
  page: a step, or only a turn
  play: goes north
`south`: one step down, or only a turn.
  play: goes south
`east`: one step to the right, or only a turn.
  play: goes east
`west`: one step to the left, or only a turn.
  play: goes west
`interact`: use the place in front of you with what is in your hands.
  page: uses the place in front
""",
    globals(),
)
