"""The proofs of what models are told about the corridor, which has no page of rules."""

from __future__ import annotations

from typing import Any

from cookmas.episodes.world import Command
from cookmas.worlds.corridor.voice import VOICE
from cookmas.worlds.corridor.world import CorridorLevel, CorridorWorld
from tests.worlds.telling import Rule, told

PAGE = ""


def rules_told() -> str:
    return told(opened()[0], VOICE)


def opened(ringer: str | None = None) -> tuple[Any, Any]:
    """Return a corridor with a bell, which perhaps one walker alone can ring."""
    world = CorridorWorld(CorridorLevel())
    state, _ = world.apply(world.start(), {"kind": "bell", "name": "silver", "ringer": ringer})
    return world, state


def act(world: Any, state: Any, walker: str, action: str, fail: str | None = None) -> Any:
    others = [Command(name, "stay") for name in world.workers if name != walker]
    state, outcomes, _ = world.step(state, [Command(walker, action), *others])
    assert outcomes[walker].fail == fail
    return state


def is_numbered(first: int, last: int) -> None:
    world, state = opened()
    assert state["places"]["walker_1"] == first
    for place in range(first + 1, last + 1):
        state = act(world, state, "walker_1", "right")
        assert state["places"]["walker_1"] == place
    act(world, state, "walker_1", "right", "wall")


def pass_each_other() -> None:
    world, state = opened()
    state = act(world, state, "walker_1", "right")
    state, outcomes, _ = world.step(
        state, [Command("walker_1", "left"), Command("walker_2", "right")]
    )
    assert all(each.done for each in outcomes.values())
    assert state["places"] == {"walker_1": 0, "walker_2": 1}


def is_rung_once() -> None:
    world, state = opened()
    state = act(world, state, "walker_1", "ring(silver)")
    assert state["bells"]["silver"]["rung"] == 0
    act(world, state, "walker_1", "ring(silver)", "no_bell")


def is_rung_where_the_walker_stands() -> None:
    world, state = opened()
    state = act(world, state, "walker_1", "right")
    assert act(world, state, "walker_1", "ring(silver)")["bells"]["silver"]["rung"] == 1


def is_for_one() -> None:
    world, state = opened("walker_2")
    act(world, state, "walker_1", "ring(silver)", "not_yours")
    act(world, state, "walker_2", "ring(silver)")


def is_a_wall() -> None:
    world, state = opened()
    after = act(world, state, "walker_1", "left", "wall")
    assert after == {**state, "timestep": 1}


def steps(action: str, by: int) -> None:
    world, state = opened()
    state = act(world, state, "walker_1", "right")
    assert act(world, state, "walker_1", action)["places"]["walker_1"] == 1 + by


RULES = (
    Rule(
        "The places of the corridor are numbered from <n>, at the left end, to <n>, at the right "
        "end.",
        (),
        is_numbered,
    ),
    Rule("Walkers can pass each other.", (), pass_each_other),
    Rule("A bell is rung only once.", (), is_rung_once),
    Rule(
        "It is rung at the place where the walker that rings it stands.",
        (),
        is_rung_where_the_walker_stands,
    ),
    Rule("That is right only if the bell hangs there.", (), is_rung_where_the_walker_stands),
    Rule("A text says where it hangs.", (), is_rung_once),
    Rule("Some bells can be rung by one walker only.", (), is_for_one),
    Rule("A step against the wall is a FAIL.", (), is_a_wall),
    Rule("It changes nothing.", (), is_a_wall),
    Rule("`left`: go one step to the left.", (), lambda: steps("left", -1)),
    Rule("`right`: go one step to the right.", (), lambda: steps("right", 1)),
    Rule("`stay`: do nothing.", (), lambda: steps("stay", 0)),
    Rule(
        "`ring(NAME)`: ring the bell of that name at the place where the walker stands.",
        (),
        is_rung_where_the_walker_stands,
    ),
)
