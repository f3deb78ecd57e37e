"""The proofs of what models are told about CuisineWorld."""

from __future__ import annotations

from typing import Any

from cookmas.api import load_scenario
from cookmas.episodes.world import Command
from cookmas.orchestrator.dialogue.voice import Templates
from cookmas.worlds.cuisineworld.voice import VOICE
from tests.worlds.telling import page, plain, read_rules, told

PAGE = page("explanation/cuisineworld-rules.md")


def opened(level: str = "level_1") -> tuple[Any, Any]:
    scenario: Any = load_scenario(f"cuisineworld/{level}")
    world = scenario.world()
    return world, world.start()


def rules_told() -> str:
    """Return what models are told: how long the game lasts, the rules and the actions."""
    world, _ = opened()
    parts = VOICE.rules_and_actions(world, Templates(VOICE.prompts))
    system = plain(Templates(VOICE.prompts).text("system"))
    lasts = system[system.index("The game lasts") : system.index("Your goal")]
    for name in ("steps", "last"):
        lasts = lasts.replace("{{" + name + "}}", parts[name])
    return f"{lasts}\n\n{told(world, VOICE)}"


def act(world: Any, state: Any, *commands: str, ok: bool = True) -> Any:
    """Return the state after the commands of agent0, agent1 and so on."""
    given = [Command(f"agent{number}", text) for number, text in enumerate(commands)]
    state, outcomes, _ = world.step(state, given)
    assert all(outcomes[name].done for name, _ in given) == ok
    return state


def lasts(timesteps: int, begin: int, end: int) -> None:
    scenario: Any = load_scenario("cuisineworld/level_1")
    assert (scenario.horizon, begin, end) == (timesteps, 0, timesteps - 1)


def goes_in_one() -> None:
    world, state = opened()
    for place in ("storage0", "servingtable0", "storage0"):
        state = act(world, state, f"goto_{place}", f"goto_{place}")


def holds_one() -> None:
    world, state = opened()
    item = sorted(world.kitchen.ingredients)[0]
    state = act(world, state, "goto_storage0")
    state = act(world, state, f"get_{item}_storage0")
    act(world, state, f"get_{item}_storage0", ok=False)


def throws_away() -> None:
    world, state = opened()
    item = sorted(world.kitchen.ingredients)[0]
    for command in ("goto_storage0", f"get_{item}_storage0", "put_storage0"):
        state = act(world, state, command)
    assert world.dump(state)["agents"][0][1] is None


def cooked() -> tuple[Any, Any, str, int]:
    """Return a kitchen in which a pot with rice has just been activated."""
    world, state = opened("level_3")
    for command in (
        "goto_storage0",
        "get_rice_storage0",
        "goto_pot0",
        "put_pot0",
        "activate_pot0",
    ):
        state = act(world, state, command)
    return world, state, "pot0", world.kitchen.tools["pot"].wait


def is_occupied() -> None:
    world, state, place, wait = cooked()
    for _ in range(wait - 1):
        act(world, state, f"get_{place}", ok=False)
        state = act(world, state, "noop")
    act(world, state, f"get_{place}")


def refuses(command: str) -> None:
    world, state, place, _ = cooked()
    item = sorted(world.kitchen.ingredients)[0]
    act(world, state, command.format(place=place, item=item), ok=False)


def takes_a_part_or_loses_it() -> None:
    """Put rice into a pot twice: the second one is gone; salmon fits no recipe with it."""
    world, state = opened("level_3")
    for item, ok in (("rice", True), ("rice", True), ("salmon", False)):
        for command in ("goto_storage0", f"get_{item}_storage0", "goto_pot0"):
            state = act(world, state, command)
        state = act(world, state, "put_pot0", ok=ok)
        assert world.dump(state)["inside"]["pot0"] == ["rice"]
        assert world.dump(state)["agents"][0][1] == (None if ok else item)


def decreases() -> None:
    scenario: Any = load_scenario("cuisineworld/level_1")
    world, state = opened()
    (_, event), *_ = scenario.events()
    state, _ = world.apply(state, event)
    lifetime = world.dump(state)["orders"][0][0]
    for left in range(lifetime - 1, -1, -1):
        state = act(world, state, "noop")
        assert world.dump(state)["orders"][0][0] == left
    state = act(world, state, "noop")
    assert len(world.dump(state)["failed"]) == 1


