"""The words of Hanabi: the rules, and a table as a player knows it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from cookmas.worlds.hanabi.rules import UNSEEN, Game, Marks, Position, list_possible, list_unseen

COLOURS: Mapping[str, str] = {
    "R": "red", "Y": "yellow", "G": "green", "W": "white", "B": "blue",
}  # fmt: skip
"""The colours by their letter."""

_ABOUT = """
- {workers} play together. They build a firework of each colour: {colours}. A firework begins with
  rank 1, and rises by one rank at a time to rank {ranks}.
- A card has a colour and a rank. R1 is the red card of rank 1. The deck has {cards} cards at first.
  Of each colour there are {copies}.
- Each player begins with {hand} cards. Players see the cards of all others, but not their own.
- The slots of a hand are numbered from 1, the oldest card. If a card leaves the hand, the newer
  ones move down by one slot, and the card that is drawn gets the last slot.
- The players move in turn. A move plays a card, discards a card, or gives a clue.
- A played card joins the firework of its colour if it is the next rank. Otherwise it is discarded,
  and a life token is lost. There are {lives} life tokens at first.
- A clue costs a clue token. There are {clues} clue tokens at first, and never more. Without one
  nobody gives a clue.
- A clue names another player, and a colour or a rank. It points out all cards of this colour or
  rank in the hand of that player, and there must be at least one. All players hear it.
- A discard gives back a clue token. Nobody discards while all clue tokens are there. A completed
  firework gives back a clue token too, if one is missing.
- Who plays or discards a card draws one, as long as the deck has any.
- The game ends when all fireworks are complete, when no life token is left, or when each player has
  had one more move after the last card was drawn.
- The score is the number of cards in the fireworks, at most {best}. It is 0 if no life token is
  left.
