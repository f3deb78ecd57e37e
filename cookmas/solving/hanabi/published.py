"""The rule lists of Walton-Rivers et al. (2017), arXiv 1704.07069, and policies to compare with.

A rule returns a move, or None if it does not apply. The rules follow the authors' program. Where it
goes by slots, which a new card takes over there, these go by age: the oldest card comes first.
`internal` and `outer` go back to Osawa (2015). `cautious` is theirs too. None of these knows a
convention: a clue means its words alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from random import Random

from cookmas.solving.hanabi.bits import bits_of
from cookmas.solving.hanabi.conventions import Policy, Seen
from cookmas.worlds.hanabi.rules import Marks, Move, list_possible, list_unseen


class OwnHand:
    """The hand and the table as rules ask for them."""

    def __init__(self, seen: Seen) -> None:
        self.game, self.position, _ = seen
        self.player = seen.player
        self.marks = self.position.marks[self.player]
        self._bits = bits_of(self.game)
        self._outlook = self._bits.outlook(self.position.fireworks, self.position.discards)

    @cached_property
    def possible(self) -> Sequence[Counter[str]]:
        """What each own card can be, by clues and counting, with the number of unseen copies."""
        return list_possible(list_unseen(self.game, self.position, self.player), self.marks)

    def is_playable(self, card: str) -> bool:
        """Return whether a firework needs a card next."""
        return bool(self._bits.of[card] & self._outlook.playable)

    def is_useless(self, card: str) -> bool:
        """Return whether no firework can take a card any more."""
        return bool(self._bits.of[card] & self._outlook.useless)

    def chance(self, slot: int) -> float:
        """Return the probability that an own card is playable."""
        cards = self.possible[slot]
        return sum(n for card, n in cards.items() if self.is_playable(card)) / cards.total()

    def list_others(self) -> Iterator[int]:
        """Yield the other players, the next one first."""
        for ahead in range(1, self.game.players):
            yield (self.player + ahead) % self.game.players

    def cards_of(self, other: int) -> Iterator[tuple[str, Marks]]:
        """Yield the cards of another player with their marks, the oldest first."""
        yield from zip(self.position.hands[other], self.position.marks[other], strict=True)

    def tell_rank_first(self, other: int, card: str, marks: Marks) -> Move | None:
        """Return the clue of the rank of a card, or of its colour if no more is unknown."""
        if len(marks.ranks) > 1:
            return Move("rank", other, card[1:])
        return Move("colour", other, card[0]) if len(marks.colours) > 1 else None


Rule = Callable[[OwnHand, Random], Move | None]


def play_if_certain(hand: OwnHand, draw: Random) -> Move | None:
    """Play a card whose colour and rank clues have told, if it is playable."""
    for slot, (colours, ranks, *_) in enumerate(hand.marks):
        if len(colours) == len(ranks) == 1 and hand.is_playable(colours + ranks):
            return Move("play", slot)
    return None


def play_safe_card(hand: OwnHand, draw: Random) -> Move | None:
    """Play a card that is playable whatever it can be."""
    for slot, cards in enumerate(hand.possible):
        if all(map(hand.is_playable, cards)):
            return Move("play", slot)
    return None


def play_probably_safe(least: float) -> Rule:
    """Return the rule that plays the likeliest card if its probability is at least this one.

    Of several equally likely cards it takes the newest one.
    """

    def play(hand: OwnHand, draw: Random) -> Move | None:
        slot = max(range(len(hand.marks)), key=lambda each: (hand.chance(each), each))
        return Move("play", slot) if hand.chance(slot) >= least else None

    return play


def osawa_discard(hand: OwnHand, draw: Random) -> Move | None:
    """Discard a card that no firework can take any more, whatever it can be."""
    if hand.position.clues == hand.game.clues:
        return None
    for slot, cards in enumerate(hand.possible):
        if all(map(hand.is_useless, cards)):
            return Move("discard", slot)
    return None


def discard_oldest(hand: OwnHand, draw: Random) -> Move | None:
    """Discard the oldest card."""
    return None if hand.position.clues == hand.game.clues else Move("discard", 0)


def discard_randomly(hand: OwnHand, draw: Random) -> Move | None:
    """Discard a card at random."""
    if hand.position.clues == hand.game.clues:
        return None
    return Move("discard", draw.randrange(len(hand.marks)))


def tell_playable_card(hand: OwnHand, draw: Random) -> Move | None:
    """Tell the next player the colour or the rank of its oldest playable card, at random."""
    if hand.position.clues:
        other = next(hand.list_others())
        for card, _ in hand.cards_of(other):
            if hand.is_playable(card):
                by_rank = draw.random() < 0.5
                return Move("rank", other, card[1:]) if by_rank else Move("colour", other, card[0])
    return None


def tell_playable_card_outer(hand: OwnHand, draw: Random) -> Move | None:
    """Tell the next player something new about a playable card, the rank first."""
    return _tell_of_playable(hand, [next(hand.list_others())])


def tell_anyone_about_useful_card(hand: OwnHand, draw: Random) -> Move | None:
    """Tell the first player who has a playable card something new about it, the rank first."""
    return _tell_of_playable(hand, list(hand.list_others()))


def _tell_of_playable(hand: OwnHand, others: Sequence[int]) -> Move | None:
    if hand.position.clues:
        for other in others:
            for card, marks in hand.cards_of(other):
                if hand.is_playable(card) and (move := hand.tell_rank_first(other, card, marks)):
                    return move
    return None


def tell_unknown(hand: OwnHand, draw: Random) -> Move | None:
    """Tell the next player something new about its oldest card that it cannot name.

    The colour comes first.
    """
    if hand.position.clues:
        other = next(hand.list_others())
        for card, marks in hand.cards_of(other):
            if len(marks.colours) > 1:
                return Move("colour", other, card[0])
            if len(marks.ranks) > 1:
                return Move("rank", other, card[1:])
    return None


def tell_randomly(hand: OwnHand, draw: Random) -> Move | None:
    """Tell the next player the colour or the rank of a card at random."""
    other = next(hand.list_others())
    cards = hand.position.hands[other]
    if not hand.position.clues or not cards:
        return None
    card = draw.choice(cards)
    by_rank = draw.random() < 0.5
    return Move("rank", other, card[1:]) if by_rank else Move("colour", other, card[0])


def tell_dispensable(hand: OwnHand, draw: Random) -> Move | None:
    """Tell a player what it needs to know that a card is of no use any more.

    It is the colour if that firework is complete, the rank if all fireworks have reached it, or
    whichever of the two is missing for a card that was played.
    """
    if not hand.position.clues:
        return None
    heights = dict(zip(hand.game.colours, hand.position.fireworks, strict=True))
    for other in hand.list_others():
        for card, (colours, ranks, *_) in hand.cards_of(other):
            colour, rank = card[0], int(card[1:])
            half = (len(colours) > 1) != (len(ranks) > 1) and rank <= heights[colour]
            if len(colours) > 1 and (half or heights[colour] == hand.game.ranks):
                return Move("colour", other, colour)
            if len(ranks) > 1 and (half or rank <= min(heights.values())):
                return Move("rank", other, card[1:])
    return None


def apply_when(holds: Callable[[OwnHand], bool], rule: Rule) -> Rule:
    """Return a rule that applies only if something holds."""
    return lambda hand, draw: rule(hand, draw) if holds(hand) else None


def random_move(seen: Seen, draw: Random) -> Move:
    """Return a legal move at random."""
    return draw.choice(list(seen.game.moves(seen.position)))


def follow(*rules: Rule) -> Policy:
    """Return the policy that takes the first rule that applies, else a legal move at random."""

    def policy(seen: Seen, draw: Random) -> Move:
        hand = OwnHand(seen)
        found = (rule(hand, draw) for rule in rules)
        return next(filter(None, found), None) or random_move(seen, draw)

    return policy


def _can_risk(hand: OwnHand) -> bool:
    return hand.position.lives > 1


def _is_last_chance(hand: OwnHand) -> bool:
    return hand.position.lives > 1 and not hand.position.deck


def _has_few_clues(hand: OwnHand) -> bool:
    return hand.position.clues < 4


internal = follow(
    play_safe_card, osawa_discard, tell_playable_card, tell_randomly, discard_randomly
)

outer = follow(
    play_safe_card, osawa_discard, tell_playable_card_outer, tell_unknown, discard_randomly
)

cautious = follow(
    play_if_certain,
    play_safe_card,
    tell_anyone_about_useful_card,
    osawa_discard,
    discard_randomly,
    tell_randomly,
)

iggi = follow(
    play_if_certain,
    play_safe_card,
    tell_anyone_about_useful_card,
    osawa_discard,
    discard_oldest,
    tell_randomly,
)

piers = follow(
    apply_when(_is_last_chance, play_probably_safe(0.0)),
    play_safe_card,
    apply_when(_can_risk, play_probably_safe(0.6)),
    tell_anyone_about_useful_card,
    apply_when(_has_few_clues, tell_dispensable),
    osawa_discard,
    discard_oldest,
    tell_randomly,
    discard_randomly,
)
