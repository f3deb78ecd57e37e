"""A search of one move: it is tried on deals that fit what the player sees, and played out.

This is the search of a single player in Lerer et al. (2020), arXiv 1912.02318, on drawn deals. All
players are expected to follow our policy afterwards.
"""

from __future__ import annotations

from heapq import nlargest
from random import Random
from statistics import fmean, stdev

from cookmas.solving.hanabi.bits import bits_of
from cookmas.solving.hanabi.conventional import (
    choose_discard,
    choose_likeliest,
    conventional,
    rate_clues,
)
from cookmas.solving.hanabi.conventions import Conclusions, Seen, hear, play_out
from cookmas.worlds.hanabi.rules import Move, Position, complete_deal, draw_hand, list_unseen

FIRST, DEALS, FINALISTS = 8, 24, 2
"""Number of deals on which all moves are tried, on which the best of them are, and their number."""

CLUES = 3
"""Greatest number of clues that are tried: those that our policy rates highest."""

TRIES = 200
"""Number of hands that are drawn in search of one that fits the conventions."""

ERRORS = 2.0
"""Standard errors by which another move must be better than that of our policy."""


def search(seen: Seen, draw: Random) -> Move:
    """Return the move with the best mean score, unless that of our policy may be as good."""
    usual = conventional(seen, draw)
    others = [move for move in list_candidates(seen) if move != usual]
    if not others:
        return usual
    deals = [draw_deal(seen, draw) for _ in range(DEALS)]
    scores = try_move(seen, usual, deals)
    tried = [(try_move(seen, move, deals[:FIRST]), move) for move in others]
    better = [each for each in tried if sum(each[0]) > sum(scores[:FIRST])]
    best, gain = usual, 0.0
    for found, move in nlargest(FINALISTS, better, key=lambda each: sum(each[0])):
        found += try_move(seen, move, deals[FIRST:])
        more = [x - y for x, y in zip(found, scores, strict=True)]
        mean = fmean(more)
        if mean > gain and mean > ERRORS * stdev(more) / DEALS**0.5:
            best, gain = move, mean
    return best


def list_candidates(seen: Seen) -> list[Move]:
    """Return the moves to try: cards that can be playable, the best clues, and a discard."""
    concluded = Conclusions(seen)
    position = seen.position
    slots = {*concluded.find_all(concluded.outlook.playable), choose_likeliest(concluded)}
    found = [Move("play", slot) for slot in sorted(slots)]
    if position.clues:
        clues = sorted(rate_clues(concluded), reverse=True)
        found += [move for _, move in clues[:CLUES]]
    if position.clues < seen.game.clues:
        found.append(Move("discard", choose_discard(concluded)))
    return found


def draw_deal(seen: Seen, draw: Random) -> Position:
    """Return the position with an own hand and a deck that fit what the player sees.

    The hand also fits the conventions if one of TRIES drawn hands does.
    """
    game, position, player = seen.game, seen.position, seen.player
    bits = bits_of(game)
    unseen = list_unseen(game, position, player)
    mine = Conclusions(seen).mine
    hand: tuple[str, ...] = ()
    for _ in range(TRIES):
        hand = draw_hand(unseen, position.marks[player], draw)
        if all(bits.of[card] & cards for card, cards in zip(hand, mine, strict=True)):
            break
    return complete_deal(position, player, hand, unseen, draw)


def try_move(seen: Seen, move: Move, deals: list[Position]) -> list[int]:
    """Return the scores that a move leads to on each deal."""
    game, calls = seen.game, seen.calls
    scores = []
    for deal in deals:
        after = game.play(deal, move).position
        told = hear(game, calls, deal, move, after)
        policies = [conventional] * game.players
        scores.append(game.score(play_out(game, after, told, policies, Random(0))))
    return scores
