"""Two games come out as often as they must: exact probabilities against what is played."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path

import pytest

import cookmas
from cookmas.episodes.play import Play
from cookmas.episodes.scenario import is_drawn
from cookmas.episodes.world import Command
from tests.sampling import covering
from tests.worlds.hands import cards, chase
from tests.worlds.hands.exact import (
    Chances,
    Choosing,
    Result,
    chances_of_cards,
    chances_of_chase,
    doubled_tail,
)
from tests.worlds.hands.table import Event, Game

SEEDS = 500
"""Draws that are played; their seeds are fixed, so that a test that passes always does."""

FALSE_ALARM = Fraction(1, 1000)
"""How probable it is at most that one pair of policies fails although everything is right.

Every result of the pair is tested with an equal share of it, so that the bound holds whatever the
results have to do with each other. That the seeds are fixed means that the alarm is raised always
or never.
"""

Policy = Callable[[], Choosing]
PAIRS = [
    *((cards, *pair) for pair in product((cards.careful, cards.bold), repeat=2)),
    *((chase, *pair) for pair in product((chase.dash, chase.wary), repeat=2)),
]
MIXED = covering(PAIRS, lambda case: {(case[0], *each) for each in enumerate(case[1:])})
"""Pairs in which each policy plays in each seat."""


def result_of(game: Game, by: Mapping[str, Choosing], event: Event) -> Result:
    """Play a game by the engine's rule of a timestep."""
    play = Play(game.world(), [(0, event)], game.horizon)
    while not play.ended:
        seen = {name: play.world.observe(play.state, name) for name in play.movers}
        play.step([Command(name, by[name].choose(view, name)) for name, view in seen.items()])
    return str(play.ended), play.tally.score or 0.0


def exactly(game: Game, by: Mapping[str, Choosing]) -> Chances:
    return chances_of_cards(by) if game is cards.GAME else chances_of_chase(by)


@pytest.mark.parametrize(("module", "first", "second"), MIXED)
def test_games_come_out_as_often_as_they_must(
    module: object, first: Policy, second: Policy
) -> None:
    game = cards.GAME if module is cards else chase.GAME
    by = dict(zip(game.world().workers, (first(), second()), strict=True))
    exact = exactly(game, by)
    assert sum(exact.values()) == 1
    played = Counter(result_of(game, by, game.draw(seed)) for seed in range(SEEDS))
    assert played.keys() <= exact.keys()
    for result, chance in exact.items():
        assert doubled_tail(played[result], SEEDS, chance) > FALSE_ALARM / len(exact), result


def test_the_acceptance_finds_a_die_that_is_loaded() -> None:
    """Of dice that never let the hunter wait the test must raise its alarm."""
    by = {"ann": chase.wary(), "ben": chase.wary()}
    exact = exactly(chase.GAME, by)
    loaded = [
        {"kind": "dice", "dice": [max(die, 1) for die in chase.thrown(seed)["dice"]]}
        for seed in range(SEEDS)
    ]
    played = Counter(result_of(chase.GAME, by, event) for event in loaded)
    assert any(
        doubled_tail(played[result], SEEDS, chance) < FALSE_ALARM / len(exact)
        for result, chance in exact.items()
    )


@pytest.mark.parametrize("second", [cards.careful, cards.bold])
def test_all_deals_together_come_out_exactly(second: Policy) -> None:
    by = {"alice": cards.bold(), "bob": second()}
    total: dict[Result, Fraction] = defaultdict(Fraction)
    for order in permutations(cards.CARDS):
        event = {"kind": "deal", "cards": list(order)}
        total[result_of(cards.GAME, by, event)] += Fraction(1, 720)
    assert total == exactly(cards.GAME, by)


def test_probabilities_that_can_be_told_by_hand() -> None:
    """Careful players are stuck at once if the 1 is in the deck, as two of six cards are."""
    careful = {"alice": cards.careful(), "bob": cards.careful()}
    assert exactly(cards.GAME, careful)[("over", 0.0)] == Fraction(1, 3)
    dashing = {"ann": chase.dash(), "ben": chase.dash()}
    assert exactly(chase.GAME, dashing) == {("lost", 0.0): 1}


@pytest.mark.parametrize(
    ("module", "planner", "by"),
    [
        (cards, "alice=careful,bob=bold", {"alice": cards.careful(), "bob": cards.bold()}),
        (chase, "ann=wary,ben=dash", {"ann": chase.wary(), "ben": chase.dash()}),
    ],
)
def test_the_public_api_plays_the_same(
    module: object, planner: str, by: Mapping[str, Choosing], tmp_path: Path
) -> None:
    game = cards.GAME if module is cards else chase.GAME
    spec = f"{'tests.worlds.hands.cards' if module is cards else 'tests.worlds.hands.chase'}:DOMAIN"
    assert is_drawn(game)
    for seed in range(4):
        run = cookmas.play(game.name, planner, world=spec, settings={"seed": seed})
        end, header = run.trace.end, run.trace.header
        assert end
        assert (end.termination, end.tally.score) == result_of(game, by, game.draw(seed))
        assert run.success == (end.termination == "won")
        assert (header.seed, header.planner) == (seed, planner.replace(",", ", "))
        assert header.scenario_digest == game.digest
        assert all(frame.equal for frame in cookmas.replay(run.trace, world=spec))
    settings = {"seed": 0}
    kept = cookmas.play(game.name, planner, tmp_path / "run", world=spec, settings=settings)
    plain = cookmas.play(game.name, planner, world=spec, settings=settings)
    assert [*kept.trace.lines()] == [*plain.trace.lines()], "in the graph as in the plain loop"
