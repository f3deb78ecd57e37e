"""No seat of the two games can tell two states apart that it should not; leaks are found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from cookmas.episodes.checking_worlds import Difference, draw_alike_states, find_leaks
from cookmas.episodes.world import Commands, Ending, Outcome, Trigger
from tests.worlds.hands import cards, chase
from tests.worlds.hands.cards import CardsWorld, Table
from tests.worlds.hands.chase import Ring
from tests.worlds.hands.states import leaking, visited

GAMES = [cards.GAME, chase.GAME]
Stepped = tuple[Any, Mapping[str, Outcome], Sequence[Trigger]]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_seat_cannot_tell_states_apart_that_look_alike(game: Any) -> None:
    world = game.world()
    pairs = 0
    for seed in range(10):
        states = visited(game.redraw(seed), seed)
        assert list(find_leaks(world, states)) == []
        for worker in world.workers:
            for one, other in draw_alike_states(world, states, worker, range(3)):
                assert one != other
                pairs += 1
    assert pairs > 100


def _deck_is_seen(self: Any, state: Table, worker: str | None = None) -> Table:
    return {**CardsWorld.observe(self, state, worker), "deck": state["deck"]}


def _all_but_undumped(self: Any, state: Table, worker: str | None = None) -> Table:
    return {**state, "by": worker}


def _legal_by_the_deck(self: Any, state: Table, worker: str) -> Sequence[str]:
    return ["pass"] if min(state["deck"], default=0) < 3 else CardsWorld.legal(self, state, worker)


def _without_the_hidden(self: Any, state: Table) -> Table:
    seen = {name: value for name, value in state.items() if name != "by"}
    return CardsWorld.observe(self, seen, state["by"]) if "by" in state else seen


_UNDUMPED = {
    "dump": _without_the_hidden,
    "legal": _legal_by_the_deck,
    "simulable": lambda self, observed, worker: observed,
}
"""What is hidden is kept in what is observed, and is only not dumped."""


def _everybody_hears_what_is_drawn(self: Any, state: Table, commands: Commands) -> Stepped:
    after, outcomes, triggers = CardsWorld.step(self, state, commands)
    told = [Trigger(kind=trigger.kind, cause=trigger.cause) for trigger in triggers]
    return after, outcomes, told


def _a_fail_tells_the_other_hand(self: Any, state: Table, commands: Commands) -> Stepped:
    after, outcomes, triggers = CardsWorld.step(self, state, commands)
    why = f"The hands are {state['hands']}."
    return after, {n: o if o.done else Outcome(o.fail, why) for n, o in outcomes.items()}, triggers


def _everybody_witnesses_a_fail(self: Any, state: Table, commands: Commands) -> Stepped:
    after, outcomes, triggers = CardsWorld.step(self, state, commands)
    seen = {name: outcome._replace(witnesses=cards.PLAYERS) for name, outcome in outcomes.items()}
    return after, seen, triggers


def _passing_is_for_who_holds_the_lowest(self: Any, state: Table, commands: Commands) -> Stepped:
    after, outcomes, triggers = CardsWorld.step(self, state, commands)
    mover = state["turn"]
    if dict(commands).get(mover) == self.idle and min(state["deck"], default=9) < 3:
        return state, {**outcomes, mover: Outcome("no_passing", "Not now.")}, ()
    return after, outcomes, triggers


def _moves_by_the_deck(self: Any, state: Table) -> Sequence[str]:
    return ["alice"] if min(state["deck"], default=0) < 3 else ["bob"]


def _over_by_the_deck(self: Any, state: Table) -> Ending | None:
    return Ending("over", "the 1 is in the deck") if 1 in state["deck"] else None


def _dice_are_seen(self: Any, state: Ring, worker: str | None = None) -> Ring:
    return {**state, "dice": state["dice"][:1]}


@pytest.mark.parametrize(
    ("game", "methods", "what"),
    [
        (cards.GAME, {"observe": _deck_is_seen}, "observation"),
        (cards.GAME, {"observe": _all_but_undumped, **_UNDUMPED}, "legal actions"),
        (cards.GAME, {"step": _everybody_hears_what_is_drawn}, "triggers after"),
        (cards.GAME, {"step": _a_fail_tells_the_other_hand}, "own FAIL after"),
        (cards.GAME, {"step": _everybody_witnesses_a_fail}, "witnessed FAIL after"),
        (cards.GAME, {"ending": _over_by_the_deck}, "ending"),
        (cards.GAME, {"step": _passing_is_for_who_holds_the_lowest}, "own FAIL after"),
        (cards.GAME, {"movers": _moves_by_the_deck}, "move"),
        (chase.GAME, {"observe": _dice_are_seen}, "observation"),
    ],
)
def test_a_leak_is_found(game: Any, methods: dict[str, Any], what: str) -> None:
    world = leaking(game.world(), **methods)
    found: list[Difference] = []
    for seed in range(6):
        found += find_leaks(world, visited(game.redraw(seed), seed, game.world()))
    assert what in {each.what[: len(what)] for each in found}
    assert all(each.one != each.other for each in found)
    assert "can tell two states apart by its" in str(found[0])
