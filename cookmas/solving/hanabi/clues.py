"""The worth of clues by the conventions: what another player would do with its hand after one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cookmas.solving.hanabi.conclusions import Conclusions
from cookmas.solving.hanabi.conventions import CluedHand, deduce, interpret
from cookmas.worlds.hanabi.rules.engine import Move

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
