"""What holds in every game of Hanabi, in any variant and at any point."""

from __future__ import annotations

from collections import Counter
from itertools import chain, pairwise

from hypothesis import given, settings

from cookmas.worlds.hanabi.rules import Game, Move, Position, fits, list_possible, list_unseen
from cookmas.worlds.hanabi.world import HanabiLevel, HanabiWorld
from tests.sampling import examples
from tests.worlds.hanabi.playing import SEEDS, levels, positions


def in_fireworks(game: Game, position: Position) -> list[str]:
    heights = zip(game.colours, position.fireworks, strict=True)
    return [f"{colour}{rank}" for colour, top in heights for rank in range(1, top + 1)]


def no_card_is_lost_or_made(game: Game, position: Position) -> None:
    held = chain.from_iterable(position.hands)
    lying = [*position.deck, *position.discards, *in_fireworks(game, position)]
    assert Counter([*held, *lying]) == Counter(game.cards)


def tokens_stay_in_bounds_and_the_score_counts_the_fireworks(
    game: Game, position: Position
) -> None:
    assert 0 <= position.clues <= game.clues
    assert 0 <= position.lives <= game.lives
    assert all(0 <= height <= game.ranks for height in position.fireworks)
    played = len(in_fireworks(game, position))
    assert game.score(position) == (played if position.lives else 0)
    assert game.score(position) <= game.best


def hands_are_full_until_the_deck_is_empty_and_each_card_has_marks(
    game: Game, position: Position
) -> None:
    sizes = [len(hand) for hand in position.hands]
    assert [len(marks) for marks in position.marks] == sizes
    assert all(game.hand - 1 <= size <= game.hand for size in sizes)
    if position.deck and not game.is_over(position):
        assert set(sizes) == {game.hand}
    assert (position.left is None) or not position.deck


def what_can_be_known_of_a_card_is_true(game: Game, position: Position) -> None:
    for player, (hand, marks) in enumerate(zip(position.hands, position.marks, strict=True)):
        possible = list_possible(list_unseen(game, position, player), marks)
        for card, mark, cards in zip(hand, marks, possible, strict=True):
            assert fits(card, mark)
            assert card in cards


def legal_moves_depend_on_nothing_that_the_player_does_not_see(
    game: Game, position: Position
) -> None:
    hands = list(position.hands)
    hands[position.player] = ("R1",) * len(hands[position.player])
    blind = position._replace(hands=tuple(hands), deck=("R1",) * len(position.deck))
    assert list(game.moves(blind)) == list(game.moves(position))


CHECKS = (
    no_card_is_lost_or_made,
    tokens_stay_in_bounds_and_the_score_counts_the_fireworks,
    hands_are_full_until_the_deck_is_empty_and_each_card_has_marks,
    what_can_be_known_of_a_card_is_true,
    legal_moves_depend_on_nothing_that_the_player_does_not_see,
)


@settings(max_examples=examples(40))
@given(levels(), SEEDS)
def test_what_holds_at_every_point_of_a_game_that_goes_round_and_ends(
    level: HanabiLevel, seed: int
) -> None:
    game = HanabiWorld(level).game
    played = list(positions(game, seed))
    for position in played:
        for check in CHECKS:
            check(game, position)
    for before, after in pairwise(played):
        assert after.player == (before.player + 1) % game.players
        assert not game.is_over(before)
    drawn = len(game.cards) - game.players * game.hand
    assert game.is_over(played[-1])
    assert len(played) - 1 <= 2 * drawn + game.clues + game.players


def test_a_clue_token_comes_back_for_a_complete_firework_but_not_above_the_most() -> None:
    game = Game(players=2, colours="RY", ranks=2, hand=2, clues=2, lives=3)
    deck = ["R1", "R1", "R2", "Y1", "R1", "Y1", "Y1", "Y2"]
    start = game.deal(deck)
    one = game.play(start, Move("play", 0)).position
    full = game.play(one, Move("play", 0)).position
    assert (full.fireworks, full.clues) == ((2, 0), 2)
    told = game.play(one._replace(clues=1), Move("play", 0)).position
    assert told.clues == 2


def test_the_last_card_leaves_each_player_one_more_move() -> None:
    game = Game(players=2, colours="RY", ranks=2, hand=3, clues=2, lives=3)
    position = game.deal(list(game.cards))
    assert len(position.deck) == 2
    for left in (None, 2):
        position = game.play(position._replace(clues=1), Move("discard", 0)).position
        assert position.left == left
    for left in (1, 0):
        assert not game.is_over(position)
        position = game.play(position._replace(clues=1), Move("discard", 0)).position
        assert (position.left, len(position.hands[1 - position.player])) == (left, 2)
    assert game.is_over(position)
    assert list(game.moves(position)) == []


def test_the_last_life_ends_the_game_without_points() -> None:
    game = Game(players=2, colours="RY", ranks=3, hand=2, clues=2, lives=1)
    position = game.deal(["R1", "Y2", "R2", "Y3", *["R1"] * 2])
    position = game.play(position, Move("play", 0)).position
    assert game.score(position) == 1
    result = game.play(position, Move("play", 1))
    assert (result.card, result.played) == ("Y3", False)
    assert game.is_over(result.position)
    assert game.score(result.position) == 0
    assert len(result.position.hands[1]) == 1