def one_after_the_other() -> None:
    world, state, place, wait = cooked()
    for _ in range(wait):
        state = act(world, state, "noop", f"goto_{place}")
    act(world, state, f"get_{place}", f"get_{place}", ok=False)
    act(world, state, f"get_{place}", "noop")


def refused_whole() -> None:
    world, state = opened()
    leaves = Command("agent1", "goto_storage0")
    for bad in (
        [leaves, leaves],
        [Command("agent0", "dance"), leaves],
        [Command("agent0", "goto_moon0"), leaves],
        [Command("agent9", "noop"), leaves],
    ):
        after, outcomes, _ = world.step(state, bad)
        assert world.dump(after)["agents"] == world.dump(state)["agents"]
        assert not outcomes["agent1"].done


def gives_back() -> None:
    """Only a chopboard gives back an ingredient of which nothing was made."""
    for item, place in (("rice", "pot0"), ("salmon", "chopboard0")):
        world, state = opened("level_3")
        for command in ("goto_storage0", f"get_{item}_storage0", f"goto_{place}", f"put_{place}"):
            state = act(world, state, command)
        act(world, state, f"get_{place}", ok=place == "chopboard0")


RULES = read_rules(
    r"""
The game lasts <n> timesteps, from timestep <n> to timestep <n>; it does not end earlier.
  play: lasts
An agent stands at one place and holds at most one item.
  page: each can hold one item
  play: holds_one
It goes from anywhere to any place in one timestep.
  page: going takes one timestep from anywhere to anywhere
  play: goes_in_one
Any number of agents can stand at a place.
  page: Any number of agents may stand at one place
  play: goes_in_one
Storage gives the base ingredients.
  page: Storage gives any of the 27 base ingredients
It also takes whatever is to be thrown away.
  page: Storage destroys the item.
  play: throws_away
A tool takes an item only if this item and what is already in the tool are, together, a part of a
recipe of that tool, or if the item is inside already: then it is lost.
  page: its content and the item together are a part of one recipe of that tool
  page: A tool **swallows** an item that is inside already
  play: takes_a_part_or_loses_it
When a whole recipe is in it, an agent with empty hands can activate it.
  page: needs empty hands (`hands_full`)
  page: whose content is exactly one recipe
What is inside then becomes the product at once, but the tool is occupied for its `wait`.
  page: The content becomes the product at once, and the tool is occupied.
If it is activated at timestep t, it can be emptied at t + `wait`.
  page: After activation in timestep *t* an agent can take the product in
  play: is_occupied
Until then no agent can take or put anything there.
  page: a tool that is not occupied
  play: refuses get_{place}
A product is taken out of its tool and brought to the next tool, or to the serving table if it is a
dish of this level.
  page: The serving table takes the dishes of the level, ordered or not
There it completes the order for this dish that expires first.
  page: Orders are closed, in the order in which they are shown.
A dish that nobody has ordered yet waits there for the next order.
  page: takes the dishes of the level, ordered or not
An order has a lifetime, in timesteps.
  page: The lifetimes of the open orders
It decreases by one each timestep.
  page: The lifetimes of the open orders decrease by one.
  play: decreases
At 0 the order expires.
  page: An order that is shown with 0 timesteps fails.
  play: decreases
The actions of a timestep are carried out one after the other, in the order of your answer.
  page: The engine carries out the commands in the order of the list
  play: one_after_the_other
An agent that is named later finds what an earlier one has done.
  page: a later agent meets the results of an earlier one
  play: one_after_the_other
The actions of a timestep are all refused if two of them are for one agent, or if one names an
unknown verb, place or agent.
  play: refused_whole
Every agent then loses the timestep.
  play: refused_whole
goto_PLACE: go there.
  page: agent0 goes to pot1
  play: goes_in_one
get_PLACE: take the product in a tool, or what is on a chopboard; at storage get_ITEM_storage0, such
as get_rice_storage0.
  page: agent0 takes rice from storage
  page: A chopboard gives the item on it, chopped or not
  page: any other tool a finished product only
  play: gives_back
put_PLACE: put what is held into the place where the agent stands.
  page: agent0 puts the item in its hand into mixer0
  play: throws_away
activate_PLACE: turn on the tool where the agent stands.
  page: agent0 turns pot1 on
  play: is_occupied
noop: do nothing.
  page: agent0 does nothing
""",
    globals(),
)