- Players tell each other nothing but by their moves.
""".strip()


def describe_rules(game: Game, workers: Sequence[str]) -> str:
    """Return the rules of a variant in words."""
    copies = [f"{game.copies(rank)} of rank {rank}" for rank in range(1, game.ranks + 1)]
    return _ABOUT.format(
        workers=list_words(workers),
        colours=list_words([COLOURS[letter] for letter in game.colours]),
        ranks=game.ranks,
        cards=len(game.cards),
        copies=list_words(copies),
        hand=game.hand,
        lives=game.lives,
        clues=game.clues,
        best=game.best,
    )


def describe_table(
    game: Game, position: Position, recent: Sequence[Mapping[str, Any]], workers: Sequence[str],
    worker: str | None, *, hands: bool = False, deduced: bool = True,
) -> Iterator[str]:  # fmt: skip
    """Yield what a player knows of a table, in sentences; None stands for a spectator.

    `position` and the `recent` moves are as the player sees them. With the `hands` it says of each
    card what clues have told. If `deduced` it says what is played next, and what each card can be:
    for the player's own cards, and to the owner of any other.
    """
    yield _tell_mover(position, workers, worker)
    yield from _tell_common(game, position, deduced=deduced)
    for player, name in enumerate(workers) if hands else ():
        yield from _tell_hand(game, position, workers, player, name, worker, deduced=deduced)
    yield from _tell_recent(position, recent, workers, worker)


def _tell_mover(position: Position, workers: Sequence[str], worker: str | None) -> str:
    name = workers[position.player]
    return "It is your move." if name == worker else f"It is the move of {name}."


def _tell_common(game: Game, position: Position, *, deduced: bool) -> Iterator[str]:
    """Yield what all see: the fireworks, the tokens, the deck, and the discarded cards."""
    heights = list(zip(game.colours, position.fireworks, strict=True))
    built = ", ".join(f"{COLOURS[letter]} {height}" for letter, height in heights)
    due = [f"{letter}{height + 1}" for letter, height in heights if height < game.ranks]
    following = f" Next to play: {', '.join(due) or 'nothing'}." if deduced else ""
    yield f"The fireworks: {built}.{following}"
    tokens = f"{position.clues} of {game.clues} clue tokens"
    deck = f"The deck has {count_things(len(position.deck), 'card')}."
    if position.left is not None:
        deck = f"The deck is empty, and {count_things(position.left, 'move')} are left."
    yield f"There are {tokens} and {position.lives} of {game.lives} life tokens. {deck}"
    order = list(dict.fromkeys(game.cards))
    gone = ", ".join(sorted(position.discards, key=order.index))
    yield f"Discarded: {gone or 'nothing'}."


def _tell_hand(
    game: Game, position: Position, workers: Sequence[str], player: int, name: str,
    worker: str | None, *, deduced: bool,
) -> Iterator[str]:  # fmt: skip
    """Yield a sentence for each card of a hand, the oldest first."""
    counts = list_counted(game, position, workers, name)
    cards = zip(position.hands[player], position.marks[player], counts, strict=True)
    for slot, (card, marks, counted) in enumerate(cards, 1):
        told = f"told {describe_told(marks) or 'nothing'}"
        by_clues = describe_fitting(marks)
        can = f"{by_clues} by clues, {counted} by counting" if counted else by_clues
        if name == worker:
            yield (
                f"Your card {slot}, {told}, can be {can}."
                if deduced
                else f"Your card {slot}: {told}."
            )
        else:
            to_owner = f" To {name} it can be {can}." if deduced else ""
            yield f"Card {slot} of {name} is {card}, {told}.{to_owner}"


def list_counted(
    game: Game, position: Position, workers: Sequence[str], owner: str
) -> Sequence[str]:
    """Return for each card of a hand what counting leaves of it; empty if no less than clues do.

    To its owner a card can be what both the owner and the observer have not seen elsewhere. So this
    holds for what the owner knows at least. The observer is the player whose cards are UNSEEN.
    """
    player = workers.index(owner)
    observers = [seat for seat, hand in enumerate(position.hands) if UNSEEN in hand]
    hidden, marks = {player, *observers}, position.marks[player]
    possible = list_possible(list_unseen(game, position, *hidden), marks)
    counted = [describe_kinds(kinds) for kinds in possible]
    return [
        "" if kinds == describe_fitting(each) else kinds
        for kinds, each in zip(counted, marks, strict=True)
    ]


def describe_fitting(marks: Marks) -> str:
    """Return the kinds of cards that fit the clues, in short."""
    return describe_kinds([f"{x}{y}" for x in marks.colours for y in marks.ranks])


def _tell_recent(
    position: Position, recent: Sequence[Mapping[str, Any]], workers: Sequence[str],
    worker: str | None,
) -> Iterator[str]:  # fmt: skip
    """Yield the last moves, the oldest first, with the slots at which a clue points."""
    for number, move in enumerate(recent):
        who = "You" if move["player"] == worker else move["player"]
        kind, rest = split_action(move["action"])
        if kind != "clue":
            how = "and it joined" if move["played"] else "and it was lost"
            what = f"played slot {rest}, {move['card']}, {how}"
            yield f"{who} {what if kind == 'play' else f'discarded slot {rest}, ' + move['card']}."
            continue
        to, _, value = rest.partition(",")
        moved = any(later["player"] == to for later in recent[number + 1 :])
        hand = position.marks[workers.index(to)]
        slots = [str(n) for n, each in enumerate(hand, 1) if value in describe_told(each).split()]
        at = "" if moved else f" (slot{'s' if slots[1:] else ''} {', '.join(slots)})"
        yield f"{who} told {'you' if to == worker else to} {value}{at}."


def describe_told(marks: Marks) -> str:
    """Return what clues named of a card, such as `red 3`; empty if they named nothing."""
    colour = COLOURS[marks.colours] if marks.colour_told else ""
    return f"{colour} {marks.ranks if marks.rank_told else ''}".strip()


def describe_kinds(kinds: Collection[str]) -> str:
    """Return kinds of cards in short: `R12 YG3` are the red 1 and 2, the yellow 3 and the green 3.

    Colours with the same ranks stand together, in the order of the kinds.
    """
    ranks: dict[str, str] = {}
    for card in kinds:
        ranks[card[0]] = ranks.get(card[0], "") + card[1:]
    together: dict[str, str] = {}
    for colour, each in ranks.items():
        key = "".join(sorted(each))
        together[key] = together.get(key, "") + colour
    return " ".join(f"{colours}{each}" for each, colours in together.items())


def list_words(words: Sequence[str]) -> str:
    """Return words as a list, such as `alice, bob and cara`."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def split_action(action: str) -> tuple[str, str]:
    """Return the kind of an action and its arguments, such as `clue` and `bob,red`."""
    kind, _, arguments = action.removesuffix(")").partition("(")
    return kind, arguments


def count_things(number: int, what: str) -> str:
    """Return a number of things in words, such as `1 card` and `2 cards`."""
    return f"{number} {what}{'' if number == 1 else 's'}"
