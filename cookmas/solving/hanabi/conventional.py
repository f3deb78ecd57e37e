"""Our policy: it gives clues by the conventions, plays what they call, and discards the chop."""

from __future__ import annotations

from random import Random

from cookmas.solving.hanabi.clues import LAST, choose_play, rate_clues
from cookmas.solving.hanabi.conclusions import Conclusions
from cookmas.solving.hanabi.seen import Seen
from cookmas.worlds.hanabi.rules.engine import Move

ENOUGH, SCARCE = 0.5, 0.7
"""The least worth of a clue that is given, and the same if two tokens are left or fewer."""


def conventional(seen: Seen, draw: Random) -> Move:
    """Return the move of our policy, which draws nothing.

    1. Save the last copy of a card on the chop of the next player, if it has nothing else to do.
    2. Play a card that is surely playable.
    3. After the last draw, play the likeliest card if a life can be lost.
    4. Give the best clue, if it is good enough, or if each discard would cost a point.
    5. Discard a card that is surely useless, else one that another hand has, else the chop.
    """
    concluded = Conclusions(seen)
    position, game = concluded.position, concluded.game
    plays = concluded.find_all(concluded.outlook.playable)
    following = (concluded.player + 1) % game.players
    play = Move("play", choose_play(concluded, concluded.mine, plays)) if plays else None
    if play and not (position.clues and is_endangered(concluded, following)):
        return play
    worth, clue = max(rate_clues(concluded), default=(0.0, None)) if position.clues else (0.0, None)
    if play:
        return clue if clue and clue.at == following and worth >= LAST else play
    likeliest = choose_likeliest(concluded)
    may_fail = position.lives > 1 and not position.deck and worth < 1
    if may_fail and concluded.chance(likeliest, concluded.outlook.playable):
        return Move("play", likeliest)
    if clue:
        spare = (
            sum(position.fireworks) + len(position.deck) + game.players - concluded.outlook.reach
        )
        least = SCARCE if position.clues <= 2 else ENOUGH
        if worth >= (least if spare > 0 else -least) or position.clues == game.clues:
            return clue
    if position.clues < game.clues:
        return Move("discard", choose_discard(concluded))
    return Move("play", likeliest)


def is_endangered(concluded: Conclusions, other: int) -> bool:
    """Return whether a player would discard the last copy of a useful card from its chop."""
    chop = concluded.beliefs.hands[other].find_chop()
    if chop is None or concluded.is_busy(other):
        return False
    return bool(concluded.true(other)[chop] & concluded.outlook.critical)


def choose_discard(concluded: Conclusions) -> int:
    """Return the slot to discard: a useless card, one that is touched elsewhere, or the chop.

    If clues have touched all cards, it is the one that is least likely a last copy.
    """
    touched = 0
    for other, hand in enumerate(concluded.beliefs.hands):
        if other != concluded.player:
            pairs = zip(concluded.true(other), hand.touched, strict=True)
            touched |= sum({card for card, yes in pairs if yes})
    for cards in (concluded.outlook.useless, concluded.outlook.useless | touched):
        if slots := concluded.find_all(cards):
            return slots[0]
    chop = concluded.own.find_chop()
    if chop is not None:
        return chop
    slots = list(range(len(concluded.mine)))
    return min(slots, key=lambda slot: (concluded.chance(slot, concluded.outlook.critical), -slot))


def choose_likeliest(concluded: Conclusions) -> int:
    """Return the own slot that is most likely playable, the oldest of several."""
    slots = range(len(concluded.mine))
    return max(slots, key=lambda slot: (concluded.chance(slot, concluded.outlook.playable), -slot))
