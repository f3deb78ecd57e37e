"""Our policy: it gives clues by the conventions, plays what they call, and discards the chop.

A clue is worth what another player would do with its hand after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from cookmas.solving.hanabi.conventions import CluedHand, Conclusions, Seen, deduce, interpret
from cookmas.worlds.hanabi.rules import Move

LATER, WRONG, FALSE, BAD = 0.6, 3.0, 1.0, 0.6
"""The worth of a card that is known to be played later; the cost of one that would be misplayed, of
one that would be taken for another card, and of a useless or second one that is not known as such.
A card that will be played now is worth 1.
"""

EXACT = 0.01
"""The worth of each card that a touched card is known not to be."""

LAST, TWO = 1.5, 0.5
"""The cost of an unsaved chop that is the last copy of a useful card, and of one that is a 2."""


def rate_clues(concluded: Conclusions) -> Iterator[tuple[float, Move]]:
    """Yield each true clue, after its worth."""
    game, position = concluded.game, concluded.position
    for ahead in range(1, game.players):
        other = (concluded.player + ahead) % game.players
        hand = position.hands[other]
        before = rate_hand(concluded, other, concluded.beliefs.hands[other])
        for value in (*game.colours, *game.digits):
            kind = 1 if value in game.digits else 0
            told = [card[kind] == value for card in hand]
            if True in told:
                move = Move("rank" if kind else "colour", other, value)
                after = interpret(
                    concluded.bits, concluded.outlook, concluded.beliefs, other, move, told
                )
                yield rate_hand(concluded, other, after) - before, move


def rate_hand(concluded: Conclusions, other: int, hand: CluedHand) -> float:
    """Return how much another player's knowledge of its hand is worth."""
    bits, outlook = concluded.bits, concluded.outlook
    held, useless, playable = concluded.beliefs.held, outlook.useless, outlook.playable
    true = concluded.true(other)
    first = found = deduce(hand, useless, outlook.gone, held)
    heights = list(concluded.position.fireworks)
    worth = 0.0
    done: set[int] = set()
    while True:
        ready = [slot for slot, each in enumerate(found) if not each & ~playable]
        ready = [slot for slot in ready if slot not in done]
        if not ready:
            break
        slot = choose_play(concluded, found, ready)
        done.add(slot)
        card = true[slot]
        if card & playable:
            worth += 1
            heights[(card.bit_length() - 1) // concluded.game.ranks] += 1
            useless |= card
            playable = bits.next(heights)
        else:
            worth -= WRONG
        found = deduce(hand, useless, outlook.gone, held)
    later = bits.next(concluded.beliefs.heights) | playable
    known = 0
    for slot, cards in enumerate(found):
        if not hand.touched[slot] or slot in done:
            continue
        card = true[slot]
        if card & useless:
            worth -= BAD if cards & ~useless else 0
        elif card & known or (card & held and cards & (cards - 1)):
            worth -= BAD
        else:
            known |= card
            if not card & first[slot]:
                worth -= FALSE
            else:
                worth += 0 if cards & ~later else LATER
                worth += EXACT * (bits.all & ~cards).bit_count()
    chop = hand.find_chop()
    if chop is None or done or any(not each & ~useless for each in found):
        return worth
    return worth - risk(concluded, other, chop, useless)


def risk(concluded: Conclusions, other: int, chop: int, useless: int) -> float:
    """Return the cost of letting another player discard its chop."""
    position = concluded.position
    card = position.hands[other][chop]
    bit = concluded.bits.of[card]
    if bit & concluded.outlook.critical:
        return LAST
    copies = sum(hand.count(card) for hand in position.hands)
    return TWO if card[1:] == "2" and not bit & useless and copies == 1 else 0


def choose_play(concluded: Conclusions, cards: Sequence[int], slots: Sequence[int]) -> int:
    """Return which of the slots that can be played is played: the lowest rank, then the newest."""
    return min(slots, key=lambda slot: (concluded.bits.lowest(cards[slot]), -slot))


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
