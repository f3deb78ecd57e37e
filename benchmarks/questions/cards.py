"""The cards of Hanabi that can be in a hand, by dealing all that nobody has seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any


def list_possible_cards(
    world: Any, state: Any, hidden: Collection[str], owner: str, slot: int
) -> set[str]:
    """Return the cards in a slot for which some deal fits all clues about the hand.

    The cards in the hands of the players `hidden` are not seen.
    """
    unseen = Counter(world.game.cards)
    unseen.subtract(state["discards"])
    for colour, height in state["fireworks"].items():
        unseen.subtract(f"{colour}{rank}" for rank in range(1, height + 1))
    for name, hand in state["hands"].items():
        if name not in hidden:
            unseen.subtract(card["card"] for card in hand if card["card"] != "??")
    hand = state["hands"][owner]

    def deals(at: int, left: Counter[str]) -> bool:
        if at == len(hand):
            return True
        if at == slot:
            return deals(at + 1, left)
        fitting = [x for x, count in left.items() if count > 0 and _fits(x, hand[at])]
        return any(deals(at + 1, left - Counter([x])) for x in fitting)

    return {
        card
        for card, count in unseen.items()
        if count > 0 and _fits(card, hand[slot]) and deals(0, unseen - Counter([card]))
    }


def _fits(card: str, told: Mapping[str, Any]) -> bool:
    return card[0] in told["colours"] and card[1:] in told["ranks"]
