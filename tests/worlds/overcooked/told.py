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
from tests.worlds.telling import Rule, page, told

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


def goes(act: str, here: tuple[int, int], there: tuple[int, int]) -> None:
    world, state = standing(here, (3, 1))
    assert at(step(world, state, act))[0] == there


def stays() -> None:
    world, state = opened()
    after = step(world, state, "stay")
    assert (at(after), after.timestep) == (at(state), 1)
    assert "alice" in world.movers(after)


RULES = (
    Rule("Cooks make soups and deliver them.", ("fill pots, and deliver soups",)),
    Rule("The episode lasts <n> timesteps.", (), lasts),
    Rule(
        "Each delivery of an ordered soup gives points to all; any other soup gives none.",
        ("A delivered soup gives its points if it is ordered, and nothing otherwise",),
    ),
    Rule(
        "In each timestep every cook does one thing: a step, a turn, an interaction, or nothing.",
        ("A timestep is one act of each cook", "A move towards a cell without floor only turns"),
    ),
    Rule(
        "The cooks interact first, one after the other in the order of their numbers; then all "
        "move at the same time.",
        ("The cooks interact one after the other, by number.", "2. All move."),
    ),
    Rule(
        "A step towards a cell without floor only turns the cook.",
        ("A move towards a cell without floor only turns the cook.",),
        turns,
    ),
    Rule(
        "A cook can step onto a cell that another one leaves in the same timestep.",
        ("2. All move.",),
        follows,
    ),
    Rule(
        "But two cooks cannot stand on one cell or change places: if they try, all cooks stay "
        "where they are in that timestep.",
        ("If two cooks would meet or change places, no cook moves; all of them turn.",),
        collide,
    ),
    Rule("A cook holds one thing.", ("A cook holds one item",)),
    Rule(
        "A medium-level action lasts for all steps and turns of the way to its place, and one "
        "timestep more for the interaction.",
        (),
        way_and_interaction,
    ),
    Rule(
        "It is a cook's move when its action is done or can no longer be done, and only then.",
        (
            "In the middle of an action a cook is not asked.",
            "it gives the action up, and is asked",
        ),
        is_asked_when_it_gives_up,
    ),
    Rule(
        "A cook that comes no nearer to the place of its action for <n> timesteps is asked as "
        "well.",
        ("a cook that comes no nearer to the place of its action for three timesteps is asked",),
        is_asked_again,
    ),
    Rule(
        "What it is given to do then takes the place of the action; to continue it, name it again.",
        (),
        takes_the_place,
    ),
    Rule(
        "After <n> timesteps one cook that comes no nearer takes a step away from the others.",
        ("after three more, the first such cook steps away from the others",),
        steps_away,
    ),
    Rule("A soup is made in a pot.", ("a pot with fewer than three ingredients",)),
    Rule(
        "Ingredients go into the pot one by one, at most <n>.",
        ("A pot holds up to three ingredients.",),
        holds,
    ),
    Rule(
        "A pot starts by itself at the third ingredient.",
        ("a pot with three ingredients starts by itself, in the timestep of the third",),
        starts_at_three,
    ),
    Rule(
        "A cook with empty hands starts a pot by an interaction, at one ingredient or more.",
        ("| a pot with ingredients that does not cook | nothing | starts it; `current` only |",),
        is_started,
    ),
    Rule(
        "It cooks for some timesteps.",
        ("The pot is ready when the timer reaches the time of the soup",),
    ),
    Rule(
        "Then a cook with a dish in its hands takes the soup out of the pot, and delivers it at a "
        "serving window.",
        ("| a pot that is ready | a dish | takes the soup |",),
    ),
    Rule(
        "Nothing burns, and dispensers never run out.",
        ("nothing burns", "Dispensers never run out."),
    ),
    Rule("Counters keep one thing each.", ("A counter holds one item.",)),
    Rule(
        "Orders, which stay open: a soup of <n> onions (<n> points, cooks <n>).",
        ("Orders are never used up.",),
        is_ordered,
    ),
    Rule(
        "`pick_up(ITEM,PLACE)`: take an onion, a tomato or a dish from its dispenser, or anything "
        "that lies on a counter, with empty hands; or, with a dish in your hands, take the soup "
        "of a pot, pick_up(soup,c0): you wait there until it is cooked.",
        (
            "walks to the dispenser or counter, and takes the item",
            "walks to the pot with a dish, waits until the soup is ready, and takes it",
        ),
    ),
    Rule(
        "`put(ITEM,POT)`: put the onion or tomato in your hands into a pot.",
        ("walks to the pot and puts the ingredient in",),
    ),
    Rule(
        "`start(POT)`: with empty hands, start a pot that does not start by itself.",
        ("starts a pot, with empty hands; dynamics `current`",),
    ),
    Rule(
        "`place(ITEM,COUNTER)`: lay what is in your hands on an empty counter.",
        ("walks to the counter and lays the item down",),
    ),
    Rule(
        "`deliver(soup,WINDOW)`: deliver the soup in your hands at a serving window.",
        ("walks to the serving window and delivers",),
    ),
    Rule(
        "`move_away`: take one step away from the other cooks.",
        ("one step away from the other cooks, if there is one",),
    ),
    Rule("`stay`: wait for one timestep.", ("| `stay` | wait | nothing |",), stays),
    Rule(
        "`north`: one step up, or only a turn if nobody can stand there.",
        ("a step, or only a turn",),
        lambda: goes("north", (1, 2), (1, 1)),
    ),
    Rule("`south`: one step down, or only a turn.", (), lambda: goes("south", (1, 1), (1, 2))),
    Rule(
        "`east`: one step to the right, or only a turn.", (), lambda: goes("east", (1, 1), (2, 1))
    ),
    Rule("`west`: one step to the left, or only a turn.", (), lambda: goes("west", (2, 1), (1, 1))),
    Rule(
        "`interact`: use the place in front of you with what is in your hands.",
        ("uses the place in front",),
    ),
)
