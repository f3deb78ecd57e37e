"""The rule lists of Walton-Rivers et al. (2017), arXiv 1704.07069, and policies to compare with.

`internal` and `outer` go back to Osawa (2015). `cautious` is theirs too. None of these knows a
convention: a clue means its words alone.
"""

from __future__ import annotations

from cookmas.solving.hanabi.rules import (
    OwnHand,
    apply_when,
    discard_oldest,
    discard_randomly,
    follow,
    osawa_discard,
    play_if_certain,
    play_probably_safe,
    play_safe_card,
    tell_anyone_about_useful_card,
    tell_dispensable,
    tell_playable_card,
    tell_playable_card_outer,
    tell_randomly,
    tell_unknown,
)


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
